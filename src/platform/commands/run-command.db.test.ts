import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import {
  everything,
  prepareSpecimens,
  readerOfA,
  specimenEvents,
  specimensDomain,
} from '../../../tests/contract/specimen.ts'
import { type Answer, startTestApi } from '../../../tests/support/api.ts'
import { moveClock } from '../../../tests/support/database.ts'
import type { Rights } from '../actor.ts'
import { sql } from '../db/sql.ts'
import type { Runtime } from '../domain.ts'
import { deleteOldResponsesJob } from './idempotency.ts'

const executor: Rights = {
  ...readerOfA,
  may: (right, path) => readerOfA.may('read', path) && (right === 'read' || right === 'execute'),
}
/** Rights that change from one request to the next. */
let fickle: Rights = everything
const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: {
    admin: everything,
    reader: readerOfA,
    executor,
    fickle: {
      superuser: false,
      may: (right, path) => fickle.may(right, path),
      visible: record => fickle.visible(record),
    },
  },
  prepare: prepareSpecimens,
})
after(() => api.stop())
const admin = api.as('admin')
const reader = api.as('reader')

const codes = ({ body }: Answer): string[] => body.errors.map((each: { code: string }) => each.code)
const pointers = ({ body }: Answer): string[] =>
  body.errors.map((each: { source: { pointer: string } }) => each.source.pointer)

let ids: Record<string, string> = {}
let eventsBefore = ''
beforeEach(async () => {
  await api.database.count(sql`delete from specimens`)
  await api.database.count(sql`delete from idempotency_keys`)
  const rows = await api.database.rows(sql<{ code: string; id: string }>`
    insert into specimens (code, path, size, alive)
    values ('ant', '/projects/a', 7, true), ('bee', '/projects/b', 7, true), ('dead', '/projects/a', 8, false)
    returning code, id`)
  ids = Object.fromEntries(rows.map(({ code, id }) => [code, id]))
  eventsBefore = (await api.database.one(sql<{ id: string }>`select sluice_uuid7() as id`))!.id
})

interface Recorded {
  type: string
  username: string
  source_id: string
  attributes: Record<string, unknown>
}

const recorded = () =>
  api.database.rows(sql<Recorded>`
    select type, username, source_id, attributes from events where id > ${eventsBefore} order by id`)

const sizeOf = async (code: string) => (await admin.get(`/api/specimens/${ids[code]}`)).body.data.attributes.size

test('a created record is answered as a GET would show it, with its place', async () => {
  const made = await admin.post('/api/specimens', { code: 'wasp', size: 3 })
  assert.equal(made.status, 201)
  const { id, links } = made.body.data
  assert.equal(made.headers.get('location'), `/api/specimens/${id}`)
  const shown = await admin.get(links.self)
  assert.deepEqual(made.body, shown.body)
  assert.equal(made.headers.get('etag'), shown.headers.get('etag'))
})

test('what is done is recorded with it: who, what, from where, and only the values that the command names', async () => {
  await admin.post('/api/specimens?fields[specimen]=code', {
    code: 'wasp',
    note: 'x'.repeat(20),
    size: 3,
    tags: ['secret'],
  })
  const [event, ...more] = await recorded()
  assert.deepEqual(more, [])
  assert.equal(event?.type, 'api:specimens:create')
  assert.equal(event?.username, 'admin')
  assert.deepEqual(event?.attributes, {
    request_method: 'POST',
    request_path: '/api/specimens',
    remote_address: '127.0.0.1',
    request_body_code: 'wasp',
    request_body_note: 'x'.repeat(20),
  })
  await admin.delete(`/api/specimens/${ids['ant']}`)
  assert.equal((await recorded())[1]?.attributes['url_params_id'], ids['ant'])
})

test('what changes nothing records nothing', async () => {
  const { status, body } = await admin.patch(`/api/specimens/${ids['ant']}`, {})
  assert.deepEqual([status, body.data.attributes.size], [200, 7])
  assert.deepEqual(await recorded(), [])
})

test('what may not be read is 404, what may not be done is 403 and says which right on which path', async () => {
  assert.equal((await reader.patch(`/api/specimens/${ids['bee']}`, { size: 1 })).status, 404)
  const refused = await reader.patch(`/api/specimens/${ids['ant']}`, { size: 1 })
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body.errors[0].meta, { right: 'update', path: '/projects/a' })
  assert.deepEqual(await recorded(), [])
})

test('the order of refusals is 404, 403, 412, 409, 422', async () => {
  const wrong = { size: 'many' }
  const stale = { 'if-match': '"99"' }
  const ask = async (client: typeof admin, code: string, headers?: Record<string, string>) =>
    (await client.patch(`/api/specimens/${ids[code]}`, wrong, headers)).status
  assert.deepEqual(
    [
      await ask(reader, 'bee', stale),
      await ask(reader, 'dead', stale),
      await ask(admin, 'dead', stale),
      await ask(admin, 'dead'),
      await ask(admin, 'ant'),
    ],
    [404, 403, 412, 409, 422],
  )
})

