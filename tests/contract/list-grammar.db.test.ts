import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApi } from '../support/api.ts'
import { oracles } from './grammar.ts'
import { everyRecord, holdsFilters, holdsPaging, idsOf, sorted, valueIn, walk } from './list-grammar.ts'
import {
  everything,
  prepareSpecimens,
  readerOfA,
  specimenEvents,
  specimenResource,
  specimensDomain,
} from './specimen.ts'

const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: { admin: everything, reader: readerOfA },
  prepare: prepareSpecimens,
})
after(() => api.stop())
const client = api.as('admin')
const specimens = { client, path: '/api/specimens', resource: specimenResource }

const notes = [
  'alpha',
  'Alpha',
  'ALPHA beta',
  'a%b',
  'a_b',
  'a\\b',
  "o'hara",
  'Éclair',
  'éclair',
  'z😀',
  'Ωmega',
  '',
  ' ',
]

/**
 * 300 records with nulls, equal values, microseconds, mixed case and everything that LIKE or a cursor might mishandle.
 */
await api.database.rows(sql`
  insert into specimens (path, code, note, mood, size, total, ratio, price, alive, tame, seen_at, gone_at, tags, secret)
  select '/projects/' || (array['a', 'b', 'ab'])[1 + n % 3],
         'code' || n,
         case when n % 4 > 0 then (${notes}::text[])[1 + n % ${notes.length}::int] end,
         case n % 3 when 0 then 'calm' when 1 then 'wild' end,
         n % 7 - 3,
         case when n % 5 > 0 then (n % 11) * 1000000007::bigint end,
         case when n % 3 > 0 then (n % 13) / 4.0 end,
         case when n % 6 > 0 then ((n % 17) * 0.01)::numeric end,
         n % 2 = 0,
         case n % 3 when 0 then true when 1 then false end,
         '2026-11-21T02:00:00.123456Z'::timestamptz + make_interval(secs => (n % 50) * 0.000001),
         case when n % 3 > 0 then '2020-01-01Z'::timestamptz + make_interval(secs => (n % 20) * 0.000001) end,
         case n % 5 when 0 then null when 1 then '[]' when 2 then '{"a": 1}' else jsonb_build_array('t' || n % 4, n % 3) end,
         '\\x00'
    from generate_series(1, 300) n`)
await api.database.rows(sql`
  update specimens s set mate_id = o.id from specimens o
   where o.code = 'code' || (substring(s.code from 5)::int % 40 + 1) and substring(s.code from 5)::int % 3 > 0`)

test('every predicate of every column answers exactly what an oracle over the values answers', async () => {
  const asked = await holdsFilters({ ...specimens, downloads: true })
  assert.ok(asked > 500, `${asked} filters were compared`)
  const documents = await holdsFilters(specimens, undefined, given => given.slice(0, 1))
  assert.ok(documents > 100, `${documents} filters were compared in documents`)
})

test('walking any sort in pages of 1, 17 and 100 gives the unpaged list', async () => {
  assert.ok((await holdsPaging(specimens, [17, 100])) > 40)
  const alive = (await everyRecord(specimens)).filter(each => valueIn(each, 'alive'))
  for (const sort of ['gone_at asc', 'gone_at desc', 'note desc', 'size asc']) {
    const [column = '', direction = ''] = sort.split(' ')
    const query = `filter[sorts]=${sort}&filter[alive_eq]=true&fields[specimen]=&limit=1`
    assert.deepEqual(
      idsOf(await walk(client, `/api/specimens?${query}`)),
      idsOf(sorted(alive, [{ column, direction }])),
      sort,
    )
  }
})

