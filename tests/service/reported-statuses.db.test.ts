import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import type { Shown } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { follow, recordsIn } from '../support/live-client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type EveryStatus, type Expected, expectedChanges, expectedRuns, makeEveryStatus } from './every-status.ts'

/** Reported statuses of changes, runs and their steps, wherever they are shown and filtered by. */

const reported = [
  ...['initializing', 'pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled', 'aborted'],
  ...['system_error', 'waiting_for_approval', 'rejected'],
]

let service: TestService
let gates: Gates
let admin: Client
let made: EveryStatus

before(async () => {
  gates = await newGates()
  service = await startTestService({
    users: {
      boss: [{ path: '/projects/shop', read: true }],
      reader: [{ path: '/projects/shop', read: true }],
      stranger: [],
    },
  })
  admin = service.as('admin')
  made = await makeEveryStatus(service, gates)
})
after(async () => {
  await made?.end()
  await service.stop()
  await gates.remove()
})

const listed = async (path: string, client = admin): Promise<Shown[]> => {
  const answer = await client.get(path)
  assert.ok([200, 206].includes(answer.status), answer.text)
  return answer.body.data
}
const sorted = (these: Iterable<string>) => [...these].toSorted()
const named = ({ id, attributes }: Shown) => `${id} ${attributes.status_code}`
const inCsv = ({ text }: Answer): string[] => {
  const [head, ...rows] = text.trim().split('\r\n')
  assert.equal(head, 'id,status_code')
  return rows.map(row => row.replace(',', ' '))
}

const kinds = [
  { type: 'change', step: 'step', path: '/api/changes', steps: '/api/steps', expected: expectedChanges },
  {
    type: 'workflow_run',
    step: 'workflow_step',
    path: '/api/workflow_runs',
    steps: '/api/workflow_steps',
    expected: expectedRuns,
  },
] as const
const both = { ...expectedChanges, ...expectedRuns }

/** Record and status as expected by the table. */
const codesOf = (expected: Expected) => () =>
  new Map(Object.entries(expected).map(([name, [code]]) => [made.ids.get(name)!, code]))

const codesOfSteps = (expected: Expected) => (steps: readonly Shown[]) => {
  const paths = new Map(Object.values(expected).flatMap(([, its]) => Object.entries(its)))
  return new Map(steps.map(({ id, attributes }) => [id, paths.get(attributes.full_path)!]))
}

for (const { type, path, expected } of kinds)
  test(`every ${type} and every step of one is in the status that it is to be in`, async () => {
    for (const [name, [code, steps]] of Object.entries(expected)) {
      const record = `${path}/${made.ids.get(name)}`
      assert.equal((await admin.get(record)).body.data.attributes.status_code, code, name)
      const found = (await listed(`${record}/steps`)).map(({ attributes }) => [
        attributes.full_path,
        attributes.status_code,
      ])
      assert.deepEqual(found, Object.entries(steps))
    }
  })

for (const [type, path, codes] of [
  ...kinds.flatMap(({ type, step, path, steps, expected }) => [
    [type, path, codesOf(expected)] as const,
    [step, steps, codesOfSteps(expected)] as const,
  ]),
  ['activity', '/api/activities', codesOf(both)] as const,
]) {
  test(`the list ${path} finds by each status what is reported to be in it and nothing else, as documents and as CSV`, async () => {
    const all = await listed(path)
    const expected = codes(all)
    assert.equal(all.length, expected.size)
    for (const code of reported) {
      const inIt = sorted([...expected].flatMap(([id, its]) => (its === code ? [`${id} ${code}`] : [])))
      const others = sorted([...expected].flatMap(([id, its]) => (its === code ? [] : [`${id} ${its}`])))
      const narrow = `fields[${type}]=status_code&download=it.csv`
      assert.deepEqual(sorted((await listed(`${path}?filter[status_code_eq]=${code}`)).map(named)), inIt, code)
      assert.deepEqual(sorted((await listed(`${path}?filter[status_code_in][]=${code}`)).map(named)), inIt, code)
      assert.deepEqual(sorted((await listed(`${path}?filter[status_code_not_eq]=${code}`)).map(named)), others, code)
      const csv = await admin.get(`${path}?filter[status_code_eq]=${code}&${narrow}`)
      assert.deepEqual(sorted(inCsv(csv)), inIt, code)
    }
    const order = (await listed(`${path}?filter[sorts]=status_code asc`)).map(each => each.attributes.status_code)
    assert.deepEqual(order, sorted(order))
  })
}

