import type { Tx } from '../db/database.ts'
import type { InOrder, ListQuery } from './list-query.ts'
import { fetchPage, type Large } from './page.ts'
import type { ParentRow, Position, Row, TextPage } from './resource.ts'
import { inSortedOrder, isSameOrder, isTurnedOrder } from './sorts.ts'

export type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

interface Reading {
  readonly parent: ParentRow
  readonly large: Large | undefined
  readonly inTransaction: InTransaction
}

interface Downloaded {
  /** Whether there are more records than the limit. */
  readonly cut: boolean
  readonly pages: AsyncIterable<readonly Row[]>
}

/** Range of records behind a position in one order, with a maximum number. */
interface Stretch {
  readonly order: InOrder
  readonly after: Position | undefined
  readonly most: number
}

/**
 * The records of a download, oldest first, in pages of short transactions: one long snapshot would keep PostgreSQL from
 * vacuuming every table that is written meanwhile. With a limit they are the records of the list with that limit and
 * order: the newest ten of a list that is newest first, the ten largest of one sorted by size.
 */
export async function downloaded(list: ListQuery, reading: Reading): Promise<Downloaded> {
  const most = list.limited ? list.limit : Number.POSITIVE_INFINITY
  const { oldestFirst } = list
  if (isSameOrder(list.sorts, oldestFirst.sorts)) return stretch({ order: list, after: list.after, most }, reading)
  if (isTurnedOrder(list.sorts, oldestFirst.sorts)) return endOf(list, reading)
  const page = await reading.inTransaction(tx => pageOf({ order: list, after: list.after, most }, most, reading, tx))
  return { cut: page.cut, pages: only(inSortedOrder(oldestFirst.sorts, page.rows)) }
}

/** The newest records: they begin behind the first record that the limit excludes. */
async function endOf(list: ListQuery, reading: Reading): Promise<Downloaded> {
  const places = { page: list.places, positionOf: list.positionOf }
  const from = { after: list.after, size: list.limit + 1, large: undefined }
  const { rows } = await reading.inTransaction(tx => fetchPage(places, reading.parent, from, tx))
  const leftOut = rows[list.limit]
  const most = Math.min(rows.length, list.limit)
  const after = leftOut && list.oldestFirst.positionOf(leftOut)
  const { pages } = await stretch({ order: list.oldestFirst, after, most }, reading)
  return { cut: leftOut !== undefined, pages }
}

const downloadPage = 1_000
/** Page size for resources that are read without SQL for single records. */
const largerPage = 5_000

async function stretch(which: Stretch, reading: Reading): Promise<Downloaded> {
  const { order, most } = which
  const { parent, inTransaction } = reading
  const limited = most !== Number.POSITIVE_INFINITY
  const sizeOf = (left: number) => (limited ? left : order.read ? largerPage : downloadPage)
  const first = most === 0 ? nothing : await inTransaction(tx => pageOf(which, sizeOf(most), reading, tx))
  const counted = async (tx: Tx) =>
    (await tx.one(order.count(parent, which.after, most + 1), { plannedAnew: true }))?.count ?? 0
  const cut = limited && first.cut && (first.rows.length === most || (await inTransaction(counted)) > most)

  async function* pages(): AsyncGenerator<readonly Row[]> {
    let [page, left] = [first, most]
    while (page.rows.length) {
      yield page.rows
      left -= page.rows.length
      if (left <= 0 || !page.cut) return
      const next = { ...which, after: order.positionOf(page.rows.at(-1)!) }
      page = await inTransaction(tx => pageOf(next, sizeOf(left), reading, tx))
    }
  }
  return { cut, pages: pages() }
}

/**
 * The text of a whole list in pieces of whole lines, each read in a short transaction.
 *
 * @returns undefined if the text has to be made from single records
 */
export async function downloadedText(
  { readText, limited, after }: ListQuery,
  { parent, inTransaction }: Pick<Reading, 'parent' | 'inTransaction'>,
): Promise<AsyncIterable<string> | undefined> {
  if (!readText || limited) return undefined
  // Promises are awaited within, so that each piece has its own transaction.
  const read = (from: Position | undefined) => inTransaction(async tx => readText(parent, from, tx))
  const first = await read(after)
  if (!first) return undefined

  async function* pieces(): AsyncGenerator<string> {
    let page: TextPage | undefined = first
    while (page) {
      if (page.text) yield page.text
      page = page.next && (await read(page.next))
    }
  }
  return pieces()
}

const nothing = { rows: [] as readonly Row[], cut: false }

const pageOf = ({ order, after }: Stretch, size: number, { parent, large }: Reading, tx: Tx) =>
  fetchPage(order, parent, { after, size, large }, tx)

async function* only(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}
