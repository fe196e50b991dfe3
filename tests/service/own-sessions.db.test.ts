import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Users list and end their own sessions. */

let service: TestService
before(async () => {
  service = await startTestService({ spares: 0, users: { ann: [{ path: '/', read: true, delete: true }], bob: [] } })
})
after(() => service.stop())

interface Session {
  readonly id: string
  readonly headers: Record<string, string>
}

async function begin(username: string, agent?: string): Promise<Session> {
  const headers = agent === undefined ? {} : { 'user-agent': agent }
  const answer = await service.as(username).post('/api/tokens/session', undefined, headers)
  assert.equal(answer.status, 201, answer.text)
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  return { id: answer.body.data.id, headers: { cookie, 'x-csrf-token': answer.body.meta.csrf_token } }
}

const list = (session: Session, query = ''): Promise<Answer> =>
  service.stranger.get(`/api/tokens/sessions${query}`, session.headers)
const end = (session: Session, { id }: Session): Promise<Answer> =>
  service.stranger.delete(`/api/tokens/sessions/${id}`, session.headers)
const idsIn = ({ body }: Answer): string[] => body.data.map((each: { id: string }) => each.id)
const isSignedIn = async ({ headers }: Session): Promise<boolean> =>
  (await service.stranger.get('/api/me', headers)).status === 200
const endOf = async (id: string) =>
  (await service.as('admin').get('/api/events?filter[type_eq]=api:tokens:destroy')).body.data.filter(
    (event: { relationships: { source: { data: { id: string } } } }) => event.relationships.source.data.id === id,
  )

test('one’s sessions are listed with where and in which browser they began, without their secrets', async () => {
  const [other, own] = [await begin('ann', `Firefox/${'9'.repeat(300)}`), await begin('ann', 'Chrome/1\t\u0081')]
  const answer = await list(own)
  assert.deepEqual(idsIn(answer), [own.id, other.id])
  const [first, second] = answer.body.data
  assert.deepEqual([first.meta, second.meta], [{ current: true }, { current: false }])
  const { created_at, expires_at, ...attributes } = first.attributes
  assert.deepEqual(attributes, { created_by: 'ann', remote_address: '127.0.0.1', user_agent: 'Chrome/1' })
  assert.equal(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000), 240)
  assert.equal(second.attributes.user_agent, `Firefox/${'9'.repeat(247)}`)
  assert.doesNotMatch(answer.text, /sluice_session|secret|sha/)
  const shown = await service.stranger.get(first.links.self, own.headers)
  assert.deepEqual([shown.status, shown.body.data.attributes], [200, first.attributes])
  assert.deepEqual(idsIn(await list(own, '?filter[user_agent_start]=Firefox&fields[session]=user_agent')), [other.id])
})

test('who ends another session of theirs ends that one alone; the audit trail tells whose it was', async () => {
  const [own, other, third] = [await begin('ann'), await begin('ann'), await begin('ann')]
  const ended = await end(own, other)
  assert.deepEqual([ended.status, ended.headers.get('set-cookie')], [204, null])
  assert.deepEqual([await isSignedIn(own), await isSignedIn(other), await isSignedIn(third)], [true, false, true])
  const [event, ...more] = await endOf(other.id)
  assert.deepEqual(more, [])
  const { username, kind, created_by } = event.attributes
  assert.deepEqual({ username, kind, created_by }, { username: 'ann', kind: 'session', created_by: 'ann' })
  assert.ok(!idsIn(await list(own)).includes(other.id))
  assert.equal((await end(own, other)).status, 404)
})

test('who ends the session of the request has signed out', async () => {
  const own = await begin('ann')
  const ended = await end(own, own)
  assert.equal(ended.status, 204)
  assert.match(ended.headers.get('set-cookie')!, /^__Host-sluice-session=; Path=\/; Max-Age=0;/)
  assert.equal(await isSignedIn(own), false)
})

test('nobody finds or ends the session of somebody else, but a superuser does', async () => {
  const [ann, bob, admin] = [await begin('ann'), await begin('bob'), await begin('admin')]
  assert.ok(idsIn(await list(bob)).every(id => id !== ann.id && id !== admin.id))
  for (const other of [ann, admin]) {
    assert.equal((await end(bob, other)).status, 404)
    assert.equal((await service.stranger.get(`/api/tokens/sessions/${other.id}`, bob.headers)).status, 404)
  }
  const all = idsIn(await list(admin))
  for (const { id } of [ann, bob, admin]) assert.ok(all.includes(id))
  assert.ok(!idsIn(await list(admin, '?filter[mine]=true')).includes(bob.id))
  assert.equal((await end(admin, bob)).status, 204)
  assert.equal(await isSignedIn(bob), false)
  const { username, created_by } = (await endOf(bob.id))[0].attributes
  assert.deepEqual({ username, created_by }, { username: 'admin', created_by: 'bob' })
  assert.ok(await isSignedIn(ann))
})

test('neither a token is ended as a session, nor a session as a token', async () => {
  const own = await begin('ann')
  const token = await created(
    service.as('ann').post('/api/tokens', { description: 'x', expires_at: '2099-01-01T00:00:00Z' }),
  )
  assert.equal((await end(own, { ...own, id: token.id })).status, 404)
  assert.equal((await service.as('ann').delete(`/api/tokens/${own.id}`)).status, 404)
})

test('who is blocked sees and ends none', async () => {
  const [own, other] = [await begin('bob'), await begin('bob')]
  const admin = service.as('admin')
  const [policy] = (await admin.get('/api/authorisation_policies?filter[name_eq]=blocked')).body.data
  const given = { authorisation_policy_id: policy.id, username: 'bob' }
  const assignment = await created(admin.post('/api/policy_assignments', given))
  assert.deepEqual(idsIn(await list(own)), [])
  assert.equal((await end(own, other)).status, 404)
  assert.equal((await admin.delete(`/api/policy_assignments/${assignment.id}`)).status, 204)
  assert.ok(idsIn(await list(own)).includes(other.id))
})

test('a session without a place, begun by the release before, is listed; an expired one is not', async () => {
  const [own, old] = [await begin('ann'), await begin('ann')]
  await service.database.count(
    sql`update tokens set remote_address = null, user_agent = null, expires_at = expires_at + interval '1 hour'
         where id = ${own.id}::uuid`,
  )
  await moveClock(service.testDatabase, '241 minutes')
  const answer = await list(own)
  assert.deepEqual(idsIn(answer), [own.id])
  assert.equal(answer.body.data[0].attributes.remote_address, null)
  assert.equal((await end(own, old)).status, 404)
})
