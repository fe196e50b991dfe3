import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { created, ended, newAsset, ran, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded } from '../support/workflows.ts'

/** Faults of requests for runs and retries, and which of several faults is reported first. */

const actions = `
actions:
  plain: { description: x, run: echo plain }
  bad: { description: x, run: exit 7 }
`
const notTheirs = { password: 'secret://projects/other/db/password' }

let service: TestService
let admin: Client
let asset: string
let failed: string

before(async () => {
  service = await startTestService({ users: { eve: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
  for (const [code, action] of Object.entries({ failing: 'bad', going: 'plain' }))
    await published(admin, code, `steps: [{ target: environments/live/assets/front, action: ${action} }]`)
  await created(admin.post('/api/projects/shop/workflows', { code: 'draft', name: 'draft', source_yaml: 'steps: []' }))
  failed = await began(admin, 'failing')
  await runEnded(admin, failed)
})
after(() => service.stop())

type Related = 'workflow_run' | 'change'
const about = (type: Related, id: string, attributes: object, path = `/api/${type}s`): Promise<Answer> =>
  admin.send('POST', path, {
    raw: JSON.stringify({ data: { attributes, relationships: { [type]: { data: { type, id } } } } }),
  })
const retryOf = (type: Related, id: string, attributes: object = {}, path?: string) =>
  about(type, id, { retry: true, ...attributes }, path)

function refused(answer: Answer, status: number, ...pointers: string[]): void {
  assert.equal(answer.status, status, answer.text)
  const told = answer.body.errors.flatMap(({ source }: { source?: { pointer?: string } }) => source?.pointer ?? [])
  assert.deepEqual(told, pointers)
}

test('there is no run of a workflow that does not exist', async () => {
  refused(await admin.post('/api/projects/shop/workflows/nope/runs', {}), 404)
  refused(await admin.post('/api/workflow_runs', { parent_path: '/projects/shop', workflow_code: 'nope' }), 404)
  refused(await service.as('eve').post('/api/projects/shop/workflows/nope/runs', {}), 403)
  refused(await admin.post('/api/projects/shop/workflows/draft/runs', {}), 409)
})

test('a retry of a run takes from it what it does not say, and refuses what it cannot take', async () => {
  refused(await retryOf('workflow_run', failed, { notify: { events: ['end'] } }), 422, '/data/attributes/notify')
  const elsewhere = { parent_path: '/projects/nope', workflow_code: 'going' }
  refused(
    await retryOf('workflow_run', failed, elsewhere),
    422,
    '/data/attributes/parent_path',
    '/data/attributes/workflow_code',
  )
  refused(await admin.post('/api/workflow_runs', { retry: true }), 422, '/data/relationships/workflow_run')
  refused(
    await admin.post('/api/projects/shop/workflows/going/runs', { retry: true }),
    422,
    '/data/relationships/workflow_run',
  )
  const going = { parent_path: '/projects/shop', workflow_code: 'going' }
  refused(await about('workflow_run', failed, going), 422, '/data/relationships/workflow_run')
})

test('a retry is of a run that there is, and of the workflow that its path names', async () => {
  refused(await retryOf('workflow_run', 'banana'), 404)
  refused(await retryOf('workflow_run', failed, {}, '/api/projects/shop/workflows/going/runs'), 404)
  const made = await created(retryOf('workflow_run', failed, {}, '/api/projects/shop/workflows/failing/runs'))
  await runEnded(admin, made.id)
})

test('of a run that cannot be now, that is told before what is wrong with its values', async () => {
  const wrong = { property_overrides: notTheirs }
  refused(await admin.post('/api/projects/shop/workflows/draft/runs', wrong), 409)
  const well = await began(admin, 'going')
  await runEnded(admin, well)
  refused(await retryOf('workflow_run', well, { version: 'x' }), 409)
  assert.equal((await admin.delete('/api/projects/shop/workflows/failing')).status, 204)
  refused(await retryOf('workflow_run', failed, { ...wrong, notify: { events: ['end'] } }), 409)
})

test('of a retry of a change alike', async () => {
  const other = await newAsset(admin, 'other')
  const { id } = await ran(admin, other, 'bad')
  refused(await retryOf('change', id, { starting_step: 'x' }), 422, '/data/attributes/starting_step')
  assert.equal((await admin.delete(other)).status, 204)
  refused(await retryOf('change', id, { starting_step: 'x', settings_overrides: { nope: 1 } }), 409)
  const well = await created(admin.post(`${asset}/changes`, { action: 'plain' }))
  await ended(admin, well.id)
  refused(await retryOf('change', well.id, { starting_step: 'x' }), 409)
})
