import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { isoTime } from '#platform/db/values.ts'
import type { Position } from '#platform/jsonapi/cursor.ts'
import { mostBytes, type Page } from '#platform/jsonapi/page.ts'
import type { PageSought, Row, TextPage, TextSought } from '#platform/jsonapi/resource.ts'
import { all } from '#platform/jsonapi/select.ts'
import { LineIds } from './log-chunks.store.ts'
import type { ActivityKind } from './log-owners.ts'
import { isOfWholeChunks } from './log-pages.ts'

/** The order of lines: by time, then by step, attempt and number. What each line of a page is compared by. */
const orderOfLines = ['logged_at', 'writer_id', 'attempt', 'sequence'] as const

/** What a chunk says of its lines without being opened. */
interface Head {
  readonly step_id: string
  readonly attempt: number
  readonly first_seq: number
  readonly line_count: number
  readonly first_at: string
  readonly last_at: string
  readonly activity_id: string
  readonly kind: ActivityKind
  /** Bytes of its texts as they are stored. */
  readonly stored: number
}

interface Body {
  readonly step_id: string
  readonly attempt: number
  readonly first_seq: number
  /** Null where all of its lines have one. */
  readonly ats: string | null
  readonly categories: string
  readonly messages: string
}

type Direction = 'asc' | 'desc'

/**
 * Reads a page of log lines from its chunks: these in order, a few at a time, and opened here. PostgreSQL would open every
 * chunk that may touch the page, make an id of each line, and sort them all.
 *
 * @returns undefined where the order is another, or a filter asks for single lines
 */
export function readLogPage(asked: PageSought, queries: Queries): Promise<Page> | undefined {
  const direction = directionOfChunks(asked)
  return direction && pageOfChunks(asked, direction, queries)
}

/**
 * Reads the next lines of a log as text. A chunk whose time no other chunk shares is one piece of text, and no line of it is
 * made a record.
 *
 * @returns undefined where a filter asks for single lines
 */
export function readLogText(asked: TextSought, queries: Queries): Promise<TextPage> | undefined {
  return directionOfChunks(asked) === 'asc' ? textOfChunks(asked, queries) : undefined
}

/** The direction in which chunks are read; undefined where the order is another, or a filter asks for single lines. */
function directionOfChunks({ sorts, filters }: TextSought): Direction | undefined {
  const direction = sorts[0]?.direction
  const isTheirs = sorts.length === orderOfLines.length && sorts.every(({ name }, at) => name === orderOfLines[at])
  if (!isTheirs || sorts.some(each => each.direction !== direction)) return undefined
  return filters?.every(isOfWholeChunks) ? direction : undefined
}

/** Characters of text after which a page of it ends. */
const textPage = 2 * 1024 * 1024

async function textOfChunks(asked: TextSought, queries: Queries): Promise<TextPage> {
  const heads = new Heads(asked, 'asc', queries)
  const written = new WrittenText(asked.after && positionKey(asked.after))
  for (let batch = await heads.take(mostLines); batch.length; batch = await heads.take(mostLines)) {
    const next = await heads.next()
    for (const piece of await piecesOf(batch, next, written.edge, queries)) written.add(piece)
    written.upTo(next && nearEdge(next, 'asc'))
    if (next && written.last && written.length >= textPage)
      return { text: written.text(), next: positionOf(written.last) }
  }
  return { text: written.text() }
}

/** A chunk that is written as a whole, or the lines of one that shares its time with others. */
type Piece = { readonly whole: Head; readonly text: string } | { readonly lines: readonly Line[] }

async function piecesOf(
  batch: readonly Head[],
  next: Head | undefined,
  after: Key | undefined,
  queries: Queries,
): Promise<Piece[]> {
  const whole = new Set<Head>()
  // No line before this one is left behind the chunks that were looked at.
  let edge = after
  for (const [at, head] of batch.entries()) {
    const [first, last] = [nearEdge(head, 'asc'), farEdge(head)]
    const following = batch[at + 1] ?? next
    const isAlone =
      (!edge || inOrder(edge, first, 'asc') < 0) && (!following || inOrder(last, nearEdge(following, 'asc'), 'asc') < 0)
    if (isAlone) whole.add(head)
    edge = edge && inOrder(edge, last, 'asc') > 0 ? edge : last
  }
  const shared = batch.filter(head => !whole.has(head))
  const texts = await textsOf([...whole], queries)
  const lines = shared.length ? await bodiesOf(shared, queries) : new Map<string, Body>()
  return batch.flatMap((head): Piece[] => {
    const text = texts.get(nameOf(head))
    if (text !== undefined) return [{ whole: head, text }]
    const body = lines.get(nameOf(head))
    return body ? [{ lines: opened(head, body) }] : []
  })
}

