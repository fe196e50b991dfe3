import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, beforeEach, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { engineWorld } from '../../../../tests/support/engine-world.ts'
import { readSoFar } from '../../../../tests/support/rows-read.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import { withClient } from '../../../../tests/support/template-database.ts'
import type { EngineParts } from '../engine.port.ts'
import { admit } from './admission.jobs.ts'
import { anyAdmissible, nextAdmissible, poolsWithWork } from './admission.store.ts'
import { whyActivityWaits } from './waiting.store.ts'

const world = await engineWorld()
const ada = randomUUID()
const root = randomUUID()
beforeEach(async () => {
  world.maintenance = 'disabled'
  world.superusers = []
  await world.limit(15)
})
afterEach(async () => {
  await world.consistent()
  await world.clear()
})
after(() => world.end())

const finish = async (id: string) => {
  const [only] = await world.claim(id, await world.runnerOf(id))
  await world.report(only!)
  assert.equal(await world.status(id), 'success')
}

test('of changes of one name the older goes first, case ignored, and the next when it has ended', async () => {
  const first = await world.change(step('a'), { name: '/projects/bank/assets/web deploy' })
  const second = await world.change(step('a'), { name: '/projects/bank/assets/web Deploy' })
  const other = await world.change(step('a'), { name: '/projects/bank/assets/web stop' })
  await world.admit()
  assert.deepEqual(
    [await world.status(first), await world.status(second), await world.status(other)],
    ['running', 'pending', 'running'],
  )
  await finish(first)
  await world.admit()
  assert.equal(await world.status(second), 'running')
})

test('what ends as it begins, with nothing left to run, makes way for the next of its name in the same look', async () => {
  const name = '/projects/bank/assets/web deploy'
  const first = await world.change(step('a'))
  await world.admit()
  await finish(first)
  const { id: retry } = await world.retry(first, { name })
  const next = await world.change(step('a'), { name })
  await world.admit()
  assert.deepEqual([await world.status(retry), await world.status(next)], ['success', 'running'])
})

test('those that may run beside their own name do not wait for it', async () => {
  const settings = { allowSameName: true }
  const ids = [await world.change(step('a'), { name: 'n' }), await world.change(step('a'), { name: 'n', settings })]
  await world.admit()
  assert.deepEqual(await Promise.all(ids.map(id => world.status(id))), ['running', 'running'])
})

test('without allow_parallel.changes one change at a time runs on a node, oldest first', async () => {
  const settings = { allowParallel: false }
  const first = await world.change(step('a'), { settings })
  const second = await world.change(step('a'), { settings })
  await world.admit()
  assert.deepEqual([await world.status(first), await world.status(second)], ['running', 'pending'])
  await finish(first)
  await world.admit()
  assert.equal(await world.status(second), 'running')
})

test('never more changes run than the pool has slots, and a freed slot is taken by the oldest', async () => {
  await world.limit(2)
  const ids: string[] = []
  for (let at = 0; at < 4; at += 1) ids.push(await world.change(step('a')))
  await world.admit()
  assert.deepEqual(await Promise.all(ids.map(id => world.status(id))), ['running', 'running', 'pending', 'pending'])
  const full = await world.database.rows(sql`select attributes from events where type = 'warn:resource_slot_pool:full'`)
  assert.deepEqual(full, [{ attributes: { pool: 'runner', configured_limit: 2 } }])
  await finish(ids[1]!)
  await world.admit()
  assert.deepEqual(await Promise.all(ids.map(id => world.status(id))), ['running', 'success', 'running', 'pending'])
})

/** Admission as it is, but that something else happens once, when the first change has begun and has no slot yet. */
async function admitWhile(deed: () => Promise<void>) {
  let once: typeof deed | undefined = deed
  const want: EngineParts['runners']['want'] = async (tx, wanted) => {
    const now = once
    once = undefined
    await now?.()
    return world.parts.runners.want(tx, wanted)
  }
  while ((await admit({ ...world.parts, runners: { ...world.parts.runners, want } }, world.carrying)) !== 'no');
}

