import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Service } from '../../src/main/service.ts'
import { basicOf } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

const front = '/projects/bank/environments/live/assets/front'

let service: TestService
/** Another process of the same installation, connected to this one through the database only. */
let other: Service

before(async () => {
  service = await startTestService({
    spares: 0,
    users: {
      ann: [
        { path: '/projects/bank', read: true, update: true },
        { path: '/projects/bank/environments/live', update: false },
        { path: '/system_configuration', read: true },
      ],
      bob: [{ path: '/events', read: false }],
      lead: [{ path: '/projects/bank', read: true }],
    },
  })
  await created(service.as('admin').post('/api/projects', { code: 'bank', name: 'Bank' }))
  other = await service.beside('api')
})
after(async () => {
  await other?.stop({ keepRunners: false })
  await service.stop()
})

/** Status of the other process's response to a GET. */
const there = async (authorization: string, path = '/api/me') =>
  (await fetch(`${other.address}${path}`, { headers: { authorization } })).status

const check = async (who: string, query: Record<string, string>) => {
  const { status, body } = await service.as(who).get(`/api/authorisation_check?${new URLSearchParams(query)}`)
  return { status, ...body.data?.attributes, errors: body.errors }
}

test('a token is good in every process with the next request, and revoked in every process with the next', async () => {
  const ann = service.as('ann')
  const made = await ann.post('/api/tokens', { description: 'x', expires_at: '2099-01-01T00:00:00Z' })
  const bearer = `Bearer ${made.body.meta.token}`
  assert.equal(await there(bearer), 200)
  assert.equal((await ann.delete(made.body.data.links.self)).status, 204)
  assert.equal(await there(bearer), 401)
})

test('a password that was changed is the only one in every process with the next request', async () => {
  await service.addUser('carl', [])
  const old = basicOf('carl', passwordOf('carl'))
  // Both cache for a minute that the password was correct.
  assert.deepEqual([await there(old), (await service.as('carl').get('/api/me')).status], [200, 200])
  const current_password = passwordOf('carl')
  const changed = await service.as('carl').patch('/api/users/carl', { password: 'quite another one', current_password })
  assert.equal(changed.status, 200)
  assert.equal(await there(old), 401)
  assert.equal(await there(basicOf('carl', 'quite another one')), 200)
})

test('a disabled user, a given right and a right taken away are so in every process with the next request', async () => {
  await service.addUser('dora', [])
  const admin = service.as('admin')
  const dora = basicOf('dora', passwordOf('dora'))
  assert.equal(await there(dora, '/api/system_configuration'), 403)
  const policy = await created(
    admin.post('/api/authorisation_policies', {
      name: 'what dora may',
      authorisation_rules: [{ path: '/system_configuration', read: true }],
      assignments: [{ username: 'dora' }],
    }),
  )
  assert.equal(await there(dora, '/api/system_configuration'), 200)
  await admin.put(`/api/authorisation_policies/${policy.id}/rules`, { authorisation_rules: [] })
  assert.equal(await there(dora, '/api/system_configuration'), 403)
  await admin.patch('/api/users/dora', { disabled: true })
  assert.equal(await there(dora), 401)
})

test('who is made a superuser or blocked is so in every process with the next request, and blocked outranks all', async () => {
  await service.addUser('flo', [{ path: '/projects', read: true, update: true }])
  const admin = service.as('admin')
  const flo = service.as('flo')
  const login = basicOf('flo', passwordOf('flo'))
  const give = async (policy: string) => {
    const { body } = await admin.get(`/api/authorisation_policies?filter[name_eq]=${policy}`)
    const tie = { authorisation_policy_id: body.data[0].id, username: 'flo' }
    return (await created(admin.post('/api/policy_assignments', tie))).id
  }
  const take = async (id: string) => assert.equal((await admin.delete(`/api/policy_assignments/${id}`)).status, 204)
  const made = await flo.post('/api/tokens', { description: 'x', expires_at: '2099-01-01T00:00:00Z' })
  const bearer = `Bearer ${made.body.meta.token}`

  assert.equal(await there(login, '/api/system_configuration'), 403)
  const superuser = await give('superuser')
  assert.equal(await there(login, '/api/system_configuration'), 200)

  const blocked = await give('blocked')
  for (const authorization of [login, bearer]) {
    assert.equal(await there(authorization, '/api/projects/bank'), 404)
    assert.equal(await there(authorization, '/api/system_configuration'), 403)
  }
  assert.deepEqual((await flo.get('/api/projects')).body.data, [])
  // Nor may they prepare for losing that right.
  for (const refused of [
    await flo.post('/api/tokens', { description: 'y', expires_at: '2099-01-01T00:00:00Z' }),
    await flo.post('/api/tokens/session'),
    await flo.patch('/api/users/flo', { password: 'quite another one', current_password: passwordOf('flo') }),
  ]) {
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.body.errors[0].detail, /blocked/)
  }
  assert.deepEqual((await flo.get('/api/tokens')).body.data, [])
  assert.equal((await flo.delete(made.body.data.links.self)).status, 404)
  await take(blocked)
  assert.equal(await there(login, '/api/system_configuration'), 200)
  await take(superuser)
  assert.deepEqual(
    [await there(login, '/api/system_configuration'), await there(bearer, '/api/projects/bank')],
    [403, 200],
  )
})

