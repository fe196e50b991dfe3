import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
