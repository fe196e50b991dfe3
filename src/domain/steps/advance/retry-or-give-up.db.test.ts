import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { engineWorld } from '../../../../tests/support/engine-world.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import { withClient } from '../../../../tests/support/template-database.ts'
import { admit } from '../admission/admission.jobs.ts'
import { type CarryingOn, retryOrGiveUp } from './retry-or-give-up.tx.ts'
import { fireTimers } from './timers.jobs.ts'

/** Tests of an activity that fails each time it is advanced, and of all others meanwhile. */

const world = await engineWorld()
let now = 0
let carrying: CarryingOn
beforeEach(async () => {
  await world.limit(15)
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  carrying = { database: world.database, log: silent, backoff: new RetryBackoff(() => now) }
})
afterEach(async () => {
  await asOwner('drop function if exists refuse() cascade')
  await world.consistent()
  await world.clear()
})
after(() => world.end())

const asOwner = (statements: string): Promise<void> =>
  withClient(world.own.superuserUrl, async client => void (await client.query(statements)))

/** PostgreSQL refuses these statuses to activities: by the SQLSTATE it is passing or not. */
const refuse = (ids: string | readonly string[], statuses: string, state = 'P0001') =>
  asOwner(`
    create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'not this one' using errcode = '${state}'; end $$;
    create trigger refuse before update on activities for each row
      when (new.id = any('{${ids}}') and new.status is distinct from old.status and new.status in (${statuses}))
      execute function refuse()`)

/** Runs the loops over and over, with a minute between. */
async function minutesOfLoops(minutes: number) {
  for (let minute = 0; minute < minutes; minute += 1) {
    now += 61_000
    await world.moveClock('61 seconds')
    await fireTimers(world.parts, carrying)
    while ((await admit(world.parts, carrying)) !== 'no');
  }
}

const endsAsSystemError = async (id: string) => {
  const { status, error_message, holds_slot } = await world.activity(id)
  assert.deepEqual([status, holds_slot], ['system_error', false])
  assert.equal(error_message, 'The service could not advance it: not this one')
  const events = await world.events(id)
  for (const type of ['error:step:aasm_failure', 'api:changes:system_error'])
    assert.equal(events.filter(told => told.split(' ')[0] === type).length, 1, `${type} in ${events}`)
  const { messages } = (await world.database.one(sql<{ messages: string[] }>`
    select messages from log_chunks where activity_id = ${id}`))!
  assert.deepEqual(messages, [error_message])
}

test('a change that cannot be started holds up none of the others, and ends as system_error before the next of its name', async () => {
  const before = await world.change(step('a'))
  const poisoned = await world.change(step('a'), { name: 'the same' })
  const after = [await world.change(step('a')), await world.change(step('a'))]
  const next = await world.change(step('a'), { name: 'the same' })
  await refuse(poisoned, `'running'`)
  await minutesOfLoops(1)
  const others = [before, ...after]
  assert.deepEqual(await Promise.all(others.map(id => world.status(id))), ['running', 'running', 'running'])
  assert.deepEqual([await world.status(poisoned), await world.status(next)], ['pending', 'pending'])

  await minutesOfLoops(5)
  assert.equal(await world.status(poisoned), 'pending')
  const told = (await world.events(poisoned)).filter(event => event !== 'api:changes:create')
  assert.deepEqual(told, ['error:step:aasm_failure a'], 'it is told of long before it ends')
  await minutesOfLoops(55)
  await endsAsSystemError(poisoned)
  assert.deepEqual(await world.statuses(poisoned), { a: 'aborted' })
  assert.ok(!(await world.events(poisoned)).includes('api:changes:start'))
  await minutesOfLoops(1)
  assert.equal(await world.status(next), 'running')
})

test('however many cannot be started, what is behind them starts within a few looks', async () => {
  const poisoned = await Promise.all(Array.from({ length: 50 }, () => world.change(step('a'))))
  const behind = await world.change(step('a'))
  await refuse(poisoned, `'running'`)
  for (let looks = 0; looks < 4; looks += 1) await admit(world.parts, carrying)
  assert.equal(await world.status(behind), 'running')
  for (const id of poisoned) assert.equal(await world.status(id), 'pending')
})