test('between them changes, runs and their steps are in every status that is reported', () => {
  for (const expected of [expectedChanges, expectedRuns])
    assert.deepEqual(
      sorted(new Set(Object.values(expected).flatMap(([code, steps]) => [code, ...Object.values(steps)]))),
      sorted(reported.filter(code => expected === expectedChanges || !['initializing', 'queued'].includes(code))),
    )
})

test('a step tells why it was left out, ended otherwise than well or never began, where its own action does not', async () => {
  const beneath = 'A step below it did not succeed.'
  const reasons: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
    good: { good: null, 'good/one': 'Left out by skip_steps or starting_step.', 'good/two': null },
    bad: {
      bad: beneath,
      'bad/one': null,
      'bad/fails': null,
      'bad/two': 'A step before it or above it did not succeed.',
    },
    refused: {
      refused: 'refused/Sign was rejected.',
      'refused/Sign': 'Rejected by boss.',
      'refused/two': 'refused/Sign was rejected.',
    },
    stopped: {
      stopped: 'The change was cancelled by admin.',
      'stopped/one': null,
      'stopped/Hold': 'The change was cancelled by admin.',
    },
    holds: { holds: null, 'holds/one': null, 'holds/Hold': null, 'holds/Hold/one': null, 'holds/two': null },
  }
  const reasonOf = ({ attributes }: Shown) => [attributes.full_path, attributes.outcome_reason]
  for (const [name, expected] of Object.entries(reasons)) {
    const steps = await listed(`/api/changes/${made.ids.get(name)}/steps`)
    assert.deepEqual(steps.map(reasonOf), Object.entries(expected), name)
  }
  const failed = await listed(`/api/steps?filter[outcome_reason_eq]=${beneath}&filter[action_eq]=bad`)
  assert.deepEqual(failed.map(reasonOf), [['bad', beneath]])
})

for (const { type, step, path, expected } of kinds)
  test(`a show, what it includes and the live stream of a ${type} report the same`, async () => {
    for (const [name, [code, steps]] of Object.entries(expected)) {
      const record = `${path}/${made.ids.get(name)}`
      const { body } = await admin.get(`${record}?include=steps,root_step`)
      assert.equal(body.data.attributes.status_code, code)
      const included = (body.included as Shown[]).map(({ attributes }) => [
        attributes.full_path,
        attributes.status_code,
      ])
      assert.deepEqual(Object.fromEntries(included), steps, name)
      const stream = await follow(service.address, `${record}/live`)
      const told = new Map<string, string>()
      await stream.until(messages => {
        for (const { attributes } of recordsIn(messages, step)) told.set(attributes.full_path, attributes.status_code)
        return told.size === Object.keys(steps).length && recordsIn(messages, type).length > 0
      })
      assert.deepEqual(Object.fromEntries(told), steps, name)
      assert.equal(recordsIn(stream.messages, type).at(-1).attributes.status_code, code, name)
      stream.close()
    }
  })

test('steps are listed as the tree of their change is read, those of the newest change first', async () => {
  const names = new Map([...made.ids].map(([name, id]) => [id, name]))
  const inOrder = (await listed('/api/changes')).flatMap(({ id }) =>
    Object.keys(expectedChanges[names.get(id)!]![1]).map(path => [id, path]),
  )
  const steps = await listed('/api/steps')
  assert.deepEqual(
    steps.map(({ attributes }) => [attributes.change_id, attributes.full_path]),
    inOrder,
  )
})

