import { inBatches } from '#platform/db/batches.ts'
import type { Job } from '#platform/domain.ts'
import { deleteOldOccurrences, idsOfSchedules } from './occurrence.store.ts'

/**
 * Job that deletes old due times. They are stored so that each creates at most one activity, and none is lost. After a
 * week they are needed only to know whether an activity of theirs is still running, and whether a commit has ever been
 * used, which the newest due time that used it shows. A schedule by the second would otherwise leave 31 million rows a
 * year.
 */
export const trimOccurrences: Job = {
  name: 'schedules.trim_occurrences',
  cron: '29 * * * *',
  run: async (_: never, { database, stopping }) => {
    for (const id of await idsOfSchedules(database))
      await inBatches(stopping, most => deleteOldOccurrences(database, id, most))
  },
}
