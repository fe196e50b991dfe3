import type { Queries } from '#platform/db/database.ts'
import type { TextPage, TextSought } from '#platform/jsonapi/resource.ts'
import {
  directionOfChunks,
  farEdge,
  type Head,
  inOrder,
  type Key,
  nearEdge,
  positionKey,
  positionOf,
} from './chunk-order.ts'
import { type Body, bodiesOf, Heads, type Line, mostLines, nameOf, opened, textsOf } from './chunk-reader.store.ts'

/**
 * Reads the next lines of a log as text. A chunk whose time no other chunk shares is one piece of text, without a
 * record for each line.
 *
 * @returns undefined if a filter asks for single lines
 */
export function readLogText(asked: TextSought, queries: Queries): Promise<TextPage> | undefined {
  return directionOfChunks(asked) === 'asc' ? textOfChunks(asked, queries) : undefined
}

/** Number of characters after which a page of text ends. */
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
  // No earlier line is in a chunk behind those that were read.
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
  /** The last line that was written, which is before all remaining ones. */
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
