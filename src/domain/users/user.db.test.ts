import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { startTestApi, userIdOf } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { passwords, usersDomain } from './index.ts'
import { tooManyRequests } from './passwords.adapter.ts'

const nothing = rightsTo({})
const clerk = rightsTo({ '/admin/users': ['read', 'update', 'delete'] })
const hashing = passwords()
let busy = false
const hasher = {
  ...hashing,
  hash: async (password: string) => {
    if (busy) throw tooManyRequests('Too many sign-ins at once.', 1)
    return hashing.hash(password)
  },
}
const api = await startTestApi({
  domains: made => [
    usersDomain({ ...made, passwords: hasher, keepLastSuperuser: async () => {}, sessionMinutes: async () => 240 }),
  ],
  users: { boss: superuserRights, ann: nothing, bob: nothing, clerk, blocked: { ...nothing, blocked: true } },
})
after(() => api.stop())
const boss = api.as('boss')
const ann = api.as('ann')

before(async () => {
  for (const name of ['boss', 'ann', 'bob', 'blocked'])
    await api.database.count(sql`
      insert into users (id, username, password_hash, created_by)
      values (${userIdOf(name)}, ${name}, ${await hasher.hash(`password of ${name}`)}, 'test')`)
})

const eventsOf = (type: string) =>
  api.database.rows(
    sql<{ username: string; attributes: Record<string, unknown> }>`
      select username, attributes from events where type = ${type} order by created_at`,
  )
const passwordWorks = async (username: string, password: string) => {
  const row = await api.database.one(
    sql<{ password_hash: string }>`select password_hash from users where username = ${username}`,
  )
  return hasher.verify(row!.password_hash, password)
}
const pointers = (body: { errors: { source?: { pointer?: string } }[] }) =>
  body.errors.map(each => each.source?.pointer)

test('a superuser makes a user, whose password is neither answered nor recorded', async () => {
  const attributes = { username: 'carl', password: 'a fine password', email_address: 'carl@example.org' }
  const { status, body, headers } = await boss.post('/api/users', attributes)
  assert.equal(status, 201)
  assert.equal(headers.get('location'), '/api/users/carl')
  const { created_at, updated_at, ...shown } = body.data.attributes
  assert.deepEqual(shown, {
    username: 'carl',
    display_name: null,
    email_address: 'carl@example.org',
    auth_provider: 'local',
    groupnames: [],
    disabled: false,
  })
  assert.ok(created_at <= updated_at)
  assert.ok(await passwordWorks('carl', 'a fine password'))
  const [event] = await eventsOf('api:users:create')
  assert.equal(event!.attributes['request_body_username'], 'carl')
  assert.doesNotMatch(JSON.stringify(event), /fine/)
})

test('whoever is told to come again later is not told so for ever under the same Idempotency-Key', async () => {
  const late = { username: 'late-comer', password: 'a fine password' }
  busy = true
  const told = await boss.post('/api/users', late, { 'idempotency-key': 'late' })
  assert.deepEqual([told.status, told.headers.get('retry-after')], [429, '1'])
  busy = false
  assert.equal((await boss.post('/api/users', late, { 'idempotency-key': 'late' })).status, 201)
  assert.equal((await boss.post('/api/users', late, { 'idempotency-key': 'late' })).status, 201)
})

test('a name is given once: not twice in another case, not after its user was deleted, and never that of the service', async () => {
  const make = (username: string) => boss.post('/api/users', { username, password: 'a fine password' })
  assert.equal((await make('dora')).status, 201)
  assert.equal((await make('DORA')).status, 409)
  assert.equal((await boss.delete('/api/users/Dora')).status, 204)
  assert.equal((await boss.get('/api/users/dora')).status, 404)
  assert.equal((await make('dora')).status, 409)
  assert.equal((await make('System')).status, 409)
  assert.deepEqual(pointers((await make('a:b')).body), ['/data/attributes/username'])
  assert.deepEqual(pointers((await boss.post('/api/users', { username: 'x', password: 'short' })).body), [
    '/data/attributes/password',
  ])
})

