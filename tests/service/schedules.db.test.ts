import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import {
  created,
  ended,
  eventTypes,
  newAsset,
  often,
  readyVersion,
  type Shop,
  type Shown,
  shop,
  stepsOf,
} from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { gitServer, testRepository } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { assertEventsTold } from '../support/told-events.ts'

/** Schedules over HTTP: the clock is moved, and the resulting changes are checked. */

const actions = `
actions:
  quick: { description: x, run: "true" }
  held:
    description: Waits at the gate that its properties name
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
`
const files: Record<string, string> = { 'web/actions.yaml': actions, 'actions.yaml': actions, 'src/a.txt': 'one\n' }
const live = '/api/projects/shop/environments/live'
const all = '/api/scheduled_activities'

let service: TestService
let admin: Client
let operator: Client
let gates: Gates
let made: Shop
let front: string

before(async () => {
  const everything = { read: true, update: true, execute: true, delete: true }
  service = await startTestService({
    users: {
      operator: [{ path: '/projects/shop', ...everything }],
      planner: [{ path: '/projects/shop/environments/live/assets/front', read: true, update: true }],
      guest: [{ path: '/projects/shop', read: true }],
    },
  })
  admin = service.as('admin')
  operator = service.as('operator')
  gates = await newGates()
  made = await shop(service, files)
  front = made.asset
})
after(async () => {
  await service.stop()
  await gates.remove()
})

/** Tomorrow at three: until then nothing else is due. */
const daily = { action: 'quick', cron_schedule: '0 3 * * *' }
const schedule = (attributes: object = {}, client = admin, at = front) =>
  created(client.post(`${at}/scheduled_activities`, { ...daily, ...attributes }))
const show = async ({ id }: Shown): Promise<Shown> => (await admin.get(`${all}/${id}`)).body.data
const patch = (of: Shown, attributes: object, client = admin) => client.patch(`${all}/${of.id}`, attributes)
const now = async () => Date.parse((await service.database.one(sql<{ at: string }>`select sluice_now() as at`))!.at)
const inSeconds = async (seconds: number) => new Date((await now()) + seconds * 1_000).toISOString()

/** Moves the clock to a due time of a schedule, and returns the result. */
async function due(of: Shown): Promise<{ state: string; reason: string | null; activity_id: string | null }> {
  const { next_run_at } = (await show(of)).attributes
  const seconds = (Date.parse(next_run_at) - (await now())) / 1_000
  if (seconds > 0) await moveClock(service.testDatabase, `${seconds} seconds`)
  return settled(of, next_run_at)
}

async function settled(of: Shown, at: string) {
  const row = await until(
    `what is due at ${at} is decided`,
    () =>
      service.database.one(sql<{ state: string; reason: string | null; activity_id: string | null }>`
        select state, reason, activity_id from schedule_occurrences
         where schedule_id = ${of.id}::uuid and due_at = ${at}::timestamptz`),
    each => each !== undefined && !['due', 'resolving'].includes(each.state),
    often,
  )
  return row!
}

const eventsAbout = async ({ id }: Shown): Promise<Shown[]> =>
  (await admin.get(`/api/events?limit=1000&filter[source_id_eq]=${id}`)).body.data
const typesAbout = async (of: Shown) => (await eventsAbout(of)).map(({ attributes }) => attributes.type)
const pointers = ({ body }: Answer) =>
  body.errors.map((each: { source?: { pointer?: string } }) => each.source?.pointer)

test('a schedule makes a change when it is due, and is due again', async () => {
  const answer = await operator.post(`${front}/scheduled_activities`, { ...daily, metadata: { ticket: 'A-1' } })
  assert.equal(answer.status, 201, answer.text)
  const of: Shown = answer.body.data
  assert.equal(answer.headers.get('location'), `${all}/${of.id}`)
  assert.match(of.attributes.next_run_at, /T03:00:00\.000000Z$/)
  assert.deepEqual(
    [of.attributes.time_zone, of.attributes.repeat, of.attributes.enabled, of.attributes.run_count],
    ['UTC', true, true, 0],
  )
  const { state, activity_id } = await due(of)
  assert.equal(state, 'created')
  const change = (await admin.get(`/api/changes/${activity_id}`)).body.data
  assert.deepEqual(
    [change.attributes.scheduled, change.attributes.created_by, change.attributes.metadata],
    [true, 'operator', { ticket: 'A-1' }],
  )
  assert.deepEqual(change.relationships.scheduled_activity.data, { type: 'scheduled_change', id: of.id })
  assert.equal((await ended(admin, activity_id!)).attributes.status_code, 'success')
  assert.ok((await eventTypes(admin, activity_id!)).includes('api:changes:create'))
  assert.deepEqual(await typesAbout(of), [
    ...['api:scheduled_changes:create', 'api:scheduled_changes:change_creation:create'],
    'api:scheduled_changes:change_creation:success',
  ])
  const after = (await show(of)).attributes
  assert.equal(after.run_count, 1)
  assert.equal(Date.parse(after.next_run_at) - Date.parse(of.attributes.next_run_at), 86_400_000)
  assert.equal((await admin.delete(`${all}/${of.id}`)).status, 204)
  assert.equal((await admin.get(`${all}/${of.id}`)).status, 404)
  assert.equal((await typesAbout(of)).at(-1), 'api:scheduled_changes:destroy')
  assert.equal((await admin.get(`/api/changes/${activity_id}`)).status, 200, 'what it made stays')
})

