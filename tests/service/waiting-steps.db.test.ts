import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { changeWhen, created, ended, newAsset, type Shown, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runWhen } from '../support/workflows.ts'

const actions = `
actions:
  deploy: { description: x, run: echo deployed }
  guarded:
    description: x
    steps:
      - { wait: Look at it, approvers: { user_names: [eve] } }
      - deploy
  held:
    description: x
    steps:
      - { wait: Have a coffee, steps: [deploy] }
  asking:
    description: x
    steps:
      - { input: Say something, arguments: [{ name: word, path: /word }] }
      - deploy
`
const live = '/projects/shop/environments/live'

let service: TestService
let admin: Client

before(async () => {
  const read = { path: '/projects/shop', read: true }
  service = await startTestService({
    users: {
      eve: [read],
      coffee: [read, { path: `${live}/assets/front/actions/held`, execute: true }],
      narrow: [{ path: `${live}/assets/back`, read: true }],
    },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'back')
  for (const [code, action] of [
    ['front', 'guarded'],
    ['front', 'held'],
    ['back', 'asking'],
  ]) {
    const more = action === 'guarded' ? { metadata: { ticket: 'CHG-2041' } } : {}
    const { id } = await created(admin.post(`/api${live}/assets/${code}/changes`, { action, ...more }))
    await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code.startsWith('waiting'))
  }
  await published(
    admin,
    'release',
    'steps: [{ type: wait, name: Is the shop up, requires_approval_from: { user_names: [eve] } }]\n',
  )
  const run = await began(admin, 'release')
  await runWhen(admin, run, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
})
after(() => service.stop())

const waiting = async (query = '', client = admin): Promise<Shown[]> => {
  const answer = await client.get(`/api/waiting_steps?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const names = (steps: readonly Shown[]) => steps.map(({ attributes }) => attributes.step_name).sort()
const everything = ['Have a coffee', 'Is the shop up', 'Look at it', 'Say something']

test('waiting steps of changes and of workflow runs are one list', async () => {
  const all = await waiting()
  assert.deepEqual(names(all), everything)
  const { attributes } = all.find(each => each.attributes.step_name === 'Look at it')!
  const { created_at, waiting_since, activity_id, requires_approval_from, plan_sha, commit_sha, ...rest } = attributes
  assert.match(plan_sha, /^[0-9a-f.]{64,}$/)
  assert.match(commit_sha, /^[0-9a-f]{40}$/)
  assert.ok(waiting_since >= created_at)
  assert.deepEqual(requires_approval_from[0].user_names, ['eve'])
  assert.deepEqual(rest, {
    full_path: 'guarded/Look at it',
    step_name: 'Look at it',
    description: null,
    status_code: 'waiting_for_approval',
    waits_for: 'approval',
    wakes_at: null,
    approved_by: [],
    activity_type: 'change',
    node_path: `${live}/assets/front`,
    action: 'guarded',
    workflow_code: null,
    template_version: '1.0',
    workflow_version: null,
    step_count: 3,
    metadata: { ticket: 'CHG-2041' },
    created_by: 'admin',
  })
  assert.equal((await admin.get(`/api/changes/${activity_id}`)).body.data.attributes.action, 'guarded')
  const ofRun = all.find(each => each.attributes.step_name === 'Is the shop up')!.attributes
  assert.deepEqual(
    [ofRun.template_version, ofRun.commit_sha, ofRun.workflow_version, ofRun.step_count],
    [null, null, 1, 2],
  )
  const what = all.map(({ attributes: { step_name, waits_for } }) => [step_name, waits_for])
  assert.deepEqual(Object.fromEntries(what), {
    'Look at it': 'approval',
    'Have a coffee': 'continue',
    'Say something': 'input',
    'Is the shop up': 'approval',
  })
})

test('each tells what its reader may decide, and a filter finds what waits for them', async () => {
  const may = async (username: string) =>
    Object.fromEntries(
      (await waiting('', service.as(username))).map(({ attributes, meta }) => [attributes.step_name, meta.can]),
    )
  assert.deepEqual(await may('eve'), {
    'Look at it': ['approve', 'reject'],
    'Is the shop up': ['approve', 'reject'],
    'Have a coffee': [],
    'Say something': [],
  })
  assert.deepEqual((await may('coffee'))['Have a coffee'], ['continue'])
  assert.deepEqual(names(await waiting('filter[waiting_for_me]=true', service.as('eve'))), [
    'Is the shop up',
    'Look at it',
  ])
  assert.deepEqual(names(await waiting('filter[waiting_for_me]=true', service.as('coffee'))), ['Have a coffee'])
  assert.deepEqual(names(await waiting('', service.as('narrow'))), ['Say something'])
})

test('they are filtered by node, by activity and by metadata, and lead to their step and activity', async () => {
  assert.deepEqual(names(await waiting(`filter[under]=${live}/assets/front`)), ['Have a coffee', 'Look at it'])
  assert.deepEqual(names(await waiting('filter[metadata.ticket_eq]=CHG-2041')), ['Look at it'])
  assert.deepEqual(names(await waiting('filter[activity_type_eq]=workflow_run')), ['Is the shop up'])
  assert.equal((await admin.get('/api/waiting_steps?filter[waits_for_eq]=luck')).status, 400)
  const { body } = await admin.get('/api/waiting_steps?include=step,activity')
  const types = body.included.map(({ type }: { type: string }) => type)
  assert.deepEqual(new Set(types), new Set(['step', 'workflow_step', 'change', 'workflow_run']))
  for (const { links } of body.data) assert.equal((await admin.get(links.step)).status, 200)
})

test('a step that somebody has decided on waits no more', async () => {
  const [step] = await waiting('filter[action_eq]=guarded', service.as('eve'))
  assert.equal((await service.as('eve').post(`/api/steps/${step!.id}/approve`, { message: 'fine' })).status, 200)
  await ended(admin, step!.attributes.activity_id)
  assert.deepEqual(
    names(await waiting()),
    everything.filter(name => name !== 'Look at it'),
  )
})