test('only superusers make, change and delete others; everyone sees themselves alone', async () => {
  assert.equal((await ann.post('/api/users', { username: 'mine', password: 'a fine password' })).status, 403)
  assert.equal((await ann.patch('/api/users/bob', { password: 'a fine password' })).status, 404)
  assert.equal((await ann.delete('/api/users/bob')).status, 404)
  assert.equal((await ann.get('/api/users/bob')).status, 404)
  assert.equal((await ann.get('/api/users/ann')).status, 200)
  assert.deepEqual(
    (await ann.get('/api/users')).body.data.map(
      (user: { attributes: { username: string } }) => user.attributes.username,
    ),
    ['ann'],
  )
  assert.ok((await boss.get('/api/users')).body.data.length >= 3)
  const clerk = api.as('clerk')
  assert.ok((await clerk.get('/api/users')).body.data.length >= 3)
  assert.equal((await clerk.patch('/api/users/boss', { password: 'a fine password' })).status, 403)
  assert.equal((await clerk.delete('/api/users/bob')).status, 403)
  assert.equal((await clerk.post('/api/users', { username: 'mine', password: 'a fine password' })).status, 403)
})

test('one’s own password needs the current one, and guessing it is limited', async () => {
  const change = (current_password?: string) =>
    ann.patch('/api/users/ann', { password: 'the next password', ...(current_password && { current_password }) })
  assert.deepEqual(pointers((await change()).body), ['/data/attributes/current_password'])
  const wrong = await change('a wrong one')
  assert.equal(wrong.status, 422)
  assert.ok(await passwordWorks('ann', 'password of ann'))
  assert.equal((await eventsOf('audit:users:sign_in:denied')).length, 1)
  assert.equal((await change('password of ann')).status, 200)
  assert.ok(await passwordWorks('ann', 'the next password'))
  const statuses = []
  for (let i = 0; i < 11; i++) statuses.push((await change('guess')).status)
  assert.deepEqual(statuses.slice(-3), [422, 429, 429])
})

test('many guesses at once neither get past the limit nor take the connections of everybody else', async () => {
  const guesses = Array.from({ length: 30 }, () =>
    api.as('bob').patch('/api/users/bob', { password: 'the next password', current_password: 'guess' }),
  )
  const others = await Promise.all([ann.get('/api/me'), boss.get('/api/users')])
  assert.deepEqual(
    others.map(each => each.status),
    [200, 200],
  )
  const statuses = (await Promise.all(guesses)).map(each => each.status)
  assert.deepEqual([...new Set(statuses)].toSorted(), [422, 429])
  // Guesses that were weighed before the first was counted: as many as there are connections, at most.
  assert.ok(statuses.filter(status => status === 422).length <= 10 + 6)
})

test('a superuser resets a password without it, but disables or deletes nobody’s own account with it', async () => {
  assert.equal((await boss.patch('/api/users/bob', { password: 'the reset password', disabled: true })).status, 200)
  assert.ok(await passwordWorks('bob', 'the reset password'))
  const event = (await eventsOf('api:users:update')).at(-1)!
  assert.equal(event.attributes['password_changed'], true)
  assert.equal(event.attributes['request_body_disabled'], true)
  assert.equal((await boss.patch('/api/users/boss', { disabled: true })).status, 409)
  assert.equal((await boss.delete('/api/users/boss')).status, 409)
})

test('a change that changes nothing is no event', async () => {
  const before = (await eventsOf('api:users:update')).length
  assert.equal((await boss.patch('/api/users/carl', { email_address: 'carl@example.org' })).status, 200)
  assert.equal((await eventsOf('api:users:update')).length, before)
})

