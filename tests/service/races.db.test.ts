import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Service } from '../../src/main/service.ts'
import { answersOf } from '../support/answers.ts'
import { type Answer, basicOf, type Client, clientOf } from '../support/api.ts'
import { created, often, type Shown, shop } from '../support/changes.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'
import { began, published } from '../support/workflows.ts'

/**
 * Concurrent commands of two people, through two processes, on a change or a run: one of them succeeds, and events name
 * that person.
 */

const actions = `
actions:
  waits: { description: x, steps: [{ wait: Look }] }
  one: { description: x, steps: [{ wait: Look, approvers: { user_names: [eve, fay] } }] }
  both: { description: x, steps: [{ wait: Look, approvers: { user_names: [eve, fay], required_approvals: 2 } }] }
`
const workflows = {
  waits: '',
  one: ', requires_approval_from: { user_names: [eve, fay] }',
  both: ', requires_approval_from: { user_names: [eve, fay], required_approvals: 2 }',
}

let service: TestService
/** Another process of the installation, connected to this one through the database only. */
let other: Service
/** The users of this process, and of the other. */
let here: By
let there: By
let admin: Client
let asset: string

before(async () => {
  const read = [{ path: '/projects/shop', read: true }]
  service = await startTestService({ spares: 0, users: { eve: read, fay: read } })
  other = await service.beside('api')
  const check = answersOf(service.openApi)
  here = service.as
  there = username => clientOf(other.address, check, basicOf(username, passwordOf(username)))
  admin = here('admin')
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
  for (const [code, more] of Object.entries(workflows))
    await published(admin, code, `steps: [{ type: wait, name: Look${more} }]`)
})
after(async () => {
  await other?.stop({ keepRunners: false })
  await service.stop()
})

type What = keyof typeof workflows

const kinds = [
  {
    kind: 'change',
    path: '/api/changes',
    steps: 'steps',
    ofIt: 'for_change',
    begin: async (what: What) => (await created(admin.post(`${asset}/changes`, { action: what }))).id,
  },
  {
    kind: 'run',
    path: '/api/workflow_runs',
    steps: 'workflow_steps',
    ofIt: 'for_workflow_run',
    begin: (what: What) => began(admin, what),
  },
] as const

/** A change or run that waits at its only step. */
async function waiting(of: (typeof kinds)[number], what: What) {
  const { path, steps, ofIt } = of
  const id = await of.begin(what)
  const found = await until(
    `the step of ${id} waits`,
    async () => (await admin.get(`/api/${steps}?filter[${ofIt}]=${id}&filter[status_code_start]=waiting`)).body.data,
    (waits: Shown[]) => waits.length === 1,
    often,
  )
  const step = `/api/${steps}/${found[0]!.id}`
  return {
    decide: (client: Client, verb: string) => client.post(`${step}/${verb}`, {}),
    pause: (client: Client) => client.post(`${path}/${id}/pause`, {}),
    cancel: (client: Client) => client.delete(`${path}/${id}`),
    /** Outcome of the change or run, and the types of its events, as for a change. */
    ended: async () => {
      const { attributes } = (await admin.get(`${path}/${id}`)).body.data
      const events: Shown[] = (await admin.get(`/api/events?filter[${ofIt}]=${id}&limit=1000`)).body.data
      const types = events.map(({ attributes: { type } }) =>
        type.replace('workflow_runs', 'changes').replace('workflow_steps', 'steps'),
      )
      return {
        status: attributes.status_code as string,
        pause: attributes.pause_state as string,
        told: (which: RegExp): string[] => types.filter(type => which.test(type)).toSorted(),
      }
    },
  }
}

type By = (username: string) => Client
type Ask = (on: Awaited<ReturnType<typeof waiting>>, by: By) => Promise<Answer>

/** Requests two commands concurrently, each from another process; the pair, and the order, change with the rounds. */
async function meet(of: (typeof kinds)[number], what: What, round: number, [one, opposed]: readonly [Ask, Ask]) {
  const on = await waiting(of, what)
  const [first, second] = round % 2 === 0 ? [here, there] : [there, here]
  const isTurned = round % 4 >= 2
  const early = isTurned ? opposed(on, second) : one(on, first)
  const late = isTurned ? one(on, first) : opposed(on, second)
  const [its, theirs] = await Promise.all(isTurned ? [late, early] : [early, late])
  return { its: its!, theirs: theirs!, statuses: [its!.status, theirs!.status].toSorted(), ...(await on.ended()) }
}

