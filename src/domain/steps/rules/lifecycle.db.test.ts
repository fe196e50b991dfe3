import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { finalStatesOf, type Lifecycle, movesFrom, statesOf } from '#platform/lifecycle/lifecycle.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { activityLife } from './activity.lifecycle.ts'
import { stepLife } from './step.lifecycle.ts'

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'lifecycle test' })
after(async () => {
  await database.end()
  await own.drop()
})

/** States that the type of the table's status column allows. */
async function checkedStates(table: string): Promise<string[]> {
  const row = await database.one(sql<{ text: string }>`
    select pg_get_constraintdef(c.oid) as text
      from pg_attribute a join pg_constraint c on c.contypid = a.atttypid
     where a.attrelid = ${table}::regclass and a.attname = 'status'`)
  return [...row!.text.matchAll(/'([a-z_]+)'/g)].map(match => match[1]!)
}

/** States of these that the database treats as final. */
async function finalOf(states: readonly string[]): Promise<string[]> {
  const rows = await database.rows(sql<{ state: string }>`
    select state from unnest(${[...states]}::text[]) as state where sluice_is_final(state)`)
  return rows.map(({ state }) => state)
}

const lives: [string, Lifecycle<string, string>][] = [
  ['activities', activityLife as Lifecycle<string, string>],
  ['steps', stepLife as Lifecycle<string, string>],
]

/** States that each state may lead to, as promised to readers of states; the moves implement that. */
const promised: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  activities: {
    initializing: 'pending error cancelled',
    // It could not be started, however often that was tried (docs/adr/0074).
    pending: 'running cancelled aborted system_error',
    queued: 'running cancelled aborted',
    running: 'waiting success error cancelled aborted system_error',
    waiting: 'running queued success cancelled aborted',
  },
  steps: {
    pending: 'queued waiting success skipped cancelled aborted',
    queued: 'running cancelled aborted',
    running: 'queued success error cancelled aborted system_error',
    waiting: 'running queued success cancelled aborted',
  },
}

for (const [table, life] of lives) {
  test(`each state of ${table} leads exactly where it is promised to`, () => {
    for (const state of statesOf(life)) {
      const leadsTo = new Set(movesFrom(life, state).map(move => life.moves[move]!.to))
      const expected = (promised[table]![state] ?? '').split(' ').filter(to => to !== '')
      assert.deepEqual([...leadsTo].sort(), expected.sort(), state)
    }
  })

  test(`the database takes exactly the states that the lifecycle of ${table} has`, async () => {
    assert.deepEqual((await checkedStates(table)).sort(), statesOf(life).sort())
    assert.deepEqual((await finalOf(statesOf(life))).sort(), finalStatesOf(life).sort())
  })

  test(`in the life of ${table} no move leaves a final state, and every state can be reached and left`, () => {
    const reached = new Set(Object.values(life.moves).map(move => move.to))
    for (const state of statesOf(life).filter(each => each !== 'skipped' || table === 'steps')) {
      const ends = finalStatesOf(life).includes(state)
      assert.equal(movesFrom(life, state).length === 0, ends, state)
    }
    const first = table === 'steps' ? 'pending' : 'initializing'
    const never = statesOf(life).filter(state => !reached.has(state))
    assert.deepEqual(never, table === 'steps' ? [first] : [first, 'skipped'])
  })
}
