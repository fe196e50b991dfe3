import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { created, newAsset, ran, type Shown, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded } from '../support/workflows.ts'

const live = '/projects/shop/environments/live'
const codes = ['front', 'front-2', 'front2', 'Back'] as const
const pathOf = (code: string) => `${live}/assets/${code}`

let service: TestService
let admin: Client
/** Ids of changes by the code of their asset, and of the run. */
const ids = new Map<string, string>()

before(async () => {
  const oneAsset = [{ path: pathOf('front-2'), read: true }]
  service = await startTestService({ users: { narrow: oneAsset, wide: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': 'actions: { plain: { run: "true" } }\n' })
  for (const code of codes) {
    const asset = code === 'front' ? `/api${pathOf(code)}` : await newAsset(admin, code)
    ids.set(code, (await ran(admin, asset, 'plain')).id)
  }
  await published(admin, 'release', 'steps: [{ target: environments/live/assets/front, action: plain, name: one }]\n')
  const run = await began(admin, 'release')
  await runEnded(admin, run)
  ids.set('run', run)
  const known = new Set(ids.values())
  const made = (await admin.get('/api/changes')).body.data as Shown[]
  ids.set('of the run', made.find(({ id }) => !known.has(id))!.id)
})
after(() => service.stop())

const named = (records: readonly Shown[]) =>
  records.map(({ id }) => [...ids].find(([, each]) => each === id)?.[0] ?? id).sort()
const listed = async (list: string, filter: string, client = admin) => {
  const answer = await client.get(`/api/${list}?${filter}`)
  assert.equal(answer.status, 200, answer.text)
  return named(answer.body.data)
}

test('changes, runs and activities say on which node they ran, as long as their node has its path', async () => {
  for (const code of codes) {
    const { attributes } = (await admin.get(`/api/changes/${ids.get(code)}`)).body.data
    assert.equal(attributes.node_path, pathOf(code))
  }
  const run = (await admin.get(`/api/workflow_runs/${ids.get('run')}`)).body.data
  assert.equal(run.attributes.node_path, '/projects/shop')
  const paths = (await admin.get('/api/activities')).body.data.map(({ attributes }: Shown) => attributes.node_path)
  assert.deepEqual(new Set(paths), new Set(['/projects/shop', ...codes.map(pathOf)]))

  assert.equal((await admin.patch(`/api${pathOf('Back')}`, { name: 'Renamed' })).status, 200)
  assert.equal((await admin.delete(`/api${pathOf('Back')}`)).status, 204)
  const { attributes } = (await admin.get(`/api/changes/${ids.get('Back')}`)).body.data
  assert.equal(attributes.node_path, pathOf('Back'))
})

test('they are filtered by the path, by its beginning in any case, and by what is beneath a node', async () => {
  const eq = (path: string) => `filter[node_path_eq]=${path}`
  const start = (path: string) => `filter[node_path_start]=${path}`
  const under = (path: string) => `filter[under]=${path}`
  const changes = [...codes, 'of the run'].sort()
  assert.deepEqual(await listed('changes', eq(pathOf('front'))), ['front', 'of the run'])
  assert.deepEqual(await listed('changes', eq(live)), [])
  assert.deepEqual(await listed('changes', start(pathOf('FRONT'))), ['front', 'front-2', 'front2', 'of the run'])
  assert.deepEqual(await listed('changes', start(pathOf('b'))), ['Back'])
  assert.deepEqual(await listed('changes', under(pathOf('front'))), ['front', 'of the run'])
  assert.deepEqual(await listed('changes', under(live)), changes)
  assert.deepEqual(await listed('changes', under('/projects/shop')), changes)
  assert.deepEqual(await listed('changes', under('/projects/sho')), [])
  assert.deepEqual(await listed('workflow_runs', under('/projects/shop')), ['run'])
  assert.deepEqual(await listed('workflow_runs', under(live)), [])
  assert.deepEqual(await listed('activities', under('/projects/shop')), [...changes, 'run'].sort())
  assert.deepEqual(await listed('activities', `${under(live)}&${start(pathOf('front-'))}`), ['front-2'])
  assert.deepEqual(await listed('changes', `${under(pathOf('front2'))}&${eq(pathOf('Back'))}&filter[m]=or`), [
    'Back',
    'front2',
  ])
  const within = `/api${live}/changes?include_children=true&${under(pathOf('front2'))}`
  assert.deepEqual(named((await admin.get(within)).body.data), ['front2'])
})

test('pages and counts of what is beneath a node are whole', async () => {
  const seen: Shown[] = []
  for (let path = `/api/changes?filter[under]=${live}&limit=2&total=true`; path; ) {
    const { body } = await admin.get(path)
    assert.equal(body.meta.total, 5)
    seen.push(...body.data)
    path = body.links.next
  }
  assert.deepEqual(named(seen), [...codes, 'of the run'].sort())
  const order = (records: readonly Shown[]) => records.map(({ id }) => id)
  assert.deepEqual(order(seen), order((await admin.get('/api/changes')).body.data))
})

test('what is beneath a node is shown to nobody who may not read it', async () => {
  const narrow = service.as('narrow')
  for (const filter of ['', `filter[under]=${live}`, `filter[node_path_start]=${pathOf('front')}`])
    assert.deepEqual(await listed('changes', filter, narrow), ['front-2'], filter)
  assert.deepEqual(await listed('changes', `filter[under]=${pathOf('front')}`, narrow), [])
  assert.deepEqual(await listed('changes', `filter[under]=/projects/none`, narrow), [])
  assert.deepEqual(await listed('changes', `filter[under]=${pathOf('front2')}`, service.as('wide')), ['front2'])
})

test('a value that is no path of a node is refused', async () => {
  for (const value of [
    '',
    '/',
    '/projects',
    'projects/shop',
    `${live}/`,
    `${live}/assets`,
    '/projects/a%25',
    '/events',
  ])
    for (const list of ['changes', 'events', 'activities', 'workflow_runs', 'scheduled_activities']) {
      const { status, body, text } = await admin.get(`/api/${list}?filter[under]=${value}`)
      assert.equal(status, 400, `${list} ${value}: ${text}`)
      assert.equal(body.errors[0].source.parameter, 'filter[under]')
      assert.match(body.errors[0].detail, /path of a node, such as \/projects\/bank/)
    }
})

test('CSV has the path of the node', async () => {
  const { text } = await admin.get(`/api/changes?download=changes.csv&filter[under]=${pathOf('front-2')}`)
  const [head, line, ...more] = text
    .trimEnd()
    .split('\r\n')
    .flatMap(each => each.split('\n'))
  const at = head!.split(',').indexOf('node_path')
  assert.ok(at > 0, head)
  assert.equal(line!.split(',')[at], pathOf('front-2'))
  assert.deepEqual(more, [])
})

test('events and schedules are filtered by what is beneath a node too', async () => {
  const { id } = await created(
    admin.post(`/api${pathOf('front2')}/scheduled_activities`, { action: 'plain', cron_schedule: '0 3 * * *' }),
  )
  const schedules = async (path: string) =>
    (await admin.get(`/api/scheduled_activities?filter[under]=${path}`)).body.data.map((each: Shown) => each.id)
  assert.deepEqual(await schedules(live), [id])
  assert.deepEqual(await schedules(pathOf('front')), [])
  const { body } = await admin.get(`/api/events?filter[under]=${pathOf('front')}&limit=1000`)
  const paths = new Set(body.data.map(({ attributes }: Shown) => attributes.node_path))
  assert.deepEqual(paths, new Set([pathOf('front')]))
  const narrow = await service.as('narrow').get(`/api/events?filter[under]=${live}&limit=1000`)
  const theirs = narrow.body.data.map(({ attributes }: Shown) => attributes.node_path)
  assert.deepEqual(new Set(theirs), new Set([pathOf('front-2')]))
})
