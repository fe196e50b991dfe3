import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { noParent } from './list-query.ts'
import { fetchPage } from './page.ts'
import type { Row } from './resource.ts'

const recordsOf = (sizes: readonly number[]): Row[] =>
  sizes.map((size, at) => ({ id: String(at).padStart(5, '0'), text: 'x'.repeat(size) }))

const large = { bytesOf: ({ text }: Row) => String(text).length, firstLook: 50 }

/** A list over records in memory; `looks` are the sizes that were asked for. */
function listOf(records: readonly Row[]) {
  const looks: number[] = []
  let answer: Row[] = []
  const list = {
    page: (_: unknown, after: readonly (string | null)[] | undefined, size: number) => {
      looks.push(size)
      answer = records.filter(({ id }) => after === undefined || id > after[0]!).slice(0, size + 1)
      return { first: sql<Row>`select` }
    },
    positionOf: (row: Row) => [row.id],
  }
  const queries = { rows: async () => answer } as unknown as Queries
  return { looks, page: (from: Parameters<typeof fetchPage>[2]) => fetchPage(list, noParent, from, queries) }
}

test('a page of large records ends before it fills the memory, and goes on from there', async () => {
  const records = recordsOf(Array.from({ length: 300 }, () => 1_048_576))
  const { page } = listOf(records)
  const seen: string[] = []
  let after: [string] | undefined
  for (;;) {
    const { rows, cut } = await page({ after, size: 10_000, large })
    assert.ok(rows.length <= 60, `${rows.length} records of a megabyte`)
    seen.push(...rows.map(({ id }) => id))
    if (!cut) break
    after = [rows.at(-1)!.id]
  }
  assert.deepEqual(
    seen,
    records.map(({ id }) => id),
  )
})

test('small records are a page as it was asked for, in two looks', async () => {
  const { page, looks } = listOf(recordsOf(Array.from({ length: 3_000 }, () => 100)))
  assert.equal((await page({ after: undefined, size: 2_000, large })).rows.length, 2_000)
  assert.deepEqual(looks, [50, 1_950])
  const all = await page({ after: undefined, size: 10_000, large })
  assert.deepEqual([all.rows.length, all.cut], [3_000, false])
})

test('other lists are read in one look', async () => {
  const { page, looks } = listOf(recordsOf([1, 2, 3]))
  assert.deepEqual((await page({ after: undefined, size: 2, large: undefined })).cut, true)
  assert.deepEqual(looks, [2])
})

test('a page that the nearest records fill is theirs, and any other is read from all', async () => {
  const near = sql<Row>`select near`
  const first = sql<Row>`select first`
  const all = recordsOf([1, 2, 3, 4])
  const asked: unknown[] = []
  const pageOf = (found: number) => {
    const rows = async (query: unknown) => {
      asked.push(query)
      return query === near ? all.slice(0, found) : all
    }
    const list = { page: () => ({ first, windowFirst: near }), positionOf: (row: Row) => [row.id] }
    return fetchPage(list, noParent, { after: undefined, size: 2, large: undefined }, { rows } as unknown as Queries)
  }
  assert.deepEqual(await pageOf(3), { rows: all.slice(0, 2), cut: true })
  assert.deepEqual(asked.splice(0), [near])
  assert.deepEqual(await pageOf(2), { rows: all.slice(0, 2), cut: true })
  assert.deepEqual(asked, [near, first])
})
