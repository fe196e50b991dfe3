import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { verifyAuditTrail } from '../../src/domain/events/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, often, ran, type Shown, shop } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { follow, type LiveMessage } from '../support/live-client.ts'
import { sealEverything } from '../support/sealed-trail.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type Aged, agedActivities, forgetAged, goes, type Wanted } from './aged-activities.ts'

/** Data cleaning over HTTP: definitions, a moved clock, and the remaining records. */

const all = '/api/data_cleanup_definitions'
const path = '/admin/data_cleanup_definitions'
const files = { 'web/actions.yaml': 'actions:\n  quick: { description: x, run: "true" }\n' }

let service: TestService
let admin: Client
let original: string

before(async () => {
  service = await startTestService({
    spares: 0,
    users: {
      cleaner: [{ path, read: true, update: true, delete: true }],
      looker: [{ path, read: true }],
      guest: [{ path: '/projects/shop', read: true, update: true, execute: true, delete: true }],
    },
  })
  admin = service.as('admin')
  const { asset } = await shop(service, files)
  original = (await ran(admin, asset, 'quick')).id
})
after(() => service.stop())

const yearly = { name: 'old', kind: 'activities', cron_schedule: '@yearly', older_than: 'P3D' }
const make = (attributes: object = {}, client = admin) => created(client.post(all, { ...yearly, ...attributes }))
const show = async ({ id }: Shown): Promise<Shown> => (await admin.get(`${all}/${id}`)).body.data
const drop = async ({ id }: Shown) => assert.equal((await admin.delete(`${all}/${id}`)).status, 204)
const pointers = ({ body }: Answer) =>
  body.errors.map((each: { source?: { pointer?: string } }) => each.source?.pointer)
const eventsAbout = async ({ id }: Shown): Promise<Shown[]> =>
  (await admin.get(`/api/events?limit=1000&filter[source_id_eq]=${id}`)).body.data
const typesAbout = async (of: Shown) => (await eventsAbout(of)).map(({ attributes }) => attributes.type)
const preview = async ({ id }: Shown, client = admin) => {
  const { status, body, text } = await client.post(`${all}/${id}/preview`)
  assert.equal(status, 200, text)
  return body.data.attributes
}

/** Makes it due now, and returns once it has run. */
async function run(of: Shown): Promise<void> {
  const { last_run_at: before } = (await show(of)).attributes
  await service.database.count(sql`
    update data_cleanup_definitions set next_run_at = sluice_now() where id = ${of.id}::uuid`)
  const isOver = async () => {
    const { last_run_at } = (await show(of)).attributes
    const open = await service.database.one(sql`
      select from data_cleanup_runs where definition_id = ${of.id}::uuid`)
    return last_run_at !== before && !open
  }
  await until('it has run', isOver, Boolean, often)
}

test('a definition is made, shown, changed and deleted, and each is an event', async () => {
  const made = await make({ filters: { status_code_in: ['success', 'error'] }, node_paths: ['/projects/shop%'] })
  const { name, kind, time_zone, node_paths, filters, maximum_per_run, enabled, last_run_at } = made.attributes
  assert.deepEqual(
    { name, kind, time_zone, node_paths, filters, maximum_per_run, enabled, last_run_at },
    {
      ...{ name: 'old', kind: 'activities', time_zone: 'UTC', node_paths: ['/projects/shop%'] },
      filters: { status_code_in: ['success', 'error'] },
      ...{ maximum_per_run: null, enabled: true, last_run_at: null },
    },
  )
  assert.match(made.attributes.next_run_at, /-01-01T00:00:00\.000000Z$/)
  const rested = await admin.patch(`${all}/${made.id}`, { enabled: false })
  assert.equal(rested.body.data.attributes.next_run_at, null)
  const again = await admin.patch(`${all}/${made.id}`, { enabled: false })
  assert.equal(again.status, 200)
  const zoned = await admin.patch(`${all}/${made.id}`, {
    ...{ enabled: true, cron_schedule: '0 3 1 7 *', time_zone: 'Europe/Berlin' },
  })
  assert.match(zoned.body.data.attributes.next_run_at, /-07-01T01:00:00\.000000Z$/)
  const { next_due_times: due } = zoned.body.data.attributes
  assert.equal(due.length, 5)
  assert.equal(Date.parse(due[0]), Date.parse(zoned.body.data.attributes.next_run_at))
  for (const at of due) assert.doesNotMatch(at, /Z$/)
  const stale = await admin.patch(`${all}/${made.id}`, { name: 'x' }, { 'if-match': '"1"' })
  assert.equal(stale.status, 412)
  await drop(made)
  assert.equal((await admin.get(`${all}/${made.id}`)).status, 404)
  assert.deepEqual(await typesAbout(made), [
    'api:data_cleanup_definitions:create',
    ...['api:data_cleanup_definitions:update', 'api:data_cleanup_definitions:update'],
    'api:data_cleanup_definitions:destroy',
  ])
})

