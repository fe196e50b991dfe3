import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import {
  everything,
  prepareSpecimens,
  readerOfA,
  specimenEvents,
  specimensDomain,
} from '../../../tests/contract/specimen.ts'
import { type Answer, startTestApi } from '../../../tests/support/api.ts'
import { sql } from '../db/sql.ts'
import { buildServer } from './server.ts'

const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: { admin: everything, reader: readerOfA },
  prepare: prepareSpecimens,
})
after(() => api.stop())
const admin = api.as('admin')
const reader = api.as('reader')

const codes = ({ body }: Answer): string[] => body.errors.map((each: { code: string }) => each.code)

/** Ids by code: b is where the reader has no rights, dead is no longer alive. */
let ids: Record<string, string> = {}
beforeEach(async () => {
  await api.database.count(sql`delete from specimens`)
  const rows = await api.database.rows(sql<{ code: string; id: string }>`
    insert into specimens (code, path, size, alive)
    values ('ant', '/projects/a', 7, true), ('bee', '/projects/b', 7, true), ('dead', '/projects/a', 8, false)
    returning code, id`)
  ids = Object.fromEntries(rows.map(({ code, id }) => [code, id]))
  await api.database.count(sql`update specimens set mate_id = ${ids['ant']} where code = 'bee'`)
})

