import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { created } from '../support/changes.ts'
import { declaredResources } from '../support/declared-resources.ts'
import { startTestService, type TestService } from '../support/service.ts'

const bank = '/projects/bank'
const live = `${bank}/environments/live`

let service: TestService

before(async () => {
  service = await startTestService({
    spares: 0,
    users: {
      ann: [
        { path: bank, read: true, update: true },
        { path: live, update: false },
        { path: `${bank}/environments/*/assets`, execute: true },
      ],
      operator: [
        { path: '/admin', read: true },
        { path: '/admin/jobs', read: false },
      ],
      auditor: [
        { path: '/', read: true },
        { path: '/authorisation_policies', read: true },
      ],
    },
  })
  await created(service.as('admin').post('/api/projects', { code: 'bank', name: 'Bank' }))
})
after(() => service.stop())

test('the own record shows the rights on every fixed path', async () => {
  const rightsOf = async (who: string) => (await service.as(who).get('/api/me')).body.data.meta.authorisations
  const operator = await rightsOf('operator')
  assert.deepEqual(operator['/admin'], { read: true, update: false, execute: false, delete: false })
  assert.deepEqual(operator['/admin/workers'].read, true)
  assert.deepEqual(operator['/admin/jobs'].read, false)
  assert.equal(operator['/projects'].read, false)
  const admin = await rightsOf('admin')
  assert.ok(Object.values(admin).every(each => Object.values(each as object).every(Boolean)))
  for (const { rights } of await declaredResources(service))
    if ('fixed' in rights) assert.ok(admin[rights.fixed], `${rights.fixed} is missing`)
})

test('several checks in one request are decided as each alone', async () => {
  const checks = [
    { path: bank, right: 'update' },
    { path: live, right: 'update' },
    { path: `${live}/assets/web`, right: 'execute' },
    { path: '/events', right: 'read' },
  ]
  for (const [who, more] of [
    ['ann', {}],
    ['auditor', { username: 'ann' }],
  ] as const) {
    const client = service.as(who)
    const answer = await client.post('/api/authorisation_checks', { checks, ...more })
    assert.equal(answer.status, 200, answer.text)
    const { attributes } = answer.body.data
    assert.equal(attributes.username, 'ann')
    assert.deepEqual(
      attributes.checks.map(({ allowed }: { allowed: boolean }) => allowed),
      [true, false, true, false],
    )
    for (const [at, check] of checks.entries()) {
      const query = new URLSearchParams({ ...check, ...more })
      const { username: _, ...alone } = (await client.get(`/api/authorisation_check?${query}`)).body.data.attributes
      assert.deepEqual(attributes.checks[at], alone)
    }
  }
})

test('checks of others need the right to read the policies of each path, and wrong ones are refused', async () => {
  const ann = service.as('ann')
  const ask = async (attributes: object) => (await ann.post('/api/authorisation_checks', attributes)).status
  const checks = [{ path: bank, right: 'read' }]
  assert.equal(await ask({ username: 'auditor', checks }), 200)
  assert.equal(await ask({ username: 'auditor', checks: [...checks, { path: '/events', right: 'read' }] }), 403)
  assert.equal(await ask({ username: 'ANN', checks }), 200)
  assert.equal(await ask({ checks: [] }), 422)
  assert.equal(await ask({ checks: [{ path: 'bank', right: 'read' }] }), 422)
  assert.equal(await ask({ checks: [{ path: bank, right: 'see' }] }), 422)
  assert.equal(await ask({ checks: Array.from({ length: 201 }, () => checks[0]) }), 422)
  assert.equal(await ask({ checks: 'all' }), 422)
  const unknown = { username: 'stranger', checks }
  assert.equal((await service.as('auditor').post('/api/authorisation_checks', unknown)).status, 404)
})

test('the summary of a user lists the paths of the rules with the rights there', async () => {
  const { attributes } = (await service.as('auditor').get('/api/authorisation_summary?username=ann')).body.data
  const { paths, ...rest } = attributes
  assert.deepEqual(rest, { username: 'ann', disabled: false, blocked: false, superuser: false, complete: true })
  const shown = paths.map(({ authorisation_policies, ...each }: { authorisation_policies: object[] }) => {
    assert.equal(authorisation_policies.length, 1)
    return each
  })
  assert.deepEqual(shown, [
    { path: bank, read: true, update: true, execute: false, delete: false },
    { path: `${bank}/environments/*/assets`, read: true, update: true, execute: true, delete: false },
    { path: live, read: true, update: false, execute: false, delete: false },
  ])
  assert.equal((await service.as('ann').get('/api/authorisation_summary?username=auditor')).status, 403)
  const own = (await service.as('operator').get('/api/authorisation_summary')).body.data.attributes
  // The rule that denies reading /admin/jobs is hidden, as its path is.
  assert.deepEqual([own.complete, own.paths.map(({ path }: { path: string }) => path)], [false, ['/admin']])
  const admin = (await service.as('admin').get('/api/authorisation_summary')).body.data.attributes
  assert.deepEqual([admin.superuser, admin.complete], [true, true])
})

