import assert from 'node:assert/strict'
import { theService } from '../../src/platform/actor.ts'
import type { Fault } from '../../src/platform/failure.ts'
import { type Filters, matches, readFilters } from '../../src/platform/jsonapi/filters.ts'
import { parseQueryString } from '../../src/platform/jsonapi/query-string.ts'
import type { Column, Kind, Resource } from '../../src/platform/jsonapi/resource.ts'
import type { Client } from '../support/api.ts'
import { compareValues, inQuery, kindsOf, oracles, probes, type Value } from './grammar.ts'

/** A list from its client's side: its path, and the resource of its records. */
export interface ListUnderTest {
  readonly client: Client
  /** Path with its required parameters. */
  readonly path: string
  readonly resource: Resource
  /** Filters are tested by downloads of ids only: a tenth of the work for thousands of records. */
  readonly downloads?: true
}

/** The list with a query. */
export const asked = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

interface Record {
  readonly id: string
  readonly attributes: Readonly<globalThis.Record<string, Value>>
}

/** Columns whose stored value a list shows, which an oracle can check. Absent means null. */
export const comparable = ({ columns }: Resource): [string, Column][] => [
  ['id', { kind: 'id', describe: '' } as Column],
  ...Object.entries(columns).filter(([, each]) => !each.showOnly && !each.read && each.kind !== 'opaque'),
]

export const valueIn = (record: Record, column: string): Value =>
  column === 'id' ? record.id : (record.attributes[column] ?? null)

const most = ({ limit }: Resource) => limit?.maximum ?? 10_000

/** All records of a list, unfiltered, with the attributes that an oracle can check. */
export async function everyRecord({ client, path, resource }: ListUnderTest): Promise<Record[]> {
  const fields = comparable(resource).map(([name]) => name)
  const { status, body } = await client.get(asked(path, `fields[${resource.type}]=${fields}&limit=${most(resource)}`))
  assert.equal(status, 200, `a contract list fits on a page: ${JSON.stringify(body).slice(0, 300)}`)
  return body.data
}

/**
 * Each predicate of each column returns exactly the records that the oracle selects, or 400 for kinds that it does not
 * apply to.
 *
 * @param chosen which of the possible values are used; default all
 */
export async function holdsFilters(
  list: ListUnderTest,
  predicates = Object.keys(oracles),
  chosen: (given: readonly Value[], kind: Kind, predicate: string) => readonly Value[] = given => given,
): Promise<number> {
  const records = await everyRecord(list)
  const filters: (() => Promise<void>)[] = []
  const unfit: string[] = []
  for (const [column, { kind, values: settled }] of comparable(list.resource)) {
    const values = records.map(record => valueIn(record, column))
    for (const predicate of predicates) {
      if (!kindsOf[predicate]!.includes(kind)) unfit.push(`filter[${column}_${predicate}]`)
      else
        for (const given of chosen(probes(kind, predicate, values), kind, predicate))
          filters.push(() =>
            isOutside(settled, predicate, given)
              ? refusesValue(list, column, predicate, given, settled!)
              : holdsFilter(list, records, column, predicate, given),
          )
    }
  }
  await severalAtOnce(filters)
  await refusesEach(list, unfit)
  return filters.length
}

/** Concurrent, because the service waits for the database. */
async function severalAtOnce(works: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = works.values()
  const worker = async () => {
    for (const work of waiting) await work()
  }
  await Promise.all(Array.from({ length: 4 }, worker))
}

/** All faults of a query are reported at once: a query contains as many filters as it may. */
async function refusesEach({ client, path }: ListUnderTest, filters: readonly string[]): Promise<void> {
  for (let from = 0; from < filters.length; from += 32) {
    const some = filters.slice(from, from + 32)
    const { status, body } = await client.get(asked(path, some.map(each => `${each}=1`).join('&')))
    assert.equal(status, 400)
    const told = body.errors.map((each: { source: { parameter: string } }) => each.source.parameter)
    assert.deepEqual([...new Set(told)].sort(), some.toSorted(), path)
  }
}

/** A filter by a value that the column can never have. */
const isOutside = (settled: readonly string[] | undefined, predicate: string, given: Value): boolean =>
  settled !== undefined &&
  /^(not_)?(eq|in)(_any|_all)?$/.test(predicate) &&
  [given].flat().some(each => !settled.includes(each as string))

