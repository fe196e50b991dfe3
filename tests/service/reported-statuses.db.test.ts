import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { changeWhen, created, ended, type Shown, shop, statuses, stepAt } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { follow, recordsIn } from '../support/live-client.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The statuses that are reported of changes and of steps, wherever they are shown and asked for. */

const actions = (gates: string) => `
actions:
  good: { steps: [one, two] }
  bad: { steps: [one, fails, two] }
  holds: { steps: [one, { wait: Hold, steps: [one] }, two] }
  moment: { steps: [{ wait: Later, seconds: 86400 }] }
  asks: { steps: [{ input: Which?, arguments: [{ name: colour }] }] }
  signed: { steps: [one, { name: Both, run_as: parallel, steps: [{ wait: Sign, approvers: { user_names: [boss] } }, { wait: Hold }] }] }
  refused: { steps: [{ wait: Sign, approvers: { user_names: [boss] } }, two] }
  stopped: { steps: [one, { wait: Hold }] }
  long: { run_as: parallel, steps: [slow, slow] }
  later: { steps: [one] }
  one: { run: echo one }
  two: { run: echo two }
  fails: { run: exit 3 }
  slow: { run: 'until [ -e ${gates}/on ]; do sleep 0.05; done' }
`

/** Each change: its status, and those of its steps. */
const expected: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  good: ['success', { good: 'success', 'good/one': 'skipped', 'good/two': 'success' }],
  bad: ['error', { bad: 'error', 'bad/one': 'success', 'bad/fails': 'error', 'bad/two': 'aborted' }],
  holds: [
    'waiting',
    {
      holds: 'running',
      'holds/one': 'success',
      'holds/Hold': 'waiting',
      'holds/Hold/one': 'pending',
      'holds/two': 'pending',
    },
  ],
  moment: ['waiting', { moment: 'running', 'moment/Later': 'waiting' }],
  asks: ['waiting', { asks: 'running', 'asks/Which_': 'waiting' }],
  signed: [
    'waiting_for_approval',
    {
      signed: 'running',
      'signed/one': 'success',
      'signed/Both': 'running',
      'signed/Both/Sign': 'waiting_for_approval',
      'signed/Both/Hold': 'waiting',
    },
  ],
  refused: ['rejected', { refused: 'aborted', 'refused/Sign': 'rejected', 'refused/two': 'aborted' }],
  stopped: ['cancelled', { stopped: 'cancelled', 'stopped/one': 'success', 'stopped/Hold': 'cancelled' }],
  long: ['running', { long: 'running', 'long/slow-1': 'running', 'long/slow-2': 'queued' }],
  later: ['pending', { later: 'pending', 'later/one': 'pending' }],
}
const reported = [
  ...['initializing', 'pending', 'queued', 'running', 'waiting', 'success', 'skipped', 'error', 'cancelled', 'aborted'],
  ...['system_error', 'waiting_for_approval', 'rejected'],
]