test('a refusal undoes its work and keeps its events', async () => {
  const refused = await admin.post(`/api/specimens/${ids['dead']}/feed`)
  assert.deepEqual([refused.status, codes(refused)], [409, ['wrong-state']])
  assert.equal(await sizeOf('dead'), 8)
  const events = await recorded()
  assert.deepEqual(
    events.map(({ type }) => type),
    ['audit:specimens:feed:denied'],
  )
  assert.equal(events[0]?.attributes['request_path'], `/api/specimens/${ids['dead']}/feed`)
})

test('everything that is wrong with the values is said at once, each at its place, in words that help', async () => {
  const answer = await admin.post('/api/specimens', { note: 'x'.repeat(21), size: 1001, tags: ['a', 2] })
  assert.equal(answer.status, 422)
  const faults = Object.fromEntries(
    answer.body.errors.map((each: { detail: string; source: { pointer: string } }) => [
      each.source.pointer,
      each.detail,
    ]),
  )
  assert.deepEqual(faults, {
    '/data/attributes/code': 'code is required.',
    '/data/attributes/note': 'note should be a text of at most 20 characters or null.',
    '/data/attributes/size': 'size should be an integer from 0 to 1000.',
    '/data/attributes/tags/1': 'tags/1 should be a text.',
  })
  const odd = await admin.post('/api/specimens', { code: 'Wasp' })
  assert.equal(odd.body.errors[0].detail, 'code should be lower-case letters.')
})

test('what a body may not have is named, all at once', async () => {
  const send = (raw: unknown) =>
    admin.send('PATCH', `/api/specimens/${ids['ant']}`, { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) })
  const unknown = await send({
    data: {
      attributes: { siez: 1, created_at: 'now', ['__proto__x']: 1 },
      relationships: { mate: { data: null } },
      meta: { plan: true },
    },
  })
  assert.equal(unknown.status, 400)
  assert.deepEqual(pointers(unknown).sort(), [
    '/data/attributes/__proto__x',
    '/data/attributes/created_at',
    '/data/attributes/siez',
    '/data/meta/plan',
    '/data/relationships/mate',
  ])
  assert.deepEqual(codes(await send('{"data":')), ['malformed-json'])
  assert.deepEqual(codes(await send('[]')), ['malformed-envelope'])
  assert.deepEqual(codes(await send({ attributes: {} })), ['malformed-envelope', 'malformed-envelope'])
  assert.deepEqual(codes(await send({ data: { attributes: [] } })), ['malformed-envelope'])
  assert.deepEqual(codes(await send('{"data":{"attributes":{"note":"a\\u0000b"}}}')), ['nul-character'])
  assert.deepEqual(codes(await send('{"data":{"attributes":{"note":"\\ud800"}}}')), ['malformed-json'])
  assert.deepEqual(codes(await send('{"data":{"attributes":{"__proto__":{"size":1}}}}')), ['unknown-attribute'])
  const big = await send('{"data":{"attributes":{"size":9007199254740993}}}')
  assert.equal(big.status, 422)
  assert.match(big.body.errors[0].detail, /write it as a string/)
})

test('type and id in a body are the record’s own, in any case', async () => {
  const send = (method: string, path: string, data: object) =>
    admin.send(method, path, { raw: JSON.stringify({ data: { attributes: {}, ...data } }) })
  const path = `/api/specimens/${ids['ant']}`
  assert.equal((await send('PATCH', path, { type: 'Specimen', id: ids['ant']!.toUpperCase() })).status, 200)
  assert.deepEqual(codes(await send('PATCH', path, { type: 'animal' })), ['wrong-type'])
  assert.deepEqual(codes(await send('PATCH', path, { id: ids['bee'] })), ['wrong-type'])
  const own = await send('POST', '/api/specimens', { id: ids['bee'], attributes: { code: 'wasp' } })
  assert.deepEqual([own.status, codes(own)], [403, ['client-id']])
})

test('a body comes as JSON, in UTF-8, and a command without one needs no media type', async () => {
  const path = `/api/specimens/${ids['ant']}`
  const send = (contentType: string) =>
    admin.send('PATCH', path, { raw: '{"data":{"attributes":{}}}', headers: { 'content-type': contentType } })
  for (const right of ['application/json', 'application/vnd.api+json; charset=utf-8']) {
    assert.equal((await send(right)).status, 200, right)
  }
  for (const wrong of [
    'text/plain',
    'application/vnd.api+json; ext="x"',
    'application/merge-patch+json',
    'application/json; charset=latin1',
    // These are no media types at all.
    'json',
    'application/json, text/plain',
  ]) {
    assert.deepEqual(codes(await send(wrong)), ['unsupported-media-type'], wrong)
  }
  assert.equal((await admin.send('POST', `${path}/feed`)).status, 200)
})

test('a request repeated under its key is answered the same and done once', async () => {
  const key = { 'idempotency-key': 'k1' }
  const first = await admin.post('/api/specimens', { code: 'wasp' }, key)
  const again = await admin.post('/api/specimens', { code: 'wasp' }, key)
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal((await recorded()).length, 1)
  const other = await admin.post('/api/specimens', { code: 'hornet' }, key)
  assert.deepEqual([other.status, codes(other)], [422, ['key-reused']])
  assert.equal((await admin.post('/api/specimens', { code: 'hornet' }, { 'idempotency-key': 'k2' })).status, 201)
})

