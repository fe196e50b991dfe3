import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { rightsFrom } from '../../src/domain/access/rights.sql.ts'
import { admitTasks, runTask } from '../../src/domain/node-tasks/background-task.jobs.ts'
import { findTask, makeTask, noteCancelled } from '../../src/domain/node-tasks/background-task.store.ts'
import type { BackgroundTask, Ending } from '../../src/domain/node-tasks/background-task.ts'
import { taskWork } from '../../src/domain/node-tasks/runner-work.tx.ts'
import type { ServiceTask, TaskType } from '../../src/domain/node-tasks/task-type.port.ts'
import { deriveActions } from '../../src/domain/templates/derivation.task.ts'
import { mainSite } from '../../src/platform/site.ts'
import { templateWorld } from '../support/template-world.ts'

/** Common life cycle of all types of background tasks, on a real PostgreSQL: work of the service, and a late cancel. */

const world = await templateWorld({ admin: rightsFrom({ superuser: true, blocked: false, rules: [] }) })
after(() => world.stop())
const { admin, api, runtime, git } = world
const { database } = api

const repository = await world.repository({
  'web/actions.yaml': 'actions:\n  stop: { description: Stop, run: ./stop }\n',
})
const templates = '/api/projects/shop/templates'
await admin.post(templates, { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: repository.remote })
await admin.put(`${templates}/web/versions/1`, { git_rev: 'main' })
await world.runJobs()
const asset = await admin.post('/api/projects/shop/assets', {
  code: 'front',
  name: 'Front',
  template_code: 'web',
  template_version: '1',
})
assert.equal(asset.status, 201, asset.text)

/** Jobs of tasks, by the id of the task. */
const jobs: string[] = []
const endings: Ending['status'][] = []
const parts = {
  site: mainSite,
  settings: { ofNode: async () => ({ data: {} }) } as never,
  enqueue: async (_: unknown, _name: string, payload: object) => {
    jobs.push((payload as { taskId: string }).taskId)
  },
  spares: { ready: () => [] },
}
const derivation: Parameters<typeof deriveActions>[0] = {
  keyring: { mac: () => Buffer.from('mac') },
  git,
  enqueue: parts.enqueue,
  propertiesOf: async () => ({}),
  modelOf: async () => ({ state: 'none' }),
}
const typeDoing = (run: ServiceTask['run']): TaskType => ({
  name: 'GenerateModelTask',
  pool: 'model',
  cancelEvent: 'api:generate_actions_request:cancel',
  work: { in: 'service', run },
  ended: async (_, __, { status }) => {
    endings.push(status)
  },
})

async function asked({ name, pool }: TaskType): Promise<string> {
  const { id, links } = asset.body.data
  const now = (await database.one(sql<{ id: string; project_id: string }>`
    select id, project_id from template_version_histories where node_id = ${id}::uuid`))!
  const task = await database.transaction(tx =>
    makeTask(tx, {
      type: name,
      pool,
      nodeId: id,
      aboutNode: true,
      trigger: 'request',
      historyId: now.id,
      projectId: now.project_id,
      path: links.self.replace('/api', ''),
      createdBy: 'admin',
      userId: null,
    }),
  )
  return task!
}

async function started(type: TaskType): Promise<BackgroundTask> {
  const id = await asked(type)
  await admitTasks(parts, [type]).run({ ...runtime, log })
  return (await findTask(database, id))!
}

const now = async (task: BackgroundTask) => {
  const { status_code, fence } = (await findTask(database, task.id))!
  const lines = await database.rows(sql<{ message: string }>`
    select message from log_lines where activity_id = ${task.id}::uuid order by attempt, seq`)
  return { status: status_code, fence, log: lines.map(({ message }) => message) }
}
const slots = () => database.rows(sql`select from slot_claims`)
const log = { info: () => {}, warn: () => {}, error: () => {} }
const run = (type: TaskType, { id }: BackgroundTask) =>
  runTask([type]).run({ taskId: id } as never, { ...runtime, log })