let service: TestService
let gates: Gates
let admin: Client
const ids = new Map<string, string>()

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
  const { asset } = await shop(service, { 'web/actions.yaml': actions(gates.folder).replace('Which?', 'Which_') })
  const make = async (action: string, more: object = {}) => {
    const { id } = await created(admin.post(`${asset}/changes`, { action, ...more }))
    ids.set(action, id)
    return id
  }
  const waits = (id: string, code: string) => changeWhen(admin, id, code, each => each.attributes.status_code === code)
  const good = await make('good', { skip_steps: ['good/one'] })
  const bad = await make('bad')
  const refused = await make('refused')
  const stopped = await make('stopped')
  await make('later', { run_at: new Date(Date.now() + 3_600_000).toISOString() })
  await Promise.all([
    ended(admin, good),
    ended(admin, bad),
    waits(refused, 'waiting_for_approval'),
    waits(stopped, 'waiting'),
  ])
  const sign = await stepAt(admin, refused, 'refused/Sign')
  assert.equal((await service.as('boss').post(`/api/steps/${sign.id}/reject`, {})).status, 200)
  assert.equal((await admin.delete(`/api/changes/${stopped}`)).status, 204)
  await Promise.all([ended(admin, refused), ended(admin, stopped)])
  await waits(await make('holds'), 'waiting')
  await waits(await make('moment'), 'waiting')
  await waits(await make('asks'), 'waiting')
  await waits(await make('signed'), 'waiting_for_approval')
  const long = await make('long', { settings_overrides: { parallel_change_worker_steps: 1 } })
  await changeWhen(admin, long, 'runs', () => true)
  while ((await stepAt(admin, long, 'long/slow-1')).attributes.status_code !== 'running') await waits(long, 'running')
})
after(async () => {
  await gates.open('on')
  for (const action of ['holds', 'moment', 'asks', 'signed', 'later'])
    await admin.delete(`/api/changes/${ids.get(action)}`)
  await ended(admin, ids.get('long')!)
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

/** Record and status as these tables expect them. */
function expectedOf(what: 'change' | 'step', steps: readonly Shown[]): Map<string, string> {
  if (what === 'change') return new Map(Object.entries(expected).map(([action, [code]]) => [ids.get(action)!, code]))
  const paths = new Map(Object.values(expected).flatMap(([, its]) => Object.entries(its)))
  return new Map(steps.map(({ id, attributes }) => [id, paths.get(attributes.full_path)!]))
}

test('every change and every step is in the status that it is to be in', async () => {
  for (const [action, [code, steps]] of Object.entries(expected)) {
    const id = ids.get(action)!
    assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.status_code, code, action)
    assert.deepEqual(await statuses(admin, id), Object.entries(steps))
  }
})

for (const [type, path] of [
  ['change', '/api/changes'],
  ['activity', '/api/activities'],
  ['step', '/api/steps'],
] as const) {
  test(`the list ${path} finds by each status what is reported to be in it and nothing else, as documents and as CSV`, async () => {
    const all = await listed(path)
    const codes = expectedOf(type === 'step' ? 'step' : 'change', all)
    assert.equal(all.length, codes.size)
    for (const code of reported) {
      const inIt = sorted([...codes].flatMap(([id, its]) => (its === code ? [`${id} ${code}`] : [])))
      const others = sorted([...codes].flatMap(([id, its]) => (its === code ? [] : [`${id} ${its}`])))
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

test('a show, what it includes and the live stream of a change report the same', async () => {
  for (const [action, [code, steps]] of Object.entries(expected)) {
    const id = ids.get(action)!
    const { body } = await admin.get(`/api/changes/${id}?include=steps,root_step`)
    assert.equal(body.data.attributes.status_code, code)
    const included = (body.included as Shown[]).map(({ attributes }) => [attributes.full_path, attributes.status_code])
    assert.deepEqual(Object.fromEntries(included), steps, action)
    const stream = await follow(service.address, `/api/changes/${id}/live`)
    const told = new Map<string, string>()
    await stream.until(messages => {
      for (const { attributes } of recordsIn(messages, 'step')) told.set(attributes.full_path, attributes.status_code)
      return told.size === Object.keys(steps).length && recordsIn(messages, 'change').length > 0
    })
    assert.deepEqual(Object.fromEntries(told), steps, action)
    assert.equal(recordsIn(stream.messages, 'change').at(-1).attributes.status_code, code, action)
    stream.close()
  }
})

test('an activity shows what changes and runs both have, and leads to the change', async () => {
  const [first] = await listed('/api/activities?filter[action_eq]=good')
  const change = (await admin.get(`/api/changes/${ids.get('good')}`)).body.data
  const { type, path, action, workflow_code, revision, ...both } = first!.attributes
  assert.deepEqual([type, action, workflow_code, revision], ['change', 'good', null, 'main'])
  assert.equal(path, '/projects/shop/environments/live/assets/front')
  for (const [name, value] of Object.entries(both)) assert.deepEqual(value, change.attributes[name], name)
  const { target } = (
    first as unknown as { relationships: Record<string, { data: object; links: { related: string } }> }
  ).relationships
  assert.deepEqual(target, { data: { id: first!.id, type: 'change' }, links: { related: `/api/changes/${first!.id}` } })
  assert.equal((await admin.get(target!.links.related)).status, 200)
})

test('activities are listed newest first, filtered by name, cut at their limit, and to whom may read them', async () => {
  const all = await listed('/api/activities')
  assert.deepEqual(
    all.map(({ id }) => id),
    (await listed('/api/changes')).map(({ id }) => id),
  )
  const actionsIn = async (query: string, client = admin) =>
    sorted((await listed(`/api/activities?${query}`, client)).map(({ attributes }) => attributes.action))
  const open = ['asks', 'holds', 'later', 'long', 'moment', 'signed']
  assert.deepEqual(await actionsIn('filter[active]=true'), open)
  assert.deepEqual(await actionsIn('filter[finished]=true'), ['bad', 'good', 'refused', 'stopped'])
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
