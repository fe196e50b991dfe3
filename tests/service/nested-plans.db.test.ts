import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { created, newAsset, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded, runStepWhen, stepsOfRun } from '../support/workflows.ts'

const actions = `
actions:
  plain: { description: x, run: echo plain }
  bad: { description: x, run: exit 7 }
  half: { description: x, steps: [plain, bad, plain] }
`
const place = 'environments/live/assets'
const change = (name: string, action: string, asset = 'front') =>
  `{ target: ${place}/${asset}, action: ${action}, name: ${name} }`
const nested = (workflow: string, name = `run ${workflow}`) => `{ type: workflow, target: ${workflow}, name: ${name} }`
const list = (...steps: string[]) => `steps:\n${steps.map(each => `  - ${each}\n`).join('')}`

let service: TestService
let admin: Client

before(async () => {
  const workflows = { path: '/projects/shop/workflows', read: true, execute: true }
  service = await startTestService({
    // May retry every run, but no change.
    users: { eve: [{ path: '/projects/shop', read: true }, workflows] },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'back')
})
after(() => service.stop())

const retryOf = (id: string, attributes: object, meta: object = {}, client = admin): Promise<Answer> =>
  client.send('POST', '/api/workflow_runs', {
    raw: JSON.stringify({
      data: {
        attributes: { retry: true, ...attributes },
        relationships: { workflow_run: { data: { type: 'workflow_run', id } } },
        meta,
      },
    }),
  })

interface Plan {
  readonly steps: Step
  readonly kept_steps: readonly string[]
  readonly approved_steps: readonly string[]
}

interface Step {
  readonly full_path: string
  readonly retries?: boolean
  readonly nested_plan?: Plan | null
  readonly retry_refusal?: string
  readonly children: readonly Step[]
}

async function planned(id: string, attributes: object = {}, client = admin): Promise<Plan & { plan_sha: string }> {
  const answer = await retryOf(id, attributes, { plan: true }, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.attributes
}

/** Steps without steps below them, with what is nested in them: its path, and whether it is kept. */
function told({ steps, kept_steps: kept }: Plan, above = ''): string[] {
  const lines = (step: Step): string[] => {
    if (step.children.length > 0) return step.children.flatMap(lines)
    const path = `${above}${step.full_path}`
    const own = `${path} ${kept.includes(step.full_path) ? 'kept' : 'again'}`
    return [own, ...(step.nested_plan ? told(step.nested_plan, `${path} > `) : [])]
  }
  return lines(steps)
}

/**
 * Lines as `told` has them, of a retry that has ended, from what it did: a step that is kept ran in an earlier activity, which its record
 * tells by times that are before the retry's own.
 */
async function done(kind: 'workflow_runs' | 'changes', id: string, since: string, above = ''): Promise<string[]> {
  const steps =
    kind === 'changes' ? (await admin.get(`/api/changes/${id}/steps`)).body.data : await stepsOfRun(admin, id)
  const isAbove = (path: string) => steps.some(({ attributes }: Shown) => attributes.full_path.startsWith(`${path}/`))
  const lines: string[] = []
  for (const { attributes, relationships } of steps) {
    if (isAbove(attributes.full_path)) continue
    const path = `${above}${attributes.full_path}`
    const isKept = attributes.finished_at !== null && attributes.finished_at < since
    lines.push(`${path} ${isKept ? 'kept' : 'again'}`)
    for (const run of relationships.workflow_runs?.data ?? [])
      lines.push(...(await done('workflow_runs', run.id, since, `${path} > `)))
    if (!isKept)
      for (const made of relationships.changes?.data ?? []) {
        const { retry_of } = (await admin.get(`/api/changes/${made.id}`)).body.data.relationships
        if (retry_of.data) lines.push(...(await done('changes', made.id, since, `${path} > `)))
      }
  }
  return lines
}

// biome-ignore lint/suspicious/noExplicitAny: tests read records of every type
type Shown = any

const createdAt = async (id: string): Promise<string> =>
  (await admin.get(`/api/workflow_runs/${id}`)).body.data.attributes.created_at

/** The run that a step has started. */
const runOfStep = async (id: string, name: string): Promise<string> =>
  (await stepsOfRun(admin, id)).find(({ attributes }) => attributes.name === name).relationships.workflow_runs.data[0]
    .id

const endedBadly = async (id: string): Promise<void> =>
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')

test('the plan of a retry tells what it keeps in nested runs two levels down and in their changes, and so it is done', async () => {
  await published(admin, 'fine', list(change('one', 'plain'), change('two', 'plain')))
  await published(admin, 'deepest', list(change('first', 'plain'), change('half', 'half'), change('last', 'plain')))
  await published(admin, 'middle', list(nested('fine'), nested('deepest'), nested('fine', 'later')))
  await published(admin, 'outer', list(nested('fine'), nested('middle'), change('end', 'plain')))
  const id = await began(admin, 'outer')
  await endedBadly(id)

  const plan = await planned(id)
  const [middle, deepest] = ['outer/run middle', 'outer/run middle > middle/run deepest']
  assert.deepEqual(told(plan), [
    'outer/run fine kept',
    'outer/run fine > fine/one kept',
    'outer/run fine > fine/two kept',
    `${middle} again`,
    `${middle} > middle/run fine kept`,
    `${middle} > middle/run fine > fine/one kept`,
    `${middle} > middle/run fine > fine/two kept`,
    `${deepest} again`,
    `${deepest} > deepest/first kept`,
    `${deepest} > deepest/half again`,
    `${deepest} > deepest/half > half/plain-1 kept`,
    `${deepest} > deepest/half > half/bad again`,
    `${deepest} > deepest/half > half/plain-2 again`,
    `${deepest} > deepest/last again`,
    `${middle} > middle/later again`,
    'outer/end again',
  ])
  const count = (await admin.get('/api/workflow_runs?total=true&limit=1')).body.meta.total
  await planned(id)
  assert.equal((await admin.get('/api/workflow_runs?total=true&limit=1')).body.meta.total, count, 'nothing is created')

  const { id: again } = await created(retryOf(id, { plan_sha: plan.plan_sha }))
  await endedBadly(again)
  assert.deepEqual(await done('workflow_runs', again, await createdAt(again)), told(plan))
  // A retry of the retry takes over what the first has taken over.
  assert.deepEqual(told(await planned(again)), told(plan))
})

const stepOf = ({ steps }: Plan, name: string): Step =>
  steps.children.find(({ full_path }) => full_path.endsWith(`/${name}`))!

test('what a nested run would keep is part of the plan: a retry of the nested run alone moves it, and refuses the other', async () => {
  await published(
    admin,
    'inner',
    list(change('one', 'plain'), '{ type: wait, name: ask, reset_on_retry: true }', change('two', 'bad')),
  )
  await published(admin, 'around', list(nested('inner')))
  const id = await began(admin, 'around')
  const goOn = async (run: string) => {
    const { id: wait } = await runStepWhen(admin, run, 'ask', 'waiting')
    assert.equal((await admin.post(`/api/workflow_steps/${wait}/continue`, {})).status, 200)
  }
  await runStepWhen(admin, id, 'run inner', 'running')
  const inner = await runOfStep(id, 'run inner')
  await goOn(inner)
  await endedBadly(id)
  const before = await planned(id)
  assert.deepEqual(told(before), [
    'around/run inner again',
    'around/run inner > inner/one kept',
    'around/run inner > inner/ask again',
    'around/run inner > inner/two again',
    'around/run inner > inner/two > bad again',
  ])

  const { id: alone } = await created(retryOf(inner, {}))
  const moved = await planned(id)
  const { nested_plan, retry_refusal } = stepOf(moved, 'run inner')
  assert.equal(nested_plan, null)
  assert.match(retry_refusal!, new RegExp(`being retried already: by the run ${alone}`))
  const refused = await retryOf(id, { plan_sha: before.plan_sha })
  assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [409, '/data/attributes/plan_sha'])
  await goOn(alone)
  await endedBadly(alone)
  assert.deepEqual(await planned(id), before, 'only the run that the step had started counts')
})

test('the plan of a retry with other values tells what its nested runs keep with them, and which retries would be refused', async () => {
  const overridden = '{ type: workflow, target: sized, name: sized, property_overrides: { size: "{{size}}" } }'
  const sized = `{ target: ${place}/front, action: plain, name: one, property_overrides: { size: "{{size}}" } }`
  const { related } = (await admin.get('/api/projects/shop')).body.data.relationships.properties.links
  assert.equal((await admin.patch(related, { data: { size: 1 } })).status, 200)
  await published(admin, 'sized', list(sized, change('two', 'bad', 'back')))
  await published(admin, 'sizes', list(overridden))
  const id = await began(admin, 'sizes')
  await endedBadly(id)
  const same = await planned(id)
  const other = await planned(id, { property_overrides: { size: 2 } })
  for (const plan of [same, other])
    assert.deepEqual(told(plan), [
      'sizes/sized again',
      'sizes/sized > sized/one kept',
      'sizes/sized > sized/two again',
      'sizes/sized > sized/two > bad again',
    ])
  const { id: again } = await created(retryOf(id, { property_overrides: { size: 2 }, plan_sha: other.plan_sha }))
  await endedBadly(again)
  assert.deepEqual(await done('workflow_runs', again, await createdAt(again)), told(other))

  const plan = await planned(id, {}, service.as('eve'))
  const two = stepOf(stepOf(plan, 'sized').nested_plan!, 'two')
  assert.equal(two.nested_plan, null)
  assert.match(two.retry_refusal!, /execute/)
})
