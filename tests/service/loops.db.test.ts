import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { type Sql, sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, often, readyVersion, taskWhen } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { declaredLoops } from '../support/declared-resources.ts'
import { manyPacks } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startTestVault } from '../support/vault-server.ts'
import { runEnded } from '../support/workflows.ts'

/**
 * Every loop of the service finds work in each of several projects, each with a node, a remote, a template, a workflow
 * and a schedule of its own. A statement that is only correct for a single record makes its loop fail each time, while
 * requests still succeed for long: `stop` asserts that the service logged no such error.
 */
const actions = `
actions:
  quick: { description: x, run: "true" }
  moment: { description: x, steps: [{ wait: A moment, seconds: 1 }, quick] }
  long: { description: x, run: "sleep 600" }
  asked: { description: x, steps: [{ input: Which, arguments: [{ name: it, sensitive: true, default_value: the-default }] }, quick] }
`
const workflow = 'steps: [{ target: environments/live/assets/front, action: quick }]'
const codes = ['mill', 'forge', 'yard']
const front = (code: string) => `/api/projects/${code}/environments/live/assets/front`

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({ spares: 2 })
  admin = service.as('admin')
  const { url } = await service.repository({ 'web/actions.yaml': actions })
  for (const code of codes) {
    const project = `/api/projects/${code}`
    await created(admin.post('/api/projects', { code, name: code }))
    await created(admin.post(`${project}/environments`, { code: 'live', name: 'Live' }))
    for (const name of ['code', 'other']) await created(admin.post(`${project}/git_remotes`, { name, url }))
    const template = { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: 'code' }
    await created(admin.post(`${project}/templates`, template))
    await readyVersion(admin, `${project}/templates/web/versions/1.0`, 'main')
    const asset = { code: 'front', name: 'front', template_code: 'web', template_version: '1.0' }
    await created(admin.post(`${project}/environments/live/assets`, asset))
  }
})
after(() => service.stop())

const inEach = <T>(work: (code: string) => Promise<T>): Promise<T[]> => Promise.all(codes.map(work))
const change = async (code: string, action: string): Promise<string> =>
  (await created(admin.post(`${front(code)}/changes`, { action }))).id
/** Time of the database's clock, plus this interval. */
const now = async (later = '0 s') =>
  (await service.database.one(sql<{ at: string }>`select sluice_now() + ${later}::interval as at`))!.at
/** Waits until a statement finds this number of rows. */
const counted = (what: string, count: number, rows: Sql) =>
  until(
    what,
    () => service.database.rows(rows),
    found => found.length === count,
    often,
  )
const succeeded = ({ attributes }: { attributes: { status_code: string } }) =>
  assert.equal(attributes.status_code, 'success', JSON.stringify(attributes))

