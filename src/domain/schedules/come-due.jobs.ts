import { theService } from '#platform/actor.ts'
import { isDatabaseAway } from '#platform/db/away.ts'
import type { Around, Loop } from '#platform/domain.ts'
import { messageOf } from '#platform/failure.ts'
import { Setbacks } from '#platform/jobs/setbacks.ts'
import { findNodeById } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { catchUpOf, noteDue } from './come-due.ts'
import { dueSchedules, findSchedule } from './schedule.store.ts'
import { aboutSchedule, sayingOf } from './schedule-kinds.ts'

const mostAtOnce = 50

/**
 * Notes what has come due, by the database's clock and in whichever process gets there first: the due
 * times, when it is due next, and the jobs that make the changes, in one transaction.
 */
export function schedulesLoop({ settings }: { settings: SettingsReader }): Loop {
  const setbacks = new Setbacks()
  return {
    name: 'schedules',
    every: 1_000,
    hints: ['schedules'],
    run: async around => {
      const { database } = around
      const due = await dueSchedules(database, { most: mostAtOnce, postponed: setbacks.postponed() })
      if (due.length === 0) return false
      const catchUp = await catchUpOf(settings, database)
      for (const id of due) {
        try {
          await database.transaction(tx => noteDue(around, tx, id, catchUp))
          setbacks.over(id)
        } catch (error) {
          if (isDatabaseAway(error)) throw error
          setbacks.note(id)
          await tellHeldUp(around, id, error)
        }
      }
      return due.length === mostAtOnce
    },
  }
}

/** The others come due all the same; this one is tried again after a pause that grows. */
async function tellHeldUp({ database, record, log }: Around, id: string, failed: unknown): Promise<void> {
  log.error({ err: failed, schedule: id }, 'what has come due of a schedule could not be noted, and is tried again')
  const error = messageOf(failed)
  await database.transaction(async tx => {
    const schedule = await findSchedule(tx, id)
    const node = schedule && (await findNodeById(tx, schedule.node_id))
    if (!schedule || !node) return
    const { attributes, ...about } = aboutSchedule(schedule, node)
    const { controller, creation } = sayingOf(schedule)
    await record(tx, {
      ...about,
      type: `error:${controller}:${creation}`,
      actor: theService,
      attributes: { ...attributes, due_at: schedule.next_run_at, error },
      throttle: { key: `noting ${id}`, seconds: 3_600 },
    })
  })
}
