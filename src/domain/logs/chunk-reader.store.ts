import type { Rights } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { isoTime } from '#platform/db/values.ts'
import type { Row, TextSought } from '#platform/jsonapi/resource.ts'
import { all } from '#platform/jsonapi/select.ts'
import { type Direction, type Head, type Key, keyOf, nearEdge } from './chunk-order.ts'
import { LineIds } from './log-chunks.store.ts'
import { isOfOneActivity } from './log-pages.sql.ts'

export interface Body {
  readonly step_id: string
  readonly attempt: number
  readonly first_seq: number
  /** Times of the lines, separated by commas; null if all of them have one time. */
  readonly ats: string | null
  readonly categories: string
  readonly messages: string
}

export interface Line extends Row, Key {
  readonly message: string
}

/** Minimum and maximum number of chunks fetched at once. A chunk has at least one line. */
const [fewestHeads, mostHeads] = [64, 2_048] as const
export const mostLines = 4_000
/**
 * Maximum number of stored bytes, as in live streams: the stored size of a chunk is at least a hundredth of its size.
 */
const mostStored = 256 * 1024

/** Number of chunks of all logs that are searched for a page before only logs that the caller may read are searched. */
const windowSize = 4_000

/**
 * The chunks of a list in the order in which they are read, fetched some hundreds at a time.
 *
 * All logs are read by an index, newest first. For a caller who may read only a few projects, that could mean reading
 * everything that others have logged; so it is done for one window, and after that the chunks of the activities that the
 * caller may read are sorted. Oldest first there is no index for a window.
 */
export class Heads {
  readonly #asked: TextSought
  readonly #direction: Direction
  readonly #queries: Queries
  /** Rights that select the activities whose chunks are sorted. */
  readonly #few: Rights | undefined
  /** Whether the next chunks are searched in a window of all logs first. */
  #triesWindow: boolean
  #fetched: Head[] = []
  #at = 0
  #whole = false

  constructor(asked: TextSought, direction: Direction, queries: Queries) {
    this.#asked = asked
    this.#direction = direction
    this.#queries = queries
    this.#few = asked.filters?.some(isOfOneActivity) ? undefined : asked.inFewProjects
    this.#triesWindow = direction === 'desc'
  }

  /** The next chunk, without taking it. @param wanted lines */
  async next(wanted = 1): Promise<Head | undefined> {
    if (this.#at === this.#fetched.length && !this.#whole) {
      const last = this.#fetched.at(-1)
      const most = Math.min(Math.max(wanted, fewestHeads), last ? mostHeads : 256)
      this.#fetched = await this.#fetch(last, most)
      this.#at = 0
      this.#whole = this.#fetched.length < most
    }
    return this.#fetched[this.#at]
  }

  /**
   * Takes the next chunks, until they have `lines` lines or exceed the limit of decryption; at least one, if there is
   * one.
   */
  async take(lines: number): Promise<Head[]> {
    const taken: Head[] = []
    let [opened, stored] = [0, 0]
    for (let head = await this.next(lines); head; head = await this.next(lines - opened)) {
      opened += head.line_count
      stored += head.stored
      if (taken.length && (opened > mostLines || stored > mostStored)) return taken
      taken.push(head)
      this.#at++
      if (opened >= lines) return taken
    }
    return taken
  }

  async #fetch(last: Head | undefined, most: number): Promise<Head[]> {
    const sought = queryAfter(this.#asked, this.#direction, last, most)
    if (!this.#few) return await this.#read(headsOf(sought, allChunks))
    if (this.#triesWindow) {
      const near = await this.#read(headsOf(sought, nearestChunks(sought)))
      if (near.length === most) return near
      this.#triesWindow = false
    }
    return await this.#read(headsOf(sought, chunksReadableBy(this.#few)))
  }

  #read(heads: Sql<Head>): Promise<Head[]> {
    return this.#queries.rows(heads, { plannedAnew: true })
  }
}

/** The next chunks of a list. */
interface HeadsSought {
  readonly among: readonly Sql<boolean>[]
  /** Conditions on the columns of chunks `l` alone. */
  readonly behind: readonly Sql<boolean>[]
  readonly order: Sql
  readonly most: number
}

/** Takes the first of these chunks that fit into one read out of them; at least one. */
export function takeFitting(heads: Head[]): Head[] {
  let [lines, stored] = [0, 0]
  const end = heads.findIndex((head, index) => {
    lines += head.line_count
    stored += head.stored
    return index > 0 && (lines > mostLines || stored > mostStored)
  })
  return heads.splice(0, end < 0 ? heads.length : end)
}