async function refusesValue(
  { client, path }: ListUnderTest,
  column: string,
  predicate: string,
  given: Value,
  settled: readonly string[],
): Promise<void> {
  const { status, body } = await client.get(asked(path, filterOf(column, predicate, given)))
  assert.equal(status, 400, `${path} ${column}_${predicate} ${given}`)
  for (const value of settled) assert.ok(body.errors[0].detail.includes(value), body.errors[0].detail)
}

const takesMany = (predicate: string, given: Value): given is readonly Value[] =>
  Array.isArray(given) && /^(not_)?in$|_(any|all)$/.test(predicate)

function filterOf(column: string, predicate: string, given: Value): string {
  const parameter = `filter[${column}_${predicate}]`
  return takesMany(predicate, given)
    ? given.map(each => `${parameter}[]=${encodeURIComponent(inQuery(each))}`).join('&')
    : `${parameter}=${encodeURIComponent(inQuery(given))}`
}

async function holdsFilter(
  { client, path, resource, downloads }: ListUnderTest,
  records: readonly Record[],
  column: string,
  predicate: string,
  given: Value,
): Promise<void> {
  const filter = filterOf(column, predicate, given)
  // A query cannot contain an empty list; without the filter there is nothing to compare.
  if (takesMany(predicate, given) && given.length === 0) return
  const query = asked(path, `${filter}&fields[${resource.type}]=&limit=${most(resource)}`)
  const { status, body, text } = await client.get(downloads ? `${query}&download=ids.csv` : query)
  assert.equal(status, 200, `${filter}: ${text.slice(0, 300)}`)
  const expected = idsOf(records.filter(record => oracles[predicate]!(valueIn(record, column), given)))
  const filters = filtersOf(resource, filter)
  const held = idsOf(records.filter(record => matches({ ...record.attributes, id: record.id }, filters)))
  assert.deepEqual(held, expected, `in memory: ${decodeURIComponent(query)}`)
  const found = downloads ? text.split('\r\n').slice(1, -1).sort() : idsOf(body.data)
  assert.deepEqual(found, downloads ? expected.sort() : expected, decodeURIComponent(query))
}

/** The filters of a query string, as the service parses them. */
function filtersOf(resource: Resource, query: string): Filters | undefined {
  const faults: Fault[] = []
  const filters = readFilters(resource, parseQueryString(query), theService, faults)
  assert.deepEqual(faults, [])
  return filters
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
export async function walk(client: Client, first: string, onPage?: () => Promise<unknown>): Promise<Record[]> {
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

/**
 * Paging through the list yields the unpaged list, in the oracle's order, for each column and direction.
 *
 * @param onPage called between pages: initial records must not be lost or repeated, new ones may appear
 */
export async function holdsPaging(
  list: ListUnderTest,
  sizes: readonly number[],
  onPage?: () => Promise<unknown>,
): Promise<number> {
  const records = await everyRecord(list)
  const there = new Set(idsOf(records))
  const byId = new Map(records.map(record => [record.id, record]))
  const walks: (() => Promise<void>)[] = []
  for (const [column, { kind }] of comparable(list.resource)) {
    if (!isOrdered(kind)) continue
    for (const direction of ['asc', 'desc']) {
      const expected = idsOf(sorted(records, [{ column, direction }]))
      for (const size of sizes) {
        const query = `filter[sorts]=${column}+${direction}&fields[${list.resource.type}]=&limit=${size}`
        walks.push(async () => {
          const walked = idsOf(await walk(list.client, asked(list.path, query), onPage))
          const found = onPage ? walked.filter(id => there.has(id)) : walked
          // If a key breaks ties instead of the id, records with equal values are in the order of that key.
          const alike = (ids: string[]) =>
            list.resource.key ? ids.map(id => valueIn(byId.get(id)!, column)) : (ids as Value[])
          assert.deepEqual(alike(found), alike(expected), `${list.path} ${query}`)
          assert.deepEqual(found.toSorted(), expected.toSorted(), `${list.path} ${query}`)
          assert.equal(new Set(walked).size, walked.length, `${list.path} ${query}`)
        })
      }
    }
  }
  await severalAtOnce(walks)
  return walks.length
}