test('who does not sign in is told how, but for scripts of pages, for which a browser would ask in a box of its own', async () => {
  const told = async (method: string, headers: Record<string, string>) => {
    const sent = request(`${api.address}/api/specimens`, { method, headers }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    assert.equal(answer.statusCode, 401)
    return answer.headers['www-authenticate']
  }
  const basic = 'Basic realm="sluice", charset="UTF-8"'
  const wrong = { authorization: 'Basic bm9ib2R5Ong=' }
  assert.equal(await told('GET', {}), basic)
  assert.equal(await told('POST', wrong), basic)
  assert.equal(await told('GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }), basic)
  for (const mode of ['cors', 'same-origin', 'no-cors', 'websocket', 'CORS'])
    for (const headers of [{}, wrong])
      assert.equal(await told('GET', { 'sec-fetch-mode': mode, ...headers }), undefined)
  assert.equal(await told('POST', { 'sec-fetch-mode': 'cors' }), undefined)
  assert.deepEqual(codes(await api.stranger.get('/api/specimens')), ['unauthenticated'])
})

test('a public view answers a stranger, and says itself how it is cached', async () => {
  const { status, body, headers } = await api.stranger.get('/api/weather?hours=3')
  assert.equal(status, 200)
  assert.equal(body.data.attributes.hours, 3)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(codes(await api.stranger.get('/api/weather?hours=0')), ['wrong-kind'])
  assert.deepEqual(codes(await api.stranger.get('/api/weather?days=1')), ['unknown-parameter'])
})

test('a record that one may not read is answered like one that never was', async () => {
  const hidden = await reader.get(`/api/specimens/${ids['bee']}`)
  const absent = await reader.get('/api/specimens/00000000-0000-7000-8000-000000000000')
  const odd = await reader.get('/api/specimens/17')
  assert.deepEqual([hidden.status, absent.status, odd.status], [404, 404, 404])
  assert.deepEqual(hidden.body, absent.body)
  assert.deepEqual(odd.body, absent.body)
  assert.equal((await reader.get('/api/places/b/specimens')).status, 404)
})

test('what one may not read is in no relationship and in no include', async () => {
  const show = `/api/specimens/${ids['ant']}?include=neighbours`
  const whole = await admin.get(show)
  const narrowed = await reader.get(show)
  assert.deepEqual(whole.body.data.relationships.neighbours.data, [{ type: 'specimen', id: ids['bee'] }])
  assert.deepEqual(narrowed.body.data.relationships.neighbours.data, [])
  assert.deepEqual([whole.body.included.length, narrowed.body.included.length], [1, 0])
})

test('a show includes what its resource says, one level deeper on request, and nothing twice', async () => {
  const plain = await admin.get(`/api/specimens/${ids['bee']}`)
  assert.deepEqual(
    plain.body.included.map((each: { id: string }) => each.id),
    [ids['ant']],
  )
  const deeper = await admin.get(`/api/specimens/${ids['bee']}?include=mate.neighbours`)
  assert.deepEqual(
    deeper.body.included.map((each: { id: string }) => each.id),
    [ids['ant']],
  )
  assert.equal('included' in (await admin.get(`/api/specimens/${ids['bee']}?include=`)).body, false)
  assert.deepEqual(codes(await admin.get(`/api/specimens/${ids['bee']}?include=friend`)), ['unknown-include'])
})

test('fields narrow attributes and relationships, of lists, records and answers to writes', async () => {
  const fields = 'fields[specimen]=size,mate&fields[stranger]=x'
  const { body } = await admin.get(`/api/specimens?${fields}`)
  assert.deepEqual(Object.keys(body.data[0].attributes), ['size'])
  assert.deepEqual(Object.keys(body.data[0].relationships), ['mate'])
  const written = await admin.patch(`/api/specimens/${ids['ant']}?${fields}`, { size: 9 })
  assert.deepEqual(written.body.data.attributes, { size: 9 })
})

test('what is shown on single records only is not in lists', async () => {
  assert.equal('story' in (await admin.get('/api/specimens')).body.data[0].attributes, false)
  assert.equal((await admin.get(`/api/specimens/${ids['ant']}`)).body.data.attributes.story, 'long ant')
})

test('an ETag names row and answer: the same answer is 304, a newer row fails If-Match', async () => {
  const path = `/api/specimens/${ids['ant']}`
  const etag = (await admin.get(path)).headers.get('etag')!
  assert.match(etag, /^"1-[\w-]{22}"$/)
  for (const known of [etag, `W/${etag}`]) {
    const again = await admin.get(path, { 'if-none-match': `"other", ${known}` })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', known])
  }
  assert.notEqual((await admin.get(`${path}?fields[specimen]=size`)).headers.get('etag'), etag)

  assert.equal((await admin.patch(path, { size: 1 }, { 'if-match': etag })).status, 200)
  const stale = await admin.patch(path, { size: 2 }, { 'if-match': etag })
  assert.deepEqual([stale.status, codes(stale)], [412, ['precondition-failed']])
  assert.equal((await admin.get(path, { 'if-none-match': etag })).status, 200)
})

test('HEAD answers as GET without a body; OPTIONS and 405 say what a path takes', async () => {
  const head = await admin.send('HEAD', '/api/specimens')
  assert.deepEqual([head.status, head.text], [200, ''])
  const options = await admin.send('OPTIONS', `/api/specimens/${ids['ant']}`)
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'DELETE, GET, HEAD, OPTIONS, PATCH'])
  const wrong = await admin.post(`/api/specimens/${ids['ant']}`)
  assert.deepEqual([wrong.status, codes(wrong)], [405, ['method-not-allowed']])
  assert.equal(wrong.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PATCH')
})

test('methods that no path takes are 405 where there is something, and 404 elsewhere', async () => {
  for (const method of ['QUERY', 'PROPFIND', 'LOCK']) {
    for (const options of [{}, { raw: 'x', headers: { 'content-type': 'text/plain' } }]) {
      const wrong = await admin.send(method, `/api/specimens/${ids['ant']}?fields[specimen]=size`, options)
      assert.deepEqual([wrong.status, codes(wrong)], [405, ['method-not-allowed']], method)
      assert.equal(wrong.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PATCH')
      assert.deepEqual(codes(await admin.send(method, '/api/nothing', options)), ['no-such-route'])
    }
  }
  const bugs = await api.database.rows(sql`select from events where type = 'error:api:controller:unhandled'
                                              and attributes->>'request_method' in ('QUERY', 'PROPFIND', 'LOCK')`)
  assert.equal(bugs.length, 0)
})

test('no path, no form, no media type that is not known', async () => {
  assert.deepEqual(codes(await admin.get('/api/nothing')), ['no-such-route'])
  assert.deepEqual(codes(await admin.get('/api/specimens', { accept: 'text/html' })), ['not-acceptable'])
  assert.equal((await admin.get('/api/specimens', { accept: 'text/html, */*;q=0.1' })).status, 200)
  assert.deepEqual(codes(await admin.send('GET', '/api/specimens/%zz')), ['malformed-query'])
  assert.deepEqual(codes(await admin.send('GET', '/api/places/%00/specimens')), ['nul-character'])
})

test('answers carry the headers that keep a browser from guessing', async () => {
  const { headers } = await admin.get('/api/specimens')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('content-type'), 'application/vnd.api+json')
  assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
})

test('a list says what its caller may do with it', async () => {
  const ofAdmin = (await admin.get('/api/specimens')).body.meta.authorisations
  const ofReader = (await reader.get('/api/specimens')).body.meta.authorisations
  assert.deepEqual(
    [ofAdmin, ofReader],
    [
      { update: true, delete: true },
      { update: false, delete: false },
    ],
  )
})

test('a limit above the maximum is capped, however far above', async () => {
  for (const limit of ['10001', '9'.repeat(15), '9'.repeat(400)])
    assert.equal((await admin.get(`/api/specimens?limit=${limit}`)).status, 200, limit)
  for (const limit of ['0', '-1', '1.0', '1e3', ''])
    assert.deepEqual(codes(await admin.get(`/api/specimens?limit=${limit}`)), ['wrong-limit'], limit)
})

test('a download is CSV, oldest first, with every record and no formulas', async () => {
  await api.database.count(sql`
    insert into specimens (code, note, tags, created_at)
    values ('z', '=HYPERLINK("x")', '[1, "a,b"]', '2020-01-01Z'), ('y', E'two\\nlines', null, '2020-01-02Z')`)
  await api.database.count(sql`insert into specimens (code) select 'n' || n from generate_series(1, 2500) n`)
  const { status, headers, text } = await admin.get('/api/specimens?download=all of it.csv&filter[sorts]=code desc')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="all of it.csv"')
  const lines = text.split('\r\n')
  assert.equal(lines.length, 1 + 2505 + 1)
  assert.match(lines[0]!, /^id,code,note,size,/)
  assert.match(lines[1]!, /^[0-9a-f-]{36},z,"'=HYPERLINK\(""x""\)",1,/)
  assert.match(lines[1]!, /,"\[1,""a,b""\]",/)
  assert.match(lines[2]!, /,y,"two\nlines",/)

  const part = await admin.get('/api/specimens?download=x&limit=2&fields[specimen]=code')
  assert.deepEqual([part.status, part.text.split('\r\n').length], [206, 4])
  assert.equal(part.text.split('\r\n')[0], 'id,code')
  const ofReader = await reader.get('/api/specimens?download=x&filter[code_in][]=ant&filter[code_in][]=bee')
  assert.equal(ofReader.text.split('\r\n').length, 3)
})

test('a value that is nested deeper than any that is kept is no value to compare with, and no bug', async () => {
  for (const depth of [65, 4_900, 40_000]) {
    const value = '['.repeat(depth) + ']'.repeat(depth)
    assert.equal((await admin.get(`/api/specimens?filter[tags_eq]=${value}`)).status, 400)
    const { status, body } = await admin.get(`/api/specimens?filter[tags_cont]=${value}`)
    assert.deepEqual([status, body.data], [200, []])
  }
})

test('a list that takes too long is 503 with advice', async () => {
  const client = await lockSpecimens()
  try {
    const answer = await admin.get('/api/specimens')
    assert.deepEqual([answer.status, codes(answer)], [503, ['query-too-slow']])
    assert.match(answer.body.errors[0].detail, /Narrow it/)
  } finally {
    await client.end()
  }
})

/** Holds the table against every reader until the connection ends. */
async function lockSpecimens() {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: api.testDatabase.ownerUrl })
  await client.connect()
  await client.query('begin; lock table specimens in access exclusive mode')
  return client
}