test('the answer of a schedule, and a preview before it is saved, tell the next due times in its own zone', async () => {
  const times = { cron_schedule: '30 2 * * mon', time_zone: 'Europe/Berlin' }
  const preview = (attributes: object, client = admin) => client.post(`${all}/preview`, attributes)
  const before = (await admin.get(`${front}/scheduled_activities?limit=1000`)).body.data.length
  const told = await preview(times)
  assert.equal(told.status, 200, told.text)
  const { next_due_times: predicted, next_run_at } = told.body.data.attributes
  assert.equal(predicted.length, 10)
  for (const at of predicted) assert.match(at, /T(02:30|03:00):00\+0[12]:00$/)
  assert.equal(Date.parse(predicted[0]), Date.parse(next_run_at))
  assert.equal(
    (await admin.get(`${front}/scheduled_activities?limit=1000`)).body.data.length,
    before,
    'nothing is written',
  )
  const of = await schedule(times)
  assert.deepEqual(of.attributes.next_due_times, predicted.slice(0, 5))
  const changed = (await patch(of, { time_zone: 'Asia/Kolkata', maximum_run_count: 2 })).body.data
  assert.equal(changed.attributes.next_due_times.length, 2)
  for (const at of changed.attributes.next_due_times) assert.match(at, /T02:30:00\+05:30$/)
  assert.deepEqual((await show(of)).attributes.next_due_times, changed.attributes.next_due_times)
  const [listed] = (await admin.get(`${all}?filter[id_eq]=${of.id}`)).body.data
  assert.ok(!Object.hasOwn(listed.attributes, 'next_due_times'), 'lists have next_run_at')
  const resting = (await patch(of, { enabled: false })).body.data
  assert.deepEqual(resting.attributes.next_due_times, [])

  for (const [attributes, attribute] of [
    [{ ...times, cron_schedule: '0 25 * * *' }, 'cron_schedule'],
    [{ ...times, time_zone: 'Berlin' }, 'time_zone'],
    [{ time_zone: 'UTC' }, 'cron_schedule'],
    [{ run_at: '2020-01-01T00:00:00Z' }, 'run_at'],
    [{ ...times, end_at: '2020-01-01T00:00:00Z' }, 'end_at'],
  ] as const) {
    const refused = await preview(attributes)
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.body.errors[0].source.pointer, `/data/attributes/${attribute}`)
    assert.doesNotMatch(refused.text, /CronPattern|Cron /)
  }
  const once = await preview({ run_at: '2099-01-01T00:00:00Z', time_zone: 'America/New_York' }, service.as('guest'))
  assert.deepEqual(once.body.data.attributes.next_due_times, ['2098-12-31T19:00:00-05:00'])
  assert.equal((await admin.delete(`${all}/${of.id}`)).status, 204)
})

test('a schedule is made of the node that parent_path names, too', async () => {
  const wanted = { ...daily, enabled: false }
  const of = await created(admin.post(all, { ...wanted, parent_path: front.replace('/api', '') }))
  const listed = (await admin.get(`${front}/scheduled_activities?filter[id_eq]=${of.id}`)).body.data
  assert.equal(listed.length, 1)
  const lacking = await admin.post(all, wanted)
  assert.deepEqual([lacking.status, pointers(lacking)], [422, ['/data/attributes/parent_path']])
  assert.equal((await admin.post(all, { ...wanted, parent_path: '/projects/nope' })).status, 404)
  await admin.delete(`${all}/${of.id}`)
})

test('a run_at is due once; an end and a maximum of runs are kept to', async () => {
  const once = await schedule({ cron_schedule: null, run_at: await inSeconds(60) })
  assert.equal(once.attributes.repeat, false)
  assert.equal((await due(once)).state, 'created')
  assert.deepEqual([(await show(once)).attributes.next_run_at, (await show(once)).attributes.run_count], [null, 1])

  const twice = await schedule({ cron_schedule: '*/10 * * * *', maximum_run_count: 2, allow_parallel_execution: true })
  await due(twice)
  await due(twice)
  assert.deepEqual([(await show(twice)).attributes.next_run_at, (await show(twice)).attributes.run_count], [null, 2])

  const ending = await schedule({ cron_schedule: '0 * * * *', end_at: await inSeconds(3_700) })
  await due(ending)
  assert.equal((await show(ending)).attributes.next_run_at, null)
})