test('steps that wait are found by whether they ask for values, and by whether they wait for somebody', async () => {
  const found = async (query: string) =>
    sorted((await listed(`/api/steps?${query}`)).map(({ attributes }) => attributes.full_path))
  const waits = ['asks/Which_', 'holds/Hold', 'moment/Later', 'signed/Both/Hold', 'signed/Both/Sign']
  assert.deepEqual(await found('filter[with_input_arguments]=true'), ['asks/Which_'])
  assert.deepEqual(await found('filter[without_input_arguments]=true'), waits.slice(1))
  assert.deepEqual(
    await found('filter[waiting_for_user]=true'),
    waits.filter(path => path !== 'moment/Later'),
  )
  assert.equal((await found('filter[with_input_arguments]=false')).length, (await found('')).length - 1)
})

test('an activity shows what changes and runs both have, and leads to the change', async () => {
  const [first] = await listed('/api/activities?filter[action_eq]=good')
  const change = (await admin.get(`/api/changes/${made.ids.get('good')}`)).body.data
  const { type, path, name, action, workflow_code, revision, progress, ...both } = first!.attributes
  assert.equal(progress, null, 'it has ended')
  const [waits] = await listed('/api/activities?filter[action_eq]=signed')
  const steps = (await admin.get(`/api/changes/${waits!.id}/steps`)).body.data as Shown[]
  assert.deepEqual(waits!.attributes.progress, {
    step_count: steps.length,
    ended_step_count: steps.filter(({ attributes }) => attributes.finished_at !== null).length,
  })
  assert.deepEqual([type, name, action, workflow_code, revision], ['change', 'good', 'good', null, 'main'])
  assert.equal(path, '/projects/shop/environments/live/assets/front')
  for (const [each, value] of Object.entries(both)) assert.deepEqual(value, change.attributes[each], each)
  const { target } = (
    first as unknown as { relationships: Record<string, { data: object; links: { related: string } }> }
  ).relationships
  assert.deepEqual(target, { data: { id: first!.id, type: 'change' }, links: { related: `/api/changes/${first!.id}` } })
  assert.equal((await admin.get(target!.links.related)).status, 200)
})

test('activities are listed newest first, filtered by name, cut at their limit, and to whom may read them', async () => {
  const all = await listed('/api/activities')
  const newestFirst = [...all].sort((a, b) => (a.attributes.created_at < b.attributes.created_at ? 1 : -1))
  assert.deepEqual(all, newestFirst)
  const actionsIn = async (query: string, client = admin) =>
    sorted(
      (await listed(`/api/activities?filter[type_eq]=change&${query}`, client)).map(
        ({ attributes }) => attributes.action,
      ),
    )
  const open = ['again', 'asks', 'holds', 'later', 'long', 'moment', 'signed', 'young']
  assert.deepEqual(await actionsIn('filter[active]=true'), open)
  assert.deepEqual(await actionsIn('filter[finished]=true'), ['bad', 'broken', 'good', 'refused', 'stopped'])
  assert.deepEqual(await actionsIn('filter[waiting_for_me]=true', service.as('boss')), ['signed'])
  assert.deepEqual(await actionsIn('filter[mine]=true', service.as('boss')), [])
  assert.deepEqual(await actionsIn('filter[active_over]=PT0S'), open)
  assert.deepEqual(await actionsIn('filter[active_over]=P1D'), [])
  assert.deepEqual(
    sorted((await listed('/api/changes?filter[active_over]=PT0S')).map(({ attributes }) => attributes.action)),
    open,
  )
  const wrong = await admin.get('/api/activities?filter[active_over]=an hour')
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.errors[0].detail, /PT30M/)
  const cut = await admin.get('/api/activities?limit=3')
  assert.deepEqual([cut.status, cut.body.data.length, cut.body.meta.partial_response], [206, 3, true])
  assert.deepEqual(await listed('/api/activities', service.as('stranger')), [])
  assert.equal((await listed('/api/activities', service.as('reader'))).length, all.length)
})
