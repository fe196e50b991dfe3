import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { prepareSpecimens, specimenResource } from '../../../tests/contract/specimen.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { eventResource } from '../../domain/events/event.resource.ts'
import { theService } from '../actor.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Fault } from '../failure.ts'
import { matches, readFilters } from './filters.ts'
import { predicates } from './predicates.ts'
import type { Query } from './query-string.ts'
import type { Kind, Resource } from './resource.ts'
import { jsonText } from './values-in-memory.ts'

let own: TestDatabase
let database: Database
before(async () => {
  own = await testDatabase()
  await prepareSpecimens(own)
  database = openDatabase({ url: own.appUrl, name: 'matches', size: 2 })
})
after(async () => {
  await database.end()
  await own.drop()
})

type Attributes = Readonly<Record<string, unknown>> & { readonly id: string }

/** Letters whose lower case is another one, several or depends on their neighbours, and what patterns give a meaning. */
const letter = fc.constantFrom(..."aAbB019%_\\' .-ßẞİıΣσςÉéŉKǅ😀".match(/./gu)!)
const text = fc.string({ unit: letter, maxLength: 4 })
const decimal = fc.tuple(fc.integer({ min: -12, max: 12 }), fc.constantFrom('', '.5', '.50', '.125', '00', 'e3', 'E-2'))
const number = decimal.map(([whole, rest]) => `${whole}${rest}`)
const time = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), fc.constantFrom('Z', '+01:00', '-05:30'))
  .map(([second, micros, zone]) => `2026-11-26T12:00:0${second}.00000${micros}${zone}`)
const utc = (given: string) => given.replace(/[+-]\d\d:\d\d$|Z$/, 'Z')
const ids = Array.from({ length: 4 }, () => randomUUID())
const id = fc.constantFrom(...ids)
const json = fc.jsonValue({ maxDepth: 2, stringUnit: letter }).filter(value => value !== null)
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })

const given: Readonly<Record<Exclude<Kind, 'opaque'>, fc.Arbitrary<string>>> = {
  text: fc.oneof(text, number),
  integer: fc.integer({ min: -12, max: 12 }).map(String),
  number,
  boolean: fc.constantFrom('true', 'false'),
  time,
  id: fc.oneof(id, text),
  json: fc.oneof(
    text,
    json.map(value => JSON.stringify(value)),
  ),
}

const names = Object.keys(predicates)

/** One to three filters of columns of a resource, joined by `and` or `or`. */
function query(kinds: Readonly<Record<string, Kind>>): fc.Arbitrary<Query> {
  const one = fc.constantFrom(...Object.keys(kinds)).chain(column =>
    fc.constantFrom(...names).chain(predicate => {
      const kind = kinds[column] as Exclude<Kind, 'opaque'>
      const isSwitch = /^(not_)?null$|^(present|blank|true|false)$/.test(predicate)
      const isList = /^(not_)?in$|_(any|all)$/.test(predicate)
      const isText = /start|end|cont|match/.test(predicate)
      const value = isSwitch ? fc.constantFrom('1', '0') : isText ? fc.oneof(given[kind], text) : given[kind]
      const values = isList ? fc.array(value, { minLength: 1, maxLength: 3 }) : value
      return values.map((each): [string, string | string[]] => [`filter[${column}_${predicate}]`, each])
    }),
  )
  return fc
    .tuple(fc.array(one, { minLength: 1, maxLength: 3 }), fc.constantFrom('and', 'or'))
    .map(([filters, m]) => ({ ...Object.fromEntries(filters), 'filter[m]': m }))
}

/** @returns how many of the queries were valid */
async function agrees(
  resource: Resource,
  records: readonly Attributes[],
  queries: readonly Query[],
  rows: (condition: Sql<boolean>) => Sql<{ id: string }>,
): Promise<number> {
  let compared = 0
  for (const each of queries) {
    const faults: Fault[] = []
    const filters = readFilters(resource, each, theService, faults)
    if (faults.length > 0) continue
    const found = (await database.rows(rows(filters!.condition))).map(row => row.id).sort()
    const held = records.filter(record => matches(record, filters)).map(record => record.id)
    assert.deepEqual(held.sort(), found, JSON.stringify({ query: each, records }))
    compared += 1
  }
  return compared
}

const runs = { numRuns: 25, endOnFailure: true }

test('random filters hold in memory for the records for which their SQL holds', async () => {
  const record = fc.record({
    code: text,
    note: nullable(text),
    mood: nullable(fc.constantFrom('calm', 'wild')),
    size: fc.integer({ min: -12, max: 12 }),
    total: nullable(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
    ratio: nullable(number.map(Number)),
    price: nullable(number),
    alive: fc.boolean(),
    tame: nullable(fc.boolean()),
    seen_at: time.map(utc),
    gone_at: nullable(time.map(utc)),
    mate_id: nullable(id),
    tags: nullable(json),
  })
  const kinds = Object.fromEntries(Object.entries(specimenResource.columns).map(([name, { kind }]) => [name, kind]))
  for (const name of ['mate_note', 'secret', 'story', 'created_at']) delete kinds[name]
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 12 }),
      fc.array(query(kinds), { minLength: 20, maxLength: 20 }),
      async (attributes, queries) => {
        const records = attributes.map(each => ({ ...each, id: randomUUID() }))
        const written = JSON.stringify(records)
        compared += await agrees(specimenResource, records, queries, condition => {
          return sql`select s.id::text from jsonb_populate_recordset(null::specimens, ${written}::jsonb) s where ${condition}`
        })
      },
    ),
    runs,
  )
  assert.ok(compared > 150, `${compared} queries were compared`)
})

test('random filters by attributes of events hold in memory for the events for which their SQL holds', async () => {
  const leaf = fc.oneof(text, fc.integer({ min: -12, max: 12 }), fc.boolean(), fc.constant(null), fc.constant(1e21))
  const nested = fc.oneof(leaf, fc.dictionary(fc.constantFrom('b', 'c'), leaf), fc.array(leaf, { maxLength: 2 }))
  const name = fc.constantFrom('a', 'a.b', 'a.0', 'name', 'b')
  const kinds: Record<string, Kind> = { a: 'text', 'a.b': 'text', 'a.0': 'text', name: 'text', username: 'text' }
  const event = fc.tuple(fc.dictionary(name, nested), text)
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 12 }),
      fc.array(query(kinds), { minLength: 20, maxLength: 20 }),
      async (events, queries) => {
        const records = events.map(([further, username]) => ({ ...further, username, id: randomUUID() }))
        const written = JSON.stringify(
          events.map(([attributes, username], at) => ({ id: records[at]!.id, username, attributes })),
        )
        compared += await agrees(eventResource, records, queries, condition => {
          return sql`select e.id::text from jsonb_populate_recordset(null::events, ${written}::jsonb) e
                      where ${condition}`
        })
      },
    ),
    runs,
  )
  assert.ok(compared > 150, `${compared} queries were compared`)
})

test('the text of JSON in memory is that of jsonb', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: letter }), { maxLength: 20 }), async values => {
      const rows = await database.rows(sql<{ text: string | null }>`
        select each.value #>> '{}' as text
          from jsonb_array_elements(${JSON.stringify(values)}::jsonb) with ordinality each order by each.ordinality`)
      assert.deepEqual(
        values.map(jsonText),
        rows.map(row => row.text),
      )
    }),
    runs,
  )
})
