import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { enqueue } from '../../src/platform/jobs/job-queue.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventTypes,
  often,
  type Shop,
  type Shown,
  shop,
  stepsOf,
} from '../support/changes.ts'
import { gitServer } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded, runStepWhen } from '../support/workflows.ts'

/**
 * Changes whose steps only a program can tell, at a commit at which it never ran: they are queued without a tree, and
 * it runs in their slot.
 */

const gates = mkdtempSync(join(tmpdir(), 'sluice-gates-'))
chmodSync(gates, 0o777)
const live = '/api/projects/shop/environments/live'
let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService({ users: { eve: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': 'actions:\n  quick: { run: "true" }\n' })
})
after(async () => {
  await service.stop()
  rmSync(gates, { recursive: true })
})

/** A commit whose program reports that it runs, and continues once the gate of its name is open. */
function commit(name: string, actions = "action('greet', {}, () => {})"): void {
  made.repository.commit(
    {
      'actions.ts': `
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { action, wait } from '@sluice/actions'
if (!existsSync('${gates}/${name}')) appendFileSync('${gates}/${name}-asked', '.')
while (!existsSync('${gates}/${name}')) {
  appendFileSync('${gates}/${name}-alive', '.')
  await pause(10)
}
${actions}
`,
    },
    { branch: name },
  )
}

const ask = (name: string, more: object = {}): Promise<Shown> =>
  created(admin.post(`${live}/changes`, { action: 'greet', git_remote_name: 'code', git_rev: name, ...more }))
const when = (id: string, status: string) =>
  changeWhen(admin, id, `is ${status}`, ({ attributes }) => attributes.status_code === status)
const open = (name: string) => writeFileSync(join(gates, name), '')
const written = (file: string): number =>
  existsSync(join(gates, file)) ? readFileSync(join(gates, file), 'utf8').length : 0
const timesAsked = (name: string) => written(`${name}-asked`)
const asked = (name: string, times = 1) =>
  until(
    `${name} is asked`,
    async () => timesAsked(name),
    each => each === times,
    often,
  )

const claims = async () =>
  (await service.database.rows(sql<{ pool: string }>`select pool from slot_claims order by pool`)).map(
    ({ pool }) => pool,
  )
const inProgress = async () => {
  const { changes, background_tasks } = (await admin.get('/api/admin/drain_status')).body.data.attributes.active_counts
  return { changes, background_tasks }
}
const tasks = () =>
  service.database.rows(
    sql`select status_code from node_background_tasks where status_code in ('initializing', 'running')`,
  )
const nothingLeft = async () => {
  await until('no slot is held', claims, held => held.length === 0, often)
  assert.deepEqual(await tasks(), [])
}

async function maintenance(mode: string): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, {
    data: { maintenance_mode: mode },
  })
  assert.equal(answer.status, 200, answer.text)
}

test('a change stands in line with an empty tree, and its program is asked in its own slot once it is admitted', async () => {
  await maintenance('enabled')
  commit('held')
  const { id } = await ask('held')
  const pending = await when(id, 'pending')
  assert.equal(pending.attributes.commit_sha, made.repository.git('rev-parse', 'held'))
  assert.deepEqual(await stepsOf(admin, id), [])
  const reason = (await admin.get(`/api/changes/${id}/waiting_reason`)).body.data.attributes
  assert.equal(reason.kind, 'maintenance')
  const other = await when((await ask('held')).id, 'pending')
  assert.equal((await admin.delete(`/api/changes/${other.id}`)).status, 204)
  assert.equal((await ended(admin, other.id)).attributes.status_code, 'cancelled')
  assert.deepEqual(await eventTypes(admin, other.id), ['api:changes:create', 'api:changes:cancel'])
  assert.deepEqual(
    [timesAsked('held'), await claims(), await inProgress()],
    [0, [], { changes: 0, background_tasks: 0 }],
  )

  await maintenance('disabled')
  await asked('held')
  await when(id, 'running')
  assert.deepEqual(await stepsOf(admin, id), [])
  assert.deepEqual(await claims(), ['runner'])
  assert.deepEqual(await inProgress(), { changes: 1, background_tasks: 0 })
  open('held')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.deepEqual(await eventTypes(admin, id), [
    'api:changes:create',
    'api:changes:start',
    'api:steps:start',
    'api:steps:success',
    'api:changes:success',
  ])
  assert.equal(timesAsked('held'), 1)
  await nothingLeft()
})

test('a cancel stops the program first, and the change is over when that is', async () => {
  commit('cancelled')
  const { id } = await ask('cancelled')
  await asked('cancelled')
  const answer = await admin.delete(`/api/changes/${id}`)
  assert.ok([200, 202, 204].includes(answer.status), answer.text)
  const over = await ended(admin, id)
  const alive = written('cancelled-alive')
  await pause(200)
  assert.equal(written('cancelled-alive'), alive)
  assert.deepEqual([over.attributes.status_code, over.attributes.cancelled_by], ['cancelled', 'admin'])
  await nothingLeft()
  open('cancelled')
  assert.equal((await ended(admin, (await ask('cancelled')).id)).attributes.status_code, 'success')
})

