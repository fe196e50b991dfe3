import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Domain, Runtime } from '#platform/domain.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { aroundOf } from '../../../tests/support/jobs.ts'
import { deleteDestroyedNodes } from './destroyed.jobs.ts'

const prepared = await testDatabase()
const database = openDatabase({ url: prepared.appUrl, name: 'test' })
after(async () => {
  await database.end()
  await prepared.drop()
})

/** A project with an environment and assets in it, all destroyed, and one that is not. */
async function destroyedProject(assets: number): Promise<void> {
  await database.rows(sql`
    with project as (select sluice_uuid7() as id), environment as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, parent_id, project_id, environment_id, path, destroyed_at,
                       created_by)
    select id, 'project', 'gone', 'x', 'Enterprise', null::uuid, id, null::uuid, '/projects/gone', sluice_now(), 'test'
      from project
     union all
    select e.id, 'environment', 'live', 'x', null, p.id, p.id, null, '/projects/gone/environments/live', sluice_now(), 'test'
      from project p, environment e
     union all
    select sluice_uuid7(), 'asset', 'a' || n, 'x', null, e.id, p.id, e.id,
           '/projects/gone/environments/live/assets/a' || n, sluice_now(), 'test'
      from project p, environment e, generate_series(1, ${assets}) n`)
}
const left = async () =>
  (await database.one(sql<{ n: number }>`select count(*)::int as n from nodes where destroyed_at is not null`))!.n

/** Sees what is to be forgotten, and does with it what a test wants. */
const witness = (deleteNodeData: NonNullable<Domain['deleteNodeData']>): Domain => ({ name: 'witness', deleteNodeData })
const run = (others: readonly Domain[], more: Partial<Runtime> = {}) =>
  deleteDestroyedNodes(others).run({} as never, { ...aroundOf(database), ...more })

test('rows of destroyed nodes go leaves first, each domain before the one to its left, and what stands stays', async () => {
  const stands = await database.rows(sql`
    with project as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'stands', 'x', 'Enterprise', id, '/projects/stands', 'test' from project returning id`)
  await destroyedProject(450)
  const told: [string, number][] = []
  const tell = (name: string) =>
    witness(async (_, nodes) => {
      told.push([name, nodes.length])
      return []
    })
  await run([tell('left'), { name: 'silent' }, tell('right')])
  const sizes = [200, 200, 50, 1, 1]
  assert.deepEqual(
    told,
    sizes.flatMap(size => [
      ['right', size],
      ['left', size],
    ]),
  )
  assert.equal(await left(), 0)
  const standing = await database.rows(sql`select id from nodes`)
  assert.deepEqual(standing, stands)
})

test('stopped in the middle it goes on with what is left', async () => {
  await destroyedProject(450)
  const stop = new AbortController()
  let batches = 0
  const stopping = witness(async () => {
    if (++batches === 2) stop.abort()
    return []
  })
  await assert.rejects(run([stopping], { stopping: stop.signal }), /abort/i)
  assert.equal(await left(), 252)
  await run([])
  assert.equal(await left(), 0)
})

test('a node of which something has to be kept stays with what lies above it, and is looked at again', async () => {
  await destroyedProject(3)
  const [kept] = await database.rows(sql<{ id: string }>`select id from nodes where node_type = 'asset' limit 1`)
  const enqueued: string[] = []
  const enqueue: Runtime['enqueue'] = async (_tx, job) => void enqueued.push(job)
  const seen: string[] = []
  const others = [
    witness(async (_, nodes) => {
      seen.push(...nodes)
      return []
    }),
    witness(async (_, nodes) => nodes.filter(id => id === kept!.id)),
  ]
  await run(others, { enqueue })
  assert.equal(await left(), 3)
  assert.deepEqual([seen.length, seen.includes(kept!.id), enqueued], [2, false, ['nodes.delete_destroyed']])
  await run([], { enqueue })
  assert.deepEqual([await left(), enqueued.length], [0, 1])
})
