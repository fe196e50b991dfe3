import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/**
 * Adds to the attribute `progress` of an event, which grows while a fetch runs: beside the event, which is written once,
 * and outside its hash.
 */
export async function appendProgress(queries: Queries, eventId: string, text: string): Promise<void> {
  await queries.count(sql`
    insert into event_progress (event_id, part, text)
    select ${eventId}, coalesce(max(part), 0) + 1, ${text.toWellFormed().replaceAll('\0', '\u2400')}
      from event_progress
     where event_id = ${eventId}`)
}

/** The newest event of a type about a record: what `appendProgress` adds to. */
export async function newestEventOf(queries: Queries, type: string, sourceId: string): Promise<string | undefined> {
  const found = await queries.one(sql<{ id: string }>`
    select id from events where source_id = ${sourceId} and type = ${type} order by created_at desc, id desc limit 1`)
  return found?.id
}

/** In whose name the newest event of a type about a record was recorded. */
export const lastToRecord = (
  queries: Queries,
  type: string,
  sourceId: string,
): Promise<{ userId: string | null; username: string } | undefined> =>
  queries.one(sql<{ userId: string | null; username: string }>`
    select user_id as "userId", username
      from events
     where source_id = ${sourceId} and type = ${type}
     order by created_at desc, id desc
     limit 1`)
