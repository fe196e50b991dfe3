import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GCProfiler } from 'node:v8'
import { until } from '../../../client/sluice.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { doorTo } from '../../../tests/support/database-door.ts'
import { isDatabaseAway } from './connection-errors.ts'
import { type Database, openDatabase } from './database.ts'
import { together } from './pipeline.ts'
import { sql } from './sql.ts'

/** Tests of the guarantees of transactions beyond PostgreSQL's own. */

let own: TestDatabase
let database: Database

before(async () => {
  own = await testDatabase()
  database = openDatabase({ url: own.ownerUrl, name: 'database test' })
  await database.count(sql`create table entries (said text primary key)`)
})
after(async () => {
  await database.end()
  await own.drop()
})

const said = async () =>
  (await database.rows(sql<{ said: string }>`select said from entries order by said`)).map(row => row.said)
const say = (text: string) => sql`insert into entries values (${text})`

test('no statement is compiled, whatever the server does by default', async () => {
  const superuser = openDatabase({ url: own.superuserUrl, name: 'superuser' })
  await superuser.count(sql`do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`)
  await superuser.end()
  const its = openDatabase({ url: own.superuserUrl, name: 'jit test' })
  const jit = sql<{ jit: string }>`select current_setting('jit') as jit`
  const told = [await its.one(jit), await its.transaction(tx => tx.one(jit)), (await its.atOnce(jit))[0]]
  await its.end()
  assert.deepEqual(told, [{ jit: 'off' }, { jit: 'off' }, { jit: 'off' }])
})

test('a statement that nobody waits for is committed with its transaction', async () => {
  await database.transaction(async tx => tx.withCommit(tx.count(say('one'))))
  assert.deepEqual(await said(), ['one'])
})

test('one that fails undoes the transaction, and its error is the one that is thrown', async () => {
  const failing = database.transaction(async tx => {
    await tx.count(say('two'))
    tx.withCommit(tx.count(say('one')))
  })
  await assert.rejects(failing, { code: '23505' })
  const behind = database.transaction(async tx => {
    tx.withCommit(tx.count(say('one')))
    await tx.count(say('three'))
  })
  await assert.rejects(behind, { code: '23505' })
  const before = database.transaction(async tx => {
    const first = tx.count(say('one'))
    tx.withCommit(tx.count(say('three')))
    await first
  })
  await assert.rejects(before, { code: '23505' })
  assert.deepEqual(await said(), ['one'])
})

test('what fails within a savepoint is undone there, and the rest is committed', async () => {
  await database.transaction(async tx => {
    await tx.count(say('four'))
    const inner = tx.savepoint(async () => tx.withCommit(tx.count(say('one'))))
    await assert.rejects(inner, { code: '23505' })
    tx.withCommit(tx.count(say('five')))
  })
  assert.deepEqual(await said(), ['five', 'four', 'one'])
})

test('what stands behind a savepoint that could not be made reaches no other transaction', async () => {
  const only = openDatabase({ url: own.ownerUrl, name: 'savepoint test', size: 1 })
  const gate = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const first = only.transaction(async tx => {
    tx.withCommit(tx.count(say('one')))
    await tx.savepoint(async () => {
      await gate.promise
      await tx.count(say('foreign')).finally(late.resolve)
    })
  })
  const second = only.transaction(async tx => {
    await tx.count(say('its own'))
    gate.resolve()
    await late.promise
  })
  // Where the first one does not wait for what it has begun, the second is under way before that continues.
  const waits = setTimeout(gate.resolve, 100)
  await assert.rejects(first, { code: '23505' })
  await second
  clearTimeout(waits)
  await only.end()
  assert.deepEqual([(await said()).includes('its own'), (await said()).includes('foreign')], [true, false])
})

test('a statement that may be tried again is, also beside a savepoint that it kept from being made', async () => {
  let tries = 0
  const trying = database.transaction(async tx => {
    tries += 1
    const ended = tx.count(sql`do $$ begin raise exception 'ended' using errcode = '40P01'; end $$`)
    await together([tx.savepoint(async () => tx.count(say('never'))), ended])
  })
  await assert.rejects(trying, { code: '40P01' })
  assert.equal(tries, 5)
})

test('a failure that somebody swallowed is no commit', async () => {
  const swallowing = database.transaction(async tx => {
    await tx.count(say('six'))
    await tx.count(say('six')).catch(() => {})
  })
  await assert.rejects(swallowing, /rolled back/)
  assert.ok(!(await said()).includes('six'))
})