test('a wait that cannot go on holds up none of the others, and its change ends as system_error', async () => {
  const waits = () => world.change(stage('r', [wait('w', { wait: { seconds: 60 } }), step('a')]))
  const ids = [await waits(), await waits(), await waits(), await waits()]
  await minutesOfLoops(1)
  const [poisoned, ...others] = ids
  await refuse(poisoned!, `'queued'`)
  await world.moveClock('61 seconds')
  await minutesOfLoops(1)
  for (const id of others) assert.equal(await world.status(id), 'running')
  assert.equal(await world.status(poisoned!), 'waiting')
  await minutesOfLoops(60)
  await endsAsSystemError(poisoned!)
  assert.deepEqual(await world.statuses(poisoned!), { r: 'system_error', 'r/w': 'aborted', 'r/a': 'aborted' })
})

test('while most fail none of them is ended, for it is the service that fails: they go on once it is mended', async () => {
  const waits = await world.change(stage('r', [wait('w', { wait: { seconds: 60 } }), step('a')]))
  await minutesOfLoops(1)
  const ids = [await world.change(step('a')), await world.change(step('a')), waits]
  await refuse(ids, `'running', 'queued'`)
  await minutesOfLoops(120)
  assert.deepEqual(await Promise.all(ids.map(id => world.status(id))), ['pending', 'pending', 'waiting'])
  for (const id of ids) assert.ok((await world.events(id)).some(event => event.startsWith('error:step:aasm_failure')))
  await asOwner('drop function refuse() cascade')
  await minutesOfLoops(1)
  for (const id of ids) assert.equal(await world.status(id), 'running')
})

test('while none can be started none is ended, however many go on that had started', async () => {
  const waits = await Promise.all(
    [1, 2, 3, 4].map(() => world.change(stage('r', [wait('w', { wait: { seconds: 1_800 } }), wait('x')]))),
  )
  await minutesOfLoops(1)
  const ids = [await world.change(step('a')), await world.change(step('a'))]
  await refuse(ids, `'running'`)
  await minutesOfLoops(120)
  assert.deepEqual(await Promise.all(ids.map(id => world.status(id))), ['pending', 'pending'])
  for (const id of waits)
    assert.deepEqual(await world.statuses(id), { r: 'running', 'r/w': 'success', 'r/x': 'waiting' })
})

test('what may pass ends nothing: it is told of, and goes well when it has passed', async () => {
  const id = await world.change(step('a'))
  const other = await world.change(step('a'))
  await refuse(id, `'running'`, '53100')
  await minutesOfLoops(8)
  assert.deepEqual([await world.status(id), await world.status(other)], ['pending', 'running'])
  const told = (await world.events(id)).filter(event => event !== 'api:changes:create')
  assert.deepEqual([...new Set(told)], ['error:steps:transient_error a'])
  await asOwner('drop function refuse() cascade')
  await minutesOfLoops(1)
  assert.equal(await world.status(id), 'running')
})

test('what can neither be started nor ended is told of once, and holds up nothing', async () => {
  const id = await world.change(step('a'))
  await refuse(id, `'running', 'system_error'`)
  await minutesOfLoops(70)
  const other = await world.change(step('a'))
  await minutesOfLoops(1)
  assert.deepEqual([await world.status(id), await world.status(other)], ['pending', 'running'])
  const told = (await world.events(id)).filter(event => event.startsWith('api:assign_system_error_job:error'))
  assert.deepEqual(told, ['api:assign_system_error_job:error a'])
})

test('what fails although its activity has ended is left alone for a while like anything else', async () => {
  const id = await world.change(step('a'))
  await world.cancel(id)
  assert.equal(await world.status(id), 'cancelled')
  await retryOrGiveUp(world.parts, carrying, id, new Error('not this one'))
  assert.deepEqual(carrying.backoff.postponed(), [id])
})
