import type { Queries } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import type { ListQuery } from './list-query.ts'
import { maxSearchMatches, type PageStatements } from './page-query.ts'
import type { Page, ParentRow, Position, Resource, Row } from './resource.ts'

/** Size in bytes after which a page of large records ends, whatever its limit. */
export const mostBytes = 32 * 1024 * 1024

/** Sizes of records that may be large. */
export interface Large {
  /** Size of a shown record in bytes. */
  readonly bytesOf: (row: Row) => number
  /** Number of records fetched before their size is known. */
  readonly firstLook: number
}

/**
 * Fetches at most `size` records behind a position; fewer if the records are large (lines of a megabyte, documents of
 * eight) and would fill the memory: the page is then cut like any other, and its next link continues.
 */
export async function fetchPage(
  list: Pick<ListQuery, 'page' | 'positionOf' | 'read'>,
  parent: ParentRow,
  from: { after: Position | undefined; size: number; large: Large | undefined },
  queries: Queries,
): Promise<Page> {
  const read = await list.read?.(parent, from, queries)
  if (read) return read
  const rows: Row[] = []
  let bytes = 0
  let after = from.after
  let look = from.large ? Math.min(from.size, from.large.firstLook) : from.size
  for (;;) {
    const { rest, ...which } = list.page(parent, after, look)
    const found = await foundBy(which, look, queries)
    const kept = found.slice(0, look)
    const taken = rest && kept.length ? await inOrder(kept, rest, queries) : kept
    const before = rows.length
    for (const row of taken) {
      rows.push(row)
      bytes += from.large?.bytesOf(row) ?? 0
      if (bytes >= mostBytes) break
    }
    if (rows.length - before === found.length) return { rows, cut: false }
    if (rows.length >= from.size || bytes >= mostBytes) return { rows, cut: true }
    after = list.positionOf(rows.at(-1)!)
    const fit = Math.floor(((mostBytes - bytes) * rows.length) / Math.max(bytes, 1))
    look = Math.max(1, Math.min(fit, from.size - rows.length))
  }
}

async function foundBy(
  { indexFirst, windowFirst, first }: PageStatements,
  look: number,
  queries: Queries,
): Promise<readonly Row[]> {
  for (const each of indexFirst ?? []) {
    const matches = await queries.rows(each, { plannedAnew: true })
    if ((matches[0]?.found ?? 0) <= maxSearchMatches) return matches.filter(({ id }) => id !== null)
  }
  const window = !indexFirst && windowFirst ? await queries.rows(windowFirst, { plannedAnew: true }) : []
  return window.length > look ? window : queries.rows(first, { plannedAnew: true })
}

async function inOrder(
  kept: readonly Row[],
  rest: (ids: readonly string[]) => Sql<Row>,
  queries: Queries,
): Promise<Row[]> {
  const ids = kept.map(({ id }) => id)
  const told = new Map((await queries.rows(rest(ids), { byKeys: true })).map(row => [row.id, row]))
  return ids.map(id => told.get(id)!)
}

/** Limits for pages of large records; undefined if no record of this resource is large. */
export function largeOf({ large, columns }: Resource): Large | undefined {
  if (!large) return undefined
  const measured = Object.entries(columns).filter(([, { bytes }]) => bytes)
  return {
    firstLook: large === 'seldom' ? 100 : 50,
    bytesOf: row =>
      measured.reduce((sum, [name, { bytes }]) => (row[name] ? sum + bytes!(row[name], row) : sum), bytesIn(row)),
  }
}

function bytesIn(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => {
    if (typeof value === 'string' || value instanceof Uint8Array) return sum + value.length
    // A json column has been parsed already; the length of its text is a good enough measure.
    return typeof value === 'object' && value !== null ? sum + JSON.stringify(value).length : sum + 8
  }, 0)
}
