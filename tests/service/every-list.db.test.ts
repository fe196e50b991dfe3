import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Value } from '../contract/grammar.ts'
import {
  asked,
  comparable,
  everyRecord,
  holdsFilters,
  holdsPaging,
  idsOf,
  valueIn,
  walk,
} from '../contract/list-grammar.ts'
import { listedRecords } from './listed-records.ts'

/**
 * Every list of the product, compared with an oracle over plain values. Lists, columns and rows are derived from the
 * resources' declarations: a new resource is tested automatically.
 */

const count = 300
const records = await listedRecords(count)
after(() => records.stop())
const client = records.as('admin')
const filtered = records.widest.filter(({ route }) => !route.plain)

test('there are hundreds of each, with nulls and with every awkward text that they may be called by', async () => {
  for (const { resource, path } of records.widest) {
    const all = await everyRecord({ client, path, resource })
    assert.ok(all.length >= count, `${path} has ${all.length}`)
    const columns = comparable(resource).filter(([, { kind }]) => kind !== 'id')
    const valuesOf = (name: string) => new Set(all.map(each => valueIn(each, name)))
    assert.ok(
      columns.some(([name, { kind }]) => kind === 'text' && valuesOf(name).size > 20),
      `texts of ${resource.type}`,
    )
    const nullable = columns.filter(([name, each]) => each.nullable && valuesOf(name).size > 1)
    const isNull = nullable.filter(([name]) => valuesOf(name).has(null))
    assert.ok(isNull.length >= nullable.length / 2, `nulls of ${resource.type}: ${isNull.map(([name]) => name)}`)
  }
})

/**
 * Predicates that are tested on each column; the others once for each kind of column, as the list grammar is the same.
 */
const ofEachColumn = new Set(['eq', 'not_eq', 'lt', 'gteq', 'null', 'cont'])

/** The next one of the possible values each time. `list-grammar.db.test.ts` tests all of them. */
function inTurn() {
  let turn = 0
  const tried = new Set<string>()
  return (given: readonly Value[], kind: string, predicate: string): Value[] => {
    const key = `${predicate} of ${kind}`
    if (given.length === 0 || (!ofEachColumn.has(predicate) && tried.has(key))) return []
    tried.add(key)
    return [given[turn++ % given.length]!]
  }
}

for (const { resource, path, copies } of filtered) {
  test(`predicates of every column of ${resource.type} answer what an oracle answers`, async () => {
    const list = { client, path, resource, downloads: true } as const
    assert.ok((await holdsFilters(list, undefined, inTurn())) > 50)
  })

  test(`walking ${resource.type} by any column, whatever comes and goes, meets once each that was there`, async () => {
    const later: string[] = []
    const meanwhile = async () => {
      later.push(...(await copies.add(2)))
      await copies.remove(later.splice(0, 1))
    }
    assert.ok((await holdsPaging({ client, path, resource }, [97], meanwhile)) > 7)
    await copies.remove(later)
  })
}

test('small pages in the order that nobody asked for are the unpaged list', async t => {
  for (const { resource, path } of records.widest) {
    await t.test(path, async () => {
      const fields = `fields[${resource.type}]=`
      const unpaged = idsOf((await client.get(asked(path, `${fields}&limit=1000`))).body.data)
      const pages: string[][] = []
      const walked = idsOf(await walk(client, asked(path, `${fields}&limit=23`)))
      for (let at = 0; at < walked.length; at += 23) pages.push(walked.slice(at, at + 23))
      // The newest page comes first, and is read from its oldest record on.
      assert.deepEqual(resource.order === 'newest last' ? pages.toReversed().flat() : walked, unpaged)
    })
  }
})