test('what only someone outside can say is asked while no transaction is open, and once', async () => {
  let asked = 0
  const answer = await database.transaction(async tx => {
    await tx.count(say('before the question'))
    const ask = async () => {
      asked += 1
      assert.deepEqual((await said()).includes('before the question'), false)
      return asked
    }
    return [
      await tx.external('one', ask),
      await tx.savepoint(() => tx.external('two', ask)),
      await tx.external('one', ask),
    ]
  })
  assert.deepEqual({ answer, asked }, { answer: [1, 2, 1], asked: 2 })
  assert.ok((await said()).includes('before the question'))
})

test('a question that fails fails within the transaction, which may go on without an answer', async () => {
  const refuse = async () => {
    throw new Error('nobody there')
  }
  await database.transaction(async tx => {
    await tx.external('anybody?', refuse).catch(error => error.message === 'nobody there' || Promise.reject(error))
    await tx.count(say('without an answer'))
  })
  assert.ok((await said()).includes('without an answer'))
})

test('a process that stood still within a transaction finds the database away, and nothing half-done', async () => {
  const before = await said()
  const silent = database.transaction(async tx => {
    await tx.count(say('half'))
    const me = await tx.one(sql<{ pid: number }>`
      select pg_backend_pid() as pid, set_config('idle_in_transaction_session_timeout', '20', true)`)
    const left = () => database.rows(sql`select from pg_stat_activity where pid = ${me!.pid}`)
    await until('PostgreSQL closes the connection', left, rows => rows.length === 0, { pause: 10 })
    await tx.count(say('the rest'))
  })
  await assert.rejects(silent, isDatabaseAway)
  assert.deepEqual(await said(), before)
})

test('a connection that PostgreSQL ends in the moment in which it is there is an error of whoever asked for it', async t => {
  const door = await doorTo(own.ownerUrl)
  t.after(() => door.close())
  const asked: ((behind: Database) => Promise<unknown>)[] = [
    behind => behind.rows(sql`select`),
    behind => behind.atOnce(sql`select`),
    behind => behind.transaction(tx => tx.rows(sql`select`)),
  ]
  for (const ask of asked) {
    const behind = openDatabase({ url: door.url, name: 'behind a door' })
    door.endNext()
    await assert.rejects(ask(behind), isDatabaseAway)
    await ask(behind)
    await behind.end()
  }
})

test('whoever reads one thing after the other does so on one connection', async () => {
  const pids = new Set<number>()
  for (let read = 0; read < 50; read++) {
    const me = await database.transaction(tx => tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`), {
      readOnly: true,
    })
    pids.add(me!.pid)
  }
  assert.equal(pids.size, 1)
})

test('what is committed by one way into a database is hinted at to all listeners of the process', async () => {
  const other = openDatabase({ url: own.ownerUrl, name: 'another way', hints: database.hints })
  const told: string[] = []
  database.hints.on('news', () => told.push('news'))
  await other.transaction(async tx => tx.hint('news'))
  await other.end()
  assert.deepEqual(told, ['news'])
})

test('the collector of young memory keeps nothing of transactions that are over', async () => {
  const ask = async (times: number) => {
    for (let asked = 0; asked < times; asked++)
      await database.transaction(tx =>
        tx.rows(sql`select i, i + 1 as j, 'text ' || i as text from generate_series(1, ${1_000}) i`),
      )
  }
  await ask(20)
  const profiler = new GCProfiler()
  profiler.start()
  await ask(200)
  let [looked, kept] = [0, 0]
  for (const { gcType, beforeGC, afterGC } of profiler.stop()!.statistics) {
    if (gcType !== 'Scavenge') continue
    const young = beforeGC.heapSpaceStatistics.find(space => space.spaceName === 'new_space')!.spaceUsedSize
    looked += young
    kept += young - (beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize)
  }
  assert.ok(looked > 0 && kept < looked / 10, `it kept ${kept} of ${looked} bytes`)
})

test('what is looked up by keys reads no table whole, in a transaction and outside of one, and what follows may', async () => {
  const scans = sql<{ on: string }>`select current_setting('enable_seqscan') as on`
  const byKeys = { byKeys: true } as const
  assert.equal((await database.one(scans, byKeys))!.on, 'off')
  assert.equal((await database.one(scans))!.on, 'on')
  const seen = await database.transaction(async tx => {
    const told = [(await tx.one(scans, byKeys))!.on, (await tx.one(scans))!.on]
    await tx
      .savepoint(async () => {
        told.push((await tx.one(scans, byKeys))!.on)
        throw new Error('undone')
      })
      .catch(() => {})
    return [...told, (await tx.one(scans))!.on, (await tx.one(scans, byKeys))!.on]
  })
  assert.deepEqual(seen, ['off', 'on', 'off', 'on', 'off'])
  assert.equal((await database.one(scans))!.on, 'on')
})
