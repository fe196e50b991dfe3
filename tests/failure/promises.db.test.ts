import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type Sql, sql } from '../../src/platform/db/sql.ts'
import { engineWorld } from '../support/engine-world.ts'
import { stage, step } from '../support/step-trees.ts'
import { broken, type Expected } from './promises.ts'

/** Tests of the audit's queries: it finds planted faults. */

const world = await engineWorld()
// The product itself cannot change an event.
const planter = openDatabase({ url: world.own.superuserUrl, name: 'planter', size: 2 })
after(async () => {
  await planter.end()
  await world.end()
})

class Undone extends Error {}

/** Faults that the audit finds after this change, which is then rolled back. */
async function foundIn(expected: ReadonlyMap<string, Expected>, ...planted: Sql[]): Promise<string[]> {
  let found: string[] = []
  const plant = planter.transaction(async tx => {
    await tx.rows(sql`set local session_replication_role = replica`)
    for (const each of planted) assert.ok((await tx.count(each)) > 0)
    found = await broken(tx, expected, [])
    throw new Undone()
  })
  await assert.rejects(plant, Undone)
  return found
}

test('an event that is missing or doubled, a slot that leaks, a counter that is off and whatever is left behind are found', async () => {
  const id = await world.change(stage('tree', [step('a')]))
  await world.admit()
  const [held] = await world.claim(id, await world.runnerOf(id))
  await world.report(held!)
  const expected = new Map([[id, { ends: ['success'], undisturbed: true }]])
  const usual = await foundIn(expected)
  const of = (type: string) => sql`source_id in (select id from steps where activity_id = ${id}
                                                 union all select ${id}::uuid) and type = ${type}`
  const faults: [Sql, RegExp][] = [
    [sql`delete from events where ${of('api:changes:start')}`, /^events: .* has api:changes:start 0 times, not 1$/],
    [
      sql`delete from events where ${of('api:steps:success')}`,
      /^events: tree\/a has api:steps:success 0 times, not 1$/,
    ],
    [
      sql`update events set type = 'api:changes:start' where ${of('api:changes:success')}`,
      /^events: .* has api:changes:start 2 times, not 1$/,
    ],
    [
      sql`insert into slot_claims (site, pool, slot, holder_kind, holder_id, node_path)
          values ('main', 'runner', 1, 'activity', ${id}::uuid, '/')`,
      /^slot 1 of runner is still claimed$/,
    ],
    [sql`update slot_pools set used = 1 where pool = 'runner'`, /^counters: claims of a pool main\/runner/],
    [sql`update steps set children = 7 where activity_id = ${id}`, /^counters: children of a step/],
    [
      sql`update runners set status = 'wanted' where activity_id = ${id}`,
      /^a runner of an ended change is still wanted$/,
    ],
    [sql`update activities set status = 'running' where id = ${id}`, /^change .* has not ended$/],
    [sql`update activities set status = 'error' where id = ${id}`, /^change .* ended as error \(.*\), not as success$/],
    [sql`delete from activities where id = ${id}`, /^of 1 changes there are 0$/],
  ]
  for (const [planted, what] of faults) {
    const found = (await foundIn(expected, planted)).filter(text => !usual.includes(text))
    assert.ok(
      found.some(text => what.test(text)),
      `${what}: ${found.join('\n')}`,
    )
  }
})

test('a change that was answered for and is not there is found', async () => {
  const found = await foundIn(new Map([[randomUUID(), { ends: ['success'], undisturbed: true }]]))
  assert.ok(found.includes('of 1 changes there are 0'), found.join('\n'))
})
