import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect, type LiveMessage, Refused } from './sluice.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A service that answers one request after the other, and reports the position that each resumed from. */
async function serving(t: TestContext, answers: readonly Answer[]) {
  const behind: unknown[] = []
  const server = createServer((request, response) => {
    behind.push(request.headers['last-event-id'])
    answers[behind.length - 1]!(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const sluice = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { token: 'x' })
  return { sluice, behind }
}

async function all(batches: AsyncGenerator<LiveMessage[]>): Promise<unknown[]> {
  const messages: unknown[] = []
  for await (const batch of batches) messages.push(...batch.map(({ kind, data }) => `${kind} ${data}`))
  return messages
}

const message = (id: string, data: string) => `event: step\nid: ${id}\ndata: ${JSON.stringify({ data })}\n\n`
const nothingLeft: Answer = response => response.writeHead(204).end()

test('a stream is read to its end, however its bytes are parted', async t => {
  const bytes = Buffer.from(
    `retry: 1000\n\n${message('1', 'grün')}: still here\nid: 2\n\n${message('3', 'two\nlines')}`,
  )
  const { sluice, behind } = await serving(t, [
    async response => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise(resolve => setImmediate(resolve))
      }
      response.end()
    },
    nothingLeft,
  ])
  assert.deepEqual(await all(sluice.live('/live')), ['step grün', 'step two\nlines'])
  assert.deepEqual(behind, [undefined, '3'])
})

test('a stream that breaks goes on behind its last message, over a service that is starting', async t => {
  const { sluice, behind } = await serving(t, [
    response => {
      response.write(message('1', 'one'))
      response.write('event: step\nid: 2\ndata: {"da', () => response.destroy())
    },
    response => response.writeHead(503).end(),
    response => response.destroy(),
    response => response.end(message('2', 'two')),
    nothingLeft,
  ])
  assert.deepEqual(await all(sluice.live('/live')), ['step one', 'step two'])
  assert.deepEqual(behind, [undefined, '1', '1', '1', '2'])
})

test('whoever is refused at first is told so, and so is who may not go on', async t => {
  const refused: Answer = response => response.writeHead(404).end(JSON.stringify({ errors: [{ code: 'missing' }] }))
  const unavailable: Answer = response => response.writeHead(503).end()
  const { sluice } = await serving(t, [unavailable, response => response.end(message('1', 'one')), refused])
  const isRefused = (status: number) => (error: unknown) => error instanceof Refused && error.status === status
  await assert.rejects(all(sluice.live('/live')), isRefused(503))
  await assert.rejects(all(sluice.live('/live')), isRefused(404))
})

test('with retryFirst it waits for a service that is unavailable at first, and reports too many streams at once', async t => {
  const away: Answer = response => response.writeHead(503).end()
  const broken: Answer = response => response.destroy()
  const full: Answer = response => response.writeHead(429).end()
  const { sluice } = await serving(t, [away, broken, response => response.end(message('1', 'one')), nothingLeft, full])
  assert.deepEqual(await all(sluice.live('/live', {}, { retryFirst: true })), ['step one'])
  const isFull = (error: unknown) => error instanceof Refused && error.status === 429
  await assert.rejects(all(sluice.live('/live', {}, { retryFirst: true })), isFull)
})

test('a stopped reader does not connect again', async t => {
  const { sluice, behind } = await serving(t, [response => void response.write(message('1', 'one'))])
  const stop = new AbortController()
  const messages: unknown[] = []
  for await (const batch of sluice.live('/live', {}, { stop: stop.signal })) {
    messages.push(...batch)
    stop.abort()
  }
  assert.deepEqual([messages.length, behind.length], [1, 1])
})

test('onConnection reports when the stream is connected and when its connection is lost', async t => {
  const lost: Answer = response => {
    response.write(message('1', 'one'), () => setTimeout(() => response.destroy(), 20))
  }
  const { sluice } = await serving(t, [lost, response => response.end(message('2', 'two')), nothingLeft])
  const connections: boolean[] = []
  const options = { onConnection: (connected: boolean) => void connections.push(connected) }
  assert.deepEqual(await all(sluice.live('/live', {}, options)), ['step one', 'step two'])
  assert.deepEqual(connections, [true, false, true])
})

test('a new stream is connected once it is known where it begins, and before its first messages', async t => {
  let begin = () => {}
  const began: Answer = response => {
    response.write('retry: 1000\n\n')
    begin = () => void response.end(`: still here\nid: 1\n\n${message('2', 'two')}`)
  }
  const { sluice, behind } = await serving(t, [began, nothingLeft])
  const told: unknown[] = []
  const options = { onConnection: (connected: boolean) => void told.push(connected) }
  const reading = (async () => {
    for await (const [first] of sluice.live('/live', {}, options)) told.push(first!.data)
  })()
  while (behind.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.deepEqual(told, [])
  begin()
  await reading
  assert.deepEqual(told, [true, 'two'])
})

test('a service that ends its streams and is unavailable afterwards is reported as a lost connection', async t => {
  const away: Answer = response => response.writeHead(503).end()
  const { sluice } = await serving(t, [response => response.end(message('1', 'one')), away, nothingLeft])
  const connections: boolean[] = []
  const options = { onConnection: (connected: boolean) => void connections.push(connected) }
  assert.deepEqual(await all(sluice.live('/live', {}, options)), ['step one'])
  assert.deepEqual(connections, [true, false])
})