test('what is wrong with a definition is said when it is made, each thing where it stands', async () => {
  const refused = async (attributes: object, where: string[], status = 422) => {
    const answer = await admin.post(all, { ...yearly, ...attributes })
    assert.deepEqual([answer.status, pointers(answer)], [status, where.map(each => `/data/attributes/${each}`)])
    return answer.text
  }
  await refused({ cron_schedule: '61 * * * *' }, ['cron_schedule'])
  await refused({ time_zone: 'Mars/Olympus' }, ['time_zone'])
  for (const older_than of ['3 days', 'P', 'PT', 'P1DT', '-P3D', 'PT23H', 'P999999D', 'P9999Y'])
    await refused({ older_than }, ['older_than'])
  await refused({ kind: 'events', older_than: 'P29D' }, ['older_than'])
  assert.match(await refused({ kind: 'agent_images' }, ['kind']), /no images of agents yet/)
  await refused({ kind: 'everything' }, ['kind'])
  for (const node_paths of [['projects/shop'], ['/projects/%/x'], ['']]) await refused({ node_paths }, ['node_paths/0'])
  await refused({ node_paths: [] }, ['node_paths'])
  await refused({ maximum_per_run: 0 }, ['maximum_per_run'])
  await refused({ filters: { colour_eq: 'red' } }, ['filters/colour_eq'])
  await refused({ filters: { status_code: 'success' } }, ['filters/status_code'])
  await refused({ filters: { created_at_lt: 'soon', mine: 'true' } }, ['filters/created_at_lt', 'filters/mine'])
  await refused({ filters: { property_overrides_eq: '{}' } }, ['filters/property_overrides_eq'])
  await refused({ filters: { sorts: 'name' } }, ['filters/sorts'])
  await refused({ filters: { status_code_eq: { deep: 1 } } }, ['filters/status_code_eq'])
  await refused({ filters: { m: 'nor', action_eq: 'x' } }, ['filters/m'])
  for (const name of ['status_code_in', 'status_code_not_in', 'action_eq_any', 'action_not_eq_all'])
    assert.match(await refused({ filters: { [name]: [] } }, [`filters/${name}`]), /at least one value/)
  await refused({ cron_schedule: 'x', older_than: 'y', filters: { z: 1 } }, [
    'cron_schedule',
    'older_than',
    'filters/z',
  ])
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`metadata.k${n}_eq`, 'x']))
  await refused({ filters: many }, ['filters'])
  const fine = await make({
    older_than: 'P1Y2M3W4DT5H6M7S',
    filters: { m: 'or', action_eq: 'x', scheduled_true: true },
  })
  const worse = await admin.patch(`${all}/${fine.id}`, { kind: 'jobs' })
  assert.deepEqual(
    [worse.status, pointers(worse)],
    [422, ['/data/attributes/filters/action_eq', '/data/attributes/filters/scheduled_true']],
  )
  await drop(fine)
})

test('it takes the rights on definitions, whatever rights there are to what they remove', async () => {
  const [cleaner, looker, guest] = ['cleaner', 'looker', 'guest'].map(name => service.as(name)) as [
    Client,
    Client,
    Client,
  ]
  const made = await make({}, cleaner)
  const at = `${all}/${made.id}`
  assert.equal((await looker.get(all)).status, 200)
  assert.equal((await looker.get(at)).status, 200)
  assert.equal((await preview(made, looker)).complete, true)
  for (const asked of [looker.post(all, yearly), looker.patch(at, { name: 'x' }), looker.delete(at)])
    assert.equal((await asked).status, 403)
  const notThere = [guest.get(at), guest.patch(at, { name: 'x' }), guest.delete(at), guest.post(`${at}/preview`)]
  for (const asked of notThere) assert.equal((await asked).status, 404)
  assert.deepEqual((await guest.get(all)).body.data, [])
  assert.equal((await guest.post(all, yearly)).status, 403)
  assert.equal((await cleaner.delete(at)).status, 204)
})