test('a request that is repeated asks for rights first: what was answered once is not answered to whoever lost them', async () => {
  const client = api.as('fickle')
  const key = { 'idempotency-key': 'k1' }
  const nothing: Rights = { superuser: false, may: () => false, visible: () => sql<boolean>`false` }
  const ant = `/api/specimens/${ids['ant']}`
  const create = (attributes = { code: 'wasp' }) => client.post('/api/specimens', attributes, key)
  const feed = () => client.post(`${ant}/feed`, {}, key)
  fickle = everything
  const first = [await create(), await feed()]
  assert.deepEqual(
    first.map(({ status }) => status),
    [201, 200],
  )
  fickle = nothing
  assert.equal((await create()).status, 404)
  assert.equal((await create({ code: 'hornet' })).status, 404)
  assert.deepEqual([(await feed()).status, codes(await feed())], [404, ['missing']])
  fickle = readerOfA
  const forbidden = await feed()
  assert.deepEqual([forbidden.status, codes(forbidden)], [403, ['forbidden']])
  // It may be done still, and what was made is read no more.
  fickle = { ...everything, superuser: false, visible: () => sql<boolean>`false` }
  assert.equal((await create()).status, 404)
  fickle = everything
  assert.deepEqual([(await create()).body, (await feed()).body], [first[0]!.body, first[1]!.body])
  // For a deleted record, the rights under which it was changed are checked.
  await api.database.count(sql`delete from specimens where code = 'ant'`)
  assert.deepEqual((await feed()).body, first[1]!.body)
  fickle = nothing
  assert.equal((await feed()).status, 404)
})

test('a kept answer is sealed, and a refusal is kept like a success', async () => {
  const key = { 'idempotency-key': 'k1' }
  await admin.post('/api/specimens', { code: 'ant' }, key)
  await api.database.count(sql`delete from specimens where code = 'ant'`)
  const again = await admin.post('/api/specimens', { code: 'ant' }, key)
  assert.deepEqual([again.status, codes(again)], [409, ['code-taken']])
  const row = await api.database.one(sql<{ answer: Buffer }>`select answer from idempotency_keys`)
  assert.equal(row?.answer.includes('code-taken'), false)
})

test('an answer that carries a secret is never kept', async () => {
  const key = { 'idempotency-key': 'k1' }
  const tag = () => admin.post(`/api/specimens/${ids['ant']}/tag`, undefined, key)
  assert.equal((await tag()).body.meta.token, 't-0001')
  assert.equal((await tag()).status, 200)
  assert.equal(await sizeOf('ant'), 9)
})

test('a key is one user’s, and new again after a day', async () => {
  const key = { 'idempotency-key': 'k1' }
  const feed = (username: string) => api.as(username).post(`/api/specimens/${ids['ant']}/feed`, {}, key)
  await feed('admin')
  await feed('executor')
  await feed('admin')
  assert.equal(await sizeOf('ant'), 9)
  await moveClock(api.testDatabase, '25 hours')
  await feed('admin')
  assert.equal(await sizeOf('ant'), 10)
})

test('while a request is under way its key is taken', async () => {
  const holder = new pg.Client({ connectionString: api.testDatabase.appUrl })
  await holder.connect()
  await holder.query('select pg_advisory_lock(4711)')
  const key = { 'idempotency-key': 'k1' }
  const feed = () => admin.post(`/api/specimens/${ids['ant']}/feed`, { wait: '4711' }, key)
  const first = feed()
  await untilSomeoneWaits(4711)
  const twin = await feed()
  assert.deepEqual([twin.status, codes(twin)], [409, ['key-in-flight']])
  await holder.query('select pg_advisory_unlock(4711)')
  assert.equal((await first).status, 200)
  await holder.end()
  assert.equal(await sizeOf('ant'), 8)
})

async function untilSomeoneWaits(lock: number): Promise<void> {
  for (;;) {
    const waiting = await api.database.one(sql`
      select from pg_locks where locktype = 'advisory' and objid = ${lock}::int and not granted`)
    if (waiting) return
  }
}

test('a key that no header can carry is refused', async () => {
  const answer = await admin.post('/api/specimens', { code: 'wasp' }, { 'idempotency-key': 'k'.repeat(256) })
  assert.deepEqual(codes(answer), ['wrong-header'])
})

test('answers that nobody may ask for again are forgotten, and no others', async () => {
  await admin.post('/api/specimens', { code: 'wasp' }, { 'idempotency-key': 'old' })
  await moveClock(api.testDatabase, '25 hours')
  await admin.post('/api/specimens', { code: 'hornet' }, { 'idempotency-key': 'new' })
  await deleteOldResponsesJob.run(undefined as never, { database: api.database } as Runtime)
  const left = await api.database.rows(sql`select key from idempotency_keys`)
  assert.deepEqual(left, [{ key: 'new' }])
})
