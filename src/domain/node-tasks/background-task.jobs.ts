import { theService } from '#platform/actor.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Log, Loop, Runtime } from '#platform/domain.ts'
import { messageOf } from '#platform/failure.ts'
import type { Site } from '#platform/site.ts'
import { addToLog } from '../logs/index.ts'
import { letTaskRunnerGo, runnerOptions, type Spares, spareKind, wantTaskRunner } from '../runners/index.ts'
import { heldMaintenanceMode, type SettingsReader } from '../settings/index.ts'
import {
  closeTask,
  findTask,
  lockFreeSlots,
  lockTask,
  nextWaiting,
  poolsWithWaiting,
  startTask,
  takeTask,
} from './background-task.store.ts'
import { type BackgroundTask, type Ending, typeOf } from './background-task.ts'
import { heldTasks } from './in-progress.sql.ts'
import type { Made, ServiceTask, TaskType } from './task-type.port.ts'

export interface TaskParts {
  /** The site whose tasks are started. */
  readonly site: Site
  readonly settings: SettingsReader
  readonly enqueue: Runtime['enqueue']
  readonly spares: Pick<Spares, 'ready'>
}

/** Maximum number of tasks started under one lock of the pool: others end tasks, and give their slots back. */
const mostAtOnce = 100
const runJob = 'background_tasks.run'

/**
 * Starts the tasks that may start: held by maintenance, one slot each, first in first out in each pool. No user code
 * runs before, and none runs here.
 */
export const admitTasks = (parts: TaskParts, types: readonly TaskType[]): Loop => {
  const names = types.map(({ name }) => name)
  return {
    name: 'background_tasks.admit',
    every: 1_000,
    hints: ['background_tasks'],
    run: async runtime => {
      let more = false
      for (const pool of await poolsWithWaiting(runtime.database, names))
        more = (await admit(parts, types, pool, runtime)) || more
      return more
    },
  }
}

function admit(parts: TaskParts, types: readonly TaskType[], pool: string, runtime: Runtime): Promise<boolean> {
  const names = types.map(({ name }) => name)
  return runtime.database.transaction(async tx => {
    const held = heldTasks(await heldMaintenanceMode(tx))
    const { id, free, limit } = await lockFreeSlots(tx, parts.site, pool)
    let left = free
    for (let looked = 0; looked < mostAtOnce; looked++) {
      const task = await nextWaiting(tx, { site: parts.site, pool, types: names, held })
      if (!task) return false
      const type = typeOf(types, task)
      const begun = await begin(type, tx, task, runtime.log)
      if ('ended' in begun) {
        await endTask(type, tx, task, begun.ended)
        continue
      }
      if (left <= 0) {
        await runtime.record(tx, poolFull(parts.site, { id, pool, limit }))
        return false
      }
      left -= 1
      await start(parts, type, tx, await startTask(tx, task, begun.input ?? task.input))
    }
    return true
  })
}

/** Starts a task. A bug of ours in one task ends that one: rethrown, it would block every task behind it, forever. */
async function begin(
  type: TaskType,
  tx: Tx,
  task: BackgroundTask,
  log: Log,
): ReturnType<NonNullable<TaskType['begin']>> {
  if (!type.begin) return {}
  try {
    return await tx.savepoint(() => type.begin!(tx, task))
  } catch (error) {
    // The whole transaction is retried (deadlocks are of class 40), now or when the database is back.
    if (isDatabaseAway(error) || (error as { code?: string }).code?.startsWith('40')) throw error
    log.error({ err: error, task: task.id }, 'background task could not start; retrying')
    return { ended: { status: 'error', error: messageOf(error) } }
  }
}

const poolFull = (site: Site, { id, pool, limit }: { id: string | undefined; pool: string; limit: number }) => ({
  type: 'warn:resource_slot_pool:full',
  actor: theService,
  ...(id !== undefined && { source: { type: 'resource_slot_pool', id } }),
  attributes: { pool, configured_limit: limit },
  throttle: { key: `resource_slot_pool:full:${site}:${pool}`, seconds: 3_600 },
})

async function start(parts: TaskParts, type: TaskType, tx: Tx, task: BackgroundTask): Promise<void> {
  if (type.work.in === 'service')
    return parts.enqueue(tx, runJob, { taskId: task.id }, { key: `${runJob}:${task.id}`, nodePath: task.path })
  const { data } = await parts.settings.ofNode(tx, {
    id: task.project_id,
    project_id: task.project_id,
    environment_id: null,
  })
  await wantTaskRunner(
    tx,
    { taskId: task.id, site: parts.site, kind: spareKind, options: runnerOptions(data) },
    parts.spares.ready(),
  )
}

/** Ends a locked task: its effects, its runner, its log, and last its slot. */
export async function endTask(type: TaskType, tx: Tx, task: BackgroundTask, ending: Ending): Promise<void> {
  await type.ended(tx, task, ending)
  await letTaskRunnerGo(tx, task.id)
  if (ending.status === 'error') await say(tx, task, ending.error)
  if (ending.status === 'cancelled') await say(tx, task, `Cancelled by ${task.cancelled_by ?? theService.username}.`)
  await closeTask(tx, task.id, ending)
}

/** Appends lines of Sluice itself to the task's log. */
export const say = (queries: Parameters<typeof addToLog>[0], task: BackgroundTask, message: string): Promise<void> =>
  addToLog(queries, { activityId: task.id, attempt: { stepId: task.id, attempt: task.attempt }, message })

/**
 * Work of the service itself. If a process dies, the job is given back, and the next process begins under a new fence;
 * a process that lives on without knowing so finds its fence invalid, and its result is dropped.
 */
export const runTask = (types: readonly TaskType[]): Job => ({
  name: runJob,
  run: async ({ taskId }: { taskId: string }, runtime) => {
    const { database } = runtime
    const task = await database.transaction(tx => takeTask(tx, taskId))
    if (!task) return
    const type = typeOf(types, task)
    const made = await madeBy(type.work as ServiceTask, task, runtime)
    // Given back to the queue, for the next process.
    if (runtime.stopping.aborted) throw new Error('the service stops')
    await database.transaction(async tx => {
      const now = await lockTask(tx, taskId)
      if (now?.status_code !== 'running' || now.fence !== task.fence) return
      if (now.cancelled_by !== null) return endTask(type, tx, now, { status: 'cancelled' })
      await made.keep?.(tx)
      await endTask(type, tx, now, made.ending)
    })
  },
})

const lookMilliseconds = 500

async function madeBy(work: ServiceTask, task: BackgroundTask, { database, stopping, log }: Runtime): Promise<Made> {
  const given = new AbortController()
  const look = setInterval(() => {
    findTask(database, task.id).then(
      now => {
        if (now?.fence !== task.fence || now.cancelled_by !== null) given.abort()
      },
      // An unavailable database says nothing about the task; the result is stored, or not, when it is back.
      error => log.warn({ err: error, task: task.id }, 'polling for cancelled tasks failed; retrying'),
    )
  }, lookMilliseconds)
  try {
    const signal = AbortSignal.any([stopping, given.signal])
    return await work.run(task, { database, signal, say: message => say(database, task, message) })
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    log.error({ err: error, task: task.id }, 'background task failed')
    return { ending: { status: 'error', error: messageOf(error) } }
  } finally {
    clearInterval(look)
  }
}
