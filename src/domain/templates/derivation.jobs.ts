import { theService } from '#platform/actor.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Around, Loop } from '#platform/domain.ts'
import type { Result, StepToRun } from '#platform/runner-protocol.ts'
import { isSuperuser } from '../access/index.ts'
import type { Git } from '../git/index.ts'
import {
  letTaskRunnerGo,
  type RunnerWork,
  type Spares,
  takeLog,
  type Verdict,
  wantTaskRunner,
} from '../runners/index.ts'
import { heldMaintenanceMode, type SettingsReader } from '../settings/index.ts'
import { findCatalogue, storeDerived } from './catalogue.store.ts'
import {
  anyWaiting,
  type DerivationTask,
  derivationPool,
  findTask,
  leaveRunning,
  lockFreeSlots,
  lockTask,
  nextWaiting,
  startTask,
  taskOfRunner,
} from './derivation.store.ts'
import { type Derivation, derived, deriveSeconds } from './derivation.ts'

export interface DerivationParts {
  readonly git: Git
  readonly settings: SettingsReader
  readonly enqueue: Around['enqueue']
  readonly spares: Pick<Spares, 'ready'>
}

const site = 'main'
/** A task whose runner is lost runs again; one whose runners are lost so often fails. */
const mostAttempts = 3

/**
 * Starts the derivations that may start (execution.md 2): held by maintenance, one slot each, first in first out. Nothing
 * of a user's code runs before, and nothing of it runs here.
 */
export const admitDerivations = (parts: DerivationParts): Loop => ({
  name: 'templates.derive_actions',
  every: 1_000,
  hints: ['derivations'],
  run: async around => ((await anyWaiting(around.database)) ? admit(parts, around) : false),
})

function admit(parts: DerivationParts, { database, record }: Around): Promise<boolean> {
  return database.transaction(async tx => {
    const held = heldTasks(await heldMaintenanceMode(tx))
    const { free, limit } = await lockFreeSlots(tx, site)
    for (let left = free; ; ) {
      const task = await nextWaiting(tx, site, held)
      if (!task) return false
      const { key } = inputOf(task)
      const known = await findCatalogue(tx, key)
      if (known && known.state !== 'needs_runner') {
        // Another task has derived the same commit meanwhile.
        await end(parts, tx, task, 'success')
        continue
      }
      if (left <= 0) {
        await record(tx, {
          type: 'warn:resource_slot_pool:full',
          actor: theService,
          attributes: { pool: derivationPool, configured_limit: limit },
          throttle: { key: `resource_slot_pool:full:${site}:${derivationPool}`, seconds: 3_600 },
        })
        return false
      }
      left -= 1
      await startTask(tx, task)
      const options = await optionsOf(parts, tx, task)
      await wantTaskRunner(tx, { taskId: task.id, site, kind: 'process', options }, parts.spares.ready())
    }
  })
}

function heldTasks(mode: Awaited<ReturnType<typeof heldMaintenanceMode>>): Sql<boolean> {
  if (mode === 'disabled') return sql<boolean>`false`
  if (mode === 'enabled') return sql<boolean>`true`
  return sql<boolean>`(t.user_id is null or not ${isSuperuser(sql`t.user_id`)})`
}

async function optionsOf({ settings }: DerivationParts, tx: Tx, { project_id }: DerivationTask): Promise<object> {
  const { data } = await settings.ofNode(tx, { id: project_id, project_id, environment_id: null })
  return { sandbox: data['runner.sandbox'] !== false }
}

const inputOf = ({ input }: DerivationTask): Derivation => JSON.parse(input)

/** What runners of derivations are told, and what becomes of what they say. A task is one attempt of one step to them. */
export function derivationWork(parts: DerivationParts, database: Database): RunnerWork {
  const attemptOf = ({ id, attempt, fence }: DerivationTask) => ({ stepId: id, attempt, fence })
  return {
    commit: async (queries, { id, activityId }) => {
      const task = await findTask(queries, activityId)
      if (!task) throw new Error(`the task of runner ${id} is gone`)
      return inputOf(task).key.commit
    },
    archive: async ({ activityId }, commit) => {
      const task = (await findTask(database, activityId))!
      return parts.git.archive(inputOf(task).key.gitRemoteId, commit)
    },
    news: async () => [],
    running: async (queries, runnerId) => {
      const task = await taskOfRunner(queries, runnerId)
      return task ? [attemptOf(task)] : []
    },
    // A task is its runner's from its start on: what it is to do goes out with the first welcome, as what never reached it.
    claim: async () => [],
    again: async (tx, { id }) => {
      const task = await taskOfRunner(tx, id)
      return task ? [{ ...attemptOf(task), text: JSON.stringify(messageFor(task)) }] : []
    },
    applyResults: async (tx, _runner, results) => {
      const verdicts: Verdict[] = []
      for (const result of results) verdicts.push(await apply(parts, tx, result))
      return { verdicts, run: [] }
    },
    retrying: async () => {},
    resolveLost: async (tx, { activityId, reason }) => {
      const task = await lockTask(tx, activityId)
      if (task?.status_code !== 'running') return
      if (task.attempt < mostAttempts) return leaveRunning(tx, task.id, 'initializing')
      await end(parts, tx, task, 'error', `The runner was lost: ${reason}`)
    },
    giveUp: async (tx, taskId, reason) => {
      const task = await lockTask(tx, taskId)
      if (task?.status_code === 'running') await end(parts, tx, task, 'error', reason)
    },
    stepOf: async () => undefined,
  }
}

function messageFor(task: DerivationTask): StepToRun {
  const { key, sources } = inputOf(task)
  return {
    stepId: task.id,
    attempt: task.attempt,
    fence: task.fence,
    bodies: [{ action: 'the list of its actions', module: sources.program, lists: true }],
    folder: key.folder,
    timeoutSeconds: deriveSeconds,
    context: {},
    files: [],
    env: {},
    secrets: [],
    // It may ask the service nothing.
    apiToken: '',
  }
}

async function apply(parts: DerivationParts, tx: Tx, result: Result): Promise<Verdict> {
  const task = await lockTask(tx, result.stepId)
  if (!task || task.fence !== result.fence) return 'stale'
  if (task.status_code !== 'running') return 'repeated'
  const derivation = inputOf(task)
  const outcome = derived(derivation, result)
  if ('failed' in outcome) {
    await end(parts, tx, task, 'error', outcome.failed)
    return 'applied'
  }
  await storeDerived(tx, derivation.key, outcome)
  if (outcome.state === 'ready') await end(parts, tx, task, 'success')
  else await end(parts, tx, task, 'error', outcome.error, true)
  return 'applied'
}

/** Whoever asked goes on, with an error only when nothing was stored that says it. */
async function end(
  { enqueue }: DerivationParts,
  tx: Tx,
  task: DerivationTask,
  status: 'success' | 'error',
  error?: string,
  stored = false,
): Promise<void> {
  const { goOn } = inputOf(task)
  const failed = error !== undefined && !stored
  await enqueue(tx, goOn.job, { ...goOn.payload, ...(failed && { derivationError: error }) }, { key: goOn.key })
  await letTaskRunnerGo(tx, task.id)
  const output = await takeLog(tx, task.id)
  await leaveRunning(tx, task.id, status, { ...(error !== undefined && { error }), output })
}