test('a preview counts what the next run removes, and that removes nothing else', async () => {
  const seed = Number(process.env['SLUICE_TEST_SEED'] ?? 20_261_124)
  const dice = diceOf(seed)
  for (let round = 0; round < 12; round += 1) {
    const those = await agedActivities(service.database, original, dice, 40)
    const wanted = wantedBy(dice)
    const of = await make(wanted)
    const expected = expectedOf(those, wanted)
    const says = `seed ${seed}, round ${round}: ${JSON.stringify(wanted)}`
    const counted = await preview(of)
    assert.deepEqual([counted.removable_count, counted.complete], [expected.length, true], says)
    assert.equal((await left(those)).length, those.length, 'a preview removes nothing')
    await run(of)
    const gone = new Set(expected.map(({ id }) => id))
    const stays = those.filter(({ id }) => !gone.has(id)).map(({ id }) => id)
    assert.deepEqual(await left(those), stays.toSorted(), says)
    const told = (await eventsAbout(of)).filter(({ attributes }) => attributes.type === 'info:data_cleanup:activities')
    assert.deepEqual(
      told.map(({ attributes: { removed_count, name, filters } }) => ({ removed_count, name, filters })),
      gone.size > 0 ? [{ removed_count: gone.size, name: 'old', filters: wanted.filters }] : [],
      says,
    )
    assert.equal(
      (await preview(of)).removable_count,
      expectedOf(
        those.filter(({ id }) => !gone.has(id)),
        wanted,
      ).length,
    )
    await drop(of)
    await forgetAged(service.database, those)
  }
  const steps = await service.database.rows(sql`select from steps s where not exists (
    select from activities a where a.id = s.activity_id)`)
  assert.deepEqual(steps, [])
})

/** Expected removals: at most maximum_per_run of the removable ones, the oldest first. */
function expectedOf(those: readonly Aged[], wanted: Wanted): Aged[] {
  const removable = those.filter(each => goes(each, those, wanted)).toSorted((a, b) => b.madeDays - a.madeDays)
  return removable.slice(0, wanted.maximum_per_run ?? removable.length)
}

const left = async (those: readonly Aged[]): Promise<string[]> =>
  (
    await service.database.rows(sql<{ id: string }>`
      select id from activities where id = any(${those.map(({ id }) => id)}::uuid[]) order by id`)
  ).map(({ id }) => id)

function wantedBy(dice: Dice): Wanted {
  const one = <T>(values: readonly T[]): T => values[dice(values.length)]!
  return {
    older_than: one(['P1D', 'P3D', 'P5DT12H', 'P1W']),
    node_paths: one([
      ['%'],
      ['/projects/shop%'],
      ['/projects/shop/environments/live/assets/front'],
      ['/projects/other%'],
    ]),
    filters: one<Wanted['filters']>([
      {},
      { status_code_eq: 'success' },
      { status_code_in: ['error', 'cancelled'] },
      { m: 'or', status_code_eq: 'error', action_eq: 'none' },
    ]),
    maximum_per_run: one([null, null, 3]),
  }
}

test('a due time makes one run whichever process sees it, and those that went by are one', async () => {
  const other = await service.beside('worker')
  try {
    const those = await agedActivities(service.database, original, diceOf(7), 6)
    const of = await make({ cron_schedule: '0 * * * *', maximum_per_run: 1, older_than: 'P1D' })
    await moveClock(service.testDatabase, '5 hours 30 minutes')
    const ranOnce = async () => (await show(of)).attributes
    const { next_run_at, last_run_at } = await until('it ran', ranOnce, each => each.last_run_at !== null, often)
    assert.ok(Date.parse(next_run_at) - Date.parse(last_run_at) <= 3_600_000, `${next_run_at} after ${last_run_at}`)
    assert.match(next_run_at, /:00:00\.000000Z$/)
    const underWay = () =>
      service.database.rows(sql`select from data_cleanup_runs where definition_id = ${of.id}::uuid`)
    await until('that is over', underWay, rows => rows.length === 0, often)
    await service.database.count(sql`
      update data_cleanup_definitions set next_run_at = sluice_now() where id = ${of.id}::uuid`)
    const ranAgain = async () => (await show(of)).attributes.last_run_at
    await until('it ran again', ranAgain, at => at !== last_run_at, often)
    await until('that is over', underWay, rows => rows.length === 0, often)
    // Each process took one, while there was any.
    const runs = (await typesAbout(of)).filter(each => each.startsWith('info:')).length
    const left = (await preview(of)).removable_count
    assert.ok(runs === 2 || (runs < 2 && left === 0), `${runs} runs removed something, ${left} more would go`)
    await drop(of)
    await forgetAged(service.database, those)
  } finally {
    await other.stop({ keepRunners: false })
  }
})

