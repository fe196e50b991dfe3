import { sql } from '../db/sql.ts'
import type { Loop } from '../domain.ts'

/**
 * What the queue was told by a clock that has been set back since: a job would be due, and what is to be done each minute or
 * each night would be done again, once the clock comes there, in a year say. A cron entry is written by the clock of
 * whichever host works it, and those may differ; of it an hour is allowed.
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
    // One that is to be due later was put there by a clock that does not lie ahead.
    await database.count(sql`
      update graphile_worker._private_jobs
         set run_at = now(), updated_at = now()
       where run_at > now() and updated_at > now() + interval '5 minutes' and locked_at is null`)
    return false
  },
}
