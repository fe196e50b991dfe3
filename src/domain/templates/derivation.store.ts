import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { anyTaskRunsFor, derivationPool, makeRunningTask, makeTask } from '../node-tasks/index.ts'
import { spareKind, wantTaskRunner } from '../runners/index.ts'
import type { Derivation } from './derivation.ts'

/** Subject of a derivation. */
interface DerivedFor {
  readonly projectId: string
  readonly path: string
  readonly createdBy: string
  readonly userId: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scopeProjectId?: string | null
}

const derivationOf = (trigger: string, derivation: Derivation) =>
  ({ type: 'GenerateActionsRequest', pool: derivationPool, trigger, input: JSON.stringify(derivation) }) as const

/** Requests a derivation for a template version. While an equal one is open, that is used. */
export async function askForDerivation(
  tx: Tx,
  asked: DerivedFor & { readonly templateVersionId: string },
  derivation: Derivation,
): Promise<void> {
  const task = derivationOf('template_version', derivation)
  const open = await tx.one(sql`
    select from node_background_tasks t
     where t.status_code in ('initializing', 'running')
       and t.template_version_id = ${asked.templateVersionId}::uuid
       and t.input = ${task.input}`)
  if (!open) await makeTask(tx, { ...asked, ...task })
}

/** Starts a derivation in the slot of a change that was admitted and is locked, unless one is running. */
export async function deriveFor(
  tx: Tx,
  change: DerivedFor & { readonly activityId: string; readonly nodeId: string; readonly site: string },
  derivation: Derivation,
  runner: { readonly options: object; readonly ready: readonly string[] },
): Promise<void> {
  const { activityId, site, ...asked } = change
  if (await anyTaskRunsFor(tx, activityId)) return
  const taskId = await makeRunningTask(tx, activityId, { ...asked, ...derivationOf('change', derivation) })
  await wantTaskRunner(tx, { taskId, site, kind: spareKind, options: runner.options }, runner.ready)
}

/** The actions that a task has derived. */
export async function noteCatalogue(tx: Tx, taskId: string, catalogueId: string): Promise<void> {
  await tx.count(sql`
    update node_background_tasks set catalogue_id = ${catalogueId}::uuid where id = ${taskId}::uuid`)
}

export async function noteInput(tx: Tx, taskId: string, input: string): Promise<void> {
  await tx.count(sql`update node_background_tasks set input = ${input} where id = ${taskId}::uuid`)
}

/** The version of which a task's node is, or that the task is for; null for a change on a project or environment. */
export async function versionOfTask(
  queries: Queries,
  taskId: string,
): Promise<{ id: string; version: string; template_code: string } | undefined> {
  return queries.one(sql<{ id: string; version: string; template_code: string }>`
    select v.id, v.version, t.code as template_code
      from node_background_tasks b
      left join template_version_histories h on h.id = b.template_version_history_id
      join template_versions v on v.id = coalesce(b.template_version_id, h.template_version_id)
      join templates t on t.id = v.template_id
     where b.id = ${taskId}::uuid`)
}
