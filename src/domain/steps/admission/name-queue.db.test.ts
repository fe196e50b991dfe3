import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../../../client/sluice.ts'
import { engineWorld, usualSettings } from '../../../../tests/support/engine-world.ts'
import { createActivity, newActivityId } from '../store/new-activity.store.ts'

/** Tests of who waits for whom while activities of one name are created, each by a request of its own. */

const world = await engineWorld()
after(() => world.end())

const make = (tx: Tx, given: { name: string; allowSameName: boolean; id?: string }) =>
  createActivity(tx, {
    ...(given.id && { id: given.id }),
    kind: 'change',
    nodeId: world.asset,
    projectId: world.project,
    path: '/projects/bank/assets/web',
    name: given.name,
    createdBy: 'ada',
    userId: null,
    settings: { ...usualSettings, allowSameName: given.allowSameName },
  })
const made = (given: { name: string; allowSameName: boolean }) => world.database.transaction(tx => make(tx, given))
const isHead = async (id: string) =>
  (await world.database.one(sql<{ head: boolean }>`select head from activities where id = ${id}::uuid`))?.head

/** Starts one whose transaction stays open until the test ends it. */
function held(given: { name: string; allowSameName: boolean }) {
  const made = Promise.withResolvers<string>()
  const end = Promise.withResolvers<void>()
  const ended = world.database.transaction(async tx => {
    made.resolve(await make(tx, given))
    await end.promise
  })
  return {
    id: made.promise,
    end: async () => {
      end.resolve()
      await ended
    },
  }
}

const waitingForNames = () =>
  world.database.rows(sql`select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`)

test('activities that may run beside others of their name are made beside each other', async () => {
  const first = held({ name: 'beside', allowSameName: true })
  const ids = [await first.id, await made({ name: 'Beside', allowSameName: true })]
  await first.end()
  assert.deepEqual(await Promise.all(ids.map(isHead)), [true, true])
})

test('one that may not waits for all that are being made before it, and stands behind them', async () => {
  const first = held({ name: 'behind', allowSameName: true })
  await first.id
  const second = made({ name: 'behind', allowSameName: false })
  await until('the second waits for its turn', waitingForNames, ({ length }) => length === 1)
  await first.end()
  assert.equal(await isHead(await second), false)
})

test('of two that may not one is the head, and other names do not wait', async () => {
  const first = held({ name: 'one of two', allowSameName: false })
  const second = first.id.then(() => made({ name: 'one of two', allowSameName: false }))
  assert.equal(await isHead(await made({ name: 'another', allowSameName: false })), true)
  await first.end()
  assert.deepEqual([await isHead(await first.id), await isHead(await second)], [true, false])
})

test('an id that was asked for beforehand is the one it gets', async () => {
  const id = await world.database.transaction(async tx => {
    const asked = await newActivityId(tx)
    assert.equal(await make(tx, { id: asked, name: 'with its id', allowSameName: false }), asked)
    return asked
  })
  assert.equal(await isHead(id), true)
})
