import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../tests/support/database.ts'
import { openDatabase } from './db/database.ts'
import { sql } from './db/sql.ts'
import { FairShare, type ShareLimits, usualShares } from './fair-share.ts'

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'fair share', size: 4 })
after(async () => {
  await database.end()
  await own.drop()
})

const shares = (limits: Partial<ShareLimits>) =>
  new FairShare({ lists: database, commands: database }, { ...usualShares, ...limits })
const person = (userId: string) => ({ userId, via: 'basic' }) as const
const steps = (userId: string) => ({ userId, via: 'attempt' }) as const
const nothing = sql`select`

/** Starts a transaction that stays open until the test ends it. */
function held(share: FairShare, who: Parameters<FairShare['of']>[0], lane: 'lists' | 'commands' = 'lists') {
  const began = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const ended = share.of(who)[lane].transaction(async tx => {
    await tx.rows(nothing)
    began.resolve()
    await end.promise
  })
  const finish = async () => {
    end.resolve()
    await ended
  }
  return { began: began.promise, end: finish }
}

test('a user whose places are taken waits, and nobody else does: neither another user nor their own commands and steps', async () => {
  const share = shares({ lists: { total: 3, perUser: 1 }, maxWaitMilliseconds: 20 })
  const first = held(share, person('a'))
  await first.began
  await assert.rejects(share.of(person('a')).lists.rows(nothing), {
    message: /waited 0.02 s behind other of your requests/,
  })
  await share.of(person('b')).lists.rows(nothing)
  await share.of(person('a')).commands.rows(nothing)
  const ofSteps = held(share, steps('a'))
  await ofSteps.began
  await assert.rejects(share.of(steps('a')).lists.rows(nothing), { message: /requests of your steps/ })
  const stillWaiting = share.of(person('a')).unhurried.rows(nothing)
  await Promise.all([first.end(), ofSteps.end(), stillWaiting])
  await share.of(person('a')).lists.rows(nothing)
})

test('a question to somebody outside is asked while no place is held', async () => {
  const share = shares({ commands: { total: 1, perUser: 1 } })
  const asked = share
    .of(person('a'))
    .commands.transaction(tx =>
      tx.external('question', async () => (await share.of(person('b')).commands.rows(sql`select 1 as one`)).length),
    )
  assert.equal(await asked, 1)
})

test('what is under way counts for the slow lane, with one place', async () => {
  const share = shares({ slowFrom: 0, lists: { total: 3, perUser: 2 }, maxWaitMilliseconds: 20 })
  const running = held(share, person('a'))
  await running.began
  assert.equal(share.slow(), 1)
  await assert.rejects(share.of(person('a')).lists.rows(nothing), { message: /waited/ })
  await running.end()
  const [load] = share.load(10)
  assert.deepEqual([load?.userId, load?.ofSteps, load?.slowLane], ['a', false, true])
})

test('a request knows how long it worked and waited', async () => {
  const one = shares({}).of(person('a'))
  await one.lists.rows(sql`select pg_sleep(0.02)`)
  await one.commands.rows(sql`select pg_sleep(0.02)`)
  const { database: worked, waiting } = one.spent()
  assert.ok(worked >= 40 && waiting >= 0, `${worked} and ${waiting} ms`)
})

test('places are given back, however transactions end', async () => {
  const share = shares({ lists: { total: 1, perUser: 1 } })
  const { lists } = share.of(person('a'))
  await assert.rejects(lists.rows(sql`select 1 / 0`), { code: '22012' })
  await assert.rejects(
    lists.transaction(() => Promise.reject(new Error('no'))),
    /no/,
  )
  await assert.rejects(
    lists.transaction(tx => tx.rows(sql`select pg_sleep(60)`), { readOnly: true, deadline: 30 }),
    {
      code: '57014',
    },
  )
  await lists.rows(nothing)
  assert.equal((await share.of(person('b')).lists.rows(nothing)).length, 1)
})
