import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { connect, Refused, type Sluice, until } from './sluice.ts'

/** A server that answers what the test says and keeps what it was asked. */
const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
let answer: { status: number; body: string }
const server = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request
  requests.push({ method, url, headers, body: await text(request) })
  response.writeHead(answer.status, { 'content-type': 'application/vnd.api+json' }).end(answer.body)
})
let sluice: Sluice

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  sluice = connect(`http://127.0.0.1:${port}`, { user: 'ada', password: 'päss:word' })
})
after(() => server.close())

const asked = () => requests.at(-1)!

test('a request signs in, and a body is one JSON:API resource', async () => {
  answer = { status: 201, body: '{"data": {"id": "1", "type": "change", "attributes": {"action": "deploy"}}}' }
  const made = await sluice.create('/api/changes', { action: 'deploy' }, { meta: { plan: true } })
  assert.equal(made.id, '1')
  const { method, url, headers, body } = asked()
  assert.deepEqual([method, url], ['POST', '/api/changes'])
  assert.equal(headers.authorization, `Basic ${Buffer.from('ada:päss:word').toString('base64')}`)
  assert.deepEqual(JSON.parse(body), { data: { attributes: { action: 'deploy' }, meta: { plan: true } } })
})

test('a list of values is the same parameter repeated', async () => {
  answer = { status: 206, body: '{"data": []}' }
  assert.deepEqual(await sluice.list('/api/steps', { 'filter[action_in][]': ['a b', 'c'], limit: 2 }), [])
  assert.deepEqual(
    [...new URL(asked().url, sluice.url).searchParams],
    [
      ['filter[action_in][]', 'a b'],
      ['filter[action_in][]', 'c'],
      ['limit', '2'],
    ],
  )
})

test('a refusal says in words what was refused and where', async () => {
  const errors = [
    { status: '422', code: 'invalid', detail: 'should be text', source: { pointer: '/data/attributes/name' } },
    { status: '422', code: 'code-taken', title: 'the code is taken' },
  ]
  answer = { status: 422, body: JSON.stringify({ errors }) }
  await assert.rejects(sluice.update('/api/projects/x', { name: 1 }), (error: Error) => {
    assert.ok(error instanceof Refused)
    assert.equal(error.status, 422)
    assert.equal(
      error.message,
      'PATCH /api/projects/x returned 422\n  /data/attributes/name: should be text\n  the code is taken',
    )
    return true
  })
})

test('an answer that is not from the service is told as it came', async () => {
  answer = { status: 502, body: '<h1>Bad Gateway</h1>' }
  await assert.rejects(sluice.show('/api/me'), /returned 502\n {2}<h1>Bad Gateway<\/h1>/)
})

test('to find nothing is no error, to be refused is one', async () => {
  answer = { status: 404, body: '{"errors": [{"status": "404"}]}' }
  assert.equal(await sluice.find('/api/projects/none'), undefined)
  answer = { status: 401, body: '{"errors": [{"status": "401"}]}' }
  await assert.rejects(sluice.find('/api/projects/none'), Refused)
})

test('a write names the ETag that was read', async () => {
  answer = { status: 200, body: '{"data": {"id": "1"}}' }
  await sluice.send('PATCH', '/api/projects/x', { data: { attributes: { name: 'X' } }, ifMatch: '"3-abc"' })
  assert.equal(asked().headers['if-match'], '"3-abc"')
  await sluice.update('/api/projects/x', { name: 'X' })
  assert.equal(asked().headers['if-match'], undefined)
})

test('an answer without a body is none', async () => {
  answer = { status: 204, body: '' }
  await sluice.remove('/api/changes/1', { purge: true })
  assert.deepEqual([asked().method, asked().url], ['DELETE', '/api/changes/1?purge=true'])
})

test('an operation is called by method and path; what it needs is checked where it is written', async () => {
  answer = { status: 201, body: '{"data": {"id": "1", "type": "environment", "attributes": {"code": "test"}}}' }
  const made = await sluice.call('POST /api/projects/{project_code}/environments', {
    path: { project_code: 'a/b' },
    attributes: { code: 'test', name: 'Test' },
  })
  const code: string = made.attributes.code
  assert.equal(code, 'test')
  const { method, url, body } = asked()
  assert.deepEqual([method, url], ['POST', '/api/projects/a%2Fb/environments'])
  assert.deepEqual(JSON.parse(body), { data: { attributes: { code: 'test', name: 'Test' } } })

  const wrong = async () => {
    // @ts-expect-error the id is missing
    await sluice.call('GET /api/changes/{id}', {})
    // @ts-expect-error a project has a name
    await sluice.call('POST /api/projects', { attributes: { code: 'bank' } })
  }
  assert.equal(typeof wrong, 'function')
})

test('pages are read until the last, each where the one before says', async () => {
  const pages = [
    '{"data": [{"id": "1"}], "links": {"next": "/api/changes?limit=1&page%5Bafter%5D=x"}}',
    '{"data": [{"id": "2"}], "links": {"self": "/api/changes"}}',
  ]
  const ids: string[] = []
  answer = { status: 206, body: pages[0]! }
  for await (const { data } of sluice.pages('/api/changes', { limit: 1 })) {
    ids.push(...data.map(({ id }) => id))
    answer = { status: 200, body: pages[1]! }
  }
  assert.deepEqual(ids, ['1', '2'])
  assert.equal(asked().url, '/api/changes?limit=1&page%5Bafter%5D=x')
})

test('a token is sent as one, and a patch of a document as it stands', async () => {
  answer = { status: 200, body: '{"data": {}}' }
  await connect(sluice.url, { token: 'secret' }).send('PATCH', '/api/properties/1', { patch: { web: null } })
  const { headers, body } = asked()
  assert.deepEqual([headers.authorization, headers['content-type']], ['Bearer secret', 'application/merge-patch+json'])
  assert.equal(body, '{"web":null}')
})

test('a service that is not there is told with its address and the reason', async () => {
  await assert.rejects(connect('http://127.0.0.1:1').show('/api/me'), /^Error: Cannot reach http:\/\/127\.0\.0\.1:1: /)
})

test('waiting ends with what was waited for, or says what it saw last', async () => {
  let count = 0
  const counted = await until(
    'three',
    async () => ++count,
    value => value === 3,
    { pause: 1 },
  )
  assert.equal(counted, 3)
  await assert.rejects(
    until(
      'more',
      async () => count,
      value => value > 3,
      { seconds: 0.01, pause: 1 },
    ),
    /more: not after 0.01 s; last: 3/,
  )
})

test('who takes long to answer is left alone for twice as long before it is asked again', async () => {
  const asked: number[] = []
  const answered: number[] = []
  await until(
    'the second answer',
    async () => {
      asked.push(performance.now())
      await new Promise(resolve => setTimeout(resolve, 30))
      return answered.push(performance.now())
    },
    count => count === 2,
    { pause: 1 },
  )
  // A timer may be a millisecond early.
  assert.ok(asked[1]! - answered[0]! >= 2 * (answered[0]! - asked[0]!) - 2)
})
