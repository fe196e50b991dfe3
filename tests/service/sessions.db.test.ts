import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { newCommandLine } from '../cli/command-line.ts'
import type { Answer } from '../support/api.ts'
import { created, often } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService({
    spares: 0,
    users: { ann: [{ path: '/projects', read: true, update: true }], bob: [] },
  })
})
after(() => service.stop())

interface Session {
  cookie: string
  csrf: string
  answer: Answer
}

async function begin(username: string): Promise<Session> {
  const answer = await service.as(username).post('/api/tokens/session')
  assert.equal(answer.status, 201, answer.text)
  return { answer, cookie: answer.headers.get('set-cookie')!.split(';')[0]!, csrf: answer.body.meta.csrf_token }
}

const read = (path: string, { cookie }: Session) => service.stranger.get(path, { cookie })
const write = (method: string, path: string, { cookie, csrf }: Session, attributes?: object) =>
  service.stranger.send(method, path, {
    ...(attributes && { attributes }),
    headers: { cookie, 'x-csrf-token': csrf },
  })
const project = (code: string) => ({ code, name: code, project_type: 'Enterprise' })
const basic = (username: string) => service.as(username).get('/api/me')
const switchBasic = async (on: boolean) => {
  const admin = await begin('admin')
  const { body } = await read('/api/system_configuration', admin)
  const path = body.data.relationships.settings.links.related
  const { body: settings } = await read(path, admin)
  const data = { ...settings.data.attributes.data, enable_basic_auth: on }
  assert.equal((await write('PUT', path, admin, { data })).status, 200)
}

test('a session begins with user name and password, and its cookie is for browsers, this host and TLS alone', async () => {
  const { answer } = await begin('ann')
  assert.match(
    answer.headers.get('set-cookie')!,
    /^__Host-sluice-session=sluice_session_[\w-]{43}; Path=\/; Max-Age=14400; HttpOnly; Secure; SameSite=Strict$/,
  )
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.body.data.attributes.username, 'ann')
  assert.doesNotMatch(answer.text, /sluice_session_/)
  const { body } = await service.as('admin').get('/api/events?filter[type_eq]=api:tokens:create')
  const [event] = body.data
  assert.deepEqual([event.attributes.username, event.attributes.kind], ['ann', 'session'])
  assert.ok(!JSON.stringify(body).includes(answer.body.meta.csrf_token))
})

