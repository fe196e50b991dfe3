import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../../client/sluice.ts'
import { type Answer, type Client, startTestApi, userIdOf } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { nodesDomain } from '../nodes/index.ts'
import { passwords, usersDomain } from '../users/index.ts'
import { accessDomain, keepLastSuperuser } from './index.ts'

const api = await startTestApi({
  domains: made => [
    usersDomain({ ...made, passwords: passwords(), keepLastSuperuser, sessionMinutes: async () => 240 }),
    accessDomain,
    nodesDomain({ others: [] }),
  ],
  users: {
    boss: superuserRights,
    twin: superuserRights,
    lead: rightsTo({
      '/projects/bank': ['read', 'update', 'execute'],
      '/projects/bank/authorisation_policies': ['read', 'update'],
    }),
    ann: rightsTo({ '/events': ['read'] }),
    bob: rightsTo({}),
  },
})
after(() => api.stop())
const boss = api.as('boss')
const lead = api.as('lead')

before(async () => {
  for (const name of ['boss', 'twin', 'lead', 'ann', 'bob'])
    await api.database.count(
      sql`insert into users (id, username, created_by) values (${userIdOf(name)}, ${name}, 'test')`,
    )
})

let policies = 0
/** Answers its path. */
async function policy(attributes: object): Promise<string> {
  const { status, body } = await boss.post('/api/authorisation_policies', {
    name: `policy ${++policies}`,
    ...attributes,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.links.self
}
const idsIn = async (path: string, relationship: string): Promise<string[]> =>
  (await boss.get(path)).body.data.relationships[relationship].data.map(({ id }: { id: string }) => id)
/** The events that `work` leaves, as type and what they say beside ids. */
async function eventsOf(work: () => Promise<unknown>): Promise<[string, unknown][]> {
  const newest = await api.database.one(sql<{ n: string }>`select count(*)::text as n from events`)
  await work()
  const rows = await api.database.rows(
    sql<{ type: string; attributes: Record<string, unknown> }>`
      select type, attributes from events order by created_at, id offset ${newest!.n}::bigint`,
  )
  return rows.map(({ type, attributes }) => [type, attributes['rule_path'] ?? attributes['assignee'] ?? ''])
}
const putRules = (client: Client, path: string, rules: object[], headers = {}) =>
  client.put(`${path}/rules`, { authorisation_rules: rules }, headers)
const putAssignments = (client: Client, path: string, assignments: object[]) =>
  client.put(`${path}/assignments`, { assignments })

test('a whole list of rules leaves what stays, makes what is new and deletes what is gone, each with its event', async () => {
  const stays = { path: '/projects/bank', read: true, name: 'all read' }
  const path = await policy({ authorisation_rules: [stays, { path: '/events', read: true }] })
  const [kept] = await idsIn(path, 'authorisation_rules')
  const events = await eventsOf(async () => {
    const { status, body } = await putRules(boss, path, [{ path: '/events', read: true, update: true }, stays])
    assert.equal(status, 200)
    assert.equal(body.data.relationships.authorisation_rules.data.length, 2)
  })
  assert.deepEqual(events, [
    ['api:policy_rules:destroy', ''],
    ['api:authorisation_rules:destroy', '/events'],
    ['api:authorisation_rules:create', '/events'],
    ['api:policy_rules:create', ''],
  ])
  assert.ok((await idsIn(path, 'authorisation_rules')).includes(kept!))
  assert.deepEqual(
    await eventsOf(async () => {
      const again = await putRules(boss, path, [stays, { path: '/events', read: true, update: true }])
      assert.equal(again.status, 200)
    }),
    [],
    'the same list again',
  )
  assert.equal((await putRules(boss, path, [])).status, 200)
  assert.deepEqual(await idsIn(path, 'authorisation_rules'), [])
})

test('a rule that another policy holds is taken out of this one, and stays in that', async () => {
  const one = await policy({ authorisation_rules: [{ path: '/projects/shared', read: true }] })
  const other = await policy({})
  const [rule] = await idsIn(one, 'authorisation_rules')
  const tie = { authorisation_policy_id: other.split('/').at(-1), authorisation_rule_id: rule }
  assert.equal((await boss.post('/api/policy_rules', tie)).status, 201)
  const events = await eventsOf(() => putRules(boss, one, []))
  assert.deepEqual(
    events.map(([type]) => type),
    ['api:policy_rules:destroy'],
  )
  assert.deepEqual(await idsIn(other, 'authorisation_rules'), [rule])
})

test('whoever loses something by the end of a policy, or of a rule, is told of in the audit trail', async () => {
  const [read, update] = [
    { path: '/projects/kept', read: true },
    { path: '/events', update: true },
  ]
  const one = await policy({ authorisation_rules: [read, update], assignments: [{ username: 'ann' }] })
  const other = await policy({})
  const [kept, gone] = await idsIn(one, 'authorisation_rules')
  for (const authorisation_rule_id of [kept, gone]) {
    const tie = { authorisation_policy_id: other.split('/').at(-1), authorisation_rule_id }
    assert.equal((await boss.post('/api/policy_rules', tie)).status, 201)
  }
  assert.deepEqual(await eventsOf(() => boss.delete(`/api/authorisation_rules/${gone}`)), [
    ['api:policy_rules:destroy', ''],
    ['api:policy_rules:destroy', ''],
    ['api:authorisation_rules:destroy', '/events'],
  ])
  assert.deepEqual(await eventsOf(() => boss.delete(one)), [
    ['api:policy_assignments:destroy', 'ann'],
    ['api:policy_rules:destroy', ''],
    ['api:authorisation_policies:destroy', ''],
  ])
  assert.deepEqual(await idsIn(other, 'authorisation_rules'), [kept])
})

test('a list with one rule that may not be written, or is not valid, changes nothing', async () => {
  const path = await policy({ authorisation_rules: [{ path: '/projects/bank', read: true, delete: false }] })
  const [rule] = await idsIn(path, 'authorisation_rules')
  const kept = { path: '/projects/bank', read: true, delete: false }
  const events = await eventsOf(async () => {
    // Theirs to give, and one that is not.
    const refused = await putRules(lead, path, [kept, { path: '/projects/shop', read: true }])
    assert.equal(refused.status, 403)
    assert.ok(
      refused.body.errors.some((each: { detail: string }) =>
        /update on \/projects\/shop\/authorisation_policies/.test(each.detail),
      ),
    )
    // The denial would be gone, and with it held back what they do not have.
    assert.equal((await putRules(lead, path, [])).status, 403)
    assert.equal((await putRules(api.as('bob'), path, [])).status, 404)
    const wrong = await putRules(boss, path, [kept, { path: 'projects', read: 'yes' }])
    assert.equal(wrong.status, 422)
    assert.deepEqual(
      wrong.body.errors.map((each: { source: { pointer: string } }) => each.source.pointer),
      ['/data/attributes/authorisation_rules/1/path', '/data/attributes/authorisation_rules/1/read'],
    )
  })
  assert.deepEqual([await idsIn(path, 'authorisation_rules'), events], [[rule], []])
  assert.equal((await putRules(lead, path, [kept, { path: '/projects/bank/assets', execute: true }])).status, 200)
})

test('of two who write a list with the same If-Match the second is told 412', async () => {
  const path = await policy({})
  const { headers } = await boss.get(path)
  const ifMatch = { 'if-match': headers.get('etag')! }
  assert.equal((await putRules(boss, path, [{ path: '/projects/a', read: true }], ifMatch)).status, 200)
  assert.equal((await putRules(boss, path, [{ path: '/projects/b', read: true }], ifMatch)).status, 412)
})

test('whoever puts a list under the ETag from before one of its rules was changed, or deleted, is told 412', async () => {
  const rules = [
    { path: '/projects/bank', read: true },
    { path: '/events', read: true },
  ]
  const path = await policy({ authorisation_rules: rules })
  const [changed, deleted] = await idsIn(path, 'authorisation_rules')
  const put = async (ask: () => Promise<Answer>) => {
    const etag = (await boss.get(path)).headers.get('etag')!
    assert.ok((await ask()).status < 300)
    return (await putRules(boss, path, rules, { 'if-match': etag })).status
  }
  assert.equal(await put(() => boss.patch(`/api/authorisation_rules/${changed}`, { read: false })), 412)
  assert.equal(await put(() => boss.delete(`/api/authorisation_rules/${deleted}`)), 412)
  assert.deepEqual(await idsIn(path, 'authorisation_rules'), [changed])
})

test('whoever changes a rule and whoever puts the list that has it wait for each other, and for the policy first', async () => {
  const path = await policy({ authorisation_rules: [{ path: '/projects/bank', read: true }] })
  const [rule] = await idsIn(path, 'authorisation_rules')
  const id = path.split('/').at(-1)!
  const waiting = () =>
    api.database.one(sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`)
  const { changed } = await api.database.transaction(async tx => {
    await tx.rows(sql`select from authorisation_policies where id = ${id}::uuid for update`)
    const changed = boss.patch(`/api/authorisation_rules/${rule}`, { read: false })
    await until('it waits', waiting, row => row?.n === 1)
    // As who puts a list does next. It would never come to this if the other held the rule.
    await tx.rows(sql`select from authorisation_rules where id = ${rule}::uuid for share nowait`)
    return { changed }
  })
  assert.equal((await changed).status, 200)
})

test('a whole list of assignments leaves what stays and records each difference', async () => {
  const path = await policy({ assignments: [{ username: 'ann' }, { groupname: 'ops' }] })
  const [kept] = await idsIn(path, 'policy_assignments')
  const events = await eventsOf(async () => {
    const answer = await putAssignments(boss, path, [{ username: 'ANN' }, { username: 'bob' }, { username: 'bob' }])
    assert.equal(answer.status, 200)
  })
  assert.deepEqual(events, [
    ['api:policy_assignments:destroy', ''],
    ['api:policy_assignments:create', 'bob'],
  ])
  const ids = await idsIn(path, 'policy_assignments')
  assert.deepEqual([ids.length, ids.includes(kept!)], [2, true])
  const unknown = await putAssignments(boss, path, [{ username: 'ann' }, { username: 'nobody' }])
  assert.deepEqual(
    [unknown.status, unknown.body.errors[0].source.pointer],
    [422, '/data/attributes/assignments/1/username'],
  )
  assert.deepEqual(await idsIn(path, 'policy_assignments'), ids)
})

test('whoever is no superuser writes no list that would be everyone’s or their own', async () => {
  const path = await policy({ authorisation_rules: [{ path: '/projects/bank', read: true }] })
  assert.equal((await putAssignments(lead, path, [{}])).status, 403)
  assert.equal((await putAssignments(lead, path, [{ username: 'lead' }])).status, 403)
  assert.equal((await putAssignments(boss, path, [{ username: 'lead' }])).status, 200)
  // They leave the existing assignments unchanged.
  assert.equal((await putAssignments(lead, path, [{ username: 'lead' }, { username: 'ann' }])).status, 200)
})

test('the policies of the system take no rules, and no list leaves nobody a superuser', async () => {
  const { body } = await boss.get('/api/authorisation_policies?filter[name_eq]=superuser')
  const path = body.data[0].links.self
  assert.equal((await putRules(boss, path, [{ path: '/', read: true }])).status, 409)
  assert.equal((await putAssignments(boss, path, [{ username: 'boss' }, { username: 'twin' }])).status, 200)
  assert.equal((await putAssignments(boss, path, [])).status, 409)
  assert.equal((await idsIn(path, 'policy_assignments')).length, 2)
})

test('two superusers who delete each other at the same instant leave one of them', async () => {
  let deletes: Promise<Answer>[] = []
  await api.database.transaction(async tx => {
    // Held until both have deleted, and neither can see yet that the other has.
    await tx.rows(sql`select from authorisation_policies where system = 'superuser' for update`)
    deletes = [boss.delete('/api/users/twin'), api.as('twin').delete('/api/users/boss')]
    await until(
      'both wait for the policy',
      () => api.database.one(sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`),
      row => row?.n === 2,
      { seconds: 30, pause: 10 },
    )
  })
  assert.deepEqual((await Promise.all(deletes)).map(({ status }) => status).sort(), [204, 409])
  const left = await api.database.rows(
    sql<{ username: string }>`
      select username from users where username in ('boss', 'twin') and deleted_at is null and not disabled`,
  )
  assert.equal(left.length, 1)
})
