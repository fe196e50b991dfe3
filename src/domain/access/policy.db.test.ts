import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { type Client, startTestApi, userIdOf } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { nodesDomain } from '../nodes/index.ts'
import { passwords, usersDomain } from '../users/index.ts'
import { accessDomain, keepLastSuperuser, rightsFrom, rightsOf } from './index.ts'

const api = await startTestApi({
  domains: made => [
    usersDomain({ ...made, passwords: passwords(), keepLastSuperuser, sessionMinutes: async () => 240 }),
    accessDomain,
    nodesDomain({ others: [] }),
  ],
  users: {
    boss: superuserRights,
    // May hand out what they hold in one project, and not the right to delete there.
    lead: rightsTo({ '/projects/bank': ['read', 'update', 'execute'] }),
    clerk: rightsTo({ '/authorisation_policies': ['read', 'update'] }),
    ann: rightsTo({}),
    // All of a project, but not its secrets.
    owner: rightsFrom({
      superuser: false,
      blocked: false,
      rules: [
        { path: '/projects/mint', read: true, update: true, execute: true, delete: true },
        { path: '/projects/mint/secrets', read: null, update: null, execute: false, delete: null },
      ],
    }),
    // All of a project, but what they do not know of.
    guest: rightsFrom({
      superuser: false,
      blocked: false,
      rules: [
        { path: '/projects/mint', read: true, update: true, execute: null, delete: null },
        { path: '/projects/mint/environments/vault', read: false, update: null, execute: null, delete: null },
      ],
    }),
  },
})
after(() => api.stop())
const boss = api.as('boss')
const lead = api.as('lead')

before(async () => {
  for (const name of ['boss', 'lead', 'clerk', 'ann', 'owner', 'guest'])
    await api.database.count(
      sql`insert into users (id, username, created_by) values (${userIdOf(name)}, ${name}, 'test')`,
    )
  await api.database.count(sql`
    with made as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'bank', 'bank', 'Enterprise', id, '/projects/bank', 'test' from made`)
})

const made = async (asked: ReturnType<Client['post']>) => {
  const { status, body } = await asked
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}
const statusOf = async (asked: ReturnType<Client['post']>) => (await asked).status
const may = async (right: 'read' | 'update', path: string) =>
  (await rightsOf(api.database, userIdOf('ann'))).may(right, path)
const system = async (name: string) =>
  (await boss.get(`/api/authorisation_policies?filter[name_eq]=${name}`)).body.data[0].id

