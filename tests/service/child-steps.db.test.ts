import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  often,
  ran,
  type Shown,
  shop,
  statuses,
  stepAt,
  written,
} from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'

/** Steps that an action adds below its own while it runs, by step_result.json and by an actions.ts. */

const files = {
  'web/actions.yaml': `
actions:
  adds:
    description: Says what it is given
    env: { SAID: "{{ said }}" }
    run: printf %s "$SAID" >"$SLUICE_STEP_RESULT"
    steps: [one, two]
  leaf: { description: The same without steps, env: { SAID: "{{ said }}" }, run: 'printf %s "$SAID" >"$SLUICE_STEP_RESULT"' }
  fails-after: { description: x, env: { SAID: "{{ said }}" }, run: 'printf %s "$SAID" >"$SLUICE_STEP_RESULT"; exit 3' }
  asks: { description: x, steps: [{ wait: Go on, steps: [leaf] }] }
  one: { run: echo one }
  two: { run: echo two }
  bad: { run: exit 5 }
  meet: { run: 'cd "$TMPDIR"; touch "$SLUICE_STEP_ID.met"; until [ "$(ls *.met | wc -l)" -ge 2 ]; do sleep 0.02; done' }
`,
  'web/actions.ts': `
import { action, input, stage, wait } from '@sluice/actions'
const told = action('told', {}, step => step.log.info('I am %s', (step.context.step as { name: string }).name))
action('rolls out', { description: 'To each host', steps: [told] }, step => {
  for (const host of step.properties['hosts'] as string[])
    step.appendSteps({ action: told, name: 'to ' + host })
  step.appendSteps(stage('At the end', { runAs: 'parallel', steps: [told, 'one'] }), wait('A moment', { seconds: 1 }))
})
action('instead', { description: 'Other steps', steps: [told, told] }, step => {
  step.replaceSteps('meet', 'meet')
  step.childStrategy = 'parallel'
})
action('nothing instead', { description: 'No steps', steps: [told] }, step => step.replaceSteps())
`,
}

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({ users: { boss: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  asset = (await shop(service, files)).asset
})
after(() => service.stop())

const saying = (said: object, more: object = {}) => ({ property_overrides: { said }, ...more })
const add = (said: object, action = 'adds', more: object = {}) => ran(admin, asset, action, saying(said, more))
async function retried(id: string, attributes: object): Promise<Shown> {
  const relationships = { change: { data: { type: 'change', id } } }
  const raw = JSON.stringify({ data: { attributes: { retry: true, ...attributes }, relationships } })
  const headers = { 'content-type': 'application/json' }
  const retry = await created(admin.send('POST', '/api/changes', { headers, raw }))
  return ended(admin, retry.id)
}

const status = ({ attributes }: Shown) => attributes.status_code as string

async function refused(said: object, why: RegExp, action = 'adds'): Promise<void> {
  const change = await add(said, action)
  assert.equal(status(change), 'error')
  assert.match((await stepAt(admin, change.id, action)).attributes.error_message, why)
  const steps = (await statuses(admin, change.id)).map(([path, code]) => `${path} ${code}`)
  const own = action === 'adds' ? ['adds/one aborted', 'adds/two aborted'] : []
  assert.deepEqual(steps, [`${action} error`, ...own])
}

test('steps that are added come behind those that there are, and names that repeat are numbered', async () => {
  const change = await add({
    child_steps: ['one', { action: 'two', name: 'Third/of all' }, { name: 'Stage', steps: ['one', 'one'] }],
  })
  assert.deepEqual(await statuses(admin, change.id), [
    ['adds', 'success'],
    ['adds/one', 'success'],
    ['adds/two', 'success'],
    ['adds/one-1', 'success'],
    ['adds/Third_of all', 'success'],
    ['adds/Stage', 'success'],
    ['adds/Stage/one-1', 'success'],
    ['adds/Stage/one-2', 'success'],
  ])
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['one', 'two', 'one', 'two', 'one', 'one'])
})

test('steps may be put in the place of all that there are, or of none', async () => {
  const change = await add({ replace_child_steps: true, child_steps: ['two'] })
  assert.deepEqual(await statuses(admin, change.id), [
    ['adds', 'success'],
    ['adds/two', 'success'],
  ])
  const none = await add({ replace_child_steps: true })
  assert.deepEqual([status(none), await statuses(admin, none.id)], ['success', [['adds', 'success']]])
})

test('how the steps beneath it run is for the step to say', async () => {
  const change = await add({
    child_execution_strategy: 'parallel',
    replace_child_steps: true,
    child_steps: ['meet', 'meet'],
  })
  assert.equal(status(change), 'success')
  assert.equal((await stepAt(admin, change.id, 'adds')).attributes.child_execution_strategy, 'parallel')
})

test('a step that is added and fails fails the one that added it, unless that is ignored', async () => {
  const change = await add({ child_steps: ['bad', 'one'] })
  assert.equal(status(change), 'error')
  assert.deepEqual((await statuses(admin, change.id)).slice(-2), [
    ['adds/bad', 'error'],
    ['adds/one-1', 'aborted'],
  ])
  const ignored = await add({ child_steps: [{ name: 'Try', ignore_failure: true, steps: ['bad'] }, 'one'] })
  assert.equal(status(ignored), 'success')
})

test('a step that fails adds nothing, whatever it has written', async () => {
  const change = await add({ child_steps: ['one'] }, 'fails-after')
  assert.deepEqual(await statuses(admin, change.id), [['fails-after', 'error']])
})

