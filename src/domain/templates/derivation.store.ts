import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { makeTask } from './background-task.store.ts'
import type { Derivation } from './derivation.ts'
import { underWay } from './in-progress.ts'

/** The pool whose slots deriving takes. */
export const derivationPool = 'actions_refresh'

/** For whom something is derived: a template version, or a node of which a change is being prepared. */
export interface DerivedFor {
  readonly templateVersionId?: string
  readonly nodeId?: string
  readonly projectId: string
  readonly path: string
  readonly createdBy: string
  readonly userId: string | null
  /** A step of an admitted run has made the change. */
  readonly underWay?: boolean
}

/** Asks for a derivation. The same one asked for again, while it is open, is that one. */
export async function askForDerivation(tx: Tx, asked: DerivedFor, derivation: Derivation): Promise<void> {
  const input = JSON.stringify(derivation)
  const [version, node] = [asked.templateVersionId ?? null, asked.nodeId ?? null]
  const open = await tx.one(sql`
    select from node_background_tasks t
     where t.status_code in ('initializing', 'running')
       and t.template_version_id is not distinct from ${version}::uuid
       and t.node_id is not distinct from ${node}::uuid
       and t.input = ${input}`)
  if (open) return
  const ofChange = asked.underWay ? underWay : 'change'
  const trigger = asked.templateVersionId ? 'template_version' : ofChange
  await makeTask(tx, { ...asked, type: 'GenerateActionsRequest', pool: derivationPool, trigger, input })
}

/** The actions that a task has come to. */
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
