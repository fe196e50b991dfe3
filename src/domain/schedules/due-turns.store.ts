import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Limits on due times of all projects, and on those in progress. */
export interface Turns {
  /** Maximum number of schedules in one batch. */
  readonly most: number
  /** Ids of schedules that are left out, because they have failed a moment ago. */
  readonly postponed: readonly string[]
  /**
   * Maximum number of open due times of one project: in progress, or created while there is no slot for them. Changes
   * started by people, and due times of other projects, wait behind no more than these.
   */
  readonly perProject: number
  /** Seconds after which a due time no longer waits for its turn: it would count as missed. */
  readonly longestWaitSeconds: number
}

/** Seconds after which an unfinished due time no longer counts: it hangs, and must not block its project. */
const longestMaking = 600

export const anyDue = async (queries: Queries): Promise<boolean> => {
  const due = await queries.one(sql`
    select from scheduled_activities where enabled and next_run_at <= (select sluice_now()) limit 1`)
  return due !== undefined
}

/**
 * Ids of due schedules, in turns between projects: the oldest of each, then the next of each, projects with less in
 * progress first.
 */
export async function dueInTurns(
  queries: Queries,
  { most, postponed, perProject, longestWaitSeconds }: Turns,
): Promise<{ ids: string[]; more: boolean }> {
  const rows = await queries.rows(sql<{ id: string }>`
    with due as materialized (
      select s.id, s.project_id, s.next_run_at,
             row_number() over (partition by s.project_id order by s.next_run_at, s.id) as place
        from scheduled_activities s
       where s.enabled and s.next_run_at <= (select sluice_now()) and s.id <> all(${[...postponed]}::uuid[])
    ),
    making as materialized (
      select s.project_id, count(*) as open
        from schedule_occurrences o
        join scheduled_activities s on s.id = o.schedule_id
       where o.state in ('due', 'resolving') and o.updated_at > sluice_now() - make_interval(secs => ${longestMaking})
       group by s.project_id
    ),
    projects as materialized (
      select p.project_id, coalesce(m.open, 0) as making, waiting.count as waiting
        from (select distinct project_id from due) p
        left join making m on m.project_id = p.project_id
       cross join lateral (
         select count(*) as count
           from (select from activities a
                   join slot_pools l on l.site = a.site and l.pool = a.pool and l.used >= l.configured_limit
                  where a.project_id = p.project_id
                    and ((a.status)::text = 'initializing' or ((a.status)::text = 'pending' and a.head))
                  limit ${perProject}) a) waiting
    )
    select d.id
      from due d
      join projects p on p.project_id = d.project_id
     where d.place + p.making + p.waiting <= ${perProject}
        or d.next_run_at < sluice_now() - make_interval(secs => ${longestWaitSeconds})
     order by d.place + p.making, d.next_run_at, d.id
     limit ${most}`)
  return { ids: rows.map(({ id }) => id), more: rows.length === most }
}
