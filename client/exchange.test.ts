import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { connect, noRetries, Refused, type Retries, Unreachable } from './sluice.ts'

type Answer = (response: ServerResponse) => void

const long: Retries = { initial: 1, maximum: 5, total: 60_000 }
const short: Retries = { initial: 1, maximum: 5, total: 400 }

interface Asked {
  readonly method: string | undefined
  readonly key: IncomingHttpHeaders[string]
  readonly body: string
}

/** A service that has read each request before it answers as the list says; the last answer is that of all others. */
async function serving(t: TestContext, answers: readonly Answer[], retries = long) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method, headers } = request
    asked.push({ method, key: headers['idempotency-key'], body: await text(request) })
    answers[Math.min(asked.length, answers.length) - 1]!(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  t.after(() => server.listening && close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { sluice: connect(url, { token: 'x' }, retries), asked, close }
}

const says =
  (status: number, body: object | string): Answer =>
  response =>
    void response.writeHead(status, { connection: 'close' }).end(typeof body === 'string' ? body : JSON.stringify(body))
const made = says(201, { data: { id: '1', type: 'change', attributes: {} } })
const breaks: Answer = response => void response.destroy()
const breaksWithin: Answer = response => {
  response.writeHead(201, { 'content-length': 100 })
  response.write('{"data": ', () => response.destroy())
}
const stops = says(503, { error: 'Service Unavailable', statusCode: 503 })
const unavailable = says(503, { errors: [{ status: '503', code: 'unavailable', detail: 'The database is away.' }] })
const underWay = says(409, { errors: [{ status: '409', code: 'key-in-flight', detail: 'Ask again soon.' }] })

const isUnreachable = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Unreachable, String(error))
  assert.match(error.message, words)
  return true
}

test('a POST whose connection breaks is sent again under its key until it is answered', async t => {
  const { sluice, asked } = await serving(t, [breaks, breaksWithin, underWay, unavailable, stops, made])
  assert.equal((await sluice.create('/api/changes', { action: 'deploy' })).id, '1')
  assert.equal(asked.length, 6)
  const [first] = asked
  assert.match(String(first!.key), /^[0-9a-f-]{36}$/)
  assert.deepEqual(first!.body, '{"data":{"attributes":{"action":"deploy"}}}')
  for (const each of asked) assert.deepEqual(each, first)
  await sluice.create('/api/changes', { action: 'deploy' })
  assert.notEqual(asked.at(-1)!.key, first!.key, 'another request is another one')
})

test('a GET is sent again, and needs no key', async t => {
  const { sluice, asked } = await serving(t, [breaks, breaksWithin, says(200, { data: { id: '1' } })])
  assert.equal((await sluice.show('/api/changes/1')).id, '1')
  assert.deepEqual(
    asked.map(({ key }) => key),
    [undefined, undefined, undefined],
  )
})

test('what may be done twice is sent once, and it is told that nobody knows whether it was done', async t => {
  const requests: [method: string, path: string][] = [
    ['PATCH', '/api/projects/bank'],
    ['PUT', '/api/configuration'],
    ['DELETE', '/api/changes/1?purge=true'],
    ['POST', '/api/tokens'],
    ['POST', '/api/secrets/encrypt'],
    ['POST', '/api/not/known/here'],
  ]
  for (const [method, path] of requests) {
    for (const answer of [breaks, breaksWithin]) {
      const { sluice, asked } = await serving(t, [answer])
      const name = `${method} ${path.replace(/\?.*/, '')}`
      const words = `The connection to .* was lost: .*\\. ${name} may have been processed: check before you retry\\.$`
      await assert.rejects(sluice.send(method, path, { data: {} }), isUnreachable(new RegExp(words)))
      assert.deepEqual([asked.length, asked[0]!.key], [1, undefined], name)
    }
  }
})

test('a service that was never there is told at once, also of a request that could be sent again', async t => {
  const { sluice, close } = await serving(t, [made])
  await close()
  const words = /^Cannot reach http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED 127\.0\.0\.1:\d+$/
  await assert.rejects(sluice.show('/api/me'), isUnreachable(words))
  await assert.rejects(sluice.create('/api/changes'), isUnreachable(words))
})

test('one that has answered is waited for, whatever is asked: nobody was there to do it', async t => {
  const { sluice, close } = await serving(t, [made], short)
  await sluice.create('/api/changes')
  await close()
  const words = /^Cannot reach .*: connect ECONNREFUSED .* \(tried for 1 s\)$/
  await assert.rejects(sluice.update('/api/projects/bank', { name: 'Bank' }), isUnreachable(words))
})

test('a bare 503 is a service that stops; one that says why is an answer', async t => {
  const stopping = await serving(t, [stops, made])
  assert.equal((await stopping.sluice.create('/api/changes')).id, '1')
  const isRefused = (error: unknown) => error instanceof Refused && error.status === 503
  const once = await serving(t, [stops, made])
  await assert.rejects(once.sluice.update('/api/projects/bank', {}), isRefused)
  const away = await serving(t, [unavailable, made])
  await assert.rejects(away.sluice.create('/api/changes'), isRefused)
  assert.deepEqual([once.asked.length, away.asked.length], [1, 1])
})

test('patience has an end, and then it is told for how long it was tried and what is not known', async t => {
  for (const last of [breaks, underWay, unavailable]) {
    const { sluice, asked } = await serving(t, [breaks, last], short)
    const words = / \(tried for 1 s\)\. POST \/api\/changes may have been processed: check before you retry\.$/
    await assert.rejects(sluice.create('/api/changes'), isUnreachable(words))
    assert.ok(asked.length > 2)
  }
  const reading = await serving(t, [breaks], short)
  await assert.rejects(reading.sluice.show('/api/me'), isUnreachable(/was lost: .* \(tried for 1 s\)$/))
})

test('whoever measures sends each request once, and without a key', async t => {
  const { sluice, asked } = await serving(t, [breaks], noRetries)
  await assert.rejects(sluice.create('/api/changes'), isUnreachable(/POST \/api\/changes may have been processed/))
  assert.deepEqual(
    asked.map(({ key }) => key),
    [undefined],
  )
})

test('a request that is aborted fails with the reason at once, without a retry', async t => {
  const stop = new AbortController()
  const { sluice, asked } = await serving(t, [() => stop.abort(new Error('scrolled past'))])
  await assert.rejects(sluice.raw('/api/steps/1/log', { stop: stop.signal }), /^Error: scrolled past$/)
  assert.equal(asked.length, 1)
})

test('a raw response has the media type that was asked for', async t => {
  const { sluice } = await serving(t, [response => void response.end(response.req.headers.accept)])
  assert.equal(await (await sluice.raw('/api/steps/1/log', { accept: 'text/plain' })).text(), 'text/plain')
})