test('a policy with rules and assignments at once is in force at once, and each part of it is recorded', async () => {
  const policy = await made(
    boss.post('/api/authorisation_policies', {
      name: 'shop',
      authorisation_rules: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/assets/*', update: true },
      ],
      assignments: [{ username: 'Ann' }],
    }),
  )
  assert.equal(policy.relationships.authorisation_rules.data.length, 2)
  assert.equal(await may('update', '/projects/shop/assets/web'), true)
  assert.equal(await may('update', '/projects/shop'), false)
  const recorded = await api.database.rows(sql<{ type: string }>`select type from events order by created_at, id`)
  assert.deepEqual(recorded.map(({ type }) => type).sort(), [
    'api:authorisation_policies:create',
    'api:authorisation_rules:create',
    'api:authorisation_rules:create',
    'api:policy_assignments:create',
    'api:policy_rules:create',
    'api:policy_rules:create',
  ])
  const [assignment] = policy.relationships.policy_assignments.data
  assert.equal((await boss.get(`/api/policy_assignments/${assignment.id}`)).body.data.attributes.username, 'ann')
  assert.equal(await statusOf(boss.delete(`/api/policy_assignments/${assignment.id}`)), 204)
  assert.equal(await may('read', '/projects/shop'), false)
  assert.equal(await statusOf(boss.post('/api/authorisation_policies', { name: 'SHOP' })), 409)
})

test('one gives only rights that one holds, on paths whose policies one may change', async () => {
  const rule = (client: Client, attributes: object) => statusOf(client.post('/api/authorisation_rules', attributes))
  assert.equal(await rule(lead, { path: '/projects/bank/assets/web', update: true }), 201)
  assert.equal(await rule(lead, { path: '/projects/bank/assets/web', delete: true }), 403)
  assert.equal(await rule(lead, { path: '/projects/bank', delete: false }), 201)
  assert.equal(await rule(lead, { path: '/projects/shop', read: true }), 403)
  assert.equal(await rule(lead, { path: '/', read: true }), 403)
  assert.equal(await rule(lead, { path: '/projects/bank/assets/*', read: true }), 403)
  assert.equal(await rule(api.as('ann'), { path: '/projects/bank', read: true }), 403)
  assert.equal(await rule(boss, { path: '/projects//bank', read: true }), 422)
  assert.equal(await rule(boss, { path: '/projects/ba*', read: true }), 422)
  assert.equal(await rule(boss, { path: '/projects/bank/', read: true }), 422)
})

test('nobody gives what is denied to them beneath the path, unless it is denied there as well', async () => {
  const owner = api.as('owner')
  const give = (rule: object) => owner.post('/api/authorisation_rules', rule)
  const all = await give({ path: '/projects/mint', execute: true })
  assert.deepEqual([all.status, all.body.errors[0].code], [403, 'forbidden'])
  assert.match(all.body.errors[0].detail, /execute on \/projects\/mint\/secrets/)
  const read = await api
    .as('guest')
    .post('/api/authorisation_rules', { path: '/projects/mint/environments', read: true })
  assert.equal(read.status, 403)
  assert.doesNotMatch(read.text, /vault/)
  assert.equal(await statusOf(give({ path: '/projects/mint/assets', execute: true })), 201)
  const policy = (name: string, rules: object[]) =>
    owner.post('/api/authorisation_policies', { name, authorisation_rules: rules, assignments: [{ username: 'ann' }] })
  const whole = { path: '/projects/mint', read: true, execute: true }
  const but = [{ path: '/projects/mint/secrets', execute: false }]
  assert.equal(await statusOf(policy('whole', [whole])), 403)
  const { id } = await made(policy('whole but', [whole, ...but]))
  const rules = `/api/authorisation_policies/${id}/rules`
  assert.equal(await statusOf(owner.put(rules, { authorisation_rules: [whole] })), 403)
  const tied = await made(boss.post('/api/authorisation_rules', whole))
  const lone = await made(owner.post('/api/authorisation_policies', { name: 'lone', authorisation_rules: but }))
  const tie = (policyId: string) =>
    owner.post('/api/policy_rules', { authorisation_policy_id: policyId, authorisation_rule_id: tied.id })
  assert.equal(await statusOf(tie(lone.id)), 201)
  const bare = await made(boss.post('/api/authorisation_policies', { name: 'bare', authorisation_rules: [whole] }))
  const bob = { authorisation_policy_id: bare.id, username: 'clerk' }
  assert.equal(await statusOf(owner.post('/api/policy_assignments', bob)), 403)
  assert.equal(await statusOf(owner.post('/api/policy_assignments', { ...bob, authorisation_policy_id: id })), 201)
})

test('taking a denial away gives a right, and needs that right', async () => {
  const denied = await made(boss.post('/api/authorisation_rules', { path: '/projects/bank', delete: false }))
  assert.equal(await statusOf(lead.delete(denied.links.self)), 403)
  assert.equal(await statusOf(lead.patch(denied.links.self, { delete: null })), 403)
  assert.equal(await statusOf(lead.patch(denied.links.self, { name: 'no deleting' })), 200)
  assert.equal(await statusOf(lead.patch(denied.links.self, { path: '/projects/bank/assets/web' })), 403)
  const hidden = await made(boss.post('/api/authorisation_rules', { path: '/projects/bank', read: false }))
  assert.equal(await statusOf(lead.delete(hidden.links.self)), 403)
  const mine = await made(boss.post('/api/authorisation_rules', { path: '/projects/bank', update: false }))
  assert.equal(await statusOf(lead.delete(mine.links.self)), 204)
})

test('only superusers assign to everyone or to themselves', async () => {
  const { id } = await made(
    lead.post('/api/authorisation_policies', {
      name: 'bank readers',
      authorisation_rules: [{ path: '/projects/bank', read: true }],
    }),
  )
  const assign = (client: Client, to: object) =>
    client.post('/api/policy_assignments', { authorisation_policy_id: id, ...to })
  assert.equal(await statusOf(assign(lead, {})), 403)
  assert.equal(await statusOf(assign(lead, { username: 'lead' })), 403)
  assert.equal(await statusOf(assign(lead, { username: 'nobody' })), 422)
  assert.equal(await statusOf(assign(lead, { username: 'ann' })), 201)
  assert.equal(await statusOf(assign(lead, { username: 'ann' })), 409)
  assert.equal(await may('read', '/projects/bank'), true)
  assert.equal(await statusOf(assign(boss, {})), 201)
})

test('a policy is put together rule by rule, and taken apart again', async () => {
  const policy = await made(
    boss.post('/api/authorisation_policies', { name: 'parts', assignments: [{ username: 'ann' }] }),
  )
  const rule = await made(boss.post('/api/authorisation_rules', { path: '/events', read: true }))
  const tie = { authorisation_policy_id: policy.id, authorisation_rule_id: rule.id }
  assert.equal(await may('read', '/events'), false)
  const tied = await made(boss.post('/api/policy_rules', tie))
  assert.equal(await may('read', '/events'), true)
  assert.equal(await statusOf(boss.post('/api/policy_rules', tie)), 409)
  assert.equal(await statusOf(lead.post('/api/policy_rules', tie)), 404)
  const nobodys = crypto.randomUUID()
  for (const [path, name] of [
    ['/api/policy_rules', 'authorisation_policy_id'],
    ['/api/policy_rules', 'authorisation_rule_id'],
    ['/api/policy_assignments', 'authorisation_policy_id'],
  ] as const) {
    const named = path === '/api/policy_rules' ? tie : { authorisation_policy_id: policy.id, username: 'ann' }
    const { status, body } = await boss.post(path, { ...named, [name]: nobodys })
    assert.deepEqual([status, body.errors[0].source], [404, { pointer: `/data/attributes/${name}` }])
  }
  assert.equal(await statusOf(boss.delete(tied.links.self)), 204)
  assert.equal(await may('read', '/events'), false)
  assert.equal(await statusOf(boss.patch(policy.links.self, { name: 'renamed', description: 'x' })), 200)
  assert.equal(await statusOf(boss.delete(policy.links.self)), 204)
  assert.equal(await statusOf(boss.get(rule.links.self)), 200)
})

test('what a policy holds, and whose it is, is taken back under the ETag that was shown', async () => {
  const rule = { path: '/projects/bank', read: true }
  const policy = await made(boss.post('/api/authorisation_policies', { name: 'shown', authorisation_rules: [rule] }))
  await made(boss.post('/api/policy_assignments', { authorisation_policy_id: policy.id, username: 'ann' }))
  for (const list of ['policy_rules', 'policy_assignments']) {
    const filtered = `/api/${list}?filter[authorisation_policy_id_eq]=${policy.id}`
    const { self } = (await boss.get(filtered)).body.data[0].links
    assert.equal(await statusOf(boss.delete(self, { 'if-match': '"0"' })), 412)
    const etag = (await boss.get(self)).headers.get('etag')!
    assert.equal(await statusOf(boss.delete(self, { 'if-match': etag })), 204)
  }
})

test('a rule’s path is as long as any that is asked for, and no longer than an index holds', async () => {
  const part = (length: number) => randomBytes(length).toString('hex').slice(0, length)
  const node = `/projects/${part(100)}/environments/${part(100)}/assets/${part(100)}`
  const longest = await boss.post('/api/authorisation_rules', {
    path: `${node}/actions/${part(255)}`,
    execute: true,
  })
  assert.equal(longest.status, 201)
  const path = `/${Array.from({ length: 16 }, () => part(255)).join('/')}`
  const { status, body } = await boss.post('/api/authorisation_rules', { path, read: true })
  assert.equal(status, 422)
  assert.deepEqual(body.errors[0].source, { pointer: '/data/attributes/path' })
})

test('a rule is called by a name that stands on one line, in its own place and within a policy', async () => {
  const rule = { path: '/events', read: true, name: 'all\u001b[2K of it' }
  const alone = await boss.post('/api/authorisation_rules', rule)
  const within = await boss.post('/api/authorisation_policies', { name: 'lines', authorisation_rules: [rule] })
  for (const { status, body } of [alone, within]) {
    assert.equal(status, 422)
    assert.match(body.errors[0].source.pointer, /\/name$/)
    assert.match(body.errors[0].detail, /on one line, without control characters/)
  }
})

test('of two who take back the same at once one has done it, and the audit trail tells it once', async () => {
  const { id, relationships } = await made(
    boss.post('/api/authorisation_policies', {
      name: 'taken back',
      authorisation_rules: [{ path: '/projects/bank', read: true }],
      assignments: [{ username: 'ann' }],
    }),
  )
  const tie = (await boss.get(`/api/policy_rules?filter[authorisation_policy_id_eq]=${id}`)).body.data[0]
  const assignment = relationships.policy_assignments.data[0]
  for (const path of [`/api/policy_rules/${tie.id}`, `/api/policy_assignments/${assignment.id}`]) {
    const statuses = await Promise.all([1, 2, 3].map(() => statusOf(boss.delete(path))))
    assert.deepEqual(statuses.toSorted(), [204, 404, 404], path)
  }
  const told = await api.database.rows(sql`
    select from events where type like '%:destroy' and source_id in (${tie.id}::uuid, ${assignment.id}::uuid)`)
  assert.equal(told.length, 2)
})

test('of two policies that are given one name at once one has it, and the other is told that it is taken', async () => {
  const policies = await Promise.all(
    ['first', 'second', 'third'].map(name => made(boss.post('/api/authorisation_policies', { name }))),
  )
  const statuses = await Promise.all(policies.map(({ links }) => statusOf(boss.patch(links.self, { name: 'Wanted' }))))
  assert.deepEqual(statuses.toSorted(), [200, 409, 409])
  assert.equal((await boss.get('/api/authorisation_policies?filter[name_eq]=Wanted')).body.data.length, 1)
})

test('names of policies, their rules and groups are kept in one form of Unicode', async () => {
  const [decomposed, composed] = ['re\u0301seau', 'r\u00e9seau']
  const { id, attributes } = await made(
    boss.post('/api/authorisation_policies', {
      name: decomposed,
      authorisation_rules: [{ path: '/projects/bank', read: true, name: decomposed }],
      assignments: [{ groupname: decomposed }],
    }),
  )
  assert.equal(attributes.name, composed)
  assert.equal(await statusOf(boss.post('/api/authorisation_policies', { name: composed })), 409)
  assert.equal(
    (await boss.patch(`/api/authorisation_policies/${id}`, { name: decomposed })).body.data.attributes.name,
    composed,
  )
  const stored = await api.database.one(sql`
    select r.name, a.groupname
      from policy_rules pr
      join authorisation_rules r on r.id = pr.rule_id
      join policy_assignments a on a.policy_id = pr.policy_id
     where pr.policy_id = ${id}::uuid`)
  assert.deepEqual(stored, { name: composed, groupname: composed })
  assert.equal(await statusOf(boss.delete(`/api/authorisation_policies/${id}`)), 204)
})

test('a policy is assigned to a user or a group once, whichever way their name is written, and told by it as it stands', async () => {
  const groups = [{ groupname: 'Ops' }, { groupname: 'ops' }, { groupname: 'OPS', username: 'ANN' }]
  const policy = await made(boss.post('/api/authorisation_policies', { name: 'once', assignments: groups }))
  const assign = (to: object) =>
    statusOf(boss.post('/api/policy_assignments', { authorisation_policy_id: policy.id, ...to }))
  assert.equal(await assign({ groupname: 'OPS' }), 409)
  assert.equal(await assign({ groupname: 'ops', username: 'Ann' }), 409)
  assert.equal(await assign({ username: 'Ann' }), 201)
  const same = [{ groupname: 'oPs' }, { groupname: 'ops', username: 'ann' }, { username: 'ann' }]
  const { body } = await boss.put(`${policy.links.self}/assignments`, { assignments: same })
  const ids = body.data.relationships.policy_assignments.data.map(({ id }: { id: string }) => id)
  assert.equal(ids.length, 3)
  const told = await api.database.rows(sql<{ type: string; groupname: string | null; assignee: string | null }>`
    select type, attributes ->> 'groupname' as groupname, attributes ->> 'assignee' as assignee
      from events where source_id = any(${ids}::uuid[]) order by id`)
  assert.deepEqual(
    told.map(({ groupname, assignee }) => [groupname, assignee]),
    [
      ['Ops', null],
      ['OPS', 'ann'],
      [null, 'ann'],
    ],
  )
})

test('the policies of the system stay as they are, are assigned by superusers alone, and leave one superuser', async () => {
  const superuser = await system('superuser')
  const path = `/api/authorisation_policies/${superuser}`
  assert.equal(await statusOf(boss.patch(path, { name: 'mine' })), 409)
  assert.equal(await statusOf(boss.delete(path)), 409)
  const assign = (client: Client, username: string, policy = superuser) =>
    client.post('/api/policy_assignments', { authorisation_policy_id: policy, username })
  assert.equal(await statusOf(assign(api.as('clerk'), 'ann')), 403)
  const only = await made(assign(boss, 'boss'))
  assert.equal((await boss.get('/api/users/boss')).body.data.meta.superuser, true)
  assert.equal((await boss.get('/api/users/ann')).body.data.meta.superuser, false)
  assert.equal(await statusOf(boss.delete(only.links.self)), 409)
  assert.equal(await statusOf(assign(boss, 'boss', await system('blocked'))), 409)
  await made(assign(boss, 'ann'))
  assert.equal(await statusOf(boss.delete(only.links.self)), 204)
})

test('rules and policies are seen by whoever may read the policies of their paths', async () => {
  const shared = await made(
    boss.post('/api/authorisation_policies', {
      name: 'bank and shop',
      authorisation_rules: [
        { path: '/projects/bank', read: true },
        { path: '/projects/shop', read: true },
      ],
    }),
  )
  assert.equal(await statusOf(lead.get(shared.links.self)), 404)
  assert.equal(await statusOf(lead.patch(shared.links.self, { name: 'mine' })), 404)
  assert.equal(await statusOf(lead.delete(shared.links.self)), 404)
  assert.equal(await statusOf(api.as('clerk').get(shared.links.self)), 200)
  const names = (await lead.get('/api/authorisation_policies')).body.data.map(
    (policy: { attributes: { name: string } }) => policy.attributes.name,
  )
  assert.deepEqual(names, ['bank readers'])
  const paths = (await lead.get('/api/authorisation_rules')).body.data.map(
    (rule: { attributes: { path: string } }) => rule.attributes.path,
  )
  assert.ok(paths.length > 0 && paths.every((path: string) => path.startsWith('/projects/bank')), String(paths))
  assert.deepEqual((await api.as('ann').get('/api/policy_rules')).body.data, [])
  const tiesTo = async (client: Client) =>
    (await client.get(`/api/policy_rules?filter[authorisation_policy_id_eq]=${shared.id}`)).body.data
  const ties = await tiesTo(boss)
  assert.equal(ties.length, 2)
  // They may read one of the two rules, and do not learn that this policy holds it.
  assert.deepEqual(await tiesTo(lead), [])
  for (const { links } of ties) assert.equal(await statusOf(lead.get(links.self)), 404)
  assert.equal((await lead.get('/api/policy_assignments')).body.data.length, 2)
})
