import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { failpoints as ofRunner } from '../../runner/failpoints.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { failpoints as ofService } from '../../src/platform/failpoints.ts'
import { projectFolder } from '../support/database-server.ts'
import { environment } from './project.ts'
import { broken, type Expected } from './promises.ts'
import { endedBadly, type Retried, retriesOf, retry, retryEnds } from './retries.ts'
import { readWitness } from './witness.ts'
import { FailureWorld, longTimeout, type Wish } from './world.ts'

/**
 * Scenario that reaches a failpoint of the service: a change, and deeds on it; and what is promised besides its
 * success.
 */
interface Scenario extends Partial<Wish> {
  /** Uses a workflow run instead: a step with two targets, and deeds on it. */
  readonly run?: 'let it be' | 'cancel' | 'pause and resume'
  readonly provoke?: keyof typeof provoke
  /** Number of spare runners: none, or, if they make a difference, the other case. */
  readonly spares?: readonly (0 | 1)[]
  readonly ends?: Expected['ends']
  /** Created by a schedule. */
  readonly scheduled?: true
  /** A failed one is retried. */
  readonly retries?: Retried
}

const scenarios: Record<keyof typeof ofService, Scenario> = {
  'command-committed': {},
  'fetched-before-kept': { on: environment },
  'tree-before-commit': { on: environment },
  'admission-before-commit': { spares: [0, 1] },
  'admission-committed': { spares: [0, 1] },
  'runner-taken': {},
  'runner-spawned': {},
  'spare-given': { spares: [1] },
  'session-begun': { spares: [0, 1] },
  'claim-before-commit': { spares: [0, 1] },
  'claim-committed': { spares: [0, 1] },
  'log-stored': {},
  'artefact-stored': { action: 'keeping' },
  'succession-before-sent': {},
  'result-before-commit': {},
  'result-committed': {},
  'timer-before-commit': { action: 'waiting' },
  'lease-renewed': {},
  'cancel-before-sent': { action: 'lingering', provoke: 'cancel', ends: ['cancelled'] },
  'runner-left': { spares: [0, 1] },
  'lost-runner-killed': { action: 'lingering', provoke: 'kill its runner', ends: ['error'] },
  'lost-runner-before-commit': { action: 'lingering', provoke: 'kill its runner', ends: ['error'] },
  'destroyed-deleted': { provoke: 'destroy a project' },
  'key-in-use': { provoke: 'rotate keys' },
  'key-resealed': { provoke: 'rotate keys' },
  'retry-before-commit': { retries: 'change' },
  'run-retry-before-commit': { retries: 'workflow_run' },
  'schedule-due-before-commit': { scheduled: true },
  'schedule-resolving': { scheduled: true, on: environment },
  'schedule-change-before-commit': { scheduled: true, on: environment },
  'schedule-change-committed': { scheduled: true },
  'data-cleaning-batch': { provoke: 'clean up' },
  'seal-before-commit': {},
  'workflow-step-before-commit': { run: 'let it be' },
  'workflow-step-made': { run: 'let it be' },
  'workflow-news-before-commit': { run: 'let it be' },
  'workflow-cancel-passed-on': { run: 'cancel' },
  'workflow-pause-passed-on': { run: 'pause and resume' },
}

test('every failpoint that the code reaches is in a table, and every one of a table is in the code once', () => {
  const reached = globSync('{src,runner}/**/*.ts', { cwd: projectFolder })
    .filter(file => !file.endsWith('failpoints.ts'))
    .flatMap(file => [...readFileSync(join(projectFolder, file), 'utf8').matchAll(/failpoint\((.*)\)$/gm)])
    .flatMap(([, argument]) => [...argument!.matchAll(/'([a-z-]+-[a-z-]+)'/g)].map(([, name]) => name!))
  assert.deepEqual(reached.toSorted(), [...Object.keys(ofService), ...Object.keys(ofRunner)].toSorted())
})

// Each on an installation of its own, concurrently, because they wait most of the time.
describe('a service that is killed at any failpoint costs no change anything: each step runs once', {
  concurrency: true,
  ...longTimeout,
}, () => {
  test('with runners that are started for changes', longTimeout, () => walk(0))
  test('with spare runners', longTimeout, () => walk(1))
})

async function walk(spares: 0 | 1): Promise<void> {
  const world = await FailureWorld.make({ span: 4, assets: 3, spares })
  const those = Object.entries(scenarios).filter(([, only]: [string, Scenario]) =>
    (only.spares ?? [0]).includes(spares),
  )
  try {
    for (const [at, [point, scenario]] of those.entries()) {
      if (spares === 1) await world.spareIsReady()
      if (scenario.retries) {
        await killedInRetry(world, point, scenario.retries)
        continue
      }
      world.arm(point)
      // The previous one may not have ended yet: on another asset nothing waits for it.
      const asset = world.assets[at % world.assets.length]!
      if (scenario.run) {
        await killedInRun(world, point, scenario.run)
        continue
      }
      const wish = { action: 'tree', on: asset, ...scenario }
      const asked = scenario.scheduled ? world.scheduled(wish) : world.change(wish)
      const provoked = scenario.provoke && asked.then(id => provoke[scenario.provoke!](world, id))
      assert.ok(await world.died(40), `${point} is not reached; the service says: ${world.service.output()}`)
      assert.ok(world.isReached(point), point)
      await world.start()
      await provoked
      if (scenario.ends)
        world.expected.set(await asked, { ends: scenario.ends, undisturbed: scenario.provoke === 'cancel' })
      await asked
    }
    await world.ended()
    await world.runnersAreGone()
    assert.deepEqual(await world.madeTwice(), [])
    await nothingDestroyedIsLeft(world)
    const wrong = await broken(world.database, world.expected, readWitness(world.witness))
    assert.deepEqual(wrong.length > 0 ? [...wrong, world.said()] : [], [])
  } finally {
    assert.deepEqual(await world.remove(), [])
  }
}

