import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Change with which the properties of another one are compared. */
export interface ComparedChange {
  readonly id: string
  readonly finished_at: string
}

/**
 * The newest change of the same action on the same node that succeeded before this one ended; for one in progress,
 * before now.
 */
export const lastSuccessBefore = (queries: Queries, id: string): Promise<ComparedChange | undefined> =>
  queries.one(sql<ComparedChange>`
    select last.id, last.finished_at
      from activities a
     cross join lateral (
           select b.id, b.finished_at
             from activities b
            where b.node_id = a.node_id and b.kind = 'change' and b.name_key = a.name_key and b.status = 'success'
              and b.id <> a.id
              and (a.finished_at is null or b.finished_at <= a.finished_at)
            order by b.created_at desc, b.id desc
            limit 1) last
     where a.id = ${id}::uuid`)
