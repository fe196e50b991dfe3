import assert from 'node:assert/strict'
import type { Column, Kind, Resource } from '../../src/platform/jsonapi/resource.ts'
import type { Client } from '../support/api.ts'
import { compareValues, inQuery, kindsOf, oracles, probes, type Value } from './grammar.ts'

/** A list as its client sees it: where it is, and the face of its records. */
export interface ListUnderTest {
  readonly client: Client
  readonly path: string
  readonly resource: Resource
}

interface Record {
  readonly id: string
  readonly attributes: Readonly<globalThis.Record<string, Value>>
}

/** Columns whose value a list shows as it is stored; those that an oracle can judge. */
export const comparable = ({ columns }: Resource): [string, Column][] => [
  ['id', { kind: 'id', describe: '' } as Column],
  ...Object.entries(columns).filter(([, each]) => !each.showOnly && !each.read && !each.when && each.kind !== 'opaque'),
]

export const valueIn = (record: Record, column: string): Value =>
  column === 'id' ? record.id : (record.attributes[column] ?? null)

/** Every record of a list, unfiltered. */
export async function everyRecord({ client, path, resource }: ListUnderTest): Promise<Record[]> {
  const { status, body } = await client.get(`${path}?limit=${resource.limit?.maximum ?? 10_000}`)
  assert.equal(status, 200, `a contract list fits on a page: ${JSON.stringify(body).slice(0, 300)}`)
  return body.data
}

/** Each predicate of each column answers exactly the records that the oracle picks, or 400 where it is not for that kind. */
export async function holdsFilters(list: ListUnderTest, predicates = Object.keys(oracles)): Promise<number> {
  const records = await everyRecord(list)
  let asked = 0
  for (const [column, { kind }] of comparable(list.resource)) {
    for (const predicate of predicates) {
      const values = records.map(record => valueIn(record, column))
      if (!kindsOf[predicate]!.includes(kind)) {
        const { status } = await list.client.get(`${list.path}?filter[${column}_${predicate}]=1`)
        assert.equal(status, 400, `${column}_${predicate}`)
        continue
      }
      for (const given of probes(kind, predicate, values)) {
        asked += 1
        await holdsFilter(list, records, column, predicate, given)
      }
    }
  }
  return asked
}

async function holdsFilter(
  { client, path, resource }: ListUnderTest,
  records: readonly Record[],
  column: string,
  predicate: string,
  given: Value,
): Promise<void> {
  const many = Array.isArray(given) && /^(not_)?in$|_(any|all)$/.test(predicate)
  const parameter = `filter[${column}_${predicate}]`
  const filter = many
    ? given.map(each => `${parameter}[]=${encodeURIComponent(inQuery(each as Value))}`).join('&')
    : `${parameter}=${encodeURIComponent(inQuery(given))}`
  // A list of no values cannot be written as a query; without the filter there is nothing to compare.
  if (many && given.length === 0) return
  const limit = resource.limit?.maximum ?? 10_000
  const { status, body } = await client.get(`${path}?${filter}&fields[${resource.type}]=&limit=${limit}`)
  assert.equal(status, 200, `${filter}: ${JSON.stringify(body).slice(0, 300)}`)
  const expected = records.filter(record => oracles[predicate]!(valueIn(record, column), given))
  assert.deepEqual(idsOf(body.data), idsOf(expected), `${path}?${decodeURIComponent(filter)}`)
}

export const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id)

/** Nulls as PostgreSQL sorts them: greater than every value. */
const compareNullable = (a: Value, b: Value): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : compareValues(a, b)

export function sorted(records: readonly Record[], sorts: readonly { column: string; direction: string }[]): Record[] {
  const withId = [...sorts, { column: 'id', direction: sorts[0]!.direction }]
  return records.toSorted((a, b) => {
    for (const { column, direction } of withId) {
      const order = compareNullable(valueIn(a, column), valueIn(b, column))
      if (order !== 0) return direction === 'desc' ? -order : order
    }
    return 0
  })
}

/** Follows links.next to the end. */
export async function walk(client: Client, first: string, onPage?: () => Promise<void>): Promise<Record[]> {
  const records: Record[] = []
  for (let next: string | undefined = first; next !== undefined; ) {
    const { status, body } = await client.get(next)
    assert.equal(status, body.links?.next ? 206 : 200, JSON.stringify(body).slice(0, 300))
    assert.equal(body.meta.partial_response, status === 206)
    records.push(...body.data)
    next = body.links.next
    await onPage?.()
  }
  return records
}

const isOrdered = (kind: Kind) => kind !== 'json' && kind !== 'opaque'

/** Walking in pages gives the unpaged list, in the oracle's order, for each column and direction. */
export async function holdsPaging(list: ListUnderTest, sizes: readonly number[]): Promise<number> {
  const records = await everyRecord(list)
  let walks = 0
  for (const [column, { kind }] of comparable(list.resource)) {
    if (!isOrdered(kind)) continue
    for (const direction of ['asc', 'desc']) {
      const expected = idsOf(sorted(records, [{ column, direction }]))
      for (const size of sizes) {
        const query = `filter[sorts]=${column}+${direction}&fields[${list.resource.type}]=&limit=${size}`
        assert.deepEqual(idsOf(await walk(list.client, `${list.path}?${query}`)), expected, query)
        walks += 1
      }
    }
  }
  return walks
}