/** Text in the order of the log: whole chunks, and between them the lines of those that share their times. */
class WrittenText {
  /** The last line that was written, or behind which all of them are. */
  last: Key | undefined
  length = 0
  readonly #parts: string[] = []
  #pending: Line[] = []

  constructor(after: Key | undefined) {
    this.last = after
  }

  /** The last line of all that was added. */
  get edge(): Key | undefined {
    return this.#pending.at(-1) ?? this.last
  }

  add(piece: Piece): void {
    if ('lines' in piece) this.#pending.push(...piece.lines)
    else {
      this.upTo(undefined)
      const [first, last] = [nearEdge(piece.whole, 'asc'), farEdge(piece.whole)]
      this.#write(piece.text, inOrder(first, last, 'asc') > 0 ? first : last)
    }
  }

  /** Writes the lines before an edge, or all. */
  upTo(edge: Key | undefined): void {
    if (!this.#pending.length) return
    this.#pending.sort((a, b) => inOrder(a, b, 'asc'))
    const end = edge ? this.#pending.findIndex(line => inOrder(line, edge, 'asc') >= 0) : -1
    const ready = end < 0 ? this.#pending : this.#pending.slice(0, end)
    for (const line of ready) if (!this.last || inOrder(line, this.last, 'asc') > 0) this.#write(line.message, line)
    this.#pending = end < 0 ? [] : this.#pending.slice(end)
  }

  #write(text: string, last: Key): void {
    this.#parts.push(text, '\n')
    this.length += text.length + 1
    this.last = last
  }

  text(): string {
    return this.#parts.join('')
  }
}

async function pageOfChunks(asked: PageSought, direction: Direction, queries: Queries): Promise<Page> {
  const { size, after } = asked
  const rows: Row[] = []
  let pending: Line[] = []
  let bytes = 0
  const heads = new Heads(asked, direction, queries)
  for (let batch = await heads.take(size + 1); batch.length; ) {
    pending.push(...(await linesOf(batch, queries)))
    pending.sort((a, b) => inOrder(a, b, direction))
    const next = await heads.next()
    const end = next ? pending.findIndex(line => inOrder(line, nearEdge(next, direction), direction) >= 0) : -1
    const ready = end < 0 ? pending : pending.slice(0, end)
    for (const line of ready) {
      if (after && inOrder(line, positionKey(after), direction) <= 0) continue
      if (rows.length === size || bytes >= mostBytes) return { rows, cut: true }
      rows.push(line)
      bytes += line.message.length
    }
    pending = end < 0 ? [] : pending.slice(end)
    batch = next ? await heads.take(size + 1 - rows.length - pending.length) : []
  }
  return { rows, cut: false }
}

/** A chunk has a line at least. */
const [fewestHeads, mostHeads] = [64, 2_048] as const
const mostLines = 4_000
/** As in live streams: stored, a chunk has a hundredth of its size at the least. */
const mostStored = 256 * 1024

/** The chunks of a list in the order in which they are read, fetched some hundreds at a time. */
class Heads {
  readonly #asked: TextSought
  readonly #direction: Direction
  readonly #queries: Queries
  #fetched: Head[] = []
  #at = 0
  #whole = false

  constructor(asked: TextSought, direction: Direction, queries: Queries) {
    this.#asked = asked
    this.#direction = direction
    this.#queries = queries
  }