test('work of the service is a job, keeps what it made with its end, and gives its slot back', async () => {
  const kept: string[] = []
  const type = typeDoing(async (task, { say }) => {
    await say('rendering')
    return { ending: { status: 'success' }, keep: async () => void kept.push(task.id) }
  })
  const task = await started(type)
  assert.deepEqual([task.status_code, jobs.at(-1), (await slots()).length], ['running', task.id, 1])
  await run(type, task)
  const { status, log } = await now(task)
  assert.deepEqual([status, log, kept, endings.at(-1)], ['success', ['rendering'], [task.id], 'success'])
  assert.deepEqual(await slots(), [])
  await run(type, task)
  assert.equal(kept.length, 1, 'a job that comes twice does nothing')
})

test('work that throws ends its task in error, with what it threw', async () => {
  const type = typeDoing(async () => {
    throw new Error('there is no template')
  })
  const task = await started(type)
  await run(type, task)
  const { status, log } = await now(task)
  assert.deepEqual([status, log, endings.at(-1)], ['error', ['there is no template'], 'error'])
})

test('a task whose error cannot be stored as it is ends all the same, and gives its slot back', async () => {
  const type = typeDoing(async () => ({ ending: { status: 'error', error: 'U+0000 has no place here (/a\0b)' } }))
  const task = await started(type)
  await run(type, task)
  assert.deepEqual([(await now(task)).status, await slots()], ['error', []])
  const shown = await database.one(sql<{ error: string }>`
    select error_message as error from node_background_tasks where id = ${task.id}::uuid`)
  assert.equal(shown?.error, 'U+0000 has no place here (/a\u2400b)')
})

test('work that is cancelled hears of it, and what it makes all the same is dropped', async () => {
  const type = typeDoing(async (task, { signal }) => {
    await database.transaction(tx => noteCancelled(tx, task.id, 'bob'))
    await new Promise(resolve => signal.addEventListener('abort', resolve))
    return { ending: { status: 'success' }, keep: () => Promise.reject(new Error('kept')) }
  })
  const task = await started(type)
  await run(type, task)
  const { status, log } = await now(task)
  assert.deepEqual([status, log, endings.at(-1)], ['cancelled', ['Cancelled by bob.'], 'cancelled'])
})

test('work that another process has begun anew changes nothing when it ends', async () => {
  const second = typeDoing(async () => ({ ending: { status: 'success' } }))
  const first = typeDoing(async task => {
    await run(second, task)
    return { ending: { status: 'error', error: 'too late' }, keep: () => Promise.reject(new Error('kept')) }
  })
  const task = await started(first)
  await run(first, task)
  const { status, fence, log } = await now(task)
  assert.deepEqual([status, log], ['success', []])
  assert.ok(fence > task.fence)
})

test('a refresh that had ended before the runner heard of cancelling ends as it did, and an event says so', async () => {
  const type = deriveActions(derivation)
  await database.count(sql`
    update action_catalogues set sources = ${JSON.stringify({ program: 'web/actions.ts' })}, state = 'ready'`)
  const task = await started(type)
  assert.equal(task.status_code, 'running')
  await database.transaction(tx => noteCancelled(tx, task.id, 'bob'))
  const result: Result = {
    type: 'result',
    seq: 1,
    ...{ stepId: task.id, attempt: task.attempt, fence: task.fence },
    outcome: 'success',
    exitCode: 0,
    errorMessage: null,
    startedAt: '2026-01-01T00:00:00.000000Z',
    finishedAt: '2026-01-01T00:00:00.000000Z',
    propertiesDiffs: {},
    artefacts: [],
    outputs: { actions: [{ name: 'sell', entry: { description: 'Sell' }, program: true }] },
  }
  const apply = (given: Result) =>
    database.transaction(tx => taskWork([type], database).applyResults(tx, {} as never, [given], false))
  assert.deepEqual((await apply({ ...result, fence: task.fence - 1 })).verdicts, ['stale'])
  assert.deepEqual((await apply(result)).verdicts, ['applied'])
  assert.deepEqual((await apply(result)).verdicts, ['repeated'])
  assert.equal((await now(task)).status, 'success')
  const [event] = await database.rows(sql<{ attributes: { error: string } }>`
    select attributes from events where type = 'error:template_version:refresh_cancelled'`)
  assert.match(event!.attributes.error, /had ended before it could be cancelled/)
})