test('a clock that was set back does not keep a definition from being due', async () => {
  const of = await make({ kind: 'jobs', cron_schedule: '@hourly' })
  await moveClock(service.testDatabase, '10 days')
  await until(
    'it ran',
    async () => (await show(of)).attributes.last_run_at,
    at => at !== null,
    often,
  )
  await moveClock(service.testDatabase, '-10 days')
  const now = async () => (await service.database.one(sql<{ now: string }>`select sluice_now() as now`))!.now
  const soon = async () => Date.parse((await show(of)).attributes.next_run_at) - Date.parse(await now()) <= 3_600_000
  await until('it is due within the hour', soon, Boolean, often)
  await drop(of)
})

test('old jobs are removed, those that were given up as well; what waits and what is young stays', async () => {
  const { database } = service
  const jobs = await database.rows(sql<{ id: string }>`
    select j.id::text as id
      from generate_series(1, 3) n,
           graphile_worker.add_job('of.a_test', '{}'::json, max_attempts => 1, run_at => now() + n * interval '1 year') j`)
  await database.count(sql`
    update graphile_worker._private_jobs
       set attempts = 1, last_error = 'x', created_at = sluice_now() - interval '4 days',
           updated_at = sluice_now() - interval '3 days'
     where id = ${jobs[0]!.id}::bigint`)
  const byStatus = async () => {
    const { body } = await admin.get('/api/admin/jobs?filter[job_class_eq]=of.a_test&limit=1000')
    const grouped = Object.groupBy(body.data as Shown[], ({ attributes }) => attributes.status)
    return Object.fromEntries(Object.entries(grouped).map(([status, each]) => [status, each!.length]))
  }
  await goneWell(20)
  assert.deepEqual(await byStatus(), { pending: 2, error: 1, success: 20 })
  const of = await make({ kind: 'jobs', older_than: 'P1D', filters: { job_class_eq: 'of.a_test' } })
  assert.equal((await preview(of)).removable_count, 1)
  await run(of)
  assert.deepEqual(await byStatus(), { pending: 2, success: 20 })
  // The job that deletes successful jobs after a day may run at any time.
  const paths = { node_paths: ['/projects/shop'], older_than: 'P2D' }
  assert.equal((await admin.patch(`${all}/${of.id}`, paths)).status, 200)
  assert.equal((await preview(of)).removable_count, 0)
  const told = (await eventsAbout(of)).filter(({ attributes }) => attributes.type === 'info:data_cleanup:jobs')
  assert.deepEqual(
    told.map(({ attributes }) => attributes.removed_count),
    [1],
  )
  await drop(of)
  await database.rows(sql`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'of.a_test'))`)
})

/** Successful jobs of the last day. */
const goneWell = (count: number) =>
  service.database.count(sql`
    insert into finished_jobs (id, job_class, queue, attempts, maximum_attempts, run_at, finished_at, node_path, created_at)
    select sluice_uuid7_at(at, uuid_send(gen_random_uuid())), 'of.a_test', 'default', 1, 25, at, at,
           case when n % 2 = 0 then '/projects/shop' end, at
      from (select n, sluice_now() - interval '2 hours' + n * interval '1 second' as at
              from generate_series(1, ${count}::int) n) ended`)

