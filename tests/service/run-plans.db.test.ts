import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { created, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded, runStatuses, runStepWhen } from '../support/workflows.ts'

const actions = `
actions:
  plain: { description: x, run: echo plain }
  bad: { description: x, run: exit 7 }
`
const front = 'environments/live/assets/front'
const plain = (name: string) => `{ target: ${front}, action: plain, name: ${name} }`
const bad = (name: string) => `{ target: ${front}, action: bad, name: ${name} }`
const asks = '{ type: wait, name: ask, requires_approval_from: { user_names: [eve] } }'
const list = (...steps: string[]) => `steps:\n${steps.map(each => `  - ${each}\n`).join('')}`

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({
    users: { eve: [{ path: '/projects/shop', read: true }], dora: [] },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
})
after(() => service.stop())

const send = (path: string, data: object, client = admin): Promise<Answer> =>
  client.send('POST', path, { raw: JSON.stringify({ data }) })

const runsOf = (workflow: string) => `/api/projects/shop/workflows/${workflow}/runs`

const retryOf = (id: string, attributes: object, meta: object = {}, client = admin): Promise<Answer> =>
  send(
    '/api/workflow_runs',
    {
      attributes: { retry: true, ...attributes },
      relationships: { workflow_run: { data: { type: 'workflow_run', id } } },
      meta,
    },
    client,
  )

const fault = ({ status, body }: Answer) => [status, body.errors[0].source?.pointer]

const countOf = async (workflow: string): Promise<number> => (await admin.get(runsOf(workflow))).body.data.length

interface PlannedStep {
  readonly name: string
  readonly step_type: string
  readonly targets: readonly string[]
  readonly action: string | null
  readonly skip_requested: boolean
  readonly retries: boolean
  readonly children: readonly PlannedStep[]
}

const leaves = ({ steps }: { steps: PlannedStep }) => steps.children.map(({ name, retries }) => [name, retries])

test('a run is planned, which creates nothing, and bound to its plan; it is refused once the plan has changed', async () => {
  await published(admin, 'planned', list(plain('one'), asks, bad('two')))
  const events = (await admin.get('/api/events?limit=1&total=true')).body.meta.total
  const answer = await send(runsOf('planned'), { attributes: {}, meta: { plan: true } })
  assert.equal(answer.status, 200, answer.text)
  const { type, id, attributes } = answer.body.data
  const { steps, plan_sha, ...facts } = attributes
  assert.deepEqual([type, id], ['workflow_run_plan', plan_sha])
  assert.deepEqual(
    [facts.parent_path, facts.workflow_code, facts.version, facts.same_name_predecessors, facts.slots.pool],
    ['/projects/shop', 'planned', 1, [], 'runner'],
  )
  assert.equal('kept_steps' in facts, false, 'only a retry keeps steps')
  assert.deepEqual(leaves(attributes), [
    ['one', false],
    ['ask', false],
    ['two', false],
  ])
  const [first, second] = steps.children
  assert.deepEqual([first.action, first.targets], ['plain', [`/projects/shop/${front}`]])
  assert.deepEqual(second.requires_approval_from[0].user_names, ['eve'])
  assert.equal(await countOf('planned'), 0)
  assert.equal((await admin.get('/api/events?limit=1&total=true')).body.meta.total, events, 'a plan is no event')

  const masked = await send(runsOf('planned'), { attributes: { skip_steps: ['two'], plan_sha } })
  assert.deepEqual(fault(masked), [409, '/data/attributes/plan_sha'])
  assert.equal(await countOf('planned'), 0, 'what is refused is undone')
  const { related } = (await admin.get('/api/projects/shop')).body.data.relationships.properties.links
  assert.equal((await admin.patch(related, { data: { unrelated: 1 } })).status, 200)
  const run = await created(send(runsOf('planned'), { attributes: { plan_sha } }))
  const behind = await send(runsOf('planned'), { attributes: {}, meta: { plan: true } })
  assert.deepEqual(behind.body.data.attributes.same_name_predecessors, [run.id])
  assert.equal((await admin.delete(`/api/workflow_runs/${run.id}`)).status, 204)
  await runEnded(admin, run.id)
})

test('a property that a step uses changes the plan', async () => {
  const { related } = (await admin.get('/api/projects/shop')).body.data.relationships.properties.links
  const step = `{ target: ${front}, action: plain, property_overrides: { size: "{{size}}" } }`
  assert.equal((await admin.patch(related, { data: { size: 1 } })).status, 200)
  await published(admin, 'sized', list(step))
  const planned = async () => (await send(runsOf('sized'), { attributes: {}, meta: { plan: true } })).body.data
  const before = await planned()
  assert.equal((await planned()).id, before.id)
  assert.equal((await admin.patch(related, { data: { size: 2 } })).status, 200)
  assert.notEqual((await planned()).id, before.id)
  assert.equal(JSON.stringify(before).includes('property_overrides'), false, 'values of overrides are not shown')
  const refused = await send(runsOf('sized'), { attributes: { plan_sha: before.id } })
  assert.deepEqual(fault(refused), [409, '/data/attributes/plan_sha'])
})

test('the plan of a retry names the steps that it keeps, those that retry a change, and the approvals that count', async () => {
  const eve = service.as('eve')
  await published(admin, 'failing', list(plain('one'), asks, bad('two'), plain('three')))
  const id = await began(admin, 'failing')
  const wait = await runStepWhen(admin, id, 'ask', 'waiting_for_approval')
  assert.equal((await eve.post(`/api/workflow_steps/${wait.id}/approve`, {})).status, 200)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')

  const planned = async (attributes: object = {}) => {
    const answer = await retryOf(id, attributes, { plan: true })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.attributes
  }
  const plan = await planned()
  assert.deepEqual(plan.kept_steps, ['failing/one', 'failing/ask'])
  assert.deepEqual(plan.approved_steps, [], 'it is kept')
  assert.deepEqual(leaves(plan), [
    ['one', false],
    ['ask', false],
    ['two', true],
    ['three', false],
  ])
  const other = await planned({ property_overrides: { a: 1 } })
  assert.deepEqual(other.kept_steps, ['failing/one'], 'other overrides request the approval again')
  const masked = await planned({ skip_steps: ['two'] })
  assert.deepEqual(
    masked.steps.children.map(({ skip_requested }: PlannedStep) => skip_requested),
    [false, false, true, false],
  )
  assert.deepEqual(fault(await retryOf(id, { skip_steps: ['failing'] }, { plan: true })), [
    422,
    '/data/attributes/skip_steps',
  ])
  assert.equal((await retryOf(id, {}, { plan: true }, eve)).status, 403)
  assert.equal((await retryOf(id, {}, { plan: true }, service.as('dora'))).status, 404)
  assert.equal(await countOf('failing'), 1)

  const again = await created(retryOf(id, { plan_sha: plan.plan_sha }))
  await runEnded(admin, again.id)
  assert.deepEqual(
    (await runStatuses(admin, again.id)).map(([name, status]) => [name, status]),
    [
      ['one', 'success'],
      ['ask', 'success'],
      ['two', 'error'],
      ['three', 'aborted'],
    ],
  )
  assert.deepEqual(fault(await retryOf(again.id, { plan_sha: 'short' })), [422, '/data/attributes/plan_sha'])
})
