import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { usualLimits } from '../../src/platform/http/user-limits.ts'
import { basicOf } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

/** Limits of one user, so that the others are served too. */

const requests = 300

let service: TestService

before(async () => {
  const everything = [{ path: '/', read: true }]
  service = await startTestService({
    spares: 0,
    users: { busy: everything, crowded: everything, calm: everything },
    config: { rateLimit: requests },
  })
})
after(() => service.stop())

test('who has sent all the requests of a minute is told when to come again, whatever they sign in with', async () => {
  const busy = service.as('busy')
  const { body } = await busy.post('/api/tokens', { description: 'a token', expires_at: '2099-01-01T00:00:00Z' })
  const byToken = service.bearer(body.meta.token)
  for (let sent = 1; sent < requests; sent++) assert.equal((await byToken.get('/api/me')).status, 200)
  for (const [client, path] of [
    [busy, '/api/projects'],
    [byToken, '/api/projects/none'],
  ] as const) {
    const refused = await client.get(path)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [429, 'too-many-requests'])
    assert.match(refused.body.errors[0].detail, /300 requests within a minute/)
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds} s`)
  }
  const { status } = await busy.post('/api/tokens', { description: 'another', expires_at: '2099-01-01T00:00:00Z' })
  assert.equal(status, 429)

  assert.equal((await service.as('calm').get('/api/projects')).status, 200)
  assert.equal((await service.stranger.get('/api/healthcheck')).status, 200)
  await created(service.as('admin').post('/api/projects', { code: 'bank', name: 'Bank' }))
})

test('a user has so many connections and no more, until they close one', async () => {
  const open: Socket[] = []
  const ask = async (username: string) => {
    const { hostname, port } = new URL(service.address)
    const socket = connect(Number(port), hostname)
    open.push(socket)
    const authorization = basicOf(username, passwordOf(username))
    socket.write(`GET /api/me?fields[user]= HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    return { socket, head: String(head) }
  }
  // The first one alone: a request during the first verification of a password waits for a hash of its own.
  for (const many of [1, usualLimits.connections - 1]) {
    const answers = await Promise.all(Array.from({ length: many }, () => ask('crowded')))
    assert.deepEqual(
      answers.filter(({ head }) => !head.startsWith('HTTP/1.1 200')),
      [],
    )
  }
  const refused = await ask('crowded')
  assert.match(refused.head, /^HTTP\/1\.1 429 .*too-many-requests/s)
  assert.match(refused.head, /\r\nretry-after: 1\r\n/i)
  assert.match(refused.head, /\r\nconnection: close\r\n/i)
  assert.match((await ask('calm')).head, /^HTTP\/1\.1 200/)

  open[0]!.destroy()
  await once(open[0]!, 'close')
  let answer = await ask('crowded')
  // The service learns of the end on another connection than the next request.
  while (answer.head.startsWith('HTTP/1.1 429')) answer = await ask('crowded')
  assert.match(answer.head, /^HTTP\/1\.1 200/)
  for (const socket of open) socket.destroy()
})
