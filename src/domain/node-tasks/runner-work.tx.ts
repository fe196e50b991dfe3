import { clockOf } from '#platform/db/clock.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { messageOf } from '#platform/failure.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { type RunnerWork, type Verdict, wantAnotherRunner } from '../runners/index.ts'
import { endTask } from './background-task.jobs.ts'
import { findTask, lockTask, newsOfTasks, requeueTask, runAgain, taskOfRunner } from './background-task.store.ts'
import { type BackgroundTask, typeOf } from './background-task.ts'
import type { RunnerTask, TaskType } from './task-type.port.ts'

/** Number of runners that a task may lose: until then it runs again, afterwards it fails. */
const mostAttempts = 3
/** Number of attempts to advance a task (some seconds) after which it is ended if it was cancelled. */
const cancelledAfter = 5

/**
 * Implements the work of runners for tasks: builds messages for runners, and handles theirs. For them a task is one
 * attempt of one step.
 */
export function taskWork(types: readonly TaskType[], database: Database): RunnerWork {
  const attemptOf = ({ id, attempt, fence }: BackgroundTask) => ({ stepId: id, attempt, fence })
  const workOf = (task: BackgroundTask) => typeOf(types, task).work as RunnerTask
  const giveUp = async (tx: Tx, taskId: string, reason: string) => {
    const task = await lockTask(tx, taskId)
    if (task?.status_code === 'running')
      await endTask(typeOf(types, task), tx, task, { status: 'error', error: reason })
    return true
  }
  const endIfCancelled = async (tx: Tx, taskId: string) => {
    const task = await lockTask(tx, taskId)
    if (task?.status_code !== 'running' || task.cancelled_by === null) return false
    await endTask(typeOf(types, task), tx, task, { status: 'cancelled' })
    return true
  }
  return {
    commit: async (queries, { id, activityId }) => {
      const task = await findTask(queries, activityId)
      if (!task) throw new Error(`the task of runner ${id} is gone`)
      return workOf(task).commit(queries, task)
    },
    archive: async ({ activityId }, commit) => {
      const task = (await findTask(database, activityId))!
      return workOf(task).archive(task, commit)
    },
    news: (queries, runners) =>
      newsOfTasks(
        queries,
        runners.map(({ id }) => id),
      ),
    running: async (queries, runnerId) => {
      const task = await taskOfRunner(queries, runnerId)
      return task ? [attemptOf(task)] : []
    },
    // A runner has its task from the start: its work is sent with the first welcome, like a message that never reached
    // it.
    claim: async () => [],
    again: async (tx, { id }) => {
      const task = await taskOfRunner(tx, id)
      if (!task) return []
      const locked = (await lockTask(tx, task.id))!
      if (locked.status_code !== 'running' || locked.fence !== task.fence) return []
      if (locked.cancelled_by === null)
        return [{ ...attemptOf(task), text: JSON.stringify(await workOf(task).step(tx, task)) }]
      // It never began.
      await endTask(typeOf(types, task), tx, locked, { status: 'cancelled' })
      return []
    },
    // One result, and nothing follows.
    lookAhead: () => {},
    succeed: async () => undefined,
    applyResults: async (tx, _runner, results) => {
      const verdicts: Verdict[] = []
      for (const result of results) verdicts.push(await apply(types, tx, result))
      return { verdicts, run: [] }
    },
    retrying: async () => {},
    cannotApply: ({ activityId }, _stepId, { error, isLost }) =>
      database.transaction(async tx => {
        const task = await lockTask(tx, activityId)
        if (task?.status_code === 'running' && task.cancelled_by === null && !isLost) return false
        await giveUp(tx, activityId, `What it reported could not be applied: ${messageOf(error)}`)
        return true
      }),
    // The log itself says that lines are missing.
    cannotStore: async ({ activityId }, _lines, { isLost }) => {
      const task = await findTask(database, activityId)
      return isLost || task?.status_code !== 'running' || task.cancelled_by !== null
    },
    deferred: async ({ activityId }, error, { backoff, doing, log }) => {
      if (isDatabaseAway(error)) throw error
      const { tries, isLost } = backoff.failed(activityId, await clockOf(database), doing)
      log.warn(
        { err: error, task: activityId },
        'background task could not be advanced; retrying with back-off, other tasks continue',
      )
      // A cancelled task must not have a result.
      const isEnded = isLost
        ? await database.transaction(tx =>
            giveUp(tx, activityId, `The service could not advance it: ${messageOf(error)}`),
          )
        : tries >= cancelledAfter && (await database.transaction(tx => endIfCancelled(tx, activityId)))
      if (isEnded) backoff.remove(activityId)
    },
    resolveLost: async (tx, { runnerId, activityId, reason }) => {
      const task = await lockTask(tx, activityId)
      if (task?.status_code !== 'running') return
      if (task.cancelled_by !== null) return endTask(typeOf(types, task), tx, task, { status: 'cancelled' })
      const lost = `The runner was lost: ${reason}`
      const again = task.attempt < mostAttempts
      if (again && task.activity_id !== null) {
        await runAgain(tx, task.id)
        return wantAnotherRunner(tx, runnerId)
      }
      if (again && (await requeueTask(tx, task))) return
      const error = again ? `${lost}. Another ${task.task_type} is queued, and does the same.` : lost
      await endTask(typeOf(types, task), tx, task, { status: 'error', error })
    },
    // The service's log reports it; nothing waits for a task that is over.
    cleanupFailed: async () => {},
    stepOf: async () => undefined,
  }
}

async function apply(types: readonly TaskType[], tx: Tx, result: Result): Promise<Verdict> {
  const task = await lockTask(tx, result.stepId)
  if (!task || task.fence !== result.fence) return 'stale'
  if (task.status_code !== 'running') return 'repeated'
  const type = typeOf(types, task)
  const stopped = task.cancelled_by !== null && result.outcome === 'cancelled'
  const ending = stopped ? { status: 'cancelled' as const } : await (type.work as RunnerTask).keep(tx, task, result)
  await endTask(type, tx, task, ending)
  return 'applied'
}
