import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../actor.ts'
import { sql } from '../db/sql.ts'
import { type ResourceObject, recordsOf, showRows } from './document.ts'
import { bytesOf } from './document-bytes.ts'
import { registry } from './registry.ts'
import { type Column, mostRelated, type Reader, type Resource, type Row } from './resource.ts'
import { plainShape, type Shape } from './shape.ts'

const column = (kind: Column['kind'], more: Partial<Column> = {}): Column => ({
  kind,
  sql: sql`x`,
  describe: 'Of a test.',
  ...more,
})

const shared = Object.freeze({ can: { 'say "no"': false } })

const parcel: Resource = {
  type: 'parcel',
  describe: 'Of a test.',
  from: sql`parcels x`,
  id: sql`x.id`,
  lists: [],
  shows: [],
  columns: {
    name: column('text'),
    odd_name: column('text', { nullable: true }),
    weight: column('number'),
    count: column('integer'),
    fragile: column('boolean'),
    labels: column('json'),
    hidden: column('text', { when: row => row['hidden'] !== 'absent' }),
  },
  relationships: {
    owner: { kind: 'one', type: 'person', sql: sql`x.owner`, describe: 'It.', related: (_, id) => id && `/p/${id}` },
    source: { kind: 'one', type: 'any', sql: sql`x.source`, describe: 'It.', linkName: 'origin', related: () => '/"' },
    parts: { kind: 'many', type: 'any', sql: sql`x.parts`, bounded: () => sql`x.parts`, describe: 'Them.' },
    above: { kind: 'many', type: 'person', known: () => [{ type: 'person', id: '1' }], describe: 'It.' },
    never: { kind: 'one', type: 'person', sql: sql`x.never`, describe: 'It.', when: () => false },
  },
  links: row => ({ self: `/parcels/${row.id}`, gone: undefined as unknown as string, odd: '\u2028\\' }),
  meta: row =>
    row['fragile'] ? (shared as Record<string, unknown>) : row['count'] === 0 ? undefined : { row: row.id },
  rights: { condition: () => sql<boolean>`true` },
}

const rows: Row[] = [
  {
    ...{ id: 'a', name: 'plain', odd_name: null, weight: '1.50', count: 0, fragile: true, labels: [1, { a: 'b' }] },
    ...{ hidden: 'absent', '~owner': '7', '~source': { type: 'person', id: '8' }, '~parts': [] },
  },
  {
    ...{
      id: 'b',
      name: 'a "quoted" \\ name\n',
      odd_name: '\ud800 half 😀',
      weight: null,
      count: -1,
      fragile: false,
    },
    ...{ hidden: 'São Paulo', labels: null, '~owner': null, '~source': null },
    '~parts': Array.from({ length: mostRelated + 1 }, (_, i) => ({ type: i % 2 ? 'person' : 'parcel', id: `${i}` })),
  },
  { id: 'c"', name: '', weight: 0, count: 0, fragile: false, labels: {}, hidden: '\u0000\u001f\u007f', '~parts': null },
]

const superuser = { rights: { superuser: true } } as unknown as Actor
const reader: Reader = { actor: superuser, database: undefined as never }

const everything: Shape = { single: false, fields: new Map(), includes: new Map() }

/** The records of all rows as clients read them. */
async function shown(resource: Resource, shape: Shape, hidden: ReadonlySet<string> = new Set()) {
  const shownAs = recordsOf(resource, shape, hidden, reader)
  const records = await Promise.all(rows.map(shownAs))
  return JSON.parse(JSON.stringify(records)) as ResourceObject[]
}

test('a record has the attributes that apply to it, numbers as numbers, and its texts as they are', async () => {
  const [plain, odd, empty] = await shown(parcel, everything)
  assert.deepEqual(plain!.attributes, {
    ...{ name: 'plain', odd_name: null, weight: 1.5, count: 0, fragile: true, labels: [1, { a: 'b' }] },
  })
  assert.deepEqual(odd!.attributes, {
    ...{ name: 'a "quoted" \\ name\n', odd_name: '\ud800 half 😀', weight: null, count: -1, fragile: false },
    ...{ labels: null, hidden: 'São Paulo' },
  })
  assert.deepEqual(empty!.attributes, {
    ...{ name: '', weight: 0, count: 0, fragile: false, labels: {}, hidden: '\u0000\u001f\u007f' },
  })
  assert.deepEqual([plain!.id, empty!.id, plain!.type], ['a', 'c"', 'parcel'])
})