test('old events are removed and nothing else, and the audit trail still holds', async () => {
  const { database } = service
  const followed = await follow(service.address, '/api/events/live')
  assert.equal((await admin.patch('/api/projects/shop', { description: 'Open all night' })).status, 200)
  const isUpdate = ({ data }: LiveMessage) => data.data.attributes.type === 'api:projects:update'
  const heard = await followed.until(messages => messages.some(isUpdate))
  followed.close()
  const projects = { filters: { type_start: 'api:projects' }, node_paths: ['/projects/shop%'] }
  const of = await make({ kind: 'events', older_than: 'P30D', ...projects })
  assert.equal((await preview(of)).removable_count, 0)
  const asked = '/api/events?filter[type_start]=api:projects&limit=1000'
  const ids = ((await admin.get(asked)).body.data as Shown[]).map(({ id }) => id)
  assert.equal(ids.length, 2)
  await sealEverything(database)
  const seals = await database.rows(sql<{ seq: number }>`
    select seq from event_seals where event_id = any(${ids}::uuid[]) order by seq`)
  const before = await verifyAuditTrail(database)
  await moveClock(service.testDatabase, '31 days')
  assert.equal((await preview(of)).removable_count, 2)
  await run(of)
  assert.deepEqual((await admin.get(asked)).body.data, [])
  for (const id of ids) assert.equal((await admin.get(`/api/events/${id}`)).status, 404)
  const after = await verifyAuditTrail(database)
  assert.deepEqual([before.faults, after.faults, before.removed, after.removed], [[], [], 0, 2])
  const told = (await eventsAbout(of)).filter(({ attributes }) => attributes.type === 'info:data_cleanup:events')
  assert.deepEqual(
    told.map(({ attributes: { removed_count, removed_seals, filters } }) => ({
      removed_count,
      removed_seals,
      filters,
    })),
    [{ removed_count: 2, removed_seals: seals.map(({ seq }) => seq).join(','), filters: projects.filters }],
  )
  // Listeners who followed until then reconnect, and get everything after the removed event.
  const again = await follow(service.address, '/api/events/live', { lastEventId: heard.find(isUpdate)!.id })
  const [next] = await again.until(messages => messages.length > 0)
  again.close()
  const sealed = await database.one(sql<{ id: string }>`
    select event_id as id from event_seals where seq = ${seals.at(-1)!.seq + 1}`)
  assert.equal(next!.data.data.id, sealed!.id)
  await drop(of)
})

test('what tells of removed events is never removed; all else is, and the trail holds', async () => {
  const { database } = service
  await moveClock(service.testDatabase, '32 days')
  const of = await make({ kind: 'events', older_than: 'P30D', enabled: false })
  const old = (await database.one(sql<{ count: number }>`
    select count(*)::int as count from events where created_at < sluice_now() - interval '30 days'`))!.count
  await sealEverything(database)
  const { removable_count } = await preview(of)
  assert.ok(removable_count > 0 && removable_count === old - 1)
  await admin.patch(`${all}/${of.id}`, { enabled: true })
  await run(of)
  const left = await database.rows(sql<{ type: string }>`
    select type from events where created_at < sluice_now() - interval '30 days'`)
  assert.deepEqual(left, [{ type: 'info:data_cleanup:events' }])
  const { faults, removed } = await verifyAuditTrail(database)
  assert.deepEqual({ faults, removed }, { faults: [], removed: removable_count + 2 })
  await drop(of)
})

test('what cannot be removed is told of, and holds up neither the rest nor what is due later', async () => {
  for (const [kind, type] of [
    ['activities', 'error:data_cleanup:activities'],
    ['events', 'error:data_cleanup:events'],
    ['jobs', 'error:data_cleanup:jobs'],
  ] as const) {
    const of = await make({ kind, older_than: 'P30D' })
    // Stored by a release that knew another filter.
    await service.database.count(sql`
      update data_cleanup_definitions set filters = '{"colour_is": "red"}' where id = ${of.id}::uuid`)
    await run(of)
    const told = (await eventsAbout(of)).find(({ attributes }) => attributes.type === type)
    assert.match(told?.attributes.error ?? '', /colour_is/)
    await drop(of)
  }
})

/** Stored by a release that knew another filter. */
const withForgottenFilter = async (): Promise<Shown> => {
  const of = await make({ older_than: 'P90Y' })
  await service.database.count(sql`
    update data_cleanup_definitions set filters = '{"colour_is": "red"}' where id = ${of.id}::uuid`)
  return of
}
const refusesColour = async (asked: Promise<Answer>) => {
  const answer = await asked
  assert.deepEqual([answer.status, pointers(answer)], [422, ['/data/attributes/filters/colour_is']], answer.text)
}

test('a preview says which filters no longer hold, also where there is nothing old', async () => {
  const of = await withForgottenFilter()
  await refusesColour(admin.post(`${all}/${of.id}/preview`))
  await admin.patch(`${all}/${of.id}`, { filters: {} })
  assert.equal((await preview(of)).removable_count, 0)
  await drop(of)
})

