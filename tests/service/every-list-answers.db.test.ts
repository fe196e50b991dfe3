import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Resource } from '../../src/platform/jsonapi/resource.ts'
import { cellOf, readCsv } from '../contract/csv.ts'
import { oracles } from '../contract/grammar.ts'
import { asked, comparable, everyRecord, idsOf, valueIn } from '../contract/list-grammar.ts'
import { keeper, listedRecords, type ProductList } from './listed-records.ts'

/** Other features of every list of the product: downloads, includes, totals, refusals. */

const records = await listedRecords(60)
after(() => records.stop())
const admin = records.checked('admin')

/** Copies of encrypted documents cannot be decrypted, because these are bound to their record: the readable fields. */
const readable = ({ columns, type }: Resource, more: readonly string[] = []): string => {
  const names = Object.entries(columns).filter(([, each]) => each.kind !== 'opaque' && !each.showOnly)
  return `fields[${type}]=${[...names.map(([name]) => name), ...more]}`
}

const eachList = (work: (list: ProductList) => Promise<void>) => async (t: TestContext) => {
  for (const list of records.lists) await t.test(list.path, () => work(list))
}

interface Found {
  readonly type: string
  readonly id: string
  readonly attributes: Record<string, unknown>
  readonly relationships?: Record<string, { data?: Found | Found[] | null }>
  readonly links: Record<string, string>
}

test(
  'a download holds what the list holds, oldest first, and a limit cuts it',
  eachList(async ({ path, resource }) => {
    const query = asked(path, readable(resource))
    const { body } = await admin.get(asked(query, 'limit=1000'))
    const [columns = [], ...rows] = readCsv((await admin.get(asked(query, 'download=a list.csv'))).text)
    const cells = ({ id, attributes }: Found) =>
      [id, ...columns.slice(1).map(name => cellOf(attributes[name]))].map(each => each.replaceAll('\r', ''))
    const byId = (a: string[], b: string[]) => (a[0]! < b[0]! ? -1 : 1)
    assert.deepEqual(rows.toSorted(byId), body.data.map(cells).sort(byId))
    const createdAt = columns.indexOf('created_at')
    if (createdAt > 0)
      assert.deepEqual(
        rows,
        rows.toSorted((a, b) => (a[createdAt]! < b[createdAt]! ? -1 : a[createdAt] === b[createdAt] ? byId(a, b) : 1)),
      )
    const cut = await admin.get(asked(query, 'download=a list.csv&limit=1'))
    const first = (await admin.get(asked(query, 'limit=1'))).body.data.map(({ id }: Found) => id)
    assert.deepEqual(readCsv(cut.text), [columns, ...rows.filter(([id]) => first.includes(id))])
    assert.equal(cut.status, rows.length > 1 ? 206 : 200)
  }),
)

test(
  'a list that did not change is 304 for those who have it, and for nobody else',
  eachList(async ({ path, resource }) => {
    const query = asked(path, `${readable(resource, Object.keys(resource.relationships ?? {}))}&limit=20`)
    const first = await admin.get(query)
    const etag = first.headers.get('etag')!
    const again = await admin.get(query, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text], [304, ''])
    if (first.body.data.length < 2) return
    const other = await admin.get(query.replace('limit=20', 'limit=1'), { 'if-none-match': etag })
    assert.equal(other.body.data.length, 1)
  }),
)

/** Every relationship of a list's records, and every one of the related records. */
function includesOf({ resource }: ProductList): string[] {
  const shown = (of: Resource) => Object.entries(of.relationships ?? {}).filter(([, each]) => !each.showOnly)
  return shown(resource).flatMap(([name, { type }]) => {
    const target = records.resources.find(each => each.type === type)
    return [name, ...(target ? shown(target).map(([below]) => `${name}.${below}`) : [])]
  })
}

const withSecrets = records.resources.filter(({ columns }) =>
  Object.values(columns).some(({ kind }) => kind === 'opaque'),
)

const named = ({ relationships = {} }: Found, name: string): Found[] =>
  [relationships[name]?.data ?? []].flat().filter(each => each !== null)

const keyOf = ({ type, id }: { type: string; id: string }) => `${type} ${id}`