test('several sorts with mixed directions and nulls page as they sort', async () => {
  const records = await everyRecord(specimens)
  const mixtures = [
    ['tame desc', 'note asc'],
    ['note asc', 'gone_at asc', 'size asc'],
    ['size', 'total desc', 'ratio asc'],
    ['alive desc', 'tame desc'],
  ]
  for (const mixture of mixtures) {
    const order = mixture.map(each => ({ column: each.split(' ')[0]!, direction: each.split(' ')[1] ?? 'asc' }))
    const query = mixture.map(each => `filter[sorts][]=${each}`).join('&')
    const walked = await walk(client, `/api/specimens?${query}&limit=17`)
    assert.deepEqual(idsOf(walked), idsOf(sorted(records, order)), query)
  }
})

test('filters join by "or" when asked, and neither the path nor the rights join them', async () => {
  const records = await everyRecord(specimens)
  const query = 'filter[m]=or&filter[size_eq]=3&filter[note_null]=1&filter[giants]=true'
  const expected = records.filter(each => valueIn(each, 'size') === 3 || valueIn(each, 'note') === null)
  const { body } = await client.get(`/api/specimens?${query}&limit=1000`)
  assert.deepEqual(idsOf(body.data), idsOf(expected))

  const ofReader = await api.as('reader').get(`/api/specimens?${query}&limit=1000`)
  const ofPlace = await client.get(`/api/places/a/specimens?${query}&limit=1000`)
  assert.ok(ofReader.body.data.length > 0 && ofReader.body.data.length < expected.length)
  assert.deepEqual(idsOf(ofReader.body.data), idsOf(ofPlace.body.data))
})

test('two filters join by "and" without being told', async () => {
  const records = await everyRecord(specimens)
  const { body } = await client.get('/api/specimens?filter[size_gteq]=2&filter[tame_eq]=yes&limit=1000')
  const expected = records.filter(
    each => Number(valueIn(each, 'size')) >= 2 && oracles['eq']!(valueIn(each, 'tame'), true),
  )
  assert.deepEqual(idsOf(body.data), idsOf(expected))
})

test('pages stay whole while records are made and changed between them', async () => {
  const before = idsOf(await everyRecord(specimens))
  let made = 0
  const walked = await walk(client, '/api/specimens?filter[sorts]=gone_at desc&limit=50', async () => {
    made += 1
    await api.database.count(sql`
      insert into specimens (path, code, gone_at)
      values ('/projects/b', ${`later${made}`}, case when ${made}::int % 2 = 0 then sluice_now() end)`)
  })
  const ids = idsOf(walked)
  assert.equal(new Set(ids).size, ids.length, 'no record comes twice')
  assert.deepEqual(
    before.filter(id => !ids.includes(id)),
    [],
    'no record is left out',
  )
  await api.database.count(sql`delete from specimens where code like 'later%'`)
})

test('a cursor of another query, another path, or a forged one is refused', async () => {
  const { body } = await client.get('/api/specimens?filter[sorts]=note&filter[alive_eq]=true&limit=5')
  const cursor = new URL(body.links.next, 'http://x').searchParams.get('page[after]')!
  const ask = async (path: string) => (await client.get(path)).body.errors?.map((each: { code: string }) => each.code)
  const after = `page[after]=${cursor}`
  assert.deepEqual(await ask(`/api/specimens?filter[sorts]=note&filter[alive_eq]=true&limit=9&${after}`), undefined)
  assert.deepEqual(await ask(`/api/specimens?filter[sorts]=note&filter[alive_eq]=false&${after}`), ['wrong-cursor'])
  assert.deepEqual(await ask(`/api/specimens?filter[sorts]=note desc&filter[alive_eq]=true&${after}`), ['wrong-cursor'])
  assert.deepEqual(await ask(`/api/places/a/specimens?filter[sorts]=note&filter[alive_eq]=true&${after}`), [
    'wrong-cursor',
  ])
  const [payload = '', mac] = cursor.split('.')
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"alpha', '"beta')).toString(
    'base64url',
  )
  for (const wrong of [
    `${forged}.${mac}`,
    payload,
    '',
    `${cursor}.${mac}`,
    'x.y',
    `${payload}.AAAAAAAAAAAAAAAAAAAAAA`,
  ]) {
    const query = `filter[sorts]=note&filter[alive_eq]=true&page[after]=${wrong}`
    if (wrong !== `${payload}.${mac}`) assert.deepEqual(await ask(`/api/specimens?${query}`), ['wrong-cursor'], wrong)
  }
})

