import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Whether an instant, or the end of a day in UTC, is before a node was created or in the future. */
export async function placed(
  queries: Queries,
  asked: { readonly endOf: string } | { readonly at: string },
  createdAt: string,
): Promise<{ at: string; early: boolean; future: boolean }> {
  const instant =
    'endOf' in asked ? sql`(${asked.endOf}::date + 1)::timestamp at time zone 'UTC'` : sql`${asked.at}::timestamptz`
  return (await queries.one(sql<{ at: string; early: boolean; future: boolean }>`
    select at, at < ${createdAt}::timestamptz as early, at >= sluice_now() as future from (select ${instant} as at) asked`))!
}
