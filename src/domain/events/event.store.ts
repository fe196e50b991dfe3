import { removalType } from '#audit/removals.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { storable } from '#platform/stored-text.ts'

/**
 * Appends to the attribute `progress` of an event, which grows while a fetch runs: stored separately from the event,
 * which is written once, and outside its hash.
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
  /** User in whose name it is recorded. */
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

/**
 * Condition on `events e` with their seals `s`: it may be removed once it is old. Events about removed events remain
 * forever.
 */
export const isRemovableEvent = sql<boolean>`(s.event_id is not null and not (e.system and e.type = ${sql.lit(removalType)}))`

/**
 * Removes those of these events that may be removed and are thirty days old: the database allows no other deletion.
 * Their seals remain; the caller records the removal (`removalType`), by `removed_seals`.
 *
 * @returns the numbers of the seals whose events were removed
 */
export async function removeEvents(queries: Queries, ids: readonly string[]): Promise<number[]> {
  const row = await queries.one(sql<{ removed: string[] }>`select sluice_remove_events(${[...ids]}::uuid[]) as removed`)
  return row!.removed.map(Number)
}