test('what is wrong with a schedule is said at once, all of it, before it is due', async () => {
  const wrong = async (attributes: object) =>
    pointers(await admin.post(`${front}/scheduled_activities`, { ...daily, ...attributes }))
  const at = (...names: string[]) => names.map(name => `/data/attributes/${name}`)
  assert.deepEqual(await wrong({ cron_schedule: 'at noon', time_zone: 'Mars/Base' }), at('cron_schedule', 'time_zone'))
  assert.deepEqual(await wrong({ run_at: '2099-01-01T00:00:00Z', repeat: false }), at('cron_schedule'))
  assert.deepEqual(await wrong({ cron_schedule: null, run_at: '2001-01-01T00:00:00Z' }), at('run_at'))
  assert.deepEqual(await wrong({ end_at: await inSeconds(1) }), at('end_at'))
  const late = { cron_schedule: null, run_at: await inSeconds(7_200), end_at: await inSeconds(3_600) }
  assert.deepEqual(await wrong(late), at('end_at'))
  assert.deepEqual(await wrong({ commit_file_patterns: [{ match: 'src/**' }] }), at('commit_file_patterns'))
  assert.deepEqual(await wrong({ settings_overrides: { nonsense: 1 } }), at('settings_overrides/nonsense'))
  assert.deepEqual(await wrong({ git_rev: 'main' }), at('git_rev'))
  const several = {
    ...{ cron_schedule: 'at noon', commit_file_patterns: [{ match: 'src/**' }], settings_overrides: { nonsense: 1 } },
    ...{ git_rev: 'main', property_overrides: { password: 'secret://projects/other/db/password' } },
  }
  const names = ['cron_schedule', 'commit_file_patterns', 'settings_overrides/nonsense', 'git_rev']
  assert.deepEqual(await wrong(several), at(...names, 'property_overrides/password'))
  assert.equal((await admin.post(`${live}/scheduled_activities`, daily)).status, 422)
  assert.equal((await admin.post('/api/projects/shop/agents/none/scheduled_activities', daily)).status, 404)
})

test('an earlier change at work has what is due skipped, unless they may overlap', async () => {
  const property_overrides = { gates: gates.folder, name: 'overlap' }
  const held = { action: 'held', cron_schedule: '*/10 * * * *', property_overrides }
  const of = await schedule(held)
  const first = await due(of)
  await gates.reached('overlap-began')
  // Not by ten minutes: a runner without contact for longer than a minute is lost.
  const again = await schedule({ ...held, cron_schedule: null, run_at: await inSeconds(3_600) })
  await admin.delete(`${all}/${again.id}`)
  const { next_run_at } = (await show(of)).attributes
  await service.database.count(sql`
    update scheduled_activities set next_run_at = sluice_now() - interval '1 second' where id = ${of.id}::uuid`)
  await until(
    'the next is due',
    () => show(of),
    each => each.attributes.next_run_at === next_run_at,
    often,
  )
  const skipped = await until(
    'it is skipped',
    () => typesAbout(of),
    types => types.includes('warning:scheduled_activity:skipped'),
    often,
  )
  assert.equal(skipped.filter(type => type === 'api:scheduled_changes:change_creation:success').length, 1)
  assert.equal((await show(of)).attributes.run_count, 1)
  assert.equal((await patch(of, { allow_parallel_execution: true })).status, 200)
  await service.database.count(sql`
    update scheduled_activities set next_run_at = sluice_now() where id = ${of.id}::uuid`)
  await until(
    'another is made',
    () => show(of),
    each => each.attributes.run_count === 2,
    often,
  )
  await gates.open('overlap')
  assert.equal((await ended(admin, first.activity_id!)).attributes.status_code, 'success')
  await admin.delete(`${all}/${of.id}`)
})

test('with new commits only, a commit is used once, and only when it touches what the patterns mean', async () => {
  const push = (path: string): string => {
    files[path] = `${path} is new\n`
    return made.repository.commit(files)
  }
  const of = await schedule(
    {
      cron_schedule: '*/5 * * * *',
      git_remote_name: 'code',
      git_rev: 'main',
      new_commits_only: true,
      commit_file_patterns: [{ match: 'src/**' }, { match: '**.md', negate: true }],
      commit_file_pattern_match: 'all',
    },
    admin,
    live,
  )
  const first = await due(of)
  assert.equal(first.state, 'created')
  await ended(admin, first.activity_id!)
  assert.equal((await due(of)).reason, 'it has used that commit')
  push('src/notes.md')
  push('docs/a.txt')
  assert.equal((await due(of)).reason, 'the commit touches no file that is meant')
  const commit = push('src/b.txt')
  const { state, activity_id } = await due(of)
  assert.equal(state, 'created')
  const change = await ended(admin, activity_id!)
  const complaints = (await stepsOf(admin, activity_id!)).map(step => step.attributes.error_message)
  assert.deepEqual(complaints, [null])
  assert.deepEqual([change.attributes.status_code, change.attributes.commit_sha], ['success', commit])
  await admin.delete(`${all}/${of.id}`)
})

test('of due times that are looked at together one uses a new commit', async () => {
  const fromGit = { git_remote_name: 'code', git_rev: 'main', new_commits_only: true }
  const of = await schedule({ ...fromGit, cron_schedule: '*/5 * * * *', allow_parallel_execution: true }, admin, live)
  await service.database.count(sql`
    update scheduled_activities set next_run_at = next_run_at - interval '50 minutes' where id = ${of.id}::uuid`)
  const decided = await until(
    'all of them are decided',
    () =>
      service.database.rows(sql<{ state: string; reason: string | null; activity_id: string | null }>`
        select state, reason, activity_id from schedule_occurrences where schedule_id = ${of.id}::uuid order by state`),
    rows => rows.length >= 9 && rows.every(({ state }) => !['due', 'resolving'].includes(state)),
    often,
  )
  const [made, ...others] = decided
  assert.equal(made!.state, 'created')
  assert.deepEqual([...new Set(others.map(({ reason }) => reason))], ['it has used that commit'])
  await ended(admin, made!.activity_id!)
  await admin.delete(`${all}/${of.id}`)
})