function queryAfter(
  { among, filters, after }: TextSought,
  direction: Direction,
  last: Head | undefined,
  most: number,
): HeadsSought {
  const low = sql`(l.first_at, l.step_id, l.attempt, l.first_seq)`
  const high = sql`(l.last_at, l.step_id, l.attempt, l.first_seq + l.line_count - 1)`
  const [near, far, beyond] = direction === 'asc' ? [low, high, sql`>`] : [high, low, sql`<`]
  const place = ([at, step, attempt, seq]: readonly (string | number | null)[]) =>
    sql`(${String(at)}::timestamptz, ${String(step)}::uuid, ${Number(attempt)}::int, ${Number(seq)}::bigint)`
  const behind: Sql<boolean>[] = []
  if (after) behind.push(sql<boolean>`${far} ${beyond} ${place(after)}`)
  if (last) behind.push(sql<boolean>`${near} ${beyond} ${place(keyOf(nearEdge(last, direction)))}`)
  const [at, seq] =
    direction === 'asc' ? [sql`l.first_at`, sql`l.first_seq`] : [sql`l.last_at`, sql`l.first_seq + l.line_count`]
  const way = sql.raw(direction)
  return {
    among: [...among, ...(filters ?? []).map(({ condition }) => condition)],
    behind,
    order: sql`order by ${at} ${way}, l.step_id ${way}, l.attempt ${way}, ${seq} ${way}`,
    most,
  }
}

const headsOf = ({ among, behind, order, most }: HeadsSought, chunks: Sql): Sql<Head> => sql<Head>`
  select l.step_id, l.attempt, l.first_seq, l.line_count, l.first_at, l.last_at, l.activity_id, a.kind,
         pg_column_size(l.messages) as stored
    from ${chunks}
   where ${all([...among, ...behind])}
   ${order}
   limit ${most}`

const allChunks = sql`log_chunks l join activities a on a.id = l.activity_id`

const nearestChunks = ({ behind, order }: HeadsSought): Sql => sql`
  (select l.* from log_chunks l where ${all(behind)} ${order} limit ${windowSize}) l
  join activities a on a.id = l.activity_id`

/** `offset 0` keeps PostgreSQL from reading chunks by time, where it would expect to meet those few on the way. */
const chunksReadableBy = (rights: Rights): Sql => sql`
  (select a.* from activities a
    where ${rights.visible({ projectId: sql`a.project_id`, path: sql`a.path` })} offset 0) a
  cross join lateral (select l.* from log_chunks l where l.activity_id = a.id offset 0) l`

/** Lines of chunks. A line contains no newline: chunks are made by splitting at these. */
export async function linesOf(heads: readonly Head[], queries: Queries): Promise<Line[]> {
  const bodies = await bodiesOf(heads, queries)
  return heads.flatMap(head => {
    const body = bodies.get(nameOf(head))
    return body ? opened(head, body) : []
  })
}

export async function bodiesOf(heads: readonly Head[], queries: Queries): Promise<Map<string, Body>> {
  const found = await queries.rows(
    sql<Body>`
      select c.step_id, c.attempt, c.first_seq,
             case when c.first_at <> c.last_at then array_to_string(c.ats, ',') end as ats,
             array_to_string(c.categories, ',') as categories, array_to_string(c.messages, e'\n') as messages
        ${chunksOf(heads)}`,
    { byKeys: true },
  )
  return new Map(found.map(each => [nameOf(each), each]))
}

/** Texts of chunks, by their name: neither times nor categories are read. */
export async function textsOf(heads: readonly Head[], queries: Queries): Promise<Map<string, string>> {
  if (!heads.length) return new Map()
  const found = await queries.rows(
    sql<Pick<Body, 'step_id' | 'attempt' | 'first_seq' | 'messages'>>`
      select c.step_id, c.attempt, c.first_seq, array_to_string(c.messages, e'\n') as messages ${chunksOf(heads)}`,
    { byKeys: true },
  )
  return new Map(found.map(each => [nameOf(each), each.messages]))
}

const chunksOf = (heads: readonly Head[]): Sql => sql`
  from unnest((select ${heads.map(each => each.step_id)}::uuid[]), (select ${heads.map(each => each.attempt)}::int[]),
              (select ${heads.map(each => each.first_seq)}::bigint[])) wanted (step_id, attempt, first_seq)
  join log_chunks c on c.step_id = wanted.step_id and c.attempt = wanted.attempt and c.first_seq = wanted.first_seq`

export const nameOf = ({ step_id, attempt, first_seq }: Pick<Head, 'step_id' | 'attempt' | 'first_seq'>) =>
  `${step_id}/${attempt}/${first_seq}`

export function opened(head: Head, { ats, categories, messages }: Body): Line[] {
  const { step_id: writer, activity_id: activity, attempt, first_seq: first, kind } = head
  const ids = new LineIds(writer, attempt)
  const times = ats?.split(',')
  const categoryOf = categories.split(',')
  const step = writer === activity ? null : writer
  const ofKind =
    kind === 'change'
      ? { step_id: step, change_id: activity, workflow_step_id: null, workflow_run_id: null }
      : { step_id: null, change_id: null, workflow_step_id: step, workflow_run_id: activity }
  let [said, at] = ['', head.first_at]
  return messages.split('\n').map((message, index) => {
    const time = times?.[index]
    if (time !== undefined && time !== said) [said, at] = [time, isoTime(time)]
    const category = categoryOf[index]!
    return {
      id: ids.of(first + index),
      message,
      category,
      level: category === 'stderr' ? 'error' : 'info',
      sequence: first + index,
      attempt,
      logged_at: at,
      ...ofKind,
      activity_id: activity,
      writer_id: writer,
      first_seq: first,
      kind,
    }
  })
}