test('a change ends while another is just being let in, and waits for nothing', async () => {
  await world.limit(2)
  const first = await world.change(step('a'))
  await world.admit()
  const [second, third] = [await world.change(step('a')), await world.change(step('a'))]
  await admitWhile(() => finish(first))
  await world.admit()
  assert.deepEqual([await world.status(second), await world.status(third)], ['running', 'running'])
})

test('a limit that is lowered while a change is being let in keeps it out', async () => {
  await world.limit(1)
  const id = await world.change(step('a'))
  await admitWhile(() => world.limit(0))
  assert.equal(await world.status(id), 'pending')
  await world.limit(1)
  await world.admit()
  assert.equal(await world.status(id), 'running')
})

test('two that let changes in take turns', async () => {
  await world.limit(2)
  const ids = [await world.change(step('a')), await world.change(step('a')), await world.change(step('a'))]
  let other: Promise<void> | undefined
  await admitWhile(async () => {
    other = world.admit()
  })
  await other
  assert.deepEqual(await Promise.all(ids.map(id => world.status(id))), ['running', 'running', 'pending'])
})

test('a lowered limit lets the excess run out', async () => {
  await world.limit(3)
  const ids = [await world.change(step('a')), await world.change(step('a')), await world.change(step('a'))]
  await world.admit()
  await world.limit(1)
  ids.push(await world.change(step('a')))
  await finish(ids[0]!)
  await finish(ids[1]!)
  await world.admit()
  assert.equal(await world.status(ids[3]!), 'pending')
  await finish(ids[2]!)
  await world.admit()
  assert.equal(await world.status(ids[3]!), 'running')
})

test('maintenance holds what has not started and nothing that has; turned off, everything held starts', async () => {
  const running = await world.change(stage('r', [step('a'), step('b')]))
  await world.admit()
  world.maintenance = 'enabled'
  const held = await world.change(step('a'), { userId: ada })
  const underWay = await world.change(step('a'), { underWay: true })
  await world.admit()
  assert.deepEqual(
    [await world.status(running), await world.status(held), await world.status(underWay)],
    ['running', 'pending', 'running'],
  )
  const runner = await world.runnerOf(running)
  const [a] = await world.claim(running, runner)
  const { claimed } = await world.report(a!, {}, runner)
  assert.equal(claimed[0]!.full_path, 'r/b')
  world.maintenance = 'disabled'
  await world.admit()
  assert.equal(await world.status(held), 'running')
})

test('under superuser_override a superuser’s change passes by what only maintenance holds, and nothing else', async () => {
  const held = await world.change(step('a'), { name: 'same', userId: ada })
  const own = await world.change(step('a'), { name: 'same', userId: root })
  const paused = await world.change(step('a'), { name: 'other', userId: ada })
  const behind = await world.change(step('a'), { name: 'other', userId: root })
  await world.database.count(sql`update activities set pause_state = 'paused' where id = ${paused}`)
  world.maintenance = 'superuser_override'
  world.superusers = [root]
  await world.admit()
  assert.deepEqual(
    [await world.status(held), await world.status(own), await world.status(paused), await world.status(behind)],
    ['pending', 'running', 'pending', 'pending'],
  )
  await finish(own)
  await world.admit()
  assert.equal(await world.status(held), 'pending')
  world.maintenance = 'disabled'
  await world.admit()
  assert.equal(await world.status(held), 'running')
})

test('what passed by while maintenance held an older one of its name runs alone to its end all the same', async () => {
  const held = await world.change(step('a'), { name: 'same', userId: ada })
  const passing = await world.change(step('a'), { name: 'same', userId: root })
  const beside = await world.change(step('a'), { name: 'same', userId: ada, settings: { allowSameName: true } })
  world.maintenance = 'superuser_override'
  world.superusers = [root]
  await world.admit()
  assert.deepEqual([await world.status(held), await world.status(passing)], ['pending', 'running'])
  // The admission that is held back is found by the next check, and continues when it is released, in either way.
  const off = { mode: 'disabled', superusers: [], by: null, since: '' } as const
  assert.deepEqual((await whyActivityWaits(world.database, held, off))?.by, passing)
  world.superusers = [root, ada]
  await world.admit()
  assert.deepEqual([await world.status(held), await world.status(beside)], ['pending', 'running'])
  world.maintenance = 'disabled'
  await world.admit()
  assert.equal(await world.status(held), 'pending')
  await finish(passing)
  await world.admit()
  assert.equal(await world.status(held), 'running', 'one that may run beside others of its name holds nothing up')
})

