import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { noParent } from './list-query.ts'
import { fetchPage } from './page.ts'
import { maxSearchMatches, pageOf } from './page-query.ts'
import type { Column, Position, Resource, Row } from './resource.ts'
import type { Shape } from './shape.ts'

const own = await testDatabase()
const database: Database = openDatabase({ url: own.ownerUrl, name: 'pages test' })
const most = maxSearchMatches + 1_000

before(async () => {
  await database.count(
    sql`create table things (id uuid primary key, name text collate "C" not null, owner int not null)`,
  )
  await database.count(sql`create table colours (thing_id uuid, colour text)`)
  // Names of one beginning, more than are found before they are sorted, and no order in them.
  await database.count(sql`
    insert into things
    select sluice_uuid7(), 'pump ' || lpad(((i * 7919) % ${most})::text, 5, '0'), i % 50 from generate_series(1, ${most}) i`)
})
after(async () => {
  await database.end()
  await own.drop()
})

const name: Column = { kind: 'text', sql: sql`t.name`, describe: '' }
const id: Column = { kind: 'id', sql: sql`t.id`, describe: '' }
const things: Resource = {
  type: 'thing',
  describe: '',
  from: sql`things t`,
  joins: { colour: sql`left join colours c on c.thing_id = t.id` },
  id: sql`t.id`,
  columns: { name },
  links: () => ({}),
  lists: [],
  shows: [],
  rights: { fixed: '/things' },
}
const shape: Shape = { single: false, fields: new Map(), includes: new Map() }
const sorts = [
  { name: 'name', column: name, direction: 'asc' },
  { name: 'id', column: id, direction: 'asc' },
] as const

/** Whether a caller may read what this owner has. */
type Visible = (owner: Sql) => Sql<boolean>

const all: Visible = () => sql<boolean>`true`
const some: Visible = owner => sql<boolean>`${owner} in (3, 7)`
const none: Visible = owner => sql<boolean>`${owner} = 99`

/** The names on each page of those that begin so and that the condition holds for; rights are checked last. */
async function pagesOf(beginning: string, visible: Visible, size: number): Promise<string[][]> {
  const begins = sql<boolean>`t.name ^@ ${beginning}`
  const placed = { projectId: sql`t.id`, path: sql`t.owner` }
  const page = (_: unknown, after: Position | undefined, look: number) =>
    pageOf({
      resource: things,
      shape,
      sorts,
      conditions: [begins, visible(placed.path)],
      joined: false,
      projects: undefined,
      sought: true,
      rightsAfterSearch: { known: [begins], placed, visible: ({ path }) => visible(path) },
      scanWindow: undefined,
      after,
      size: look,
    })
  const positionOf = (row: Row): Position => [String(row['name']), row.id]
  const pages: string[][] = []
  for (let after: Position | undefined; ; ) {
    const { rows, cut } = await fetchPage({ page, positionOf }, noParent, { after, size, large: undefined }, database)
    pages.push(rows.map(row => String(row['name'])))
    if (!cut) return pages
    after = positionOf(rows.at(-1)!)
  }
}

async function namesOf(beginning: string, visible: Visible): Promise<string[]> {
  const rows = await database.rows(sql<{ name: string }>`
    select t.name from things t where t.name ^@ ${beginning} and ${visible(sql`t.owner`)} order by t.name, t.id`)
  return rows.map(row => row.name)
}

const cases = {
  'that the caller may read': ['pump 001', all],
  'of which the caller may read some': ['pump 00', some],
  'of which the caller may read none': ['pump 00', none],
  'of which there are none': ['valve', all],
  'of which there are too many to be sorted first': ['pump', some],
  'of which there are too many, and the caller may read none': ['pump', none],
} as const

for (const [which, [beginning, visible]] of Object.entries(cases))
  test(`names that begin so, ${which}, are listed in order, page by page`, async () => {
    const expected = await namesOf(beginning, visible)
    const pages = await pagesOf(beginning, visible, 30)
    assert.deepEqual(pages.flat(), expected)
    assert.deepEqual(
      pages.slice(0, -1).map(page => page.length),
      pages.slice(0, -1).map(() => 30),
    )
  })

test('what the caller may read is asked of no more records than the page takes', async () => {
  await database.count(sql`create sequence asked`)
  const pages = await pagesOf('pump 00', () => sql<boolean>`nextval('asked') > 0`, 30)
  assert.equal(pages.flat().length, 1_000)
  const [found] = await database.rows(sql<{ last: number }>`select last_value::int as last from asked`)
  // Each page is cut by the first record of the next.
  assert.equal(found?.last, 1_000 + pages.length - 1)
})

test('a filter that leaves out few records is asked of the first in order, and of all only if these do not fill the page', async () => {
  await database.count(sql`create sequence filtered`)
  const page = (condition: Sql<boolean>) => (_: unknown, after: Position | undefined, look: number) =>
    pageOf({
      resource: things,
      shape,
      sorts,
      conditions: [condition],
      joined: false,
      projects: undefined,
      sought: false,
      rightsAfterSearch: undefined,
      scanWindow: [],
      after,
      size: look,
    })
  const positionOf = (row: Row): Position => [String(row['name']), row.id]
  const read = (condition: Sql<boolean>) =>
    fetchPage(
      { page: page(condition), positionOf },
      noParent,
      { after: undefined, size: 30, large: undefined },
      database,
    )
  const { rows, cut } = await read(sql<boolean>`nextval('filtered') > 0 and t.owner <> 3`)
  assert.deepEqual([rows.length, cut], [30, true])
  const asked = await database.one(sql<{ last: number }>`select last_value::int as last from filtered`)
  assert.ok(asked!.last < 100, `${asked!.last} records were filtered`)
  const rare = await read(sql<boolean>`t.name = ${`pump ${String(most - 1).padStart(5, '0')}`}`)
  assert.deepEqual([rare.rows.length, rare.cut], [1, false])
})

test('a list whose order goes both up and down is read page by page from where the last page ended', async () => {
  const owner: Column = { kind: 'integer', sql: sql`t.owner`, describe: '' }
  const both = [
    { name: 'owner', column: owner, direction: 'desc' },
    { name: 'name', column: name, direction: 'asc' },
    { name: 'id', column: id, direction: 'desc' },
  ] as const
  const positionOf = (row: Row): Position => [String(row['owner']), String(row['name']), row.id]
  const pageAfter = (after: Position | undefined, size: number) =>
    pageOf({
      resource: things,
      shape,
      sorts: both,
      conditions: [sql<boolean>`t.owner > 46`],
      joined: false,
      projects: undefined,
      sought: false,
      rightsAfterSearch: undefined,
      scanWindow: undefined,
      after,
      size,
    })
  const names: unknown[] = []
  for (let after: Position | undefined; ; ) {
    const { first } = pageAfter(after, 50)
    const rows = await database.rows(first)
    names.push(...rows.slice(0, 50).map(row => row['name']))
    if (rows.length <= 50) break
    after = positionOf(rows[49]!)
  }
  const whole = await database.rows(sql<{ name: string }>`
    select t.name from things t where t.owner > 46 order by t.owner desc, t.name, t.id desc`)
  assert.deepEqual(
    names,
    whole.map(row => row.name),
  )
})
