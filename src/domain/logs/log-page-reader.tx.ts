import type { Queries } from '#platform/db/database.ts'
import { mostBytes } from '#platform/jsonapi/page.ts'
import type { Page, PageSought, Row } from '#platform/jsonapi/resource.ts'
import { type Direction, directionOfChunks, inOrder, nearEdge, positionKey } from './chunk-order.ts'
import { Heads, type Line, linesOf } from './chunk-reader.store.ts'

/**
 * Reads a page of log lines from its chunks: in order, a few at a time, decrypted here. PostgreSQL would decode every
 * chunk that may overlap the page, compute the id of each line, and sort them all.
 *
 * @returns undefined if the order is another, or a filter asks for single lines
 */
export function readLogPage(asked: PageSought, queries: Queries): Promise<Page> | undefined {
  const direction = directionOfChunks(asked)
  return direction && pageOfChunks(asked, direction, queries)
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
