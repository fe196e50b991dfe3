import type { Position, TextSought } from '#platform/jsonapi/resource.ts'
import type { ActivityKind } from './log-owners.port.ts'
import { isOfWholeChunks } from './log-pages.sql.ts'

/** Lines of a chunk by their numbers, with their first and last time. */
export interface Extent {
  readonly step_id: string
  readonly attempt: number
  readonly first_seq: number
  readonly line_count: number
  readonly first_at: string
  readonly last_at: string
}

/** Columns of a chunk that describe its lines without decrypting it. */
export interface Head extends Extent {
  readonly activity_id: string
  readonly kind: ActivityKind
  /** Stored size of its texts in bytes. */
  readonly stored: number
}

export interface Key {
  readonly logged_at: string
  readonly writer_id: string
  readonly attempt: number
  readonly sequence: number
}

export type Direction = 'asc' | 'desc'

/** The order of lines: by time, then by step, attempt and number. Lines of a page are compared by it. */
const orderOfLines = ['logged_at', 'writer_id', 'attempt', 'sequence'] as const

/** The direction in which chunks are read; undefined if the order is another, or a filter asks for single lines. */
export function directionOfChunks({ sorts, filters }: TextSought): Direction | undefined {
  const direction = sorts[0]?.direction
  const isTheirs = sorts.length === orderOfLines.length && sorts.every(({ name }, at) => name === orderOfLines[at])
  if (!isTheirs || sorts.some(each => each.direction !== direction)) return undefined
  return filters?.every(isOfWholeChunks) ? direction : undefined
}

/** Key of a chunk's first lines in that direction. */
export const nearEdge = (head: Extent, direction: Direction): Key =>
  direction === 'asc' ? firstOf(head) : farEdge(head)

const firstOf = ({ step_id, attempt, first_at, first_seq }: Extent): Key => ({
  logged_at: first_at,
  writer_id: step_id,
  attempt,
  sequence: first_seq,
})

/** The last line of a chunk. */
export const farEdge = ({ step_id, attempt, last_at, first_seq, line_count }: Extent): Key => ({
  logged_at: last_at,
  writer_id: step_id,
  attempt,
  sequence: first_seq + line_count - 1,
})

export const positionKey = ([logged_at, writer_id, attempt, sequence]: Position): Key => ({
  logged_at: String(logged_at),
  writer_id: String(writer_id),
  attempt: Number(attempt),
  sequence: Number(sequence),
})

export const positionOf = (key: Key): Position => keyOf(key).map(String)

export const keyOf = ({ logged_at, writer_id, attempt, sequence }: Key) =>
  [logged_at, writer_id, attempt, sequence] as const

/**
 * Compares two keys: less than zero if `a` is read before `b`. Times and ids are texts of fixed width, which sort
 * correctly.
 */
export function inOrder(a: Key, b: Key, direction: Direction): number {
  const found =
    compared(a.logged_at, b.logged_at) ||
    compared(a.writer_id, b.writer_id) ||
    a.attempt - b.attempt ||
    a.sequence - b.sequence
  return direction === 'asc' ? found : -found
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