test('the access to a node is told by its rules, their assignments and the rights of the people they reach', async () => {
  const admin = service.as('admin')
  assert.equal((await service.as('operator').get(`/api/access_summary?node_path=${bank}`)).status, 403)
  const running = {
    name: 'runners of checks',
    authorisation_rules: [{ path: '/projects/*/environments/live/actions/check', execute: true }],
    assignments: [{ groupname: 'Ops' }, { username: 'operator' }, { username: 'ann', groupname: 'ops' }],
  }
  await created(admin.post('/api/authorisation_policies', running))
  const everyone = { name: 'all', authorisation_rules: [{ path: '/projects', read: true }], assignments: [{}] }
  await created(admin.post('/api/authorisation_policies', everyone))
  await service.database.rows(sql`
    update users set groupnames = '{OPS}' where username = 'auditor' returning id`)
  const seen = async (who: string, path = live) => {
    const answer = await service.as(who).get(`/api/access_summary?node_path=${path}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.attributes
  }

  const whole = await seen('admin')
  assert.deepEqual(
    whole.rules.map(({ path }: { path: string }) => path),
    ['/', '/projects', '/projects/*/environments/live/actions/check', bank, live],
  )
  assert.deepEqual([whole.hidden_rules, whole.more_rules, whole.more_people], [0, false, false])
  const rightsOf = (summary: { people: { username: string }[] }, name: string) => {
    const {
      username: _,
      authorisation_policies: policies,
      ...rights
    } = summary.people.find(({ username }) => username === name) as {
      username: string
      authorisation_policies: { name: string }[]
    }
    return { ...rights, policies: policies.map(each => each.name).toSorted() } as Record<string, unknown>
  }
  const person = { superuser: false, blocked: false, read: true, update: false, execute: false, delete: false }
  assert.deepEqual(rightsOf(whole, 'ann'), { ...person, policies: ['all', 'what ann may do'] })
  assert.deepEqual(rightsOf(whole, 'operator'), { ...person, execute: true, policies: ['all', 'runners of checks'] })
  assert.equal(rightsOf(whole, 'auditor')['execute'], true, 'a member of the group, in any case')
  assert.equal(rightsOf(whole, 'admin')['superuser'], true)
  assert.ok(
    whole.assignments.some((each: object) => !Object.values({ ...each, authorisation_policy_id: null }).some(Boolean)),
  )
  // Each is what a check says.
  for (const { username, ...may } of whole.people)
    for (const right of ['read', 'update', 'delete']) {
      const query = new URLSearchParams({ path: live, right, username })
      const { allowed } = (await admin.get(`/api/authorisation_check?${query}`)).body.data.attributes
      assert.equal(may[right], allowed, `${username} ${right}`)
    }

  // A caller without the policies of everything sees neither their rules nor their names, but the rights that come of them.
  const part = await seen('ann')
  assert.deepEqual(
    part.rules.map(({ path }: { path: string }) => path),
    ['/projects', '/projects/*/environments/live/actions/check', bank, live],
  )
  assert.equal(part.hidden_rules, 1)
  assert.deepEqual(rightsOf(part, 'auditor'), { ...person, execute: true, policies: ['all', 'runners of checks'] })
  assert.deepEqual(rightsOf(whole, 'auditor')['policies'], ['all', 'runners of checks', 'what auditor may do'])
  assert.deepEqual(rightsOf(part, 'admin')['policies'], ['all'])
  const policies = new Set(
    part.rules.flatMap((rule: { authorisation_policies: { id: string }[] }) =>
      rule.authorisation_policies.map(({ id }) => id),
    ),
  )
  for (const each of part.assignments) assert.ok(policies.has(each.authorisation_policy_id), JSON.stringify(each))
  for (const [who, path, status] of [
    ['admin', '/events', 400],
    ['admin', '/projects/*', 400],
    ['admin', '/projects/no-such', 200],
  ] as const)
    assert.equal((await service.as(who).get(`/api/access_summary?node_path=${path}`)).status, status, `${who} ${path}`)
})