test('a definition whose filters no longer hold can be switched off, and on again once they are mended', async () => {
  const of = await withForgottenFilter()
  const at = `${all}/${of.id}`
  await refusesColour(admin.patch(at, { enabled: false, older_than: 'P91Y' }))
  const off = await admin.patch(at, { enabled: false })
  assert.deepEqual([off.status, off.body.data?.attributes.next_run_at], [200, null], off.text)
  assert.equal((await admin.patch(at, { name: 'to be mended' })).status, 200)
  await refusesColour(admin.patch(at, { enabled: true }))
  const mended = await admin.patch(at, { enabled: true, filters: {} })
  assert.equal(mended.status, 200, mended.text)
  await drop(of)
})

const openRun = ({ id }: Shown) =>
  service.database.one(sql<{ claim: string | null }>`
    select claim from data_cleanup_runs where definition_id = ${id}::uuid`)

test('a batch that takes long holds up no other definition, however long it takes', async () => {
  const those = await agedActivities(service.database, original, diceOf(5), 10)
  const slow = await make({ enabled: false, older_than: 'P1D', filters: { id_in: those.map(({ id }) => id) } })
  assert.ok((await preview(slow)).removable_count > 0)
  const other = await make({ kind: 'jobs' })
  await service.database.transaction(async tx => {
    await tx.rows(
      sql`select from activities where id = any(${those.map(({ id }) => id)}::uuid[]) order by id for update`,
    )
    await admin.patch(`${all}/${slow.id}`, { enabled: true })
    await service.database.count(sql`
      update data_cleanup_definitions set next_run_at = sluice_now() where id = ${slow.id}::uuid`)
    const busy = () =>
      service.database.one(sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%activities%'`)
    await until('it is at work', busy, Boolean, often)
    // Longer than a turn.
    await moveClock(service.testDatabase, '30 seconds')
    await run(other)
    assert.ok(await openRun(slow))
  })
  await until(
    'that is over, too',
    () => openRun(slow),
    each => each === undefined,
    often,
  )
  for (const each of [slow, other]) await drop(each)
  await forgetAged(service.database, those)
})

test('a run that somebody works on is theirs, whenever another definition has had its turn', async () => {
  const { database } = service
  const [theirs, other] = [await make({ enabled: false }), await make({ kind: 'jobs' })]
  const claimed = await database.one(sql<{ claim: string }>`
    insert into data_cleanup_runs (definition_id, revision, name, kind, node_paths, filters, older_than, cutoff, claim)
    select id, revision, name, kind, node_paths, filters, older_than, sluice_now() - older_than::interval, sluice_uuid7()
      from data_cleanup_definitions
     where id = ${theirs.id}::uuid
    returning claim`)
  await run(other)
  const queued = () =>
    database.rows(sql`select from graphile_worker.jobs where task_identifier = 'data_cleaning.clean'`)
  await until('nobody is asked any more', queued, rows => rows.length === 0, often)
  assert.deepEqual(await openRun(theirs), claimed)
  // Not updated for longer than a turn takes.
  await moveClock(service.testDatabase, '30 seconds')
  await until(
    'another has taken it on',
    () => openRun(theirs),
    each => each === undefined,
    often,
  )
  for (const each of [theirs, other]) await drop(each)
})

test('a definition that is changed or deleted in the middle of its run removes nothing more', async () => {
  const those = await agedActivities(service.database, original, diceOf(3), 10)
  const of = await make({ enabled: false, older_than: 'P1D' })
  assert.ok((await preview(of)).removable_count > 0)
  const holding = service.database.transaction(async tx => {
    // The process that works on it waits for these, and then notices.
    await tx.rows(
      sql`select from activities where id = any(${those.map(({ id }) => id)}::uuid[]) order by id for update`,
    )
    await admin.patch(`${all}/${of.id}`, { enabled: true })
    await service.database.count(sql`
      update data_cleanup_definitions set next_run_at = sluice_now() where id = ${of.id}::uuid`)
    const busy = () =>
      service.database.one(sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%activities%'`)
    await until('it is at work', busy, Boolean, often)
    await admin.delete(`${all}/${of.id}`)
  })
  await holding
  const open = () => service.database.one(sql`select from data_cleanup_runs`)
  await until('the run is over', open, row => row === undefined, often)
  // One of them was being removed.
  assert.ok((await left(those)).length >= those.length - 1)
  await forgetAged(service.database, those)
})
