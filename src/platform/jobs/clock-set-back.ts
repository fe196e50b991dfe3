import { sql } from '../db/sql.ts'
import type { Loop } from '../domain.ts'

/**
 * Repairs times that the queue took from a clock that has been set back since: otherwise a job would be due, and the
 * tasks of each minute or each night would run again, only once the clock gets there, for example in a year. Entries of
 * cron are written by the clock of the host that runs them, and clocks of hosts may differ; so an hour is tolerated for
 * these.
 */
export const afterClockSetBack: Loop = {
  name: 'platform.after_clock_set_back',
  every: 30_000,
  hints: [],
  run: async ({ database }) => {
    await database.count(sql`
      update graphile_worker._private_known_crontabs
         set last_execution = now()
       where last_execution > now() + interval '1 hour'`)
    // One that is to be due later was put there by a clock that is not in the future.
    await database.count(sql`
      update graphile_worker._private_jobs
         set run_at = now(), updated_at = now()
       where run_at > now() and updated_at > now() + interval '5 minutes' and locked_at is null`)
    return false
  },
}
