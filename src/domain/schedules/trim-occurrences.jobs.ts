import { inBatches } from '#platform/db/batches.ts'
import { sql } from '#platform/db/sql.ts'
import type { Job } from '#platform/domain.ts'

/**
 * Due times are noted so that each makes one activity at most, and none is lost. After a week nobody asks about one any
 * more, but: whether what it made is still at work, and whether a commit has ever been used, which the newest due time
 * that used it says. A schedule by the second would otherwise leave 31 million rows a year.
 */
export const trimOccurrences: Job = {
  name: 'schedules.trim_occurrences',
  cron: '29 * * * *',
  run: async (_: never, { database, stopping }) => {
    const schedules = await database.rows(sql<{ id: string }>`select id from scheduled_activities`)
    for (const { id } of schedules)
      await inBatches(stopping, most =>
        database.count(sql`
          delete from schedule_occurrences o
           where o.schedule_id = ${id}::uuid
             and o.due_at in (
                 select old.due_at
                   from schedule_occurrences old
                  where old.schedule_id = ${id}::uuid
                    and old.due_at < sluice_now() - interval '7 days'
                    and old.state not in ('due', 'resolving')
                    and not exists (select from activities a where a.id = old.activity_id and not a.final)
                    and (old.state <> 'created' or old.commit_sha is null
                         or exists (select from schedule_occurrences later
                                     where later.schedule_id = old.schedule_id and later.state = 'created'
                                       and later.commit_sha = old.commit_sha and later.due_at > old.due_at))
                  order by old.due_at
                  limit ${most})`),
      )
  },
}
