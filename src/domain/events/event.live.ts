import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Picked } from '#platform/jsonapi/read.ts'
import { type AnyLive, type Batch, type Feed, type FeedContext, live, type Message } from '#platform/live/live.ts'
import { sealedUpTo } from './seal.store.ts'

/** Maximum number of events read at once, and of their bytes: custom events may have a megabyte each. */
const page = 500
const mostBytes = 4 * 1024 * 1024
/** Number of events read without checking how large they are. */
const few = 16

/** The audit trail as it is sealed, in its order. Lists show events that are not sealed yet; streams may not. */
export const eventsLive: AnyLive = live({
  name: 'events.live',
  summary: 'Live stream of events, as they are sealed',
  path: '/api/events/live',
  messages: { event: 'An event as lists show it, in the order in which they were sealed; none is left out.' },
  find: async () => ({}),
  needs: () => [],
  open: async (_, { database }, position) =>
    new EventsFeed(position === undefined ? await sealedUpTo(database) : Number(position)),
})

class EventsFeed implements Feed {
  /** Number of the last event that was read. */
  #seq: number

  constructor(seq: number) {
    this.#seq = seq
  }

  async read({ database, listed }: FeedContext): Promise<Batch> {
    const sealed = await sealedUpTo(database)
    const from = this.#seq
    const to = await endOfPage(database, from, sealed)
    const events = from < to ? await listed('event', eventsBetween(from, to)) : []
    const messages = events.map(({ row, shown }): Message => {
      return { kind: 'event', data: { data: shown }, position: String(row['seq']) }
    })
    this.#seq = to
    return { messages, position: String(to), more: to < sealed }
  }
}

/**
 * Number up to which events are read at once, so that they fit into the memory of a process with many streams; of one
 * activity, if it is given. The last number of all if the rest fits.
 */
export async function endOfPage(queries: Queries, after: number, last: number, activityId?: string): Promise<number> {
  if (last - after <= few) return last
  const next = await queries.rows(sql<{ seq: number; bytes: number }>`
    select s.seq, (sum(octet_length(e.body)) over (order by ${inOrder(activityId)}))::float8 as bytes
      from event_seals s join events e on e.id = s.event_id
     where s.seq > ${after}::bigint and s.seq <= ${last}::bigint ${ofActivity(activityId)}
     order by ${inOrder(activityId)}
     limit ${page}`)
  const fitting = next.filter(({ bytes }, index) => index === 0 || bytes <= mostBytes)
  return fitting.length < page && fitting.length === next.length ? last : fitting.at(-1)!.seq
}

/** Sealed events by number: after the first, up to the second; of one activity, if it is given. */
export const eventsBetween = (after: number, upTo: number, activityId?: string): Picked => ({
  which: sql<boolean>`s.seq > ${after}::bigint and s.seq <= ${upTo}::bigint ${ofActivity(activityId)}`,
  order: inOrder(activityId),
})

/** Sort key of events; a sum, so that the few events of one activity are not searched along the whole chain. */
const inOrder = (activityId: string | undefined): Sql => (activityId === undefined ? sql`s.seq` : sql`s.seq + 0`)

const ofActivity = (id: string | undefined): Sql => (id === undefined ? sql`` : sql`and e.activity_id = ${id}::uuid`)

/** Activities of a kind with sealed events of these numbers; events of their steps do not count. */
export async function activitiesBetween(
  queries: Queries,
  kinds: readonly ('change' | 'workflow_run')[],
  after: number,
  upTo: number,
): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select distinct e.source_id as id
      from event_seals s join events e on e.id = s.event_id
     where s.seq > ${after}::bigint and s.seq <= ${upTo}::bigint and e.source_id is not null
       and e.source_type = any(${[...kinds]}::text[])`)
  return rows.map(({ id }) => id)
}

/** Nodes with sealed events of these numbers, with their paths; events of steps do not count. */
export const nodesBetween = (queries: Queries, after: number, upTo: number): Promise<{ id: string; path: string }[]> =>
  queries.rows(sql<{ id: string; path: string }>`
    select distinct e.node_id as id, e.path
      from event_seals s join events e on e.id = s.event_id
     where s.seq > ${after}::bigint and s.seq <= ${upTo}::bigint and e.node_id is not null and e.path is not null
       and e.source_type is distinct from 'step' and e.source_type is distinct from 'workflow_step'`)

/** Whether an activity has events beyond a number: sealed since, or not sealed yet. */
export async function hasEventsAfter(queries: Queries, activityId: string, seq: number): Promise<boolean> {
  const found = await queries.one(sql`
    select from events e
     where e.activity_id = ${activityId}::uuid
       and not exists (select from event_seals s where s.event_id = e.id and s.seq <= ${seq}::bigint)
     limit 1`)
  return found !== undefined
}
