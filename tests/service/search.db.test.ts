import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { created, newAsset, ran, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { published } from '../support/workflows.ts'

const actions = 'actions: { deploy: { description: x, run: "true" }, check: { description: x, run: "true" } }\n'
const live = '/projects/shop/environments/live'

let service: TestService
let admin: Client
let changeId: string

before(async () => {
  service = await startTestService({
    users: {
      narrow: [{ path: `${live}/assets/front`, read: true }],
      clerk: [{ path: '/admin/users', read: true }],
      none: [],
    },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'storefront', { name: 'The store' })
  await newAsset(admin, 'back', { name: 'Back of the front' })
  changeId = (await ran(admin, `/api${live}/assets/front`, 'deploy', { metadata: { ticket: 'CHG-2041' } })).id
  await ran(admin, `/api${live}/assets/back`, 'check')
  await published(admin, 'release', `steps: [{ target: environments/live/assets/front, action: deploy }]\n`)
  const schedule = { action: 'check', cron_schedule: '0 3 1 1 *' }
  await created(admin.post(`/api${live}/assets/front/scheduled_activities`, schedule))
})
after(() => service.stop())

interface Found {
  readonly id: string
  readonly type: string
  readonly attributes: { readonly name: string; readonly status_code: string | null }
  readonly links: { readonly self: string }
  readonly meta: { readonly path: string | null; readonly matched: string }
}

const search = async (query: string, more = '', client = admin): Promise<Found[]> => {
  const answer = await client.get(`/api/search?query=${encodeURIComponent(query)}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const told = (found: readonly Found[]) => found.map(({ type, attributes }) => `${type} ${attributes.name}`)

test('nodes are found by code, name and beginning of the path, the best first', async () => {
  assert.deepEqual(told(await search('FRONT', '&types=node')), [
    'asset front',
    'asset Back of the front',
    'asset The store',
  ])
  assert.deepEqual(told(await search('fr', '&types=node')), ['asset front'])
  assert.deepEqual(told(await search(`${live}/assets/b`, '&types[]=node')), ['asset Back of the front'])
  assert.deepEqual(told(await search('fr%nt', '&types=node')), [])
})

test('activities are found by action, path, metadata and the beginning of their id', async () => {
  const only = '&types=activity'
  assert.deepEqual(told(await search('deploy', only)), ['change deploy'])
  assert.deepEqual(told(await search('assets/back', only)), ['change check'])
  const [byTicket] = await search('chg-2041', only)
  assert.deepEqual(byTicket, {
    id: changeId,
    type: 'change',
    attributes: { name: 'deploy', status_code: 'success' },
    links: { self: `/api/changes/${changeId}` },
    meta: { path: `${live}/assets/front`, matched: 'metadata' },
  })
  const byId = await search(changeId.slice(0, 23), only)
  assert.ok(byId.some(({ id, meta }) => id === changeId && meta.matched === 'id'))
})

test('workflows, templates, schedules and users are found, and each link leads to its record', async () => {
  assert.deepEqual(told(await search('release')), ['workflow release'])
  assert.deepEqual(told(await search('web', '&types[]=template&types[]=workflow')), ['template Web'])
  assert.deepEqual(told(await search('check', '&types=scheduled_activity')), ['scheduled_change check'])
  assert.deepEqual(told(await search('clerk')), ['user clerk'])
  for (const query of ['release', 'web', 'check', 'clerk', 'front'])
    for (const { links } of await search(query)) assert.equal((await admin.get(links.self)).status, 200, links.self)
})

test('callers find what they may read', async () => {
  assert.deepEqual(
    new Set(told(await search('front', '', service.as('narrow')))),
    new Set(['asset front', 'change deploy', 'scheduled_change check']),
  )
  for (const query of ['front', 'deploy', 'release', 'web', 'clerk', changeId])
    assert.deepEqual(await search(query, '', service.as('none')), [])
  assert.deepEqual(told(await search('none', '', service.as('none'))), ['user none'])
  assert.deepEqual(told(await search('none', '', service.as('clerk'))), ['user none'])
})

test('the limit cuts, and wrong parameters are refused', async () => {
  const cut = await admin.get('/api/search?query=front&limit=1')
  assert.deepEqual([cut.body.data.length, cut.body.meta.partial_response], [1, true])
  for (const wrong of [
    '',
    'query=',
    'query=x&types=planet',
    'query=x&limit=0',
    'query=x&limit=101',
    `query=${'x'.repeat(201)}`,
  ])
    assert.equal((await admin.get(`/api/search?${wrong}`)).status, 400, wrong)
  assert.deepEqual(await search('   '), [])
})