test('a schedule that is edited while its revision is looked up makes a change of what it says now', async () => {
  const repository = await testRepository(files)
  const next = repository.commit({ ...files, 'src/next.txt': 'x' }, { branch: 'next' })
  const git = await gitServer(repository)
  try {
    await created(admin.post('/api/projects/shop/git_remotes', { name: 'slow', url: git.url }))
    const of = await schedule({ git_remote_name: 'slow', git_rev: 'main' }, admin, live)
    await until(
      'the new remote has been fetched',
      async () => git.fetches(),
      count => count > 0,
      often,
    )
    git.hold()
    const made = due(of)
    await git.held()
    assert.equal((await patch(of, { git_rev: 'next' })).status, 200)
    git.release()
    const { state, activity_id } = await made
    assert.equal(state, 'created')
    const { git_rev, commit_sha } = (await ended(admin, activity_id!)).attributes
    assert.deepEqual({ git_rev, commit_sha }, { git_rev: 'next', commit_sha: next })
    await admin.delete(`${all}/${of.id}`)
  } finally {
    await git.stop()
    await repository.remove()
  }
})

test('due times that nobody asks about any more are forgotten; a commit that was used stays used', async () => {
  const fromGit = { git_remote_name: 'code', git_rev: 'main', new_commits_only: true }
  const of = await schedule({ ...fromGit, cron_schedule: '*/5 * * * *' }, admin, live)
  await ended(admin, (await due(of)).activity_id!)
  const { database } = service
  await database.count(
    sql`update schedule_occurrences set due_at = due_at - interval '8 days' where schedule_id = ${of.id}::uuid`,
  )
  await database.count(sql`
    insert into schedule_occurrences (schedule_id, due_at, state, reason)
    select ${of.id}::uuid, sluice_now() - make_interval(days => 6, mins => n), state, 'a test'
      from generate_series(1, 4320, 4) n, unnest(array['skipped', 'missed', 'failed']) with ordinality s (state, at)
     where at = 1 + n / 4 % 3`)
  const left = () =>
    database.rows(sql<{ state: string; old: boolean }>`
      select state, due_at < sluice_now() - interval '7 days' as old from schedule_occurrences
       where schedule_id = ${of.id}::uuid order by due_at`)
  const before = (await left()).length
  await database.rows(sql`select graphile_worker.add_job('schedules.trim_occurrences')`)
  const after = await until('the old ones are gone', left, rows => rows.filter(({ old }) => old).length < 2, often)
  assert.ok(before > 1_080 && after.length < 400, `${before}, then ${after.length}`)
  assert.deepEqual(
    after.filter(({ old }) => old).map(({ state }) => state),
    ['created'],
  )
  assert.equal((await due(of)).reason, 'it has used that commit')
  await admin.delete(`${all}/${of.id}`)
})

test('what a schedule makes is given what the schedule says of it', async () => {
  const notify = { events: ['api:changes:error'], user_names: ['operator'] }
  const said = { auto_continue_wait_steps: true, build_without_cache: true, notify }
  const of = await schedule(said)
  const shown = (await show(of)).attributes
  assert.deepEqual([shown.auto_continue_wait_steps, shown.build_without_cache, shown.notify], [true, true, notify])
  const id = (await due(of)).activity_id!
  const { attributes } = await ended(admin, id)
  assert.deepEqual([attributes.auto_continue_wait_steps, attributes.build_without_cache], [true, true])
  const told = (table: 'changes' | 'workflow_runs', made: string) =>
    service.database.one(sql<{ told: boolean }>`
      select notify is not null as told from ${sql.table(table)} where id = ${made}::uuid`)
  assert.deepEqual(await told('changes', id), { told: true })
  assert.equal((await patch(of, { notify: null, build_without_cache: false })).status, 200)
  const after = (await show(of)).attributes
  assert.deepEqual([after.auto_continue_wait_steps, after.build_without_cache, after.notify], [true, false, null])
  assert.deepEqual(pointers(await patch(of, { notify: { whom: ['operator'] } })), ['/data/attributes/notify'])
  await admin.delete(`${all}/${of.id}`)
})

test('patterns that are never met until the schedule ends are told of', async () => {
  const of = await schedule(
    {
      cron_schedule: null,
      run_at: await inSeconds(600),
      git_remote_name: 'code',
      git_rev: 'main',
      new_commits_only: true,
      commit_file_patterns: [{ match: 'nowhere/**' }],
    },
    admin,
    live,
  )
  assert.equal((await due(of)).state, 'skipped')
  const told = (await eventsAbout(of)).find(
    ({ attributes }) => attributes.type === 'warning:scheduled_changes:commit_file_patterns',
  )
  assert.match(told!.attributes.error, /no commit touched/)
})

