import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { basicOf } from '../support/api.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

/** One proxy of this machine is trusted, and no other client on it. */

const [proxy, other] = ['127.0.0.2', '127.0.0.3']
let service: TestService
before(async () => {
  service = await startTestService({ spares: 0, config: { trustedProxies: [proxy] }, users: { ann: [], bob: [] } })
})
after(() => service.stop())

interface Asked {
  /** Sender address: the proxy's, unless given. */
  from?: string
  headers?: Record<string, string>
  username?: string
  password?: string
}

async function ask(method: string, path: string, body: object | undefined, asked: Asked) {
  const { from = proxy, headers = {}, username = 'admin', password = passwordOf(username) } = asked
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${service.address}${path}`, {
      method,
      localAddress: from,
      headers: { authorization: basicOf(username, password), 'content-type': 'application/json', ...headers },
    })
    sent.once('response', resolve).once('error', reject)
    sent.end(body && JSON.stringify({ data: { attributes: body } }))
  })
  return { status: answer.statusCode!, text: await text(answer) }
}

/** The address in the audit trail of a project created like this. */
async function shownAddress(code: string, asked: Asked): Promise<string> {
  const { status, text } = await ask('POST', '/api/projects', { code, name: code }, asked)
  assert.equal(status, 201, text)
  const { body } = await service
    .as('admin')
    .get(`/api/events?filter[type_eq]=api:projects:create&filter[node_path_eq]=/projects/${code}`)
  assert.equal(body.data.length, 1)
  return body.data[0].attributes.remote_address
}

const forwarded = (...addresses: string[]) => ({ headers: { 'x-forwarded-for': addresses.join(', ') } })

test('the audit trail shows whom a trusted proxy names, and of everybody else whoever it is', async () => {
  assert.equal(await shownAddress('named', forwarded('203.0.113.7')), '203.0.113.7')
  assert.equal(await shownAddress('six', forwarded('2001:db8::7')), '2001:db8::7')
  assert.equal(await shownAddress('made-up', { from: other, ...forwarded('203.0.113.7') }), other)
  assert.equal(await shownAddress('unnamed', {}), proxy)
})

test('an address that the proxy writes with a port or in brackets is that address', async () => {
  assert.equal(await shownAddress('port', forwarded('203.0.113.9:5678')), '203.0.113.9')
  assert.equal(await shownAddress('brackets', forwarded('[2001:db8::9]')), '2001:db8::9')
  assert.equal(await shownAddress('both', forwarded('198.51.100.1:1', '[2001:db8::9]:443')), '2001:db8::9')
  assert.equal(await shownAddress('quoted', forwarded('"[2001:db8::9]:443"')), '2001:db8::9')
  assert.equal(await shownAddress('zone-less', forwarded('[::ffff:203.0.113.9]:80')), '::ffff:203.0.113.9')
  // The proxy itself is among them, with its source port.
  assert.equal(await shownAddress('chained', forwarded('203.0.113.9:5678', `${proxy}:4711`)), '203.0.113.9')
  for (const [code, text] of [
    ['no-port', '203.0.113.9:'],
    ['word', 'unknown:80'],
    ['open', '[2001:db8::9'],
    ['name', 'client.example:80'],
  ] as const)
    assert.equal(await shownAddress(code, forwarded(text)), proxy)
})

test('what a client has written before the proxy adds its address is not believed', async () => {
  assert.equal(await shownAddress('told', forwarded('198.51.100.1', '203.0.113.7')), '203.0.113.7')
  assert.equal(await shownAddress('chain', forwarded('203.0.113.7', proxy)), '203.0.113.7')
  assert.equal(await shownAddress('no-address', forwarded('unknown')), proxy)
})

test('failed sign-ins are counted for each address behind the proxy, and for nobody who makes addresses up', async () => {
  const tried = async (username: string, asked: Asked) =>
    (await ask('GET', '/api/me', undefined, { username, password: 'not it at all', ...asked })).status
  const times = async (username: string, asked: (n: number) => Asked) => {
    const statuses: number[] = []
    for (let n = 1; n <= 11; n++) statuses.push(await tried(username, asked(n)))
    return statuses
  }
  assert.deepEqual(await times('ann', () => forwarded('203.0.113.7')), [...Array(10).fill(401), 429])
  assert.equal(await tried('ann', forwarded('203.0.113.8')), 401)
  const madeUp = await times('bob', n => ({ from: other, ...forwarded(`203.0.113.${n}`) }))
  assert.deepEqual(madeUp, [...Array(10).fill(401), 429])
})

test('a page of the host that the proxy is called by is a page of ours, and of any host that somebody else makes up is not', async () => {
  const from = (page: string, asked: Asked) => {
    const headers = { origin: page, 'x-forwarded-host': 'sluice.example', ...asked.headers }
    return ask('POST', '/api/events', { type: 'note' }, { ...asked, headers }).then(({ status }) => status)
  }
  assert.equal(await from('http://sluice.example', {}), 201)
  assert.equal(await from('http://elsewhere.example', {}), 403)
  assert.equal(await from('http://sluice.example', { from: other }), 403)
  const twice = { headers: { 'x-forwarded-host': 'elsewhere.example, sluice.example' } }
  assert.equal(await from('http://elsewhere.example', twice), 403)
  assert.equal(await from('http://sluice.example', twice), 201)
})
