import { fromJson } from '#json/from-json.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Listed } from '#platform/jsonapi/read.ts'
import { type AnyLive, type Batch, type Feed, type FeedContext, live, type Message } from '#platform/live/live.ts'
import { activitiesBetween } from '../events/index.ts'
import { hashOf } from './change.live.ts'

/** Live stream of every change and workflow run that the caller may read, as it progresses. */
export const activitiesLive: AnyLive = live({
  name: 'activities.live',
  summary: 'Live stream of all activities',
  path: '/api/activities/live',
  messages: {
    change:
      'A change as lists show it, when more of it differs than when it last changed. After a reconnect one may come again as it was.',
    workflow_run: 'A workflow run, alike.',
  },
  find: async () => ({}),
  needs: () => [],
  open: async (_, { database }, position) =>
    new ActivitiesFeed(position === undefined ? await now(database) : fromJson(position)),
})

interface Position {
  /** Number of the last event that was read: creation, start and end are found by their events. */
  readonly events: number
  /** Time of the last poll, by the database's clock. */
  readonly at: string
}

const kinds = ['change', 'workflow_run'] as const

const now = async (queries: Queries): Promise<Position> =>
  (await queries.one(sql<Position>`select seq as events, sluice_now() as at from audit_head`))!

/** Maximum number of events read at once. */
const page = 1_000
/** Number of activities whose last sent state is remembered, so that an activity that is found twice is sent once. */
const remembered = 5_000

class ActivitiesFeed implements Feed {
  #at: Position
  /** Hashes of the sent states, the oldest first. */
  readonly #sent = new Map<string, string>()
  /** Changes that were being prepared when last read: the end of preparation has no event. */
  #preparing: string[] = []
  /**
   * Ids of the activities that were in progress when last read: their end is sent as soon as it is stored, not once its
   * event is sealed.
   */
  readonly #underWay = new Set<string>()

  constructor(position: Position) {
    this.#at = position
  }

  async read({ database, listed }: FeedContext): Promise<Batch> {
    const reached = await now(database)
    const events = Math.min(reached.events, this.#at.events + page)
    const ids = new Set([
      ...this.#preparing,
      ...(await goingOnSince(database, this.#at.at)),
      ...(await this.#endedSince(database)),
      ...(events > this.#at.events ? await activitiesBetween(database, kinds, this.#at.events, events) : []),
    ])
    const messages: Message[] = []
    for (const kind of kinds) {
      const found = await listed(kind, {
        which: sql<boolean>`a.id = any(${[...ids]}::uuid[])`,
        order: sql`a.updated_at, a.id`,
      })
      if (kind === 'change') this.#preparing = preparing(found)
      for (const each of found) this.#follow(each)
      for (const each of found)
        if (this.#isNews(each.row.id, hashOf(each))) messages.push({ kind, data: { data: each.shown } })
    }
    this.#at = { events, at: reached.at }
    const position = JSON.stringify(this.#at)
    const last = messages.pop()
    if (last) messages.push({ ...last, position })
    return { messages, position, more: events < reached.events }
  }

  #follow({ row, shown }: Listed): void {
    if (shown.attributes['started_at'] !== null && shown.attributes['finished_at'] === null) this.#underWay.add(row.id)
  }

  async #endedSince(queries: Queries): Promise<string[]> {
    if (this.#underWay.size === 0) return []
    const rows = await queries.rows(sql<{ id: string }>`
      select id from activities where id = any(${[...this.#underWay]}::uuid[]) and not final`)
    const left = new Set(rows.map(({ id }) => id))
    const ended = [...this.#underWay].filter(id => !left.has(id))
    for (const id of ended) this.#underWay.delete(id)
    return ended
  }

  #isNews(id: string, hash: string): boolean {
    if (this.#sent.get(id) === hash) return false
    this.#sent.delete(id)
    this.#sent.set(id, hash)
    if (this.#sent.size > remembered) this.#sent.delete(this.#sent.keys().next().value!)
    return true
  }
}

/** Ids of changes that are initializing; a run has its tree from the start. */
const preparing = (changes: readonly Listed[]): string[] =>
  changes.filter(({ row }) => row['stored_status'] === 'initializing').map(({ row }) => row.id)

/**
 * Activities in progress that have moved: the begin and end of waiting have no events. Reads from a minute earlier than
 * requested, because a transaction that wrote a time before a read may have ended after it. The kinds are named for the
 * index, which begins with them: otherwise everything that waits to start would be read.
 */
async function goingOnSince(queries: Queries, at: string): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select id from activities
     where not final and kind = any(${[...kinds]}::text[]) and status in ('initializing', 'running', 'waiting', 'queued')
       and updated_at > ${at}::timestamptz - interval '1 minute'`)
  return rows.map(({ id }) => id)
}