test('a record has the relationships that apply to it, its links, and its meta', async () => {
  const [plain, odd, empty] = await shown(parcel, everything)
  const above = { data: [{ type: 'person', id: '1' }] }
  assert.deepEqual(plain!.relationships, {
    owner: { data: { type: 'person', id: '7' }, links: { related: '/p/7' } },
    source: { data: { type: 'person', id: '8' }, links: { origin: '/"' } },
    parts: { data: [] },
    above,
  })
  const none = { owner: { data: null }, source: { data: null, links: { origin: '/"' } }, above }
  assert.deepEqual(empty!.relationships, { ...none, parts: { data: [] } })
  const { parts, ...others } = odd!.relationships!
  assert.deepEqual(others, none)
  assert.equal((parts!.data as unknown[]).length, mostRelated)
  assert.deepEqual(parts!.meta, { partial_response: true })
  assert.deepEqual(empty!.links, { self: '/parcels/c"', odd: '\u2028\\' })
  assert.deepEqual(
    [plain, odd, empty].map(each => each!.meta),
    [shared, { row: 'b' }, undefined],
  )
})

test('attributes are read where a column says how, and a resource has attributes of its own', async () => {
  const labels = column('json', { read: async value => ({ read: value }) })
  const [read] = await shown({ ...parcel, columns: { ...parcel.columns, labels } }, everything)
  assert.deepEqual(read!.attributes['labels'], { read: [1, { a: 'b' }] })
  const [own] = await shown({ ...parcel, dynamicAttributes: row => ({ 'of row': row.id, name: 'loses' }) }, everything)
  assert.deepEqual([own!.attributes['of row'], own!.attributes['name']], ['a', 'plain'])
  const [bare] = await shown({ ...parcel, columns: {}, relationships: {}, meta: () => undefined }, everything)
  assert.deepEqual(bare, { type: 'parcel', id: 'a', attributes: {}, links: { self: '/parcels/a', odd: '\u2028\\' } })
})

test('a record is shown with the fields that are asked for, and no others', async () => {
  const [first] = await shown(parcel, { ...everything, fields: new Map([['parcel', new Set(['weight', 'owner'])]]) })
  assert.deepEqual(Object.keys(first!.attributes), ['weight'])
  assert.deepEqual(Object.keys(first!.relationships!), ['owner'])
})

test('where records of several types share one address, each is shown as what it is', async () => {
  const types = { all: ['parcel', 'letter'], of: (row: Row) => (row.id === 'a' ? 'letter' : 'parcel') }
  const records = await shown({ ...parcel, types }, plainShape(parcel))
  assert.deepEqual(
    records.map(({ type }) => type),
    ['letter', 'parcel', 'parcel'],
  )
  assert.deepEqual([...registry([{ ...parcel, types }]).keys()], types.all)
})

test('what a caller may not read is named by no relationship to many', async () => {
  const [, odd] = await shown(parcel, plainShape(parcel), new Set(['person 1']))
  const { above, parts } = odd!.relationships!
  assert.deepEqual(above!.data, [])
  assert.equal((parts!.data as unknown[]).length, mostRelated - 1)
  assert.deepEqual(parts!.meta, { partial_response: true })
})

test('a record is the same alone as in a list', async () => {
  const { data } = await showRows(registry([parcel]), parcel, rows, everything, reader)
  assert.deepEqual(JSON.parse(JSON.stringify(data)), await shown(parcel, everything))
})

test('the bytes of a document are those of its text, however wide its characters are', () => {
  for (const records of [[], ['{}'], ['"ü"', '"é"'], Array.from({ length: 50 }, (_, i) => `"${'漢字😀'.repeat(i)}"`)]) {
    const whole = `{"data":[${records.join(',')}],"ünd":"漢"}`
    assert.equal(Buffer.from(bytesOf('{"data":[', records, '],"ünd":"漢"}')).toString(), whole)
  }
})