test('a decision is explained by the rule that decided it and its policy', async () => {
  const denied = await check('admin', { username: 'ann', right: 'update', path: front })
  assert.deepEqual([denied.allowed, denied.decided_by], [false, 'rule'])
  const [rule] = denied.authorisation_rules
  assert.deepEqual(
    [rule.path, rule.update, rule.authorisation_policies.map(({ name }: { name: string }) => name)],
    ['/projects/bank/environments/live', false, ['what ann may do']],
  )
  assert.match(denied.reason, /\/projects\/bank\/environments\/live, which denies it/)
  const read = await check('admin', { username: 'ann', right: 'read', path: front })
  assert.deepEqual([read.allowed, read.authorisation_rules[0].path], [true, '/projects/bank'])
  const none = await check('admin', { username: 'ann', right: 'read', path: '/projects/shop' })
  assert.deepEqual([none.allowed, none.decided_by, none.authorisation_rules], [false, 'no_rule', []])
  const boss = await check('admin', { right: 'update', path: '/authorisation_policies' })
  assert.deepEqual([boss.username, boss.allowed, boss.decided_by], ['admin', true, 'superuser'])
})

test('everyone may ask about themselves, and is shown no rule that they may not read', async () => {
  const denied = await check('bob', { right: 'read', path: '/events' })
  const nothing = await check('bob', { right: 'read', path: '/projects/shop' })
  for (const { allowed, decided_by, reason, authorisation_rules } of [denied, nothing])
    assert.deepEqual(
      [allowed, decided_by, reason, authorisation_rules],
      [false, 'hidden', 'No rule that you may read allows it.', []],
    )
  const own = await check('ann', { right: 'update', path: front })
  assert.equal(own.authorisation_rules[0].path, '/projects/bank/environments/live')
})

test('of others it is told to whoever may read the policies of that path, and to nobody else', async () => {
  const seen = await check('lead', { username: 'ann', right: 'update', path: front })
  assert.deepEqual([seen.status, seen.decided_by, seen.authorisation_rules.length], [200, 'rule', 1])
  // The policy also has a rule about /system_configuration, which they may not read.
  assert.deepEqual(seen.authorisation_rules[0].authorisation_policies, [])
  const elsewhere = await check('lead', { username: 'ann', right: 'read', path: '/system_configuration' })
  assert.deepEqual(
    [elsewhere.status, elsewhere.errors[0].meta.path],
    [403, '/system_configuration/authorisation_policies'],
  )
  const known = await check('bob', { username: 'ann', right: 'read', path: '/projects/bank' })
  const unknown = await check('bob', { username: 'nobody at all', right: 'read', path: '/projects/bank' })
  assert.deepEqual([known.status, unknown.status, unknown.errors[0].detail], [403, 403, known.errors[0].detail])
  const ghost = await check('admin', { username: 'nobody at all', right: 'read', path: '/' })
  const { source, detail } = ghost.errors[0]
  assert.deepEqual([ghost.status, source, detail], [404, { parameter: 'username' }, 'There is no user nobody at all.'])
})

test('a question that cannot be understood is told what would be right', async () => {
  const wrong = await check('ann', { right: 'write', path: '/projects/*' })
  assert.equal(wrong.status, 400)
  assert.deepEqual(
    wrong.errors.map((each: { source: { parameter: string }; detail: string }) => [each.source.parameter, each.detail]),
    [
      ['right', 'right should be one of "read", "update", "execute", "delete".'],
      ['path', 'path should be a path such as /projects/bank/environments/live, without * and without a / at its end.'],
    ],
  )
  const missing = await check('ann', {})
  assert.deepEqual(
    missing.errors.map((each: { source: { parameter: string } }) => each.source.parameter),
    ['path', 'right'],
  )
})

test('what is explained is what happens', async () => {
  const ann = service.as('ann')
  assert.equal((await check('ann', { right: 'read', path: '/system_configuration' })).allowed, true)
  assert.equal((await ann.get('/api/system_configuration')).status, 200)
  assert.equal((await check('bob', { right: 'read', path: '/system_configuration' })).allowed, false)
  assert.equal((await service.as('bob').get('/api/system_configuration')).status, 403)
})
