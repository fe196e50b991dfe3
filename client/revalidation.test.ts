import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { connect, defaultRetries, KnownDocuments } from './sluice.ts'

/** A server whose documents the test sets, by their path and query, and which answers 304 as the service does. */
const documents = new Map<string, string>()
const answered: { url: string; known: string | undefined; status: number }[] = []
const server = createServer(({ url = '', headers }, response) => {
  const body = documents.get(url) ?? '{"data": []}'
  const etag = `W/"${hash('sha256', body, 'base64url')}"`
  const known = headers['if-none-match']
  const status = known === etag ? 304 : body.includes('"next"') ? 206 : 200
  answered.push({ url, known, status })
  response.writeHead(status, { etag, connection: 'close' }).end(status === 304 ? undefined : body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const client = () => connect(url, { token: 'x' }, defaultRetries, new KnownDocuments())
const statuses = () => answered.splice(0).map(({ status }) => status)

test('a document that did not change is sent once, and each reader has it; one that changed is sent again', async () => {
  const sluice = client()
  documents.set('/api/changes?limit=1', '{"data": [{"id": "1"}], "links": {"next": "/api/changes?page=2"}}')
  const first = await sluice.list('/api/changes', { limit: 1 })
  assert.equal(await sluice.list('/api/changes', { limit: 1 }), first)
  assert.equal((await sluice.document<{ data: unknown }>('/api/changes?limit=1')).data, first)
  assert.deepEqual(statuses(), [206, 304, 304])

  documents.set('/api/changes?limit=1', '{"data": [{"id": "2"}]}')
  assert.deepEqual(await sluice.list('/api/changes', { limit: 1 }), [{ id: '2' }])
  assert.deepEqual(statuses(), [200])
})

test('another query and another client know nothing', async () => {
  const sluice = client()
  await sluice.list('/api/steps')
  await sluice.list('/api/steps', { limit: 2 })
  await client().list('/api/steps')
  await connect(url).list('/api/steps')
  await connect(url).list('/api/steps')
  assert.deepEqual(
    answered.splice(0).map(({ known }) => known),
    Array(5).fill(undefined),
  )
})

test('writes are not compared, and are seen by the next read', async () => {
  const sluice = client()
  documents.set('/api/projects/x', '{"data": {"id": "1"}}')
  await sluice.show('/api/projects/x')
  await sluice.update('/api/projects/x', { name: 'X' })
  documents.set('/api/projects/x', '{"data": {"id": "1", "attributes": {"name": "X"}}}')
  assert.deepEqual(await sluice.show('/api/projects/x'), { id: '1', attributes: { name: 'X' } })
  assert.deepEqual(
    answered.splice(0).map(({ known }) => known !== undefined),
    [false, false, true],
  )
})

test('a hundred documents are kept, the least recently read ones are dropped, and none of excessive size is kept', async () => {
  const sluice = client()
  await sluice.list('/api/list', { n: 0 })
  for (let n = 1; n <= 100; n++) {
    await sluice.list('/api/list', { n: 0 })
    await sluice.list('/api/list', { n })
  }
  answered.splice(0)
  await sluice.list('/api/list', { n: 0 })
  await sluice.list('/api/list', { n: 100 })
  await sluice.list('/api/list', { n: 1 })
  assert.deepEqual(statuses(), [304, 304, 200])

  documents.set('/api/large', JSON.stringify({ data: 'x'.repeat(16_000_000) }))
  await sluice.document('/api/large')
  await sluice.document('/api/large')
  await sluice.list('/api/list', { n: 0 })
  assert.deepEqual(statuses(), [200, 200, 304])
})