test('patterns that cannot be judged hinder nothing: the change is made, and it is told why', async () => {
  const elsewhere = await service.repository({ 'actions.yaml': actions })
  await created(admin.post('/api/projects/shop/git_remotes', { name: 'elsewhere', url: elsewhere.url }))
  const src = { new_commits_only: true, commit_file_patterns: [{ match: 'src/**' }] }
  const of = await schedule({ ...src, git_remote_name: 'code', git_rev: 'main' }, admin, live)
  await ended(admin, (await due(of)).activity_id!)
  // The last used commit is not in the other repository, so the new files there are unknown.
  assert.equal((await patch(of, { git_remote_name: 'elsewhere' })).status, 200)
  const { state, activity_id } = await due(of)
  assert.equal(state, 'created')
  assert.equal((await ended(admin, activity_id!)).attributes.git_remote_name, 'elsewhere')
  const told = (await eventsAbout(of)).filter(
    ({ attributes }) => attributes.type === 'warning:scheduled_changes:commit_file_patterns',
  )
  assert.equal(told.length, 1)
  assert.notEqual(told[0]!.attributes.error, '')
  await admin.delete(`${all}/${of.id}`)
})

test('a revision that does not exist makes no change, and an action that does not exist none either', async () => {
  const of = await schedule({ git_remote_name: 'code', git_rev: 'nobody-pushed-this' }, admin, live)
  assert.equal((await due(of)).state, 'failed')
  assert.ok((await typesAbout(of)).includes('error:scheduled_changes:git_sha'))
  const wrong = await schedule({ action: 'no such action' })
  const { state, reason } = await due(wrong)
  assert.deepEqual([state, /no such action/.test(reason!)], ['failed', true])
  assert.ok((await typesAbout(wrong)).includes('error:scheduled_changes:change_creation'))
  for (const each of [of, wrong]) await admin.delete(`${all}/${each.id}`)
})

test('a schedule of an action that its node does not offer is made, and the answer warns', async () => {
  const at = `${front}/scheduled_activities`
  const mistyped = await admin.post(at, { ...daily, action: 'quik', enabled: false })
  assert.equal(mistyped.status, 201)
  const [warning, ...more] = mistyped.body.meta.warnings
  assert.deepEqual([warning.attribute, more], ['action', []])
  assert.match(warning.detail, /offers no action "quik" in version \S+ of its template\. Did you mean "quick"\?/)
  const mended = await patch(mistyped.body.data, { action: 'quick' })
  assert.deepEqual([mended.status, mended.body.meta?.warnings], [200, undefined])

  const elsewhere = { git_remote_name: 'code', git_rev: 'no-such-branch', enabled: false }
  const { body } = await admin.post(`${live}/scheduled_activities`, { ...daily, ...elsewhere })
  assert.deepEqual(
    body.meta.warnings.map((each: { attribute: string }) => each.attribute),
    ['git_rev'],
  )
  for (const id of [mistyped.body.data.id, body.data.id]) await admin.delete(`${all}/${id}`)
})

test('the rights are those of whoever made it at that moment: without them it is disabled, and says why', async () => {
  await service.addUser('leaver', [{ path: '/projects/shop', read: true, update: true, execute: true, delete: true }])
  const of = await schedule({}, service.as('leaver'))
  const { body } = await admin.get('/api/authorisation_policies?filter[name_cont]=leaver')
  await admin.delete(`/api/authorisation_policies/${body.data[0].id}`)
  const { state } = await due(of)
  assert.equal(state, 'failed')
  const { enabled, disabled_reason, run_count } = (await show(of)).attributes
  assert.deepEqual([enabled, run_count], [false, 0])
  assert.match(disabled_reason, /leaver may not execute/)
  assert.ok((await typesAbout(of)).includes('warning:scheduled_activity:disabled'))
  await admin.delete(`${all}/${of.id}`)
})

test('whoever makes or changes a schedule may run its action themselves', async () => {
  assert.equal((await service.as('planner').post(`${front}/scheduled_activities`, daily)).status, 403)
  assert.equal((await service.as('guest').post(`${front}/scheduled_activities`, daily)).status, 403)
  const of = await schedule({}, operator)
  assert.equal((await patch(of, { property_overrides: { a: 1 } }, service.as('planner'))).status, 403)
  assert.equal((await service.as('guest').delete(`${all}/${of.id}`)).status, 403)
  assert.equal((await service.as('guest').get(`${all}/${of.id}`)).status, 200)
  const changed = await patch(
    of,
    { cron_schedule: '0 4 * * *', time_zone: 'Europe/Berlin', metadata: { a: 1 } },
    operator,
  )
  assert.match(changed.body.data.attributes.next_run_at, /T0[23]:00:00/)
  const same = await patch(of, { metadata: { a: 1 } }, operator)
  assert.equal(same.status, 200)
  const updates = (await eventsAbout(of)).filter(({ attributes }) => attributes.type === 'api:scheduled_changes:update')
  assert.deepEqual(
    updates.map(({ attributes }) => attributes.changed_pointers),
    [['/metadata/a']],
  )
  const once = await patch(of, { run_at: await inSeconds(9_999) })
  assert.deepEqual([once.body.data.attributes.cron_schedule, once.body.data.attributes.repeat], [null, false])
  const listed = await operator.get(`${live}/scheduled_activities?include_children=true&filter[mine]=true`)
  assert.deepEqual(
    listed.body.data.map(({ id }: Shown) => id),
    [of.id],
  )
  const off = await patch(of, { enabled: false })
  assert.equal(off.body.data.attributes.enabled, false)
  await admin.delete(`${all}/${of.id}`)
})

