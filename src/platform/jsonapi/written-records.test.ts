import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../actor.ts'
import { sql } from '../db/sql.ts'
import { showRows } from './document.ts'
import { registry } from './registry.ts'
import { type Column, mostRelated, type Reader, type Resource, type Row } from './resource.ts'
import { plainShape, type Shape } from './shape.ts'
import { bytesOf, writtenRecords } from './written-records.ts'

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

async function bothWays(resource: Resource, shape: Shape) {
  const shown = await showRows(registry([resource]), resource, rows, shape, reader)
  return { shown, texts: await writtenRecords(resource, rows, shape, new Set(), reader) }
}

for (const [what, resource] of Object.entries<Resource>({
  'of plain columns': parcel,
  'of columns that are read': {
    ...parcel,
    columns: { ...parcel.columns, labels: column('json', { read: async value => ({ read: value }) }) },
  },
  'with attributes of its own': { ...parcel, dynamicAttributes: row => ({ 'of row': row.id, name: 'loses' }) },
  'with nothing': { ...parcel, columns: {}, relationships: {}, meta: () => undefined },
})) {
  test(`a record ${what} is written byte for byte as it is shown`, async () => {
    const shape: Shape = { single: false, fields: new Map(), includes: new Map() }
    const { shown, texts } = await bothWays(resource, shape)
    assert.deepEqual(
      texts,
      shown.data.map(each => JSON.stringify(each)),
    )
  })
}

test('a record is written with the fields that are asked for, and no others', async () => {
  const shape: Shape = {
    single: false,
    fields: new Map([['parcel', new Set(['weight', 'owner'])]]),
    includes: new Map(),
  }
  const { shown, texts } = await bothWays(parcel, shape)
  assert.deepEqual(
    texts,
    shown.data.map(each => JSON.stringify(each)),
  )
  assert.deepEqual(Object.keys(JSON.parse(texts[0]!).attributes), ['weight'])
})

test('where records of several types lie under one address, each is written as what it is', async () => {
  const types = { all: ['parcel', 'letter'], of: (row: Row) => (row.id === 'a' ? 'letter' : 'parcel') }
  const { shown, texts } = await bothWays({ ...parcel, types }, plainShape(parcel))
  assert.deepEqual(
    texts,
    shown.data.map(each => JSON.stringify(each)),
  )
  assert.equal(JSON.parse(texts[0]!).type, 'letter')
  assert.deepEqual([...registry([{ ...parcel, types }]).keys()], types.all)
})

test('what a caller may not read is named by no relationship to many', async () => {
  const [text = ''] = await writtenRecords(parcel, rows.slice(1), plainShape(parcel), new Set(['person 1']), reader)
  const { above, parts } = JSON.parse(text).relationships
  assert.deepEqual(above.data, [])
  assert.equal(parts.data.length, mostRelated - 1)
  assert.deepEqual(parts.meta, { partial_response: true })
})

test('the bytes of a document are those of its text, however wide its characters are', () => {
  for (const records of [[], ['{}'], ['"ü"', '"é"'], Array.from({ length: 50 }, (_, i) => `"${'漢字😀'.repeat(i)}"`)]) {
    const whole = `{"data":[${records.join(',')}],"ünd":"漢"}`
    assert.equal(Buffer.from(bytesOf('{"data":[', records, '],"ünd":"漢"}')).toString(), whole)
  }
})