test('a bug answers 500 with an id, tells nothing of the inside, undoes its work and is an event', async () => {
  const answer = await admin.post(`/api/specimens/${ids['ant']}/stumble`)
  assert.equal(answer.status, 500)
  assert.deepEqual(codes(answer), ['bug'])
  assert.doesNotMatch(answer.text, /inside|TypeError/)
  const id = answer.body.errors[0].id
  const event = await api.database.one(sql<{ attributes: Record<string, unknown> }>`
    select attributes from events where type = 'error:api:controller:unhandled' order by id desc limit 1`)
  assert.equal(event?.attributes['error_id'], id)
  assert.equal(event?.attributes['request_path'], `/api/specimens/${ids['ant']}/stumble`)
  assert.ok(api.logged.some(({ about }) => (about as { error_id?: string }).error_id === id))
  assert.equal((await admin.get(`/api/specimens/${ids['ant']}`)).body.data.attributes.note, null)
})

test('a body that is too large or too deep is refused before anything is read from it', async () => {
  const send = (raw: string) => admin.send('PATCH', `/api/specimens/${ids['ant']}`, { raw })
  const large = await send(JSON.stringify({ data: { attributes: { note: 'x'.repeat(1024 * 1024) } } }))
  assert.deepEqual([large.status, codes(large)], [413, ['body-too-large']])
  const deep = await send(`{"data":{"attributes":{"tags":${'['.repeat(70)}${']'.repeat(70)}}}}`)
  assert.deepEqual([deep.status, codes(deep)], [400, ['too-deep']])
})