/** The run has its normal outcome, and each of its steps has created one change. */
async function killedInRun(world: FailureWorld, point: string, what: NonNullable<Scenario['run']>): Promise<void> {
  const id = await world.runs.begin()
  if (what === 'cancel') await world.runs.make(id, 2)
  if (what === 'pause and resume') await world.runs.make(id, 2)
  const asked =
    what === 'cancel'
      ? world.ask('DELETE', `/api/workflow_runs/${id}`)
      : what === 'pause and resume'
        ? world.ask('POST', `/api/workflow_runs/${id}/pause`, { attributes: {} })
        : undefined
  assert.ok(await world.died(40), `${point} is not reached; the service says: ${world.service.output()}`)
  await world.start()
  await asked
  if (what === 'pause and resume') {
    await world.runs.are(id, 'paused')
    await world.ask('POST', `/api/workflow_runs/${id}/resume`, { attributes: {} })
  }
  await world.runs.end(id, what === 'cancel' ? 'cancelled' : 'success')
}

/** No incomplete retry exists; the repeated request creates it, once. */
async function killedInRetry(world: FailureWorld, point: string, type: Retried): Promise<void> {
  const original = await endedBadly[type](world)
  world.arm(point)
  const asked = retry(world, type, original)
  assert.ok(await world.died(40), `${point} is not reached; the service says: ${world.service.output()}`)
  assert.deepEqual(await retriesOf(world, original), [])
  await world.start()
  const id = await asked
  assert.deepEqual(await retriesOf(world, original), [id])
  await retryEnds(world, type, id)
}

const provoke = {
  cancel: (world: FailureWorld, id: string) => world.cancel(id),
  'rotate keys': (world: FailureWorld) => world.rotateKeys(),
  'destroy a project': destroyProject,
  'clean up': cleanUp,
  'kill its runner': (world: FailureWorld, id: string) => world.killRunnerOf(id),
}

/** Destroys a project whose rows go in two batches, the environment's first. */
async function destroyProject(world: FailureWorld): Promise<void> {
  const make = (path: string, code: string) =>
    world.ask('POST', path, { key: randomUUID(), attributes: { code, name: code } })
  await make('/api/projects', 'gone')
  await make('/api/projects/gone/environments', 'live')
  // If the response was lost it is requested again, and not found.
  await world.ask('DELETE', '/api/projects/gone?ignore_in_use=true').catch(error => {
    if (!String(error).includes(': 404 ')) throw error
  })
}

/** Two batches of jobs that were given up long ago: the next process finds the second, and records both, once. */
async function cleanUp(world: FailureWorld): Promise<void> {
  const { database } = world
  await database.rows(sql`
    select job.id
      from generate_series(1, 1500) n,
           graphile_worker.add_job('of.old', '{}'::json, max_attempts => 1, run_at => now() + n * interval '1 day') job`)
  await database.count(sql`
    update graphile_worker._private_jobs q
       set attempts = 1, last_error = 'x', created_at = sluice_now() - interval '4 days' + q.id * interval '1 second',
           updated_at = sluice_now() - interval '2 days'
      from graphile_worker._private_tasks t
     where t.id = q.task_id and t.identifier = 'of.old'`)
  const attributes = {
    name: 'old jobs',
    kind: 'jobs',
    cron_schedule: '* * * * * *',
    older_than: 'P1D',
    filters: { job_class_eq: 'of.old' },
  }
  const at = '/api/data_cleanup_definitions'
  const { data } = (await world.ask('POST', at, { key: randomUUID(), attributes })) as { data: { id: string } }
  const removed = () =>
    database
      .rows(sql<{ count: number }>`
        select (attributes ->> 'removed_count')::int as count from events where type = 'info:data_cleanup:jobs'`)
      .catch(() => [])
  const told = await until('all of it is removed', removed, rows => rows.length > 0, { seconds: 90, pause: 100 })
  assert.deepEqual(told, [{ count: 1_500 }])
  await world.ask('DELETE', `${at}/${data.id}`)
}

async function nothingDestroyedIsLeft({ database }: FailureWorld): Promise<void> {
  const left = () => database.rows(sql`select path from nodes where destroyed_at is not null`)
  await until('the rows of destroyed nodes are gone', left, rows => rows.length === 0, { seconds: 90, pause: 100 })
}
