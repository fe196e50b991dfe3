import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { created, ended, readyVersion, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { runEnded } from '../support/workflows.ts'

/**
 * The versions of a template are only known to its readers: for an operator without the right, any version other than
 * the asset's own does not exist.
 */

const project = '/api/projects/shop'
const front = '/projects/shop/environments/live/assets/front'
let service: TestService
let admin: Client
let operator: Client

before(async () => {
  service = await startTestService({
    users: {
      operator: [
        { path: '/projects/shop', read: true, execute: true },
        { path: '/projects/shop/templates', read: false },
        { path: '/projects/shop/scheduled_activities', update: true },
        { path: `${front}/scheduled_activities`, update: true },
        { path: '/projects/shop/workflows', update: true, execute: true },
      ],
    },
  })
  admin = service.as('admin')
  operator = service.as('operator')
  await shop(service, { 'web/actions.yaml': 'actions:\n  go: { description: Goes, run: echo gone }\n' })
  await readyVersion(admin, `${project}/templates/web/versions/2.0`, 'main')
})
after(() => service.stop())

/** Asserts the same response for an existing version and for a missing one. */
async function isUnknown(name: (template_version: string) => Promise<Answer>, status = 409) {
  for (const version of ['2.0', '9.9']) {
    const { status: given, text } = await name(version)
    assert.equal(given, status, text)
    assert.match(text, new RegExp(`There is no version ${version} of its template that is ready to run`))
  }
}

test('a change, its plan, a schedule and a workflow name no version of a template that their author may not read', async () => {
  const cron = { action: 'go', cron_schedule: '@yearly', enabled: false }
  await isUnknown(template_version => operator.post(`/api${front}/changes`, { action: 'go', template_version }))
  await isUnknown(template_version =>
    operator.send('POST', `/api${front}/changes`, {
      raw: JSON.stringify({ data: { attributes: { action: 'go', template_version }, meta: { plan: true } } }),
      headers: { 'content-type': 'application/json' },
    }),
  )
  await isUnknown(template_version => operator.post(`/api${front}/scheduled_activities`, { ...cron, template_version }))
  const schedule = await created(operator.post(`/api${front}/scheduled_activities`, cron))
  await isUnknown(template_version => operator.patch(`/api/scheduled_activities/${schedule.id}`, { template_version }))
  await isUnknown(
    version =>
      operator.post(`${project}/workflows/validate`, {
        source_yaml: `steps: [{ target: environments/live/assets/front, action: go, template_version: "${version}" }]`,
      }),
    422,
  )
})

test('the version that the asset has may be named by whoever may run it', async () => {
  const { id } = await created(operator.post(`/api${front}/changes`, { action: 'go', template_version: '1.0' }))
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})

test('what somebody else has named runs, and stays when the rest is changed', async () => {
  const source_yaml = 'steps: [{ target: environments/live/assets/front, action: go, template_version: "2.0" }]'
  const workflow = { code: 'release', name: 'Release', source_yaml, draft: false }
  await created(admin.post(`${project}/workflows`, workflow))
  const run = await created(operator.post(`${project}/workflows/release/runs`, {}))
  assert.equal((await runEnded(admin, run.id)).attributes.status_code, 'success')
  const nightly = { action: 'go', cron_schedule: '@yearly', enabled: false, template_version: '2.0' }
  const schedule = await created(admin.post(`/api${front}/scheduled_activities`, nightly))
  const later = await operator.patch(`/api/scheduled_activities/${schedule.id}`, { cron_schedule: '@monthly' })
  assert.deepEqual([later.status, later.body.data.attributes.template_version], [200, '2.0'], later.text)
})