test('nothing in a query becomes SQL', async () => {
  const evil = [
    "'; drop table specimens; --",
    "' or 1=1 --",
    "\\'; select pg_sleep(10); --",
    '$1',
    '%27%20or%20true',
    'x\' collate "C',
    '{"$ne":1}',
    '#{1}',
  ]
  for (const text of evil) {
    const value = encodeURIComponent(text)
    for (const predicate of Object.keys(oracles)) {
      const { status } = await client.get(`/api/specimens?filter[note_${predicate}]=${value}&fields[specimen]=&limit=9`)
      assert.ok([200, 206, 400].includes(status), `${predicate} ${text}`)
    }
    const places = [
      `filter[sorts]=${value}`,
      `filter[sorts]=note ${value}`,
      `filter[${value}]=1`,
      `filter[note${value}_eq]=1`,
      `filter[m]=${value}`,
      `include=${value}`,
      `fields[specimen]=${value}`,
      `limit=${value}`,
      `filter[mate_of]=${value}`,
      `total=${value}`,
      value,
    ]
    for (const place of places) assert.equal((await client.get(`/api/specimens?${place}`)).status, 400, place)
    const file = await client.get(`/api/specimens?download=${value}&limit=1`)
    assert.equal(file.status, 206)
    assert.doesNotMatch(file.headers.get('content-disposition')!.replace(/^attachment; filename="|"(; |$)/g, ''), /"/)
  }
  assert.equal((await everyRecord(specimens)).length, 300)
})

test('values of a wrong kind are refused, all of them at once, each with its parameter', async () => {
  const wrong: [string, string][] = [
    ['filter[alive_eq]', 'banana'],
    ['filter[size_eq]', ''],
    ['filter[size_gt]', '1.5'],
    ['filter[size_lt]', '0x10'],
    ['filter[total_eq]', '99999999999999999999'],
    ['filter[ratio_eq]', 'NaN'],
    ['filter[price_eq]', 'Infinity'],
    ['filter[seen_at_gt]', '2026-02-31'],
    ['filter[seen_at_lt]', '2026-11-21T25:00:00Z'],
    ['filter[gone_at_eq]', 'now'],
    ['filter[gone_at_gt]', '2026-11-21T02:00:00.Z'],
    ['filter[mate_id_eq]', 'me'],
    ['filter[id_eq]', '1'],
    ['filter[note_null]', 'maybe'],
    ['filter[mood_eq]', 'Calm'],
    ['filter[mood_not_eq]', ''],
    ['filter[mood_in]', 'clam'],
    ['filter[tags_eq]', '[1'],
    ['filter[secret_eq]', 'x'],
    ['filter[story_eq]', 'x'],
    ['filter[code_or_note_cont]', 'x'],
    ['filter[unheard_of_eq]', 'x'],
    ['filter[code]', 'x'],
    ['filter[constructor_eq]', 'x'],
    ['filter[toString]', 'x'],
    ['filter[m]', 'xor'],
    ['limit', '0'],
    ['include', 'mate.mate.mate,stranger'],
    ['fields[specimen]', 'unknown'],
    ['surprise', '1'],
  ]
  const query = wrong.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const { status, body } = await client.get(`/api/specimens?${query}`)
  assert.equal(status, 400)
  const parameters = new Set(body.errors.map((each: { source: { parameter: string } }) => each.source.parameter))
  assert.deepEqual([...parameters].sort(), wrong.map(([name]) => name).sort())
})

test('U+0000, broken percent-encoding and a name given twice are refused', async () => {
  for (const query of [
    'filter[note_eq]=%00',
    'x%00=1',
    'filter[note_eq]=%ff',
    'limit=1&limit=2',
    'filter[note_in]=a&filter[note_in][]=b',
  ]) {
    assert.equal((await client.get(`/api/specimens?${query}`)).status, 400, query)
  }
})

test('more filters, sorts or values than a query may have are refused', async () => {
  const names = ['size', 'total', 'note', 'code'].flatMap(name => Object.keys(oracles).map(each => `${name}_${each}`))
  const filters = names.slice(0, 33).map(name => `filter[${name}]=1`)
  const tooMany = [
    filters.join('&'),
    Array.from({ length: 9 }, () => 'filter[sorts][]=size').join('&'),
    Array.from({ length: 1001 }, (_, n) => `filter[size_in][]=${n}`).join('&'),
  ]
  for (const query of tooMany) {
    const { status, body } = await client.get(`/api/specimens?${query}`)
    assert.equal(status, 400)
    assert.ok(body.errors.some((each: { code: string }) => each.code === 'too-many'))
  }
})

test('a limit cuts with 206 and says so; above the maximum it is capped', async () => {
  const cut = await client.get('/api/specimens?limit=10')
  assert.equal(cut.status, 206)
  assert.equal(cut.body.meta.partial_response, true)
  assert.equal(cut.body.data.length, 10)
  const whole = await client.get('/api/specimens?limit=999999999')
  assert.equal(whole.status, 200)
  assert.equal(whole.body.meta.partial_response, false)
  const byDefault = await client.get('/api/specimens')
  assert.equal(byDefault.body.data.length, 100)
})

test('total counts only when asked, under the filters and the rights', async () => {
  const query = '/api/specimens?limit=1&filter[size_eq]=3'
  assert.equal('total' in (await client.get(query)).body.meta, false)
  const all = await client.get(`${query}&total=true`)
  const own = await api.as('reader').get(`${query}&total=true`)
  assert.deepEqual([all.body.meta.total_exact, own.body.meta.total_exact], [true, true])
  assert.ok(own.body.meta.total > 0 && own.body.meta.total < all.body.meta.total)
})

test('records are counted by the values of an attribute when asked, under the filters and the rights', async () => {
  const records = await everyRecord(specimens)
  const counted = (name: string, of: typeof records) =>
    Object.fromEntries(
      [...Map.groupBy(of, each => String(valueIn(each, name)))].map(([key, those]) => [key, those.length]),
    )
  const counts = async (query: string, as = client) => {
    const { status, body, text } = await as.get(`/api/specimens?limit=1&${query}`)
    assert.equal(status, 206, text)
    assert.equal(body.meta.counts_exact, true)
    return body.meta.counts
  }
  assert.deepEqual(await counts('count_by=mood'), counted('mood', records))
  assert.deepEqual(await counts('count_by=alive'), counted('alive', records))
  const small = records.filter(each => Number(valueIn(each, 'size')) < 0)
  assert.deepEqual(await counts('count_by=tame&filter[size_lt]=0'), counted('tame', small))
  const own = (await api.as('reader').get('/api/specimens?limit=1000')).body.data
  assert.deepEqual(await counts('count_by=mood', api.as('reader')), counted('mood', own))
  assert.ok(own.length < records.length)
  assert.equal('counts' in (await client.get('/api/specimens')).body.meta, false)
})

test('a list counts by attributes with few values only, and pages do not depend on it', async () => {
  for (const wrong of ['note', 'size', 'secret', 'unheard_of', '', 'constructor']) {
    const { status, body } = await client.get(`/api/specimens?count_by=${wrong}`)
    assert.deepEqual([status, body.errors[0].source], [400, { parameter: 'count_by' }], wrong)
    assert.match(body.errors[0].detail, /count_by is one of .*mood/)
  }
  const { body } = await client.get('/api/specimens?limit=5&count_by=mood')
  const cursor = new URL(body.links.next, 'http://x').searchParams.get('page[after]')!
  assert.equal((await client.get(`/api/specimens?limit=5&page[after]=${cursor}`)).status, 206)
})
