import { theService } from '#platform/actor.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import { messageOf } from '#platform/failure.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { findNodeById } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { catchUpOf, noteDue } from './come-due.tx.ts'
import { anyDue, dueInTurns } from './due-turns.store.ts'
import { findSchedule } from './schedule.store.ts'
import { notMissedYet } from './schedule.ts'
import { aboutSchedule, namesOfKind } from './schedule-kinds.ts'

const mostAtOnce = 50
/** Number of due times of one project read at once: enough for the jobs to have the next one ready. */
const mostOfProject = 20
/**
 * Maximum time in seconds that a due time may wait for its turn: at most half of the time after which it would count as
 * missed.
 */
const longestWait = 600

/**
 * Records due times, by the database's clock and in whichever process is first: the due times, the next due time, and
 * the jobs that create the changes, in one transaction. If thousands are due in one minute, a few of each project
 * are recorded at a time, and the next ones once these have been created and started: due times of other projects and
 * requests of people wait behind a few, not behind all.
 */
export function schedulesLoop({ settings }: { settings: SettingsReader }): Loop {
  const backoff = new RetryBackoff()
  return {
    name: 'schedules',
    every: 1_000,
    hints: ['schedules'],
    run: async runtime => {
      const { database } = runtime
      if (!(await anyDue(database))) return false
      const catchUp = await catchUpOf(settings, database)
      const { ids, more } = await dueInTurns(database, {
        most: mostAtOnce,
        postponed: backoff.postponed(),
        perProject: mostOfProject,
        longestWaitSeconds: Math.min(longestWait, Math.max(catchUp, notMissedYet) / 2),
      })
      for (const id of ids) {
        try {
          await database.transaction(tx => noteDue(runtime, tx, id, catchUp))
          backoff.succeeded(id)
        } catch (error) {
          if (isDatabaseAway(error)) throw error
          backoff.failed(id)
          await recordDeferredEvent(runtime, id, error)
        }
      }
      return more
    },
  }
}

/** The others are due all the same; this one is retried after a pause that grows. */
async function recordDeferredEvent({ database, record, log }: Runtime, id: string, failed: unknown): Promise<void> {
  log.error({ err: failed, schedule: id }, 'due time of a schedule could not be recorded; retrying')
  const error = messageOf(failed)
  await database.transaction(async tx => {
    const schedule = await findSchedule(tx, id)
    const node = schedule && (await findNodeById(tx, schedule.node_id))
    if (!schedule || !node) return
    const { attributes, ...about } = aboutSchedule(schedule, node)
    const { controller, creation } = namesOfKind(schedule)
    await record(tx, {
      ...about,
      type: `error:${controller}:${creation}`,
      actor: theService,
      attributes: { ...attributes, due_at: schedule.next_run_at, error },
      throttle: { key: `noting ${id}`, seconds: 3_600 },
    })
  })
}