test('with a password that is replaced while it is looked at no session begins', async () => {
  const { database } = service
  const begun = await database.transaction(async tx => {
    // A new password is being written, and not visible to others yet.
    await tx.count(sql`update users set password_version = password_version + 1 where username = 'bob'`)
    const { pid } = (await tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`))!
    const locks = sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`
    const asked = service.as('bob').post('/api/tokens/session')
    await until(
      'it waits',
      () => database.one(locks),
      found => found!.waiting > 0,
      often,
    )
    return { asked }
  })
  const { status, headers } = await begun.asked
  assert.deepEqual([status, headers.get('set-cookie')], [401, null])
  assert.equal((await begin('bob')).answer.status, 201)
})

test('with the cookie one reads, and writes only with the token of that session', async () => {
  const [session, another] = [await begin('ann'), await begin('ann')]
  const me = await read('/api/me', session)
  const { authorisations: _, ...meta } = me.body.data.meta
  const { expires_at } = session.answer.body.data.attributes
  assert.deepEqual(meta, {
    superuser: false,
    via: 'session',
    csrf_token: session.csrf,
    session_expires_at: expires_at,
    somewhere: { read: true, update: true, execute: false, delete: false },
  })
  for (const csrf of ['', `${session.csrf}x`, another.csrf]) {
    const refused = await write('POST', '/api/projects', { ...session, csrf }, project('forged'))
    assert.deepEqual([refused.status, refused.body.errors[0].code], [403, 'wrong-csrf-token'])
  }
  assert.equal((await write('POST', '/api/projects', session, project('own'))).status, 201)
  assert.equal((await service.as('ann').get('/api/projects/forged')).status, 404)
})

test('what a page of another site has a browser send with the password it remembers is refused, and nothing else', async () => {
  const ann = service.as('ann')
  const { host } = new URL(service.address)
  const sent = async (code: string, headers: Record<string, string>) =>
    (await ann.send('POST', '/api/projects', { attributes: project(code), headers })).status
  const theirs = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
  const refused = await ann.send('POST', '/api/tokens/session', { headers: theirs })
  assert.deepEqual([refused.status, refused.body.errors[0].code], [403, 'forbidden'])
  assert.equal(refused.headers.get('set-cookie'), null)
  const neighbour = { 'sec-fetch-site': 'same-site', origin: 'https://wiki.bank.example' }
  for (const headers of [theirs, neighbour, { origin: 'http://elsewhere.example' }, { origin: 'null' }])
    assert.equal(await sent('theirs', headers), 403, JSON.stringify(headers))
  assert.equal((await ann.get('/api/projects/theirs')).status, 404)
  assert.equal((await ann.get('/api/me', theirs)).status, 200, 'reading tells the other site nothing')
  assert.equal(await sent('same', { 'sec-fetch-site': 'same-origin', origin: `http://${host}` }), 201)
  assert.equal(await sent('plain', { origin: `http://${host}` }), 201)
})

test('neither is a session a bearer token, nor is one made from a token or another session', async () => {
  const session = await begin('ann')
  const secret = session.cookie.split('=')[1]!
  assert.equal((await service.bearer(secret).get('/api/me')).status, 401)
  const expires_at = '2099-01-01T00:00:00Z'
  const { body } = await service.as('ann').post('/api/tokens', { description: 'x', expires_at })
  assert.equal((await service.bearer(body.meta.token).post('/api/tokens/session')).status, 403)
  const again = await write('POST', '/api/tokens/session', session)
  assert.equal(again.status, 401)
  assert.doesNotMatch(again.headers.get('www-authenticate')!, /Basic/)
  assert.ok(!(await read('/api/tokens', session)).text.includes('session'))
})

test('who ends a session ends that one alone, and its cookie is taken back', async () => {
  const [session, another] = [await begin('ann'), await begin('ann')]
  const ended = await write('DELETE', '/api/tokens/session', session)
  assert.equal(ended.status, 204)
  assert.match(ended.headers.get('set-cookie')!, /^__Host-sluice-session=; Path=\/; Max-Age=0;/)
  const after = await read('/api/me', session)
  assert.equal(after.status, 401)
  // The page prompts for the password itself; with this challenge the browser would.
  assert.doesNotMatch(after.headers.get('www-authenticate')!, /Basic/)
  assert.equal((await read('/api/me', another)).status, 200)
  assert.equal((await service.as('ann').delete('/api/tokens/session')).status, 409)
})

test('of two who end one session or token at the same instant one has done it, and the audit trail tells it once', async () => {
  const { database } = service
  const [listed, session] = [await begin('ann'), await begin('ann')]
  const expires_at = '2099-01-01T00:00:00Z'
  const { id } = await created(service.as('ann').post('/api/tokens', { description: 'ended twice', expires_at }))
  const ends: [kind: string, end: () => Promise<{ status: number }>][] = [
    ['session', () => write('DELETE', '/api/tokens/session', session)],
    ['personal', () => service.as('ann').delete(`/api/tokens/${id}`)],
    ['session', () => service.as('ann').delete(`/api/tokens/sessions/${listed.answer.body.data.id}`)],
  ]
  for (const [kind, end] of ends) {
    let ended: Promise<{ status: number }>[] = []
    const its = await database.transaction(async tx => {
      const held = await tx.one(sql<{ id: string }>`
        select id from tokens
         where kind = ${kind} and revoked_at is null and (kind = 'session' or id = ${id}::uuid)
         order by created_at desc limit 1 for update`)
      ended = [end(), end()]
      await until(
        'both wait for it',
        () =>
          database.one(sql<{ n: number }>`
            select count(*)::int as n from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`),
        row => row?.n === 2,
        often,
      )
      return held!.id
    })
    const statuses = (await Promise.all(ended)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [204, 404], kind)
    const told = await database.rows(sql`
      select from events where type = 'api:tokens:destroy' and source_id = ${its}::uuid`)
    assert.equal(told.length, 1, kind)
  }
})

test('a new password ends all sessions but the one that set it', async () => {
  const [session, another] = [await begin('bob'), await begin('bob')]
  const attributes = { password: 'the next password', current_password: passwordOf('bob') }
  assert.equal((await write('PATCH', '/api/users/bob', session, attributes)).status, 200)
  assert.equal((await read('/api/me', session)).status, 200)
  assert.equal((await read('/api/me', another)).status, 401)
  const admin = service.as('admin')
  assert.equal((await admin.patch('/api/users/bob', { password: passwordOf('bob') })).status, 200)
  assert.equal((await read('/api/me', session)).status, 401)
  const third = await begin('bob')
  assert.equal((await admin.patch('/api/users/bob', { disabled: true })).status, 200)
  assert.equal((await read('/api/me', third)).status, 401)
})

test('where HTTP Basic is turned off, sessions and tokens sign in, on every process from the next request on', async () => {
  const expires_at = '2099-01-01T00:00:00Z'
  const { body } = await service.as('ann').post('/api/tokens', { description: 'x', expires_at })
  const other = await service.beside('api')
  const basicThere = () =>
    fetch(`${other.address}/api/me`, {
      headers: { authorization: `Basic ${btoa(`ann:${passwordOf('ann')}`)}` },
    })
  try {
    assert.equal((await basicThere()).status, 200)
    await switchBasic(false)
    const refused = await basic('ann')
    assert.equal(refused.status, 401)
    assert.match(refused.body.errors[0].detail, /POST \/api\/tokens\/session/)
    assert.equal((await basicThere()).status, 401)
    assert.equal((await read('/api/me', await begin('ann'))).status, 200)
    assert.equal((await service.bearer(body.meta.token).get('/api/me')).status, 200)
    const cli = await newCommandLine()
    const login = await cli.run(['login', service.address, '--user', 'ann'], { input: `${passwordOf('ann')}\n` })
    assert.equal(login.status, 0, login.stderr)
    assert.match((await cli.run(['whoami'])).stdout, /^ann at/)
    await cli.remove()
    const wrong = { authorization: `Basic ${btoa('ann:wrong')}` }
    assert.equal((await service.stranger.post('/api/tokens/session', undefined, wrong)).status, 401)
  } finally {
    await switchBasic(true)
    await other.stop({ keepRunners: false })
  }
  assert.equal((await basic('ann')).status, 200)
})

test('a session lasts as long as the setting says', async () => {
  const session = await begin('ann')
  await moveClock(service.testDatabase, '239 minutes')
  assert.equal((await read('/api/me', session)).status, 200)
  await moveClock(service.testDatabase, '2 minutes')
  assert.equal((await read('/api/me', session)).status, 401)
})