test('a pause lasts from the answer on: the tree is there, and nothing of it begins before it is resumed', async () => {
  commit('paused')
  const { id } = await ask('paused')
  await asked('paused')
  assert.equal((await admin.post(`/api/changes/${id}/pause`)).status, 200)
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.pause_state, 'pausing')
  open('paused')
  await until(
    'it is paused',
    () => admin.get(`/api/changes/${id}`),
    ({ body }) => body.data.attributes.pause_state === 'paused',
    often,
  )
  const steps = await stepsOf(admin, id)
  assert.deepEqual(
    steps.map(({ attributes }) => attributes.status_code),
    ['queued'],
  )
  assert.equal((await admin.post(`/api/changes/${id}/resume`)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  await nothingLeft()
})

/** The runner's process in which the program runs. */
const asker = async (): Promise<number> =>
  (await service.database.one(sql<{ pid: number }>`
    select pid from runners where task_id is not null and status = 'live'`))!.pid

test('a runner that is killed while it asks is replaced, in the same slot', async () => {
  commit('killed')
  const { id } = await ask('killed')
  await asked('killed')
  process.kill(await asker(), 'SIGKILL')
  await asked('killed', 2)
  assert.deepEqual(await claims(), ['runner'])
  open('killed')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  await nothingLeft()
})

/** Enqueues a preparation again, like a job that was given back. */
const preparedAgain = (payload: object) => service.database.transaction(tx => enqueue(tx, 'changes.prepare', payload))
const noJobOf = (id: string) =>
  until(
    `no job of ${id} is left`,
    () => service.database.rows(sql`select from graphile_worker._private_jobs where payload->>'id' = ${id}`),
    jobs => jobs.length === 0,
    often,
  )

test('what prepares a change may be worked once more: one that is being cancelled is not over before its program is', async () => {
  commit('again')
  const { id } = await ask('again')
  await asked('again')
  const pid = await asker()
  // It receives nothing for now.
  process.kill(pid, 'SIGSTOP')
  try {
    await admin.delete(`/api/changes/${id}`)
    await preparedAgain({ id })
    await noJobOf(id)
    const { status_code, cancelled_by } = (await admin.get(`/api/changes/${id}`)).body.data.attributes
    assert.deepEqual([status_code, cancelled_by], ['running', 'admin'])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  assert.equal((await ended(admin, id)).attributes.status_code, 'cancelled')
  assert.equal(timesAsked('again'), 1)
  await nothingLeft()
})

test('a change that fails while its program is asked takes that along', async () => {
  commit('given-up')
  const { id } = await ask('given-up')
  await asked('given-up')
  await preparedAgain({ id, derivationError: 'It cannot be.' })
  const { attributes } = await ended(admin, id)
  assert.deepEqual([attributes.status_code, attributes.error_message], ['error', 'It cannot be.'])
  await until('the program has ended', tasks, running => running.length === 0, often)
  const how = await service.database.rows(sql`
    select status_code from node_background_tasks where activity_id = ${id}::uuid`)
  assert.deepEqual(how, [{ status_code: 'cancelled' }])
  assert.equal((await eventTypes(admin, id)).at(-1), 'api:changes:error')
  await nothingLeft()
})

test('a service that stops meanwhile goes on with it, and nothing is asked twice', async () => {
  commit('adopted')
  const { id } = await ask('adopted')
  await asked('adopted')
  await service.halt({ keepRunners: true })
  open('adopted')
  await service.startAgain()
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.equal(timesAsked('adopted'), 1)
  await nothingLeft()
})

test('what was admitted waits for no Git server, however many others wait for one that hangs', async () => {
  const git = await gitServer(made.repository)
  try {
    await created(admin.post('/api/projects/shop/git_remotes', { name: 'hangs', url: git.url }))
    await until(
      'the new remote has been fetched',
      async () => git.fetches(),
      count => count > 0,
      often,
    )
    await maintenance('enabled')
    commit('admitted')
    open('admitted')
    const { id } = await ask('admitted')
    await when(id, 'pending')
    // A recent fetch counts for three seconds.
    await pause(3_000)
    git.hold()
    const waiting: Shown[] = []
    for (let count = 0; count < 8; count += 1) waiting.push(await ask('admitted', { git_remote_name: 'hangs' }))
    await until(
      'as many as may be are at it',
      () => service.database.rows(sql`select from graphile_worker.jobs where locked_at is not null`),
      jobs => jobs.length >= 6,
      often,
    )
    await maintenance('disabled')
    assert.equal((await ended(admin, id)).attributes.status_code, 'success')
    for (const { id: other } of waiting) {
      assert.equal((await admin.get(`/api/changes/${other}`)).body.data.attributes.status_code, 'initializing')
      assert.equal((await admin.delete(`/api/changes/${other}`)).status, 204)
    }
  } finally {
    await maintenance('disabled')
    await git.stop()
  }
  await nothingLeft()
})

test('what the program does wrong ends the change with its words, and so it does each later one', async () => {
  commit('wrong', "throw new Error('never')")
  open('wrong')
  for (const more of [{}, {}]) {
    const { attributes, id } = await ended(admin, (await ask('wrong', more)).id)
    assert.equal(attributes.status_code, 'error')
    assert.match(attributes.error_message, /^actions\.ts:\d+:7: never$/)
    assert.equal((await eventTypes(admin, id)).at(-1), 'api:changes:error')
  }
  commit('absent')
  open('absent')
  const absent = await ended(admin, (await ask('absent', { action: 'great' })).id)
  assert.match(absent.attributes.error_message, /There is no action great .* did you mean greet/)
  await nothingLeft()
})

test('a tree that begins with a wait waits, and one under an approval begins with that', async () => {
  const { relationships } = (await admin.get(live)).body.data
  const rules = [{ change_filter: { actions: 'greet' }, user_names: ['eve'] }]
  const settings = `/api/settings/${relationships.settings.data.id}`
  assert.equal((await admin.patch(settings, { data: { requires_approval_from: rules } })).status, 200)
  commit('approved', "action('greet', { steps: [wait('Look', { seconds: 1 })] })")
  open('approved')
  const { id } = await ask('approved')
  await when(id, 'waiting_for_approval')
  const [approval] = await stepsOf(admin, id)
  const eve = service.as('eve')
  assert.equal((await eve.post(`/api/steps/${approval!.id}/approve`)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.equal((await admin.patch(settings, { data: { requires_approval_from: [] } })).status, 200)
  await nothingLeft()
})

test('where each step has a slot of its own the program is asked in one before them', async () => {
  commit('each', "action('greet', { steps: [action('a', {}, () => {}), action('b', {}, () => {})] })")
  const { id } = await ask('each', { settings_overrides: { pod_per_change_step: true } })
  await asked('each')
  assert.deepEqual(await claims(), ['runner'])
  open('each')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  await nothingLeft()
})

test('a retry whose newest commit has a program that is wrong runs the tree of its original', async () => {
  // The commit of a branch is not taken from a recent fetch.
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const fresh = { data: { 'git_remote.fetch_stale_threshold': 0 } }
  assert.equal((await admin.patch(relationships.settings.links.related, fresh)).status, 200)
  commit('moves', "action('greet', {}, () => { throw new Error('not yet') })")
  open('moves')
  const first = await ended(admin, (await ask('moves')).id)
  assert.equal(first.attributes.status_code, 'error')
  commit('moves', "throw new Error('broken since')")
  const retry = await created(
    admin.send('POST', '/api/changes', {
      headers: { 'content-type': 'application/json' },
      raw: JSON.stringify({
        data: {
          attributes: { retry: true, refresh_sha: true },
          relationships: { change: { data: { type: 'change', id: first.id } } },
        },
      }),
    }),
  )
  const again = await ended(admin, retry.id)
  const [step] = await stepsOf(admin, again.id)
  assert.match(step!.attributes['error_message'], /not yet/)
  assert.equal(again.attributes.commit_sha, first.attributes.commit_sha)
  await until(
    'it is told that the newest commit is not run',
    () => eventTypes(admin, retry.id),
    types => types.includes('warn:changes:catalog_not_refreshed'),
    often,
  )
  await nothingLeft()
})

test('a run that has begun goes on to its end under maintenance, also where a change of its own has a program to ask', async () => {
  commit('of-a-run')
  open('of-a-run')
  await published(
    admin,
    'greeting',
    `
steps:
  - { type: wait, name: go on }
  - { target: environments/live, action: greet, git_remote_name: code, git_rev: of-a-run, name: greet }
`,
  )
  // Children of a run are resolved when they are created, and this commit was unknown before.
  const run = await began(admin, 'greeting')
  const step = await runStepWhen(admin, run, 'go on', 'waiting')
  await maintenance('enabled')
  const held = await ask('of-a-run')
  assert.equal((await admin.post(`/api/workflow_steps/${step.id}/continue`, {})).status, 200)
  assert.equal((await runEnded(admin, run)).attributes.status_code, 'success')
  assert.equal((await when(held.id, 'pending')).attributes.step_name, 'greet')
  await maintenance('disabled')
  assert.equal((await ended(admin, held.id)).attributes.status_code, 'success')
  await nothingLeft()
})