test('waits, inputs and approvals may be among them, and below a wait', async () => {
  const said = {
    child_steps: [
      { wait: 'Moment', seconds: 1, steps: ['one'] },
      { input: 'Which?', arguments: [{ name: 'colour', path: '/release' }] },
      { wait: 'Sign', approvers: { user_names: ['{{ boss }}'] } },
      'two',
    ],
  }
  const overrides = { property_overrides: { said } }
  const { body } = await admin.get(asset)
  const properties = `/api/properties/${body.data.relationships.properties.data.id}`
  assert.equal((await admin.patch(properties, { data: { boss: 'boss' } })).status, 200)
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'asks', ...overrides }))
  const waitsFor = (code: string) => changeWhen(admin, id, code, each => status(each) === code)
  const go = async (path: string, how: string, given: object = {}, by = admin) => {
    const answer = await by.post(`/api/steps/${(await stepAt(admin, id, path)).id}/${how}`, given)
    assert.equal(answer.status, 200, answer.text)
  }
  await waitsFor('waiting')
  await go('asks/Go on', 'continue')
  const input = 'asks/Go on/leaf/Which?'
  const isAsked = (steps: [string, string][]) => steps.some(([path, code]) => path === input && code === 'waiting')
  await until(`${input} waits`, () => statuses(admin, id), isAsked, often)
  await go(input, 'continue', { input_arguments: { colour: 'blue' } })
  await waitsFor('waiting_for_approval')
  await go('asks/Go on/leaf/Sign', 'approve', {}, service.as('boss'))
  assert.equal(status(await ended(admin, id)), 'success')
  assert.deepEqual((await admin.get(`/api/changes/${id}`)).body.data.attributes.property_overrides.release, {
    colour: 'blue',
  })
})

test('what no step can be fails the step in words, and adds nothing', async () => {
  await refused({ child_steps: ['onn'] }, /child_steps\[0\]: There is no action "onn" .*Did you mean "one"\?/)
  await refused(
    { child_steps: ['one', { name: 'S', stepps: [] }], replace_child_steps: true },
    /child_steps\[1\]: .*"steps"/,
  )
  await refused({ child_steps: [7] }, /child_steps is not a list of names and objects/, 'leaf')
})

test('the skip mask holds for steps that are added', async () => {
  const said = { child_steps: ['one', { name: 'Stage', steps: ['two'] }] }
  const change = await add(said, 'leaf', { skip_steps: ['leaf/stage'] })
  assert.deepEqual(await statuses(admin, change.id), [
    ['leaf', 'success'],
    ['leaf/one', 'success'],
    ['leaf/Stage', 'skipped'],
    ['leaf/Stage/two', 'skipped'],
  ])
})

test('a retry with another mask lays it on steps that were added, whether at the same commit or at the newest', async () => {
  const said = { child_steps: ['bad', { name: 'Stage', steps: ['two'] }], child_execution_strategy: 'parallel' }
  const first = await add(said, 'leaf', { skip_steps: ['leaf/stage'] })
  assert.equal(status(first), 'error')
  for (const refresh_sha of [false, true]) {
    const change = await retried(first.id, { skip_steps: ['leaf/bad'], refresh_sha })
    assert.deepEqual(await statuses(admin, change.id), [
      ['leaf', 'success'],
      ['leaf/bad', 'skipped'],
      ['leaf/Stage', 'success'],
      ['leaf/Stage/two', 'success'],
    ])
  }
})

test('of a thousand steps that are added at once the first that fails aborts the others', async () => {
  const change = await add({ child_steps: ['bad', ...Array.from({ length: 998 }, () => 'one')] }, 'leaf')
  assert.equal(status(change), 'error')
  const codes = (await statuses(admin, change.id)).map(([, code]) => code)
  assert.deepEqual([codes.length, codes.filter(code => code === 'aborted').length], [1_000, 998])
})

test('a program adds steps by name, by what it declares and under other names', async () => {
  const change = await ran(admin, asset, 'rolls out', { property_overrides: { hosts: ['a', 'b'] } })
  assert.deepEqual(await statuses(admin, change.id), [
    ['rolls out', 'success'],
    ['rolls out/told', 'success'],
    ['rolls out/to a', 'success'],
    ['rolls out/to b', 'success'],
    ['rolls out/At the end', 'success'],
    ['rolls out/At the end/told', 'success'],
    ['rolls out/At the end/one', 'success'],
    ['rolls out/A moment', 'success'],
  ])
  const { id } = await stepAt(admin, change.id, 'rolls out/to b')
  const lines = (await admin.get(`/api/steps/${id}/log_lines`)).body.data
  assert.equal(lines[0].attributes.message, 'I am to b')
})

test('a program puts steps in the place of its own, and says how they run', async () => {
  const change = await ran(admin, asset, 'instead')
  assert.deepEqual(await statuses(admin, change.id), [
    ['instead', 'success'],
    ['instead/meet-1', 'success'],
    ['instead/meet-2', 'success'],
  ])
  assert.deepEqual(await statuses(admin, (await ran(admin, asset, 'nothing instead')).id), [
    ['nothing instead', 'success'],
  ])
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:error api:changes:success api:steps:abort api:steps:approve api:steps:continue
     api:steps:success audit:steps:approve audit:steps:continue error:step:action`,
  ))
