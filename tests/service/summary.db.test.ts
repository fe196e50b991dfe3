import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { changeWhen, created, newAsset, ran, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

const actions = `
actions:
  deploy: { description: x, run: echo deployed }
  broken: { description: x, run: exit 3 }
  guarded: { description: x, steps: [{ wait: Look at it, approvers: { user_names: [eve] } }, deploy] }
`
const live = '/projects/shop/environments/live'

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({
    users: {
      eve: [{ path: '/projects/shop', read: true }],
      narrow: [{ path: `${live}/assets/back`, read: true }],
      none: [],
    },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'back')
  await ran(admin, `/api${live}/assets/front`, 'deploy')
  await ran(admin, `/api${live}/assets/front`, 'deploy')
  await ran(admin, `/api${live}/assets/back`, 'broken')
  const { id } = await created(admin.post(`/api${live}/assets/front/changes`, { action: 'guarded' }))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  for (const [code, hour] of [
    ['front', 3],
    ['back', 4],
  ])
    await created(
      admin.post(`/api${live}/assets/${code}/scheduled_activities`, {
        action: 'deploy',
        cron_schedule: `0 ${hour} 1 1 *`,
        time_zone: 'Europe/Berlin',
      }),
    )
})
after(() => service.stop())

const summary = async (client: Client, query = '') => {
  const answer = await client.get(`/api/summary${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.attributes
}

test('the summary counts what its reader may read, and what waits for them', async () => {
  const { due_next, days, ...counts } = await summary(service.as('eve'))
  assert.deepEqual(counts, {
    active_count: 1,
    running_count: 0,
    waiting_for_me_count: 1,
    failed_count: 1,
    counts_exact: true,
  })
  assert.deepEqual(
    due_next.map(({ node_path, action, workflow_code, time_zone }: Record<string, unknown>) => [
      node_path,
      action,
      workflow_code,
      time_zone,
    ]),
    [
      [`${live}/assets/front`, 'deploy', null, 'Europe/Berlin'],
      [`${live}/assets/back`, 'deploy', null, 'Europe/Berlin'],
    ],
  )
  assert.equal(days.length, 7)
  const { succeeded_count, failed_count, success_ratio } = days.at(-1)
  assert.deepEqual([succeeded_count, failed_count, success_ratio], [2, 1, 0.6667])
  assert.deepEqual([days[0].succeeded_count, days[0].success_ratio], [0, null])
  assert.equal((await summary(admin)).waiting_for_me_count, 0)
})

test('of other nodes nothing is counted', async () => {
  const narrow = await summary(service.as('narrow'))
  const { active_count, failed_count, due_next, days } = narrow
  assert.deepEqual([active_count, failed_count, due_next.length, days.at(-1).success_ratio], [0, 1, 1, 0])
  const none = await summary(service.as('none'))
  assert.deepEqual([none.active_count, none.failed_count, none.due_next], [0, 0, []])
})

test('days are those of a time zone', async () => {
  const now = (await service.database.one(
    sql<{ date: string }>`select (now() at time zone 'Asia/Tokyo')::date as date`,
  ))!
  assert.equal((await summary(admin, '?time_zone=Asia/Tokyo')).days.at(-1).date, now.date)
  const refused = await admin.get('/api/summary?time_zone=Mars')
  assert.deepEqual([refused.status, refused.body.errors[0].source], [400, { parameter: 'time_zone' }])
})

test('what has not changed is 304', async () => {
  const first = await admin.get('/api/summary')
  const etag = first.headers.get('etag')!
  assert.equal((await admin.get('/api/summary', { 'if-none-match': etag })).status, 304)
  await ran(admin, `/api${live}/assets/front`, 'broken')
  assert.equal((await admin.get('/api/summary', { 'if-none-match': etag })).status, 200)
})

test('due times of a period are listed by schedule, of those that the reader may read', async () => {
  const upcoming = async (client: Client, query: string) =>
    (await client.get(`/api/scheduled_activities/upcoming?${query}`)).body
  const year = new Date().getUTCFullYear() + 1
  const period = `from=${year}-01-01T00:00:00Z&to=${year}-01-01T02:30:00Z`
  const all = await upcoming(admin, period)
  assert.deepEqual(
    all.data.map(({ attributes }: { attributes: object }) => attributes),
    [
      {
        node_path: `${live}/assets/front`,
        action: 'deploy',
        workflow_code: null,
        time_zone: 'Europe/Berlin',
        due_times: [`${year}-01-01T02:00:00.000000Z`],
      },
    ],
  )
  assert.equal(all.meta.partial_response, false)
  assert.equal((await admin.get(all.data[0].links.self)).status, 200)
  assert.deepEqual((await upcoming(service.as('narrow'), period)).data, [])
  for (const wrong of [
    'from=today',
    `from=${year}-01-02T00:00:00Z&to=${year}-01-01T00:00:00Z`,
    `to=${year + 3}-01-01T00:00:00Z`,
  ])
    assert.equal((await admin.get(`/api/scheduled_activities/upcoming?${wrong}`)).status, 400, wrong)
})

test('types of events are listed with their descriptions', async () => {
  const { data } = (await service.as('none').get('/api/event_types')).body
  const created = data.find(({ id }: { id: string }) => id === 'api:changes:create')
  assert.deepEqual(created.attributes, {
    type: 'api:changes:create',
    category: 'api',
    subject: 'changes',
    description: 'a change was created',
  })
})