test('a token shows its secret once, and is its owner’s', async () => {
  const made = await ann.post('/api/tokens', { description: 'for my script', expires_at: '2030-01-01' })
  assert.equal(made.status, 201)
  assert.match(made.body.meta.token, /^sluice_personal_[\w-]{43}$/)
  assert.equal(made.body.data.attributes.expires_at, '2030-01-01T00:00:00.000000Z')
  const self = made.body.data.links.self
  assert.doesNotMatch((await ann.get(self)).text, /sluice_personal/)
  const stored = await api.database.rows(sql`select t::text, e.body from tokens t, events e where e.source_id = t.id`)
  assert.doesNotMatch(JSON.stringify(stored), /sluice_personal/)
  assert.equal((await api.as('bob').get(self)).status, 404)
  assert.equal((await api.as('bob').delete(self)).status, 404)
  assert.equal((await ann.delete(self)).status, 204)
  assert.deepEqual((await ann.get('/api/tokens')).body.data, [])
})

test('whoever is blocked sees no tokens, their own neither', async () => {
  const blocked = api.as('blocked')
  const { id } = (await api.database.one(sql<{ id: string }>`
    insert into tokens (kind, user_id, secret_sha, description, expires_at, created_by)
    values ('personal', ${userIdOf('blocked')}, 'sha', 'of old', sluice_now() + interval '1 hour', 'blocked')
    returning id`))!
  assert.deepEqual((await blocked.get('/api/tokens')).body.data, [])
  assert.equal((await blocked.get(`/api/tokens/${id}`)).status, 404)
  assert.equal((await blocked.delete(`/api/tokens/${id}`)).status, 404)
  assert.equal((await boss.delete(`/api/tokens/${id}`)).status, 204)
})

test('a superuser sees whose tokens there are, without their secrets, and revokes any', async () => {
  const made = await ann.post('/api/tokens', { description: 'lost on a train', expires_at: '2030-01-01' })
  await boss.post('/api/tokens', { description: 'my own', expires_at: '2030-01-01' })
  const descriptions = async (query = '') =>
    (await boss.get(`/api/tokens${query}`)).body.data.map((each: { attributes: Token }) => each.attributes.description)
  assert.deepEqual(await descriptions(), ['my own', 'lost on a train'])
  assert.deepEqual(await descriptions('?filter[created_by_eq]=ann'), ['lost on a train'])
  assert.deepEqual(await descriptions('?filter[mine]=true'), ['my own'])
  const { self } = made.body.data.links
  assert.equal((await boss.get(self)).status, 200)
  assert.doesNotMatch((await boss.get(self)).text, /sluice_personal/)
  assert.equal((await boss.delete(self)).status, 204)
  assert.equal((await boss.delete(self)).status, 404)
  assert.deepEqual((await ann.get('/api/tokens')).body.data, [])
  const { username, attributes } = (await eventsOf('api:tokens:destroy')).at(-1)!
  assert.equal(username, 'boss')
  assert.deepEqual([attributes['created_by'], attributes['description']], ['ann', 'lost on a train'])
})

interface Token {
  readonly description: string
}

test('a token must end some time', async () => {
  for (const expires_at of ['2020-01-01', 'never', '2026-02-30'])
    assert.equal((await ann.post('/api/tokens', { description: 'x', expires_at })).status, 422, expires_at)
})

test('a token says what it is for on one line', async () => {
  for (const description of ['two\nlines', 'a \u202Etpircs', ' ']) {
    const { status, body } = await ann.post('/api/tokens', { description, expires_at: '2030-01-01' })
    assert.deepEqual([status, body.errors[0].source], [422, { pointer: '/data/attributes/description' }])
  }
})

test('everyone can ask who they are', async () => {
  const { body } = await ann.get('/api/me')
  assert.equal(body.data.attributes.username, 'ann')
  const { authorisations, somewhere, ...meta } = body.data.meta
  assert.deepEqual(meta, { superuser: false, via: 'basic' })
  assert.equal(typeof authorisations['/admin'].read, 'boolean')
  assert.deepEqual(somewhere, { read: false, update: false, execute: false, delete: false })
  const all = (await boss.get('/api/me')).body.data.meta
  assert.deepEqual([all.superuser, all.somewhere.execute], [true, true])
  assert.equal((await api.stranger.get('/api/me')).status, 401)
})