const rounds = [0, 1, 2, 3, 4, 5, 6, 7]
const eveApproves: Ask = (on, by) => on.decide(by('eve'), 'approve')
const fayApproves: Ask = (on, by) => on.decide(by('fay'), 'approve')
const fayRejects: Ask = (on, by) => on.decide(by('fay'), 'reject')
const adminContinues: Ask = (on, by) => on.decide(by('admin'), 'continue')
const adminCancels: Ask = (on, by) => on.cancel(by('admin'))
const adminPauses: Ask = (on, by) => on.pause(by('admin'))
const ends = /changes:(success|error|abort|cancel|system_error)$/

for (const of of kinds) {
  test(`of two who approve a ${of.kind} at once, where one suffices, one has done it`, async () => {
    for (const round of rounds) {
      const { statuses, status, told } = await meet(of, 'one', round, [eveApproves, fayApproves])
      assert.deepEqual([statuses, status], [[200, 409], 'success'])
      assert.deepEqual(told(/approve/), ['api:steps:approve', 'audit:steps:approve'])
      assert.deepEqual(told(ends), ['api:changes:success'])
    }
  })

  test(`of two who approve a ${of.kind} at once, where both have to, each has, and it goes on once`, async () => {
    for (const round of rounds) {
      const { statuses, status, told } = await meet(of, 'both', round, [eveApproves, fayApproves])
      assert.deepEqual([statuses, status], [[200, 200], 'success'])
      assert.equal(told(/audit:steps:approve$/).length, 2)
      assert.deepEqual(told(ends), ['api:changes:success'])
    }
  })

  test(`who approves a ${of.kind} and who rejects it at once: one decides, and the other is told that nothing waits`, async () => {
    for (const round of rounds) {
      const { its, statuses, status, told } = await meet(of, 'one', round, [eveApproves, fayRejects])
      const [decision, end, event] =
        its.status === 200 ? ['approve', 'success', 'success'] : ['reject', 'rejected', 'abort']
      assert.deepEqual([statuses, status], [[200, 409], end])
      assert.deepEqual(told(/approve|reject/), [`api:steps:${decision}`, `audit:steps:${decision}`])
      assert.deepEqual(told(ends), [`api:changes:${event}`])
    }
  })

  test(`a cancel of a ${of.kind} meets its end: it is one of them, and the other is told so`, async () => {
    for (const round of rounds) {
      const { its, theirs, status, told } = await meet(of, 'waits', round, [adminCancels, adminContinues])
      const isCancelled = its.status === 204
      assert.deepEqual([its.status, theirs.status], isCancelled ? [204, 409] : [409, 200])
      assert.equal(status, isCancelled ? 'cancelled' : 'success')
      assert.deepEqual(told(ends), [`api:changes:${isCancelled ? 'cancel' : 'success'}`])
      assert.deepEqual(told(/continue/), isCancelled ? [] : ['api:steps:continue', 'audit:steps:continue'])
    }
  })

  test(`a pause of a ${of.kind} meets the end of its last step: it ends, and a pause that came in time is told of`, async () => {
    for (const round of rounds) {
      const { its, theirs, status, pause, told } = await meet(of, 'waits', round, [adminPauses, adminContinues])
      assert.ok([200, 409].includes(its.status), its.text)
      assert.deepEqual([theirs.status, status, pause], [200, 'success', 'none'])
      assert.deepEqual(told(/pause/), its.status === 200 ? ['api:changes:pause'] : [])
      assert.deepEqual(told(ends), ['api:changes:success'])
    }
  })

  test(`of two who cancel a ${of.kind} at once one has done it`, async () => {
    for (const round of rounds) {
      const { statuses, status, told } = await meet(of, 'waits', round, [adminCancels, adminCancels])
      assert.deepEqual([statuses, status], [[204, 409], 'cancelled'])
      assert.deepEqual(told(ends), ['api:changes:cancel'])
    }
  })
}

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:cancel api:changes:success api:workflow_runs:cancel api:workflow_runs:success audit:steps:approve
     audit:workflow_steps:approve`,
  ))
