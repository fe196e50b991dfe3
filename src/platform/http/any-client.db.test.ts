import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { everything, prepareSpecimens, specimenEvents, specimensDomain } from '../../../tests/contract/specimen.ts'
import { basicOf, startTestApi } from '../../../tests/support/api.ts'
import { sql } from '../db/sql.ts'
import { buildServer } from './server.ts'

/** Tests of requests that HTTP allows any client and that our own clients never send. */

const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: { admin: everything },
  prepare: prepareSpecimens,
})
after(() => api.stop())
const admin = api.as('admin')

test('a wish for another protocol is passed over, where there is one for runners too', async t => {
  // As the runners' endpoint takes what Node calls an upgrade.
  api.server.fastify.server.on('upgrade', (_, socket) => socket.destroy())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const headers = {
    authorization: basicOf('admin', 'secret'),
    'content-type': 'application/json',
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  }
  const ask = async (method: string, path: string, attributes?: object) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${api.address}${path}`, { method, headers, agent })
      sent.once('response', resolve).once('error', reject)
      sent.end(attributes && JSON.stringify({ data: { attributes } }))
    })
    return { status: answer.statusCode, body: await text(answer) }
  }
  const { id } = (await api.database.one(sql<{ id: string }>`
    insert into specimens (code, path, size) values ('ant', '/projects/a', 7) returning id`))!
  for (const size of [8, 9]) {
    const changed = await ask('PATCH', `/api/specimens/${id}`, { size })
    assert.equal(changed.status, 200, changed.body)
    const shown = await ask('GET', `/api/specimens/${id}`)
    assert.equal(JSON.parse(shown.body).data.attributes.size, size)
  }
})

test('HEAD of a download answers as GET would, and reads no more than that takes', async t => {
  await api.database.count(sql`insert into specimens (code) select 'n' || n from generate_series(1, 2500) n`)
  let transactions = 0
  const transaction: typeof api.database.transaction = (...args) => {
    transactions += 1
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
  t.after(() => server.stop())
  const ask = async (method: 'GET' | 'HEAD') => {
    transactions = 0
    const { statusCode, headers } = await server.fastify.inject({ method, url: '/api/specimens?download=all.csv' })
    const told = ['content-type', 'content-disposition'].map(name => headers[name])
    return { told: [statusCode, ...told], transactions }
  }
  const [whole, head] = [await ask('GET'), await ask('HEAD')]
  assert.deepEqual(head.told, whole.told)
  assert.deepEqual([whole.transactions, head.transactions], [3, 1])
})

test('HEAD, OPTIONS and 405 are those of every path, the interface’s own description too', async () => {
  for (const path of ['/api/openapi.json', '/api-docs']) {
    const [get, head] = [await admin.get(path), await admin.send('HEAD', path)]
    assert.deepEqual([head.status, head.text], [200, ''], path)
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
    const options = await admin.send('OPTIONS', path)
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'], path)
    const wrong = await admin.post(path, {})
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], path)
  }
})