test(
  'what records point at is included, two levels deep, each once and nothing else, and of it only the fields asked for',
  eachList(async list => {
    const includes = includesOf(list)
    if (includes.length === 0) return
    const fields = withSecrets.map(each => readable(each, Object.keys(each.relationships ?? {})))
    const query = asked(list.path, `limit=4&include=${includes}`)
    const { status, body, text } = await admin.get(asked(query, fields.join('&')))
    assert.ok([200, 206].includes(status), text)
    const all = new Map<string, Found>([...body.data, ...body.included].map((each: Found) => [keyOf(each), each]))
    assert.equal(all.size, body.data.length + body.included.length)
    const reached = new Set<string>()
    for (const record of body.data as Found[]) {
      for (const include of includes) {
        const [name = '', below] = include.split('.')
        for (const one of named(record, name)) {
          reached.add(keyOf(one))
          const found = all.get(keyOf(one))
          if (below && found) for (const two of named(found, below)) reached.add(keyOf(two))
        }
      }
    }
    const known = new Set(records.resources.map(({ type }) => type))
    const left = [...reached].filter(each => !all.has(each) && known.has(each.split(' ')[0]!))
    assert.deepEqual(left, [])
    const included = body.included.map(keyOf)
    assert.deepEqual(
      included.filter((each: string) => !reached.has(each)),
      [],
    )

    const wanted = new Map<string, string>(
      (body.included as Found[]).map(({ type, attributes }) => [type, Object.keys(attributes)[0] ?? '']),
    )
    // Relationships of the list itself identify the included records.
    wanted.delete(list.resource.type)
    const sparse = [...wanted].map(([type, name]) => `fields[${type}]=${name}`)
    const own = fields.filter(each => each.startsWith(`fields[${list.resource.type}]`))
    const narrow = await admin.get(asked(query, [...sparse, ...own].join('&')))
    for (const { type, attributes, relationships } of narrow.body.included as Found[]) {
      if (!wanted.has(type)) continue
      assert.deepEqual(Object.keys(attributes), [wanted.get(type)].filter(Boolean), type)
      assert.equal(relationships, undefined)
    }
  }),
)

test(
  'whatever a list does not know is refused, all of it at once',
  eachList(async ({ path, resource, route }) => {
    const [column = 'id'] = comparable(resource).at(-1) ?? []
    const wrong: Record<string, string> = {
      surprise: '1',
      'filter[m]': 'xor',
      [`filter[${column}]`]: '1',
      'filter[sorts]': 'unheard_of desc',
      include: 'strangers',
      limit: '0',
      total: 'perhaps',
      'page[after]': 'x',
      download: '',
      ...(!route.plain &&
        Object.fromEntries(Object.keys(resource.named ?? {}).map(name => [`filter[${name}]`, 'perhaps']))),
      ...(!resource.dynamic && {
        'filter[unheard_of_eq]': '1',
        [`filter[${column}_or_id_cont]`]: '1',
        [`filter[${column}_eqq]`]: '1',
        [`fields[${resource.type}]`]: 'unheard_of',
      }),
    }
    const query = Object.entries(wrong).map(each => each.join('='))
    const { status, body } = await admin.get(asked(path, query.join('&')))
    assert.equal(status, 400)
    const told = new Set(body.errors.map((each: { source?: { parameter?: string } }) => each.source?.parameter))
    assert.deepEqual([...told].sort(), Object.keys(wrong).sort())
  }),
)

test('any of several filters is enough with filter[m]=or, all must hold without', async t => {
  for (const { path, resource, route } of records.widest) {
    if (route.plain) continue
    await t.test(path, async () => {
      const all = await everyRecord({ client: admin, path, resource })
      const { id } = all[0]!
      const [name = ''] = comparable(resource).findLast(([, { kind }]) => kind === 'text') ?? []
      const value = valueIn(all.findLast(each => valueIn(each, name) !== null)!, name)
      const query = `filter[id_eq]=${id}&filter[${name}_eq]=${encodeURIComponent(String(value))}`
      const holds = (each: (typeof all)[number]) => [each.id === id, oracles['eq']!(valueIn(each, name), value)]
      const ask = async (m: string) =>
        idsOf((await admin.get(asked(path, `${query}${m}&${readable(resource)}&limit=1000`))).body.data)
      assert.deepEqual(await ask('&filter[m]=or'), idsOf(all.filter(each => holds(each).some(Boolean))))
      assert.deepEqual(await ask(''), idsOf(all.filter(each => holds(each).every(Boolean))))
    })
  }
})

test('a list and its total hold what its reader may read, and nothing else', async t => {
  const reader = records.checked(keeper)
  let hiddenFromSome = 0
  for (const { path, resource, route } of records.lists) {
    if (route.parent || route.plain) continue
    await t.test(path, async () => {
      const query = asked(path, `${readable(resource)}&total=true`)
      const all: Found[] = (await admin.get(asked(query, 'limit=1000'))).body.data
      const own = await reader.get(asked(query, 'limit=1000'))
      // The existence of a fixed endpoint is no secret: a caller without the right gets 403.
      if ('fixed' in resource.rights) {
        const shown = await Promise.all(all.slice(0, 3).map(({ links }) => reader.get(links['self']!)))
        for (const { status } of [own, ...shown]) assert.equal(status, 403)
        return
      }
      const first = await reader.get(asked(query, 'limit=1'))
      assert.deepEqual([first.body.meta.total, first.body.meta.total_exact], [own.body.data.length, true])
      const ids = new Set(idsOf(own.body.data))
      const hidden = all.filter(({ id }) => !ids.has(id))
      assert.equal(all.length - hidden.length, ids.size)
      hiddenFromSome += hidden.length > 0 ? 1 : 0
      const shows = async ({ links }: Found) =>
        (await reader.get(asked(links['self']!, `${readable(resource)}&include=`))).status
      if (!all[0]?.links['self']) return
      for (const each of hidden.slice(0, 3)) assert.equal(await shows(each), 404)
      for (const each of own.body.data.slice(-3)) assert.equal(await shows(each), 200)
    })
  }
  assert.ok(hiddenFromSome > 5)
})