test('a task whose runner is lost while another of its kind stands in line leaves the work to that one', async () => {
  const type: TaskType = { ...deriveActions(derivation), begin: async () => ({}) }
  const lost = await started(type)
  const waiting = (await findTask(database, await asked(type)))!
  await database.transaction(tx =>
    taskWork([type], database).resolveLost(tx, { activityId: lost.id, reason: 'killed' } as never),
  )
  const { status, log } = await now(lost)
  assert.equal(status, 'error')
  assert.match(
    log.at(-1)!,
    /^The runner was lost: killed\. Another GenerateActionsRequest is queued, and does the same\.$/,
  )
  assert.deepEqual([(await now(waiting)).status, await slots()], ['initializing', []])
  await database.count(sql`update node_background_tasks set status_code = 'cancelled' where id = ${waiting.id}::uuid`)
})

test('a task whose runner is lost stands in line again where no other of its kind does', async () => {
  const type: TaskType = { ...deriveActions(derivation), begin: async () => ({}) }
  const lost = await started(type)
  await database.transaction(tx =>
    taskWork([type], database).resolveLost(tx, { activityId: lost.id, reason: 'killed' } as never),
  )
  assert.deepEqual([(await now(lost)).status, await slots()], ['initializing', []])
  await database.count(sql`update node_background_tasks set status_code = 'cancelled' where id = ${lost.id}::uuid`)
})

test('a task for which no runner comes up goes on being tried, and ends after some seconds once it is cancelled', async () => {
  const type: TaskType = { ...deriveActions(derivation), begin: async () => ({}) }
  const task = await started(type)
  const how = {
    backoff: new RetryBackoff(),
    doing: 'start a runner',
    log: { warn: () => {} } as unknown as Runtime['log'],
  }
  const deferred = () =>
    taskWork([type], database).deferred({ of: 'task', activityId: task.id }, new Error('the disk is full'), how)
  for (let tries = 1; tries <= 6; tries++) await deferred()
  assert.equal((await now(task)).status, 'running')
  await database.transaction(tx => noteCancelled(tx, task.id, 'bob'))
  await deferred()
  assert.deepEqual([(await now(task)).status, await slots()], ['cancelled', []])
})

test('a task that cannot begin by a fault of ours ends in error, and holds up none behind it', async () => {
  const broken: TaskType = {
    ...typeDoing(async () => ({ ending: { status: 'success' } })),
    begin: async tx => {
      await tx.count(sql`select 1 / 0`)
      return {}
    },
  }
  const task = await started(broken)
  const { status, log } = await now(task)
  assert.deepEqual([status, log], ['error', ['division by zero']])
  assert.deepEqual(await slots(), [])
})

test('tasks of an asset that is destroyed by force end with it: at once in line, else when they have stopped', async () => {
  const type = typeDoing(async () => ({ ending: { status: 'success' } }))
  const running = await started(type)
  const waiting = (await findTask(database, await asked(type)))!
  const gone = await admin.delete(`${asset.body.data.links.self}?ignore_in_use=true`)
  assert.equal(gone.status, 204, gone.text)
  assert.deepEqual([(await now(waiting)).status, (await now(running)).status], ['cancelled', 'running'])
  await run(type, running)
  assert.equal((await now(running)).status, 'cancelled')
  assert.deepEqual(await slots(), [])
})