test('a schedule is disabled also when what it runs is there no more, and not enabled then', async () => {
  const passing = { name: 'passing', url: made.repository.url }
  const remote = await created(admin.post('/api/projects/shop/git_remotes', passing))
  const of = await schedule({ git_remote_name: 'passing', git_rev: 'main' }, admin, live)
  const archived = await admin.patch(`/api/projects/shop/git_remotes/${remote.id}`, { archived: true })
  assert.equal(archived.status, 200, archived.text)
  const off = await patch(of, { enabled: false })
  assert.deepEqual([off.status, off.body.data?.attributes.next_run_at], [200, null], off.text)
  const on = await patch(of, { enabled: true })
  assert.deepEqual([on.status, on.body.errors[0].code], [409, 'archived'])
  await admin.delete(`${all}/${of.id}`)
})

test('of those who delete a schedule at once one has done it, and the audit trail tells it once', async () => {
  const { database } = service
  const of = await schedule({ enabled: false })
  let asked: Promise<Answer>[] = []
  await database.transaction(async tx => {
    await tx.rows(sql`select from scheduled_activities where id = ${of.id}::uuid for update`)
    asked = [1, 2].map(() => admin.delete(`${all}/${of.id}`))
    // Both have found it before either has locked it.
    await until(
      'both wait for it',
      () =>
        database.one(sql<{ n: number }>`
          select count(distinct pid)::int as n from pg_locks where not granted and locktype in ('transactionid', 'tuple')`),
      each => each!.n >= 2,
      often,
    )
  })
  const answers = await Promise.all(asked)
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404])
  assert.equal((await typesAbout(of)).filter(type => type === 'api:scheduled_changes:destroy').length, 1)
})

test('a node is in use while a schedule of it will come due; disabled, it is no hindrance', async () => {
  const asset = await newAsset(admin, 'leaving')
  const of = await schedule({}, admin, asset)
  const refused = await admin.delete(asset)
  assert.equal(refused.status, 409, refused.text)
  assert.deepEqual(refused.body.errors[0].meta.in_use, [
    { type: 'scheduled_change', path: `${asset.replace('/api', '')}/scheduled_activities` },
  ])
  await patch(of, { enabled: false })
  assert.equal((await admin.delete(asset)).status, 204)
  assert.equal((await patch(of, { enabled: true })).status, 409)
})

test('no due time is lost to a restart: those of the last hour count, older ones are told of', async () => {
  const of = await schedule({ cron_schedule: '0,20,40 * * * *', allow_parallel_execution: true })
  const patterns = { git_rev: 'main', new_commits_only: true, commit_file_patterns: [{ match: 'nowhere/**' }] }
  const once = { cron_schedule: null, run_at: await inSeconds(600), git_remote_name: 'code', ...patterns }
  const unmet = await schedule(once, admin, live)
  await service.halt({ keepRunners: false })
  const seconds = (Date.parse(of.attributes.next_run_at) - (await now())) / 1_000
  await moveClock(service.testDatabase, `${seconds + 3 * 3_600 + 60} seconds`)
  await service.startAgain()
  const { attributes } = await until(
    'they are made up for',
    () => show(of),
    each => each.attributes.run_count === 3,
    often,
  )
  assert.ok(Date.parse(attributes.next_run_at) > (await now()))
  const told = (await eventsAbout(of)).find(each => each.attributes.type === 'warning:scheduled_activity:missed')
  assert.equal(told!.attributes.missed_count, 7)
  const types = ['warning:scheduled_activity:missed', 'warning:scheduled_changes:commit_file_patterns']
  await until(
    'patterns that were never met are told of, though the last due time was missed',
    () => typesAbout(unmet),
    each => types.every(type => each.includes(type)),
    often,
  )
  await admin.delete(`${all}/${of.id}`)
  const { data } = (await admin.get('/api/changes?filter[active]=true')).body
  for (const { id } of data) await ended(admin, id)
})

test('of many processes one makes the change of a due time', async () => {
  const others = [await service.beside('all'), await service.beside('all')]
  try {
    // The created record is checked, and need not run.
    await maintenance('enabled')
    const run_at = await inSeconds(3_600)
    const those: Shown[] = []
    for (let n = 0; n < 20; n++) those.push(await schedule({ cron_schedule: null, run_at }))
    await moveClock(service.testDatabase, '3601 seconds')
    const settledAs = await Promise.all(those.map(of => settled(of, run_at)))
    assert.deepEqual(
      settledAs.map(({ state, reason }) => ({ state, reason })),
      those.map(() => ({ state: 'created', reason: null })),
    )
    const changes = await service.database.rows(sql<{ n: number }>`
      select count(*) as n from changes
       where scheduled_activity_id = any(${those.map(({ id }) => id)}::uuid[]) group by scheduled_activity_id`)
    assert.deepEqual(
      changes,
      those.map(() => ({ n: 1 })),
    )
    for (const { activity_id } of settledAs.toReversed()) {
      const answer = await admin.delete(`/api/changes/${activity_id}`)
      assert.equal(answer.status, 204, answer.text)
    }
  } finally {
    await maintenance('disabled')
    for (const other of others) await other.stop({ keepRunners: false })
  }
})

async function maintenance(maintenance_mode: string): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data: { maintenance_mode } })
  assert.equal(answer.status, 200, answer.text)
}

