import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { storable } from '#platform/stored-text.ts'

/**
 * Adds to the attribute `progress` of an event, which grows while a fetch runs: beside the event, which is written once,
 * and outside its hash.
 */
export async function appendProgress(queries: Queries, eventId: string, text: string): Promise<void> {
  await queries.count(sql`
    insert into event_progress (event_id, part, text)
    select ${eventId}, coalesce(max(part), 0) + 1, ${storable(text)}
      from event_progress
     where event_id = ${eventId}`)
}

export interface RecordedEvent {
  readonly id: string
  /** In whose name. */
  readonly userId: string | null
  readonly username: string
}

/** The newest event of a type about a record. */
export const newestEventOf = (queries: Queries, type: string, sourceId: string): Promise<RecordedEvent | undefined> =>
  queries.one(sql<RecordedEvent>`
    select id, user_id as "userId", username
      from events
     where source_id = ${sourceId} and type = ${type}
     order by created_at desc, id desc
     limit 1`)
