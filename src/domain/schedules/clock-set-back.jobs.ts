import type { Loop } from '#platform/domain.ts'
import { lockAhead, schedulesAhead, setNextRun } from './schedule.store.ts'
import { nextRunAt } from './schedule.ts'

/**
 * Loop that recomputes a next due time that was computed from a time in the future, because the clock has been set back
 * since: otherwise the schedule would not be due until the clock gets there again. Nothing is created twice, because a
 * due time is stored once.
 */
export const countAnew: Loop = {
  name: 'schedules.after_clock_set_back',
  every: 30_000,
  hints: [],
  run: async ({ database }) => {
    for (const id of await schedulesAhead(database))
      await database.transaction(async tx => {
        const schedule = await lockAhead(tx, id)
        if (schedule) await setNextRun(tx, id, nextRunAt(schedule, schedule.now))
      })
    return false
  },
}