test('a workflow of a project runs when its schedule is due, in the name of whoever made that', async () => {
  const project = '/api/projects/shop'
  const source_yaml = 'steps:\n  - target: environments/live/assets/front\n    action: quick\n'
  await created(admin.post(`${project}/workflows`, { code: 'nightly', name: 'Nightly', source_yaml }))
  const notify = { user_names: ['operator'] }
  const wanted = { workflow_code: 'nightly', cron_schedule: null, run_at: await inSeconds(30), notify }
  assert.deepEqual(pointers(await admin.post(`${project}/scheduled_activities`, wanted)), [
    '/data/attributes/workflow_code',
  ])
  assert.equal((await admin.post(`${project}/workflows/nightly/versions/1/publish`)).status, 200)
  const newer = { source_yaml: `${source_yaml}    name: newer\n`, draft: false }
  assert.equal((await admin.patch(`${project}/workflows/nightly`, newer)).status, 200)
  const unpublished = await admin.post(`${project}/scheduled_activities`, { ...wanted, version: 3 })
  assert.deepEqual(pointers(unpublished), ['/data/attributes/version'])
  const both = await admin.post(`${project}/scheduled_activities`, { ...wanted, action: 'quick' })
  assert.deepEqual(pointers(both), ['/data/attributes/action'])
  const ofChanges = { git_rev: 'main', build_without_cache: true }
  const foreign = await admin.post(`${front}/scheduled_activities`, { ...wanted, ...ofChanges })
  const names = ['workflow_code', 'git_rev', 'build_without_cache']
  assert.deepEqual(
    pointers(foreign),
    names.map(name => `/data/attributes/${name}`),
  )

  const body = {
    data: { type: 'scheduled_workflow', attributes: { ...wanted, version: 1, metadata: { ticket: 'W-1' } } },
  }
  const answer = await operator.send('POST', `${project}/scheduled_activities`, { raw: JSON.stringify(body) })
  assert.equal(answer.status, 201, answer.text)
  const of: Shown & { type: string } = answer.body.data
  assert.deepEqual(
    [of.type, of.attributes.workflow_code, of.attributes.action],
    ['scheduled_workflow', 'nightly', null],
  )
  const listed = (await admin.get(`${project}/scheduled_activities?fields[scheduled_workflow]=workflow_code`)).body.data
  assert.deepEqual(
    listed.map((each: Shown & { type: string }) => [each.type, each.attributes]),
    [['scheduled_workflow', { workflow_code: 'nightly' }]],
  )
  assert.equal((await operator.patch(`${all}/${of.id}`, { time_zone: 'Europe/Berlin' })).status, 200)
  const { state, activity_id } = await due(of)
  assert.equal(state, 'created')
  const run = (await admin.get(`/api/workflow_runs/${activity_id}?include=scheduled_activity`)).body
  assert.deepEqual(
    [run.data.attributes.scheduled, run.data.attributes.created_by, run.data.attributes.metadata],
    [true, 'operator', { ticket: 'W-1' }],
  )
  assert.equal(run.data.attributes.version, 1)
  assert.deepEqual(
    run.included.map(({ type, id }: { type: string; id: string }) => [type, id]),
    [['scheduled_workflow', of.id]],
  )
  assert.equal((await admin.delete(`${all}/${of.id}`)).status, 204)
  assert.deepEqual(await typesAbout(of), [
    ...['api:scheduled_workflows:create', 'api:scheduled_workflows:update'],
    ...[
      'api:scheduled_workflows:workflow_run_creation:create',
      'api:scheduled_workflows:workflow_run_creation:success',
    ],
    'api:scheduled_workflows:destroy',
  ])
  await until(
    'the run ends',
    () => admin.get(`/api/workflow_runs/${activity_id}`),
    each => each.body.data.attributes.finished_at !== null,
    often,
  )

  const wrong = { ...wanted, action: undefined, skip_steps: ['*'], run_at: await inSeconds(30) }
  const skipping = await schedule(wrong, operator, project)
  assert.equal((await due(skipping)).state, 'failed')
  assert.ok((await typesAbout(skipping)).includes('error:scheduled_workflows:workflow_run_creation'))
})

test('a change that is to start later starts then', async () => {
  const run_at = await inSeconds(3)
  const { id } = await created(admin.post(`${front}/changes`, { action: 'quick', run_at }))
  const { attributes } = await ended(admin, id)
  assert.equal(attributes.status_code, 'success')
  assert.ok(Date.parse(attributes.started_at) >= Date.parse(run_at))
})

test('a schedule whose due times cannot be noted is told of once, and holds up no other', async () => {
  const [poisoned, other] = [await schedule(), await schedule()]
  const owner = (statements: string) =>
    withClient(service.testDatabase.superuserUrl, async client => void (await client.query(statements)))
  await owner(`
    create function refuse_schedule() returns trigger language plpgsql as $$
    begin raise exception 'not this one' using errcode = 'P0001'; end $$;
    create trigger refuse_schedule before update on scheduled_activities for each row
      when (new.id = '${poisoned.id}' and new.next_run_at > old.next_run_at) execute function refuse_schedule()`)
  // The one that cannot be recorded comes first.
  await service.database.count(sql`
    update scheduled_activities set next_run_at = sluice_now() - interval '2 minutes' where id = ${poisoned.id}::uuid`)
  const failed = 'error:scheduled_changes:change_creation'
  await until(
    'it has been tried again and again',
    async () => service.logged.filter(line => line.includes('not this one')),
    lines => lines.length > 2,
    often,
  )
  assert.equal((await typesAbout(poisoned)).filter(type => type === failed).length, 1)
  const { activity_id } = await due(other)
  await ended(admin, activity_id!)
  await owner('drop function refuse_schedule() cascade')
  const made = await until(
    'it goes on',
    () =>
      service.database.one(sql<{ id: string }>`
        select c.id from changes c where c.scheduled_activity_id = ${poisoned.id}::uuid`),
    found => found !== undefined,
    often,
  )
  await ended(admin, made!.id)
})

