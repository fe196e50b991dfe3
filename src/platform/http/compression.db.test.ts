import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { everything, prepareSpecimens, specimenEvents, specimensDomain } from '../../../tests/contract/specimen.ts'
import { basicOf, startTestApi } from '../../../tests/support/api.ts'
import { sql } from '../db/sql.ts'
import { view } from '../domain.ts'
import { acceptedEncodings } from './compression.ts'

const secretive = view({
  name: 'secretive.show',
  summary: 'A long document with a secret.',
  method: 'GET',
  paths: ['/api/secretive'],
  answer: { type: 'object' } as never,
  uncompressed: true,
  find: async () => ({}),
  needs: () => [],
  run: async () => ({ body: { data: { id: 'x'.repeat(5_000), type: 'secretive', attributes: {} } } }),
})

const api = await startTestApi({
  domains: [specimensDomain, { name: 'secretive', views: [secretive] }],
  events: specimenEvents,
  users: { admin: everything },
  prepare: prepareSpecimens,
})
after(() => api.stop())
await api.database.count(sql`
  insert into specimens (code, path, note) select 'c' || n, '/projects/a', repeat('note ', 300) from generate_series(1, 50) n`)

async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  const authorization = basicOf('admin', 'the password of admin')
  const sent = request(`${api.address}${path}`, { method, headers: { authorization, ...headers } }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await answer.toArray())
  return { status: answer.statusCode, headers: answer.headers, body }
}

const list = '/api/specimens?limit=50'
const plain = await ask(list, {})
const stated = (accept: string, path = list, method = 'GET') => ask(path, { 'accept-encoding': accept }, method)

test('a response is compressed as the client accepts it, brotli before gzip', async () => {
  assert.equal(plain.headers['content-encoding'], undefined)
  for (const [accept, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['*', undefined],
    ['', undefined],
  ] as const) {
    const { headers, body } = await stated(accept)
    assert.equal(headers['content-encoding'], encoding, accept)
    const unpacked = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    assert.deepEqual(JSON.parse(unpacked.toString()).data, JSON.parse(plain.body.toString()).data)
    assert.equal(Number(headers['content-length']), body.length)
    assert.equal(headers.vary, 'Accept, Accept-Encoding')
    if (encoding) assert.ok(body.length < plain.body.length / 4)
  }
})

test('small responses, downloads, commands, errors and declared secrets stay as they are', async () => {
  const one = await api.as('admin').get('/api/specimens?limit=1')
  const { id } = one.body.data[0]
  for (const path of [
    '/api/specimens?limit=1&fields[specimen]=code',
    '/api/specimens?download=all.csv',
    '/api/secretive',
    `/api/unheard/${'of'.repeat(1_000)}`,
  ]) {
    const { headers } = await stated('br, gzip', path)
    assert.equal(headers['content-encoding'], undefined, path)
  }
  const changed = await ask(`/api/specimens/${id}`, { 'accept-encoding': 'br', 'content-length': '0' }, 'PATCH')
  assert.equal(changed.headers['content-encoding'], undefined)
})

test('HEAD has the headers of GET', async () => {
  const got = await stated('gzip')
  const head = await stated('gzip', list, 'HEAD')
  const of = ({ headers }: typeof got) => [
    headers['content-encoding'],
    headers['content-length'],
    headers['content-type'],
    headers.vary,
  ]
  assert.deepEqual(of(head), of(got))
  assert.equal(head.body.length, 0)
})

test('the ETag of a compressed record is weak, and still makes a 304 and guards writes', async () => {
  const [{ id }] = (await api.as('admin').get('/api/specimens?limit=1')).body.data
  const path = `/api/specimens/${id}`
  const strong = (await ask(path, {})).headers.etag!
  const packed = await stated('br', path)
  assert.deepEqual([packed.headers['content-encoding'], packed.headers.etag], ['br', `W/${strong}`])
  for (const etag of [strong, `W/${strong}`])
    for (const accept of ['br', 'identity']) {
      const known = await ask(path, { 'accept-encoding': accept, 'if-none-match': etag })
      assert.deepEqual([known.status, known.headers.etag, known.body.length], [304, etag, 0])
      assert.equal(known.headers.vary, 'Accept-Encoding')
    }
  const client = api.as('admin')
  assert.equal((await client.patch(path, { size: 3 }, { 'if-match': `W/${strong}` })).status, 200)
  assert.equal((await client.patch(path, { size: 4 }, { 'if-match': `W/${strong}` })).status, 412)
})

test('codings are read by name, without those that are refused', () => {
  assert.deepEqual([...acceptedEncodings('gzip;q=1.0, br ; q=0, Deflate')], ['gzip', 'deflate'])
  assert.deepEqual([...acceptedEncodings(undefined)], [''])
})
