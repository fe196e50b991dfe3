import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { reportedRemovals, stretchesOf } from '../../audit/removals.ts'
import { until } from '../../client/sluice.ts'
import { verifyAuditTrail } from '../../src/domain/events/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { created, often } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { sealEverything } from '../support/sealed-trail.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

/** Two processes clean up, and one is killed in the middle. */

let service: TestService
let failpoints: string
const workers: WorkerProcess[] = []

const addWorker = async (): Promise<void> => {
  const env = { SERVICE_OVERRIDE_RUNNER__SPARES: '0', SLUICE_TEST_FAILPOINTS: failpoints }
  workers.push(await startWorkerProcess(service, env))
}

before(async () => {
  failpoints = await mkdtemp(join(tmpdir(), 'sluice-failpoints-'))
  await chmod(failpoints, 0o777)
  service = await startTestService({ config: { role: 'api' } })
  for (let n = 0; n < 2; n += 1) await addWorker()
})
after(async () => {
  const killed = workers.map(worker => worker.hasEnded())
  const left = await Promise.all(workers.map(worker => worker.stop()))
  await service.stop()
  await rm(failpoints, { recursive: true, force: true })
  assert.deepEqual(left.filter((_, at) => !killed[at]).flat(), [])
})

/** Two batches of them, and a few. */
const count = 11_000

test('what a process that was killed was removing another removes: nothing twice, and each is told of', async () => {
  const { database, testDatabase } = service
  const admin = service.as('admin')
  await database.count(sql`
    insert into events (id, created_at, type, system, username, body, attributes)
    select sluice_uuid7_at(at, uuid_send(gen_random_uuid())), at, 'of.old', true, 'ann', '{}', '{}'
      from (select sluice_now() - interval '40 days' + n * interval '1 second' as at
              from generate_series(1, ${count}::int) n) old`)
  await sealEverything(database)
  const of = await created(
    admin.post('/api/data_cleanup_definitions', {
      ...{ name: 'old events', kind: 'events', older_than: 'P30D', cron_schedule: '@yearly' },
      filters: { type_eq: 'of.old' },
    }),
  )
  // The first process that has removed a batch is killed.
  await writeFile(join(failpoints, 'data-cleaning-batch'), 'kill 1')
  await database.count(sql`
    update data_cleanup_definitions set next_run_at = sluice_now() where id = ${of.id}::uuid`)
  await until('one of them is dead', async () => workers.some(worker => worker.hasEnded()), Boolean, often)
  const open = () => database.one(sql<{ removed_count: number }>`select removed_count::int from data_cleanup_runs`)
  const { removed_count: before = 0 } = (await open()) ?? {}
  assert.ok(before > 0 && before < count, String(before))
  // The dead process has not renewed its row for long.
  const over = async () => {
    await moveClock(testDatabase, '20 seconds')
    return open()
  }
  await until('it is over', over, run => run === undefined, { seconds: 120, pause: 500 })
  assert.equal(workers.filter(worker => worker.hasEnded()).length, 1)
  assert.equal(await database.one(sql`select from events where type = 'of.old'`), undefined)
  await sealEverything(database)
  const told = await database.rows(sql<{ body: Buffer; removed: number }>`
    select body, (attributes ->> 'removed_count')::int as removed from events where type = 'info:data_cleanup:events'`)
  const counts = told.reduce((sum, { removed }) => sum + removed, 0)
  assert.equal(counts, count)
  const seals = told.flatMap(({ body }) => reportedRemovals(body)).toSorted(([a], [b]) => a - b)
  const numbers = seals.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n))
  assert.equal(numbers.length, count, 'none is told of twice')
  assert.equal(stretchesOf(numbers).length, 1)
  const { faults, removed } = await verifyAuditTrail(database)
  assert.deepEqual({ faults, removed }, { faults: [], removed: count })
})

test('what could not be removed before a process was killed is counted once', async () => {
  const { database, testDatabase } = service
  const admin = service.as('admin')
  const project = await created(admin.post('/api/projects', { code: 'old', name: 'Old' }))
  await withClient(testDatabase.superuserUrl, async client => {
    await client.query(`
      create function stays() returns trigger language plpgsql as $$ begin raise exception 'it stays'; end $$;
      create trigger stays before delete on activities
        for each row when (old.name_key like 'stays%') execute function stays();
      insert into activities (id, kind, node_id, project_id, path, name_key, status, created_by, created_at, started_at,
                              finished_at)
        select sluice_uuid7_at(at, uuid_send(gen_random_uuid())), 'change', p.id, p.id, p.path,
               case when n in (3, 6) then 'goes' else 'stays' end || n, 'success', 'ann', at, at, at
          from nodes p,
               (select n, sluice_now() - interval '40 days' + n * interval '1 second' as at
                  from generate_series(1, 6) n) old
         where p.id = '${project.id}';
      insert into changes (id, action, step_name, property_overrides, settings_overrides)
        select id, 'x', 'x', '', '' from activities`)
  })
  const of = await created(
    admin.post('/api/data_cleanup_definitions', {
      ...{ name: 'old changes', kind: 'activities', older_than: 'P30D', cron_schedule: '@yearly' },
    }),
  )
  const dead = () => workers.filter(worker => worker.hasEnded()).length
  const before = dead()
  if (workers.length - before < 2) await addWorker()
  // A process that has failed on two records, and removed the third, is killed.
  await writeFile(join(failpoints, 'data-cleaning-batch'), 'kill 1')
  await database.count(sql`
    update data_cleanup_definitions set next_run_at = sluice_now() where id = ${of.id}::uuid`)
  await until('one of them is dead', async () => dead() > before, Boolean, often)
  const open = () => database.one(sql`select from data_cleanup_runs`)
  assert.ok(await open())
  const over = async () => {
    await moveClock(testDatabase, '20 seconds')
    return open()
  }
  await until('it is over', over, run => run === undefined, { seconds: 120, pause: 500 })
  const told = await database.rows(sql<{ type: string; removed: number; failed: number | null }>`
    select type, (attributes ->> 'removed_count')::int as removed, (attributes ->> 'failed_count')::int as failed
      from events where type in ('info:data_cleanup:activities', 'error:data_cleanup:activities')
     order by type`)
  assert.deepEqual(told, [
    { type: 'error:data_cleanup:activities', removed: 2, failed: 4 },
    { type: 'info:data_cleanup:activities', removed: 2, failed: null },
  ])
})
