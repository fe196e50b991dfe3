import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, often, readyVersion, type Shop, type Shown, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** More than one project may have in progress and waiting for slots. */
const many = 60

let service: TestService
let admin: Client
let made: Shop
let other: string

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  const actions = Array.from({ length: many }, (_, at) => `  a${at}: { run: "true" }\n`).join('')
  made = await shop(service, { 'web/actions.yaml': `actions:\n${actions}` })
  await created(admin.post('/api/projects', { code: 'bank', name: 'Bank' }))
  await created(admin.post('/api/projects/bank/environments', { code: 'live', name: 'Live' }))
  await created(admin.post('/api/projects/bank/git_remotes', { name: 'code', url: made.repository.url }))
  const template = { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: 'code' }
  await created(admin.post('/api/projects/bank/templates', template))
  await readyVersion(admin, '/api/projects/bank/templates/web/versions/1.0', 'main')
  const asset = { code: 'front', name: 'front', template_code: 'web', template_version: '1.0' }
  await created(admin.post('/api/projects/bank/environments/live/assets', asset))
  other = '/api/projects/bank/environments/live/assets/front'
})
after(() => service.stop())

const yearly = '0 0 1 1 *'

test('what is due elsewhere and what people start goes on while sixty schedules of one project are due at once', async () => {
  const { settings } = (await admin.get('/api/system_configuration')).body.data.relationships
  const limit = { data: { 'concurrent.runner_limit': 1 } }
  assert.equal((await admin.patch(`/api/settings/${settings.data.id}`, limit)).status, 200)
  for (let at = 0; at < many; at += 1)
    await created(admin.post(`${made.asset}/scheduled_activities`, { action: `a${at}`, cron_schedule: yearly }))
  await created(admin.post(`${other}/scheduled_activities`, { action: 'a0', cron_schedule: yearly }))
  await service.database.count(sql`
    update scheduled_activities
       set next_run_at = sluice_now() - case when path like '/projects/shop/%' then interval '2 seconds' else interval '0' end`)

  const numbers = (project: string) =>
    service.database.rows(sql<{ number: number; id: string }>`
      select number::int, id from activities where path like ${`/projects/${project}/%`} order by number`)
  const [elsewhere] = await until(
    'elsewhere it is made',
    () => numbers('bank'),
    rows => rows.length > 0,
    often,
  )
  const before = (await numbers('shop')).filter(({ number }) => number < elsewhere!.number)
  assert.ok(before.length <= 21, `${before.length} of the other project were made before it`)

  await until(
    'some are made',
    () => numbers('shop'),
    rows => rows.length >= 15,
    often,
  )
  const mine = await created(admin.post(`${other}/changes`, { action: 'a1' }))
  const { attributes } = await ended(admin, mine.id)
  assert.equal(attributes.status_code, 'success')
  const started = (
    (await admin.get('/api/changes?filter[under]=/projects/shop&limit=1000')).body.data as Shown[]
  ).filter(each => each.attributes.started_at !== null && each.attributes.started_at < attributes.started_at)
  assert.ok(started.length <= 45, `${started.length} of the schedules began before it`)

  assert.equal(
    (await admin.patch(`/api/settings/${settings.data.id}`, { data: { 'concurrent.runner_limit': null } })).status,
    200,
  )
  const all = async () => (await admin.get('/api/changes?filter[finished]=true&limit=1000')).body.data as Shown[]
  const over = await until('all have run', all, found => found.length === many + 2, { seconds: 180, pause: 100 })
  assert.deepEqual(new Set(over.map(each => each.attributes.status_code)), new Set(['success']))
})