  /** The next one, which stays there. @param wanted lines */
  async next(wanted = 1): Promise<Head | undefined> {
    if (this.#at === this.#fetched.length && !this.#whole) {
      const last = this.#fetched.at(-1)
      const most = Math.min(Math.max(wanted, fewestHeads), last ? mostHeads : 256)
      const heads = headsOf(this.#asked, this.#direction, last, most)
      this.#fetched = await this.#queries.rows(heads, { plannedAnew: true })
      this.#at = 0
      this.#whole = this.#fetched.length < most
    }
    return this.#fetched[this.#at]
  }

  /** The next ones, until they have so many lines or more than is opened at once; one at least, if there is one. */
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
}

function headsOf(
  { among, filters, after }: TextSought,
  direction: Direction,
  last: Head | undefined,
  most: number,
): Sql<Head> {
  const low = sql`(l.first_at, l.step_id, l.attempt, l.first_seq)`
  const high = sql`(l.last_at, l.step_id, l.attempt, l.first_seq + l.line_count - 1)`
  const [near, far, beyond] = direction === 'asc' ? [low, high, sql`>`] : [high, low, sql`<`]
  const place = ([at, step, attempt, seq]: readonly (string | number | null)[]) =>
    sql`(${String(at)}::timestamptz, ${String(step)}::uuid, ${Number(attempt)}::int, ${Number(seq)}::bigint)`
  const conditions = [...among, ...(filters ?? []).map(({ condition }) => condition)]
  if (after) conditions.push(sql<boolean>`${far} ${beyond} ${place(after)}`)
  if (last) conditions.push(sql<boolean>`${near} ${beyond} ${place(keyOf(nearEdge(last, direction)))}`)
  const [at, seq] =
    direction === 'asc' ? [sql`l.first_at`, sql`l.first_seq`] : [sql`l.last_at`, sql`l.first_seq + l.line_count`]
  const way = sql.raw(direction)
  return sql<Head>`
    select l.step_id, l.attempt, l.first_seq, l.line_count, l.first_at, l.last_at, l.activity_id, a.kind,
           pg_column_size(l.messages) as stored
      from log_chunks l join activities a on a.id = l.activity_id
     where ${all(conditions)}
     order by ${at} ${way}, l.step_id ${way}, l.attempt ${way}, ${seq} ${way}
     limit ${most}`
}

/** A line has no newline within: chunks are made by splitting at these. */
async function linesOf(heads: readonly Head[], queries: Queries): Promise<Line[]> {
  const bodies = await bodiesOf(heads, queries)
  return heads.flatMap(head => {
    const body = bodies.get(nameOf(head))
    return body ? opened(head, body) : []
  })
}

async function bodiesOf(heads: readonly Head[], queries: Queries): Promise<Map<string, Body>> {
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
async function textsOf(heads: readonly Head[], queries: Queries): Promise<Map<string, string>> {
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

const nameOf = ({ step_id, attempt, first_seq }: Pick<Head, 'step_id' | 'attempt' | 'first_seq'>) =>
  `${step_id}/${attempt}/${first_seq}`

interface Key {
  readonly logged_at: string
  readonly writer_id: string
  readonly attempt: number
  readonly sequence: number
}

interface Line extends Row, Key {
  readonly message: string
}

function opened(head: Head, { ats, categories, messages }: Body): Line[] {
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

/** Where the lines of a chunk begin, coming from there. */
const nearEdge = (head: Head, direction: Direction): Key => (direction === 'asc' ? firstOf(head) : farEdge(head))

const firstOf = ({ step_id, attempt, first_at, first_seq }: Head): Key => ({
  logged_at: first_at,
  writer_id: step_id,
  attempt,
  sequence: first_seq,
})

/** The last line of a chunk. */
const farEdge = ({ step_id, attempt, last_at, first_seq, line_count }: Head): Key => ({
  logged_at: last_at,
  writer_id: step_id,
  attempt,
  sequence: first_seq + line_count - 1,
})

const positionKey = ([logged_at, writer_id, attempt, sequence]: Position): Key => ({
  logged_at: String(logged_at),
  writer_id: String(writer_id),
  attempt: Number(attempt),
  sequence: Number(sequence),
})

const positionOf = (key: Key): Position => keyOf(key).map(String)

const keyOf = ({ logged_at, writer_id, attempt, sequence }: Key) => [logged_at, writer_id, attempt, sequence] as const

/** Less than zero where `a` is read before `b`. Times and ids are texts of one width, which are in their own order. */
function inOrder(a: Key, b: Key, direction: Direction): number {
  const found =
    compared(a.logged_at, b.logged_at) ||
    compared(a.writer_id, b.writer_id) ||
    a.attempt - b.attempt ||
    a.sequence - b.sequence
  return direction === 'asc' ? found : -found
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
