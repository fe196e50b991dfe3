import { isInFuture } from '#platform/db/clock.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Maximum number of failed sign-ins per minute for each user and address. */
const mostFailures = 10

/**
 * Counts an attempt before it is verified, so that a hundred at the same time cannot all be tried; across all processes.
 *
 * @returns the seconds to wait when there have been too many, else undefined
 */
export async function countAttempt(queries: Queries, key: Buffer): Promise<number | undefined> {
  const isOver = sql`(f.since <= excluded.since - interval '1 minute' or ${isInFuture(sql`f.since`)})`
  const row = (await queries.one(sql<{ failures: number; seconds: number }>`
    insert into sign_in_failures as f (key, failures, since)
    values (${key}, 1, sluice_now())
    on conflict (key) do update
       set failures = case when ${isOver} then 1 else f.failures + 1 end,
           since    = case when ${isOver} then excluded.since else f.since end
    returning failures,
              greatest(1, ceil(extract(epoch from since + interval '1 minute' - sluice_now())))::int as seconds`))!
  return row.failures > mostFailures ? row.seconds : undefined
}

/** Takes back a counted attempt that was not a failure. */
export const forgiveAttempt = (queries: Queries, key: Buffer): Promise<number> =>
  queries.count(sql`update sign_in_failures set failures = failures - 1 where key = ${key} and failures > 0`)

export const deleteOldFailures = (queries: Queries): Promise<number> =>
  queries.count(sql`delete from sign_in_failures where since < sluice_now() - interval '1 minute'`)