test('what comes due of a schedule waits for whoever is destroying its node, and holds nothing that they are to lock', async () => {
  const asset = await newAsset(admin, 'contested')
  const once = { action: 'quick', run_at: await inSeconds(60) }
  const of = await created(admin.post(`${asset}/scheduled_activities`, once))
  const { next_run_at } = of.attributes
  await withClient(service.testDatabase.superuserUrl, async destroyer => {
    await destroyer.query('begin')
    await destroyer.query('update nodes set destroyed_at = sluice_now() where path = $1', [asset.slice('/api'.length)])
    await moveClock(service.testDatabase, `${(Date.parse(next_run_at) - (await now())) / 1_000} seconds`)
    await until(
      'its job waits for the node',
      () =>
        service.database.rows(sql`select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'for share'`),
      rows => rows.length > 0,
      often,
    )
    // Destroying a node disables its schedules.
    await destroyer.query('select 1 from scheduled_activities where id = $1 for no key update nowait', [of.id])
    await destroyer.query('rollback')
  })
  const { state, activity_id } = await settled(of, next_run_at)
  assert.equal(state, 'created')
  await ended(admin, activity_id!)
})

test('a due time whose change the service cannot make ends with the reason, and those after it are not skipped for it', async () => {
  const poisoned = await schedule()
  const owner = (statements: string) =>
    withClient(service.testDatabase.superuserUrl, async client => void (await client.query(statements)))
  await owner(`
    create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception 'not this one' using errcode = 'P0001'; end $$;
    create trigger refuse_change before insert on changes for each row
      when (new.scheduled_activity_id = '${poisoned.id}') execute function refuse_change()`)
  const why = 'The service could not make it: not this one'
  assert.deepEqual(await due(poisoned), { state: 'failed', reason: why, activity_id: null })
  const [error, ...more] = (await eventsAbout(poisoned)).filter(({ attributes }) =>
    attributes.type.startsWith('error:'),
  )
  assert.deepEqual(
    [error!.attributes.type, error!.attributes.error, more],
    ['error:scheduled_changes:change_creation', why, []],
  )
  await owner('drop function refuse_change() cascade')
  const { state, activity_id } = await due(poisoned)
  assert.equal(state, 'created')
  await ended(admin, activity_id!)
})

test('a schedule of an asset that has just been given another version makes a change of that one', async () => {
  const next = made.repository.commit({ ...files, 'src/of-version.txt': 'x' }, { branch: 'of-version' })
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/2.0', 'of-version')
  const asset = await newAsset(admin, 'moving')
  const of = await created(
    admin.post(`${asset}/scheduled_activities`, { action: 'quick', run_at: await inSeconds(60) }),
  )
  const { next_run_at } = of.attributes
  const waiting = (statement: string) =>
    until(
      `${statement} waits for the node`,
      () =>
        service.database.rows(
          sql`select from pg_stat_activity where wait_event_type = 'Lock' and query ~ ${`for ${statement}`}`,
        ),
      rows => rows.length > 0,
      often,
    )
  const patched = await withClient(service.testDatabase.superuserUrl, async holder => {
    await holder.query('begin')
    await holder.query('select from nodes where path = $1 for no key update', [asset.slice('/api'.length)])
    const asked = admin.patch(asset, { template_version: '2.0' })
    await waiting('no key update')
    await moveClock(service.testDatabase, `${(Date.parse(next_run_at) - (await now())) / 1_000} seconds`)
    // It has looked the commit up by then, and the version changes before it creates the change.
    await waiting('share')
    await holder.query('rollback')
    return asked
  })
  assert.equal(patched.status, 200, patched.text)
  const { state, activity_id } = await settled(of, next_run_at)
  assert.equal(state, 'created')
  const { template_version, git_rev, commit_sha } = (await ended(admin, activity_id!)).attributes
  assert.deepEqual(
    { template_version, git_rev, commit_sha },
    { template_version: '2.0', git_rev: 'of-version', commit_sha: next },
  )
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:scheduled_changes:change_creation:create api:scheduled_changes:change_creation:success
     api:scheduled_changes:create api:scheduled_changes:destroy api:scheduled_changes:update
     api:scheduled_workflows:create api:scheduled_workflows:destroy api:scheduled_workflows:update
     api:scheduled_workflows:workflow_run_creation:create
     api:scheduled_workflows:workflow_run_creation:success error:scheduled_changes:change_creation
     error:scheduled_changes:git_sha error:scheduled_workflows:workflow_run_creation
     warning:scheduled_activity:disabled warning:scheduled_activity:missed warning:scheduled_activity:skipped
     warning:scheduled_changes:commit_file_patterns`,
  ))