test('the interface describes itself, as a document and as a page without scripts', async () => {
  const document = await api.stranger.get('/api/openapi.json')
  assert.equal(document.body.info.version, '2026-11-21 (1a2b3c4)')
  assert.deepEqual(Object.keys(document.body.paths['/api/specimens/{id}']).sort(), ['delete', 'get', 'patch'])
  const page = await api.stranger.get('/api-docs')
  assert.match(page.text, /PATCH \/api\/specimens\/\{id\}/)
  assert.doesNotMatch(page.text, /<script|https?:\/\//)
})

test('a stop finishes what is under way and takes nothing new', async () => {
  const runtime = {
    database: api.database,
    log: { info() {}, warn() {}, error() {} },
    stopping: new AbortController().signal,
  }
  const server = await buildServer({
    domains: [specimensDomain],
    runtime: { ...runtime, record: async () => {}, enqueue: async () => {} },
    keyring: { seal: () => Buffer.of(), open: () => Buffer.of(), mac: () => Buffer.alloc(32) },
    authenticate: async () => ({ userId: null, username: 'a', rights: everything, via: 'basic', remoteAddress: null }),
    interfaceVersion: '2026-11-21 (1a2b3c4)',
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const { default: pg } = await import('pg')
  const holder = new pg.Client({ connectionString: api.testDatabase.appUrl })
  await holder.connect()
  await holder.query('select pg_advisory_lock(77)')
  const underWay = statusOf(`${address}/api/slow`)
  await waitForLockWait()
  const stopped = server.stop()
  // Reset is what the kernel says when the listener is closed on a connection that has not been accepted yet.
  await assert.rejects(statusOf(`${address}/api/weather`), /ECONNREFUSED|ECONNRESET/)
  await holder.query('select pg_advisory_unlock(77)')
  assert.equal(await underWay, 200)
  await stopped
  await holder.end()
})

test('whoever leaves an answer unread is dropped, and the service stops without waiting for them', async () => {
  await api.database.count(sql`
    insert into specimens (code, note) select 'n' || n, repeat('n', 100000) from generate_series(1, 400) n`)
  const server = await buildServer({
    domains: [specimensDomain],
    runtime: {
      database: api.database,
      log: { info() {}, warn() {}, error() {} },
      stopping: new AbortController().signal,
      record: async () => {},
      enqueue: async () => {},
    },
    keyring: { seal: () => Buffer.of(), open: () => Buffer.of(), mac: () => Buffer.alloc(32) },
    authenticate: async () => ({ userId: null, username: 'a', rights: everything, via: 'basic', remoteAddress: null }),
    interfaceVersion: '2026-11-21 (1a2b3c4)',
    unreadTimeoutMilliseconds: 500,
  })
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const dropped = new Promise<void>(resolve => {
    server.fastify.server.once('connection', socket => socket.once('close', () => resolve()))
  })
  const client = connect(Number(port), '127.0.0.1')
  client.on('error', () => {})
  client.write('GET /api/specimens?download=all.csv HTTP/1.1\r\nhost: x\r\n\r\n')
  await dropped
  client.destroy()
  await server.stop()
})

const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent: false }, answer => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', reject)
    sent.end()
  })

async function waitForLockWait(): Promise<void> {
  for (;;) {
    const waiting = await api.database.one(sql`
      select from pg_locks where locktype = 'advisory' and objid = 77 and not granted
                             and database = (select oid from pg_database where datname = current_database())`)
    if (waiting) return
  }
}

test('a database that is away is 503, and the service goes on when it is back', async () => {
  const lost = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }
  let away = true
  const transaction: typeof api.database.transaction = (...args) => {
    if (away) throw Object.assign(new Error(lost.message), lost)
    return api.database.transaction(...args)
  }
  const server = await buildServer({
    domains: [specimensDomain],
    runtime: {
      database: { ...api.database, transaction },
      log: { info() {}, warn() {}, error() {} },
      stopping: new AbortController().signal,
      record: async () => {},
      enqueue: async () => {},
    },
    keyring: { seal: () => Buffer.of(), open: () => Buffer.of(), mac: () => Buffer.alloc(32) },
    authenticate: async () => ({ userId: null, username: 'a', rights: everything, via: 'basic', remoteAddress: null }),
    interfaceVersion: '2026-11-21 (1a2b3c4)',
  })
  const ask = () => server.fastify.inject({ method: 'GET', url: '/api/specimens' })
  const refused = await ask()
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
  away = false
  assert.equal((await ask()).statusCode, 200)
  await server.stop()
})
