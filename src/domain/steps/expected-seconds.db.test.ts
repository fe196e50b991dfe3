import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { engineWorld, failed } from '../../../tests/support/engine-world.ts'
import { stage, step, wait } from '../../../tests/support/step-trees.ts'
import { expectedSeconds, expectingActivity } from './expected-seconds.sql.ts'

const world = await engineWorld()
const { database } = world
after(() => world.end())

const tree = () => stage('r', [step('a'), step('b'), wait('pause', { wait: { seconds: 0 } })])

/** A change whose steps took these seconds; those named end badly. */
async function ran(seconds: number, bad: readonly string[] = [], name = 'deploy'): Promise<string> {
  const id = await world.change(tree(), { name })
  await world.admit()
  const runner = await world.runnerOf(id)
  for (let held = await world.claim(id, runner); held.length > 0; ) {
    for (const each of held) await world.report(each, bad.includes(each.full_path) ? failed : {})
    held = (await world.status(id)) === 'running' ? await world.claim(id, runner) : []
  }
  await world.cancel(id)
  await database.count(sql`
    update steps set started_at = finished_at - make_interval(secs => ${seconds})
     where activity_id = ${id}::uuid and finished_at is not null`)
  await world.lose(id)
  return id
}

const expected = async (id: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.rows(sql<{ full_path: string; seconds: number }>`
        select x.full_path, x.seconds
          from activities a cross join lateral (${expectedSeconds(expectingActivity)}) x
         where a.id = ${id}::uuid`)
    ).map(({ full_path, seconds }) => [full_path, seconds]),
  )

test('the median of the last ten successes is expected, of the same step on the same node only', async () => {
  const first = await ran(1_000)
  assert.deepEqual(await expected(first), {})
  await ran(40)
  assert.equal((await expected(await ran(50)))['r/a'], 520)
  await ran(7, [], 'another action')
  for (let i = 0; i < 3; i++) await ran(60)
  await ran(70, ['r/b'])
  assert.deepEqual(await expected(await ran(80)), { 'r/a': 60, 'r/b': 60 })
  const later = []
  for (const seconds of [90, 100, 110, 120, 130]) later.push(await ran(seconds))
  const next = await world.change(tree(), { name: 'deploy' })
  assert.equal((await expected(next))['r/a'], 85)
  // An activity that ended after this one was created: unknown at that time.
  await database.count(sql`update activities set finished_at = sluice_now() where id = ${later.at(-1)!}::uuid`)
  assert.equal((await expected(next))['r/a'], 75)
  // A retry that kept the step did not execute it.
  await database.count(sql`update steps set ran_as = id where activity_id = ${later.at(-2)!}::uuid`)
  assert.equal((await expected(next))['r/a'], 65)
  await world.cancel(next)
})