/** Evidence that a loop has done its work in each of the projects. */
const proofs: Record<string, () => Promise<unknown>> = {
  // A wait step continues by itself, and the following step gets a slot and a runner.
  ...sharing(['admission', 'timers', 'start runners'], async () => {
    const ids = await inEach(code => change(code, 'moment'))
    for (const id of ids) succeeded(await ended(admin, id))
  }),
  // Default values of a step are stored in a vault of the organisation.
  'timers that ask': async () => {
    const vault = await startTestVault()
    try {
      const global = (await admin.get('/api/system_configuration')).body.data.relationships.settings.data.id
      const { address, token } = vault
      const data = { vault: { address, auth_method: 'token', token, mount_path: 'kv' } }
      assert.equal((await admin.patch(`/api/settings/${global}`, { data })).status, 200)
      const asked = { action: 'asked', auto_continue_wait_steps: true }
      const ids = await inEach(async code => (await created(admin.post(`${front(code)}/changes`, asked))).id)
      for (const id of ids) succeeded(await ended(admin, id))
      assert.equal((await admin.patch(`/api/settings/${global}`, { data: { vault: null } })).status, 200)
    } finally {
      await vault.stop()
    }
  },
  ...sharing(['find lost runners', 'remove folders of runners', 'keep spare runners', 'heartbeat'], async () => {
    const ids = await inEach(code => change(code, 'long'))
    // A runner that is killed before its step has begun is replaced, and the step runs.
    const busy = sql`
      select r.id, r.pid
        from runners r
        join steps s on s.runner_id = r.id
       where r.activity_id = any(${ids}::uuid[]) and s.status = 'running'`
    const runners = (await counted('each step runs', codes.length, busy)) as { id: string; pid: number }[]
    for (const { pid } of runners) process.kill(pid, 'SIGKILL')
    for (const id of ids) assert.equal((await ended(admin, id)).attributes.status_code, 'error')
    const folders = async () => (await readdir(join(service.dataDir, 'runners'))).filter(isOneOf(runners))
    await until('their folders are gone', folders, left => left.length === 0, often)
    const spares = sql`select from runners where status = 'live' and coalesce(activity_id, task_id) is null`
    await counted('spare runners stand ready', 2, spares)
    const alive = sql`select from installation where heartbeat_at > sluice_now() - interval '5 seconds'`
    await counted('the service lives', 1, alive)
  }),
  'background_tasks.admit': async () => {
    const tasks = await inEach(code => created(admin.post(`${front(code)}/node_background_tasks`)))
    for (const [at, { id }] of tasks.entries()) {
      const path = `${front(codes[at]!)}/node_background_tasks/${id}`
      succeeded(await taskWhen(admin, path, 'success', 'error', 'cancelled'))
    }
  },
  'workflow-runs': async () => {
    const runs = await inEach(async code => {
      const workflows = `/api/projects/${code}/workflows`
      await created(admin.post(workflows, { code: 'one', name: 'one', source_yaml: workflow }))
      assert.equal((await admin.post(`${workflows}/one/versions/1/publish`)).status, 200)
      return created(admin.post('/api/workflow_runs', { parent_path: `/projects/${code}`, workflow_code: 'one' }))
    })
    for (const { id } of runs) succeeded(await runEnded(admin, id))
  },
  schedules: async () => {
    const once = { action: 'quick', run_at: await now('5 minutes') }
    const schedules = await inEach(code => created(admin.post(`${front(code)}/scheduled_activities`, once)))
    const ids = schedules.map(({ id }) => id)
    await moveClock(service.testDatabase, '5 minutes')
    const done = sql`
      select from schedule_occurrences where schedule_id = any(${ids}::uuid[]) and state = 'created'`
    await counted('each has made its change', codes.length, done)
  },
  'schedules.after_clock_set_back': async () => {
    const daily = { action: 'quick', cron_schedule: '0 3 * * *' }
    const schedules = await inEach(code => created(admin.post(`${front(code)}/scheduled_activities`, daily)))
    const ids = schedules.map(({ id }) => id)
    // As if they had been due while the clock was a year ahead.
    await service.database.count(sql`
      update scheduled_activities
         set next_run_at = next_run_at + interval '1 year', updated_at = updated_at + interval '1 year'
       where id = any(${ids}::uuid[])`)
    const soon = sql`
      select from scheduled_activities
       where id = any(${ids}::uuid[]) and next_run_at between sluice_now() and sluice_now() + interval '1 day'`
    await counted('each is due next as it was', codes.length, soon)
    for (const id of ids) assert.equal((await admin.delete(`/api/scheduled_activities/${id}`)).status, 204)
  },
  // Records of each project older than a year are deleted, and there are none: the rules ran all the same.
  data_cleaning: async () => {
    const kept = { kind: 'activities', cron_schedule: '@yearly', older_than: 'P1Y' }
    const definitions = await inEach(code =>
      created(admin.post('/api/data_cleanup_definitions', { ...kept, name: code, node_paths: [`/projects/${code}%`] })),
    )
    const ids = definitions.map(({ id }) => id)
    await service.database.count(sql`
      update data_cleanup_definitions set next_run_at = sluice_now() where id = any(${ids}::uuid[])`)
    const began = sql`
      select from data_cleanup_definitions
       where id = any(${ids}::uuid[]) and last_run_at is not null and next_run_at > sluice_now()`
    await counted('each has begun its run', codes.length, began)
    await counted('all runs are over', 0, sql`select from data_cleanup_runs`)
    for (const id of ids) assert.equal((await admin.delete(`/api/data_cleanup_definitions/${id}`)).status, 204)
  },
  'templates.resume_fetches': async () => {
    // As left by a process that was killed while fetching.
    await service.database.count(sql`update template_versions set fetch_open = true`)
    await counted('the fetches are done', codes.length, sql`select from template_versions where not fetch_open`)
    for (const code of codes) await readyVersion(admin, `/api/projects/${code}/templates/web/versions/1.0`, 'main')
  },
  'git.periodic_fetch': async () => {
    const at = await now()
    await moveClock(service.testDatabase, '1 day')
    const fetched = sql`select from git_remotes where fetched_at > ${at}::timestamptz`
    await counted('each remote is fetched again', 2 * codes.length, fetched)
  },
  'git.forget_deleted_mirrors': async () => {
    const gone = await service.database.rows(sql<{ id: string }>`select id from git_remotes where name = 'other'`)
    const mirrors = () => gone.filter(({ id }) => existsSync(join(service.dataDir, 'mirrors', `${id}.git`)))
    assert.equal(mirrors().length, codes.length)
    await service.halt({ keepRunners: false })
    // As on a host that had no service when they were deleted.
    await service.database.count(sql`delete from git_remotes where name = 'other'`)
    await service.startAgain()
    await until(
      'their mirrors are gone',
      async () => mirrors(),
      left => left.length === 0,
      often,
    )
  },
  'git.tidy_mirrors': async () => {
    const folders = (await readdir(join(service.dataDir, 'mirrors'))).map(name =>
      join(service.dataDir, 'mirrors', name),
    )
    assert.ok(folders.length >= codes.length)
    await service.halt({ keepRunners: false })
    for (const folder of folders) manyPacks(folder, 30)
    await service.startAgain()
    await until(
      'few packs are left of many',
      () => Promise.all(folders.map(folder => readdir(join(folder, 'objects/pack')))),
      names => names.flat().filter(name => name.endsWith('.pack')).length < 5 * folders.length,
      often,
    )
  },
  'platform.after_clock_set_back': async () => {
    // State when the clock was a year ahead. A job for a later time is unchanged.
    const job = (key: string) => sql`
      select graphile_worker.add_job('platform.forget_old_jobs', '{}'::json, job_key => ${key}, run_at => now() + interval '1 year')`
    await service.database.transaction(async tx => {
      await tx.rows(job('then'))
      await tx.rows(job('later'))
      await tx.count(sql`
        update graphile_worker._private_jobs set updated_at = now() + interval '1 year' where key = 'then'`)
      await tx.count(sql`
        update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 year'`)
    })
    const ahead = sql`
      select from graphile_worker._private_known_crontabs where last_execution > now() + interval '1 hour'`
    await counted('what is done each hour is done again', 0, ahead)
    await counted('the job was worked', 0, sql`select from graphile_worker.jobs where key = 'then'`)
    await counted('the other waits', 1, sql`select from graphile_worker.jobs where key = 'later' and run_at > now()`)
  },
  'events.seal': () => {
    const unsealed = sql`select from events e where not exists (select from event_seals s where s.event_id = e.id)`
    return counted('every event is sealed', 0, unsealed)
  },
}

function sharing(names: readonly string[], proof: () => Promise<unknown>): typeof proofs {
  let done: Promise<unknown> | undefined
  return Object.fromEntries(
    names.map(name => [
      name,
      () => {
        done ??= proof()
        return done
      },
    ]),
  )
}

const isOneOf = (runners: readonly { id: string }[]) => (name: string) => runners.some(({ id }) => id === name)

test('each loop of the service is proved here', async () => {
  assert.deepEqual(Object.keys(proofs).toSorted(), (await declaredLoops(service)).toSorted())
})

for (const [loop, proof] of Object.entries(proofs)) test(`in several projects: ${loop}`, proof as () => Promise<void>)
