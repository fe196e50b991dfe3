import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { changeWhen, created, newAsset, ran, type Shown, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

const actions = `
actions:
  deploy: { description: x, run: echo deployed }
  broken: { description: x, run: exit 3 }
  held: { description: x, steps: [{ wait: Have a coffee, steps: [deploy] }] }
`

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({
    spares: 1,
    users: {
      narrow: [{ path: '/projects/shop/environments/live/assets/front', read: true }],
      partly: [
        { path: '/projects', read: true },
        { path: '/projects/shop/environments/live/assets/front', read: false },
      ],
      none: [],
    },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'back')
  await created(admin.post('/api/projects', { code: 'shop-2', name: 'Another shop' }))
  await created(admin.post('/api/projects/shop-2/environments', { code: 'test', name: 'Test' }))
})
after(() => service.stop())

const live = '/projects/shop/environments/live'
const summaries = async (query: string, client = admin): Promise<Shown[]> => {
  const answer = await client.get(`/api/nodes?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const paths = async (query: string, client = admin) =>
  (await summaries(query, client)).map(({ attributes }) => attributes.path)

test('nodes of all types are listed in the bytewise order of their paths', async () => {
  assert.deepEqual(await paths(''), [
    '/projects/shop',
    '/projects/shop-2',
    '/projects/shop-2/environments/test',
    live,
    `${live}/assets/back`,
    `${live}/assets/front`,
  ])
  const [shown] = await summaries(`filter[path_eq]=${live}/assets/back`)
  assert.deepEqual(shown!.attributes, {
    path: `${live}/assets/back`,
    node_type: 'asset',
    depth: 3,
    code: 'back',
    name: 'back',
    archived: false,
    template_code: 'web',
    template_version: '1.0',
    task_active: false,
    active_count: 0,
    waiting_count: 0,
    last_status: null,
    last_finished_at: null,
  })
  const asset = (await admin.get(`/api${live}/assets/back`)).body.data
  assert.equal(shown!.id, asset.id)
})

test('they are filtered by the node above and by depth, and a sibling with the same beginning is another node', async () => {
  assert.deepEqual(await paths('filter[depth_lteq]=1'), ['/projects/shop', '/projects/shop-2'])
  assert.deepEqual(await paths('filter[under]=/projects/shop&filter[depth_lteq]=2'), ['/projects/shop', live])
  assert.deepEqual(await paths(`filter[under]=${live}&filter[node_type_eq]=asset`), [
    `${live}/assets/back`,
    `${live}/assets/front`,
  ])
  assert.equal((await admin.get('/api/nodes?filter[under]=shop')).status, 400)
  assert.equal((await admin.get('/api/nodes?filter[depth_lteq]=deep')).status, 400)
})

test('they show the newest ended activity, and how many are active and how many of these wait', async () => {
  const front = `/api${live}/assets/front`
  await ran(admin, front, 'deploy')
  const failed = await ran(admin, front, 'broken')
  const { id } = await created(admin.post(`${front}/changes`, { action: 'held' }))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting')
  const [shown] = await summaries(`filter[path_eq]=${live}/assets/front`)
  const { active_count, waiting_count, last_status, last_finished_at } = shown!.attributes
  assert.deepEqual(
    [active_count, waiting_count, last_status, last_finished_at],
    [1, 1, 'error', failed.attributes.finished_at],
  )
  assert.deepEqual(await paths('filter[waiting_count_gt]=0'), [`${live}/assets/front`])
  assert.deepEqual(await paths('filter[last_status_eq]=error'), [`${live}/assets/front`])
  assert.equal((await admin.get('/api/nodes?filter[last_status_eq]=failed')).status, 400)
  assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
})

test('callers see the nodes that they may read, as in the other lists of nodes', async () => {
  assert.deepEqual(await paths('', service.as('none')), [])
  assert.deepEqual(await paths('', service.as('narrow')), [`${live}/assets/front`])
  assert.deepEqual(await paths(`filter[under]=/projects/shop`, service.as('partly')), [
    '/projects/shop',
    live,
    `${live}/assets/back`,
  ])
})

test('ten thousand assets are one page, which is whole', async () => {
  await service.database.count(sql`
    insert into nodes (node_type, code, name, parent_id, project_id, environment_id, path, created_by)
    select 'asset', 'a' || n, 'Asset ' || n, e.id, e.project_id, e.id, e.path || '/assets/a' || n, 'admin'
      from nodes e, generate_series(1, 10000) n
     where e.path = '/projects/shop-2/environments/test'`)
  const query = 'filter[under]=/projects/shop-2/environments/test&filter[node_type_eq]=asset&limit=10000'
  const found = await paths(query)
  assert.equal(found.length, 10_000)
  assert.deepEqual(found, found.toSorted())
  const first = await admin.get('/api/nodes?limit=10000')
  assert.equal(first.status, 206)
  const rest = await admin.get(first.body.links.next)
  assert.deepEqual([rest.status, first.body.data.length + rest.body.data.length], [200, 10_006])
})