test('who is a superuser is asked at admission, not at creation', async () => {
  world.maintenance = 'superuser_override'
  const id = await world.change(step('a'), { userId: ada })
  await world.admit()
  assert.equal(await world.status(id), 'pending')
  world.superusers = [ada]
  await world.admit()
  assert.equal(await world.status(id), 'running')
})

test('a change with a start time is not admitted before it', async () => {
  const { at } = (await world.database.one(sql<{ at: string }>`select sluice_now() + interval '1 hour' as at`))!
  const id = await world.change(step('a'), { runAt: at })
  await world.admit()
  assert.equal(await world.status(id), 'pending')
  await world.moveClock('61 minutes')
  await world.admit()
  assert.equal(await world.status(id), 'running')
})

test('what goes on after a wait gets its slot before new changes', async () => {
  await world.limit(1)
  const id = await world.change(stage('r', [wait('w', { wait: { seconds: 60 } }), step('a')]))
  await world.admit()
  assert.deepEqual([await world.status(id), (await world.activity(id)).holds_slot], ['waiting', false])
  const other = await world.change(step('a'))
  await world.admit()
  const third = await world.change(step('a'))
  await world.moveClock('61 seconds')
  await world.timers()
  assert.equal(await world.status(id), 'queued')
  await finish(other)
  await world.admit()
  assert.deepEqual([await world.status(id), await world.status(third)], ['running', 'pending'])
})

test('admitters in several processes at once never start one too many, and leave no slot idle', async () => {
  await world.limit(7)
  for (let at = 0; at < 60; at += 1) await world.change(step('a'), { name: `n${at % 20}` })
  for (let round = 0; round < 12; round += 1) {
    await Promise.all([1, 2, 3, 4].map(() => admit(world.parts, world.carrying)))
    await world.admit()
    const running = await world.database.rows(
      sql<{ id: string; name_key: string }>`select id, name_key from activities where status = 'running'`,
    )
    const unfinished = await world.database.rows(sql`select distinct name_key from activities where not final`)
    assert.equal(running.length, Math.min(7, unfinished.length), 'of each name one, as many as there are slots')
    assert.equal(new Set(running.map(each => each.name_key)).size, running.length)
    const ending = Promise.all(running.slice(0, 5).map(each => finish(each.id)))
    await Promise.all([ending, admit(world.parts, world.carrying), admit(world.parts, world.carrying)])
    await world.consistent()
  }
  await world.admit()
  for (let left = 1; left > 0; ) {
    const running = await world.database.rows(sql<{ id: string }>`select id from activities where status = 'running'`)
    for (const each of running) await finish(each.id)
    await world.admit()
    left = running.length
  }
  const unfinished = await world.database.rows(sql`select from activities where not final`)
  assert.equal(unfinished.length, 0)
})

test('among 20,000 that wait, nine of ten of one name, admission reads no more of them than it starts', async () => {
  await world.change(step('a'), { name: 'first' })
  await world.database.count(sql`
    insert into activities (kind, status, node_id, project_id, path, name_key, head, created_by)
    select kind, status, node_id, project_id, path, case when n % 10 = 0 then 'of its own ' || n else name_key end,
           n % 10 = 0, created_by
      from activities, generate_series(1, 20000) n`)
  await withClient(world.own.ownerUrl, owner => owner.query('vacuum analyze activities'))
  const maintenance = { mode: 'disabled', superusers: [] } as const
  const rows = await world.database.transaction(async tx => {
    const before = await readSoFar(tx, 'activities')
    const [pool] = await poolsWithWork(tx)
    assert.ok(await nextAdmissible(tx, pool!, maintenance))
    assert.ok(await anyAdmissible(tx, pool!, maintenance))
    return (await readSoFar(tx, 'activities')) - before
  })
  assert.ok(rows <= 5, `${rows} rows were read`)
  await world.clear()
})
