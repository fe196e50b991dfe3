import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { dueInTurns, type Turns } from './due-turns.store.ts'

const made = await testDatabase()
const database = openDatabase({ url: made.superuserUrl, name: 'test', size: 2 })
after(async () => {
  await database.end()
  await made.drop()
})
const projects = new Map<string, string>()

beforeEach(async () => {
  await database.count(sql`delete from activities`)
  await database.count(sql`delete from scheduled_activities`)
  await database.count(sql`update slot_pools set used = 0, configured_limit = 15`)
})

async function projectOf(code: string): Promise<string> {
  const known = projects.get(code)
  if (known) return known
  const { id } = (await database.one(sql<{ id: string }>`
    insert into nodes (node_type, code, name, path, created_by, project_type, id, project_id)
    select 'project', ${code}, ${code}, '/projects/' || ${code}::text, 'x', 'Enterprise', own, own
      from (select sluice_uuid7() as own offset 0) made
    returning id`))!
  projects.set(code, id)
  return id
}

/** Schedules of a project that came due one second after the other, the last of them `secondsAgo`. */
async function due(code: string, count: number, secondsAgo = 1): Promise<void> {
  const project = await projectOf(code)
  await database.count(sql`
    insert into scheduled_activities (kind, node_id, project_id, path, action, cron_schedule, property_overrides,
                                      settings_overrides, created_by, next_run_at)
    select 'scheduled_change', ${project}, ${project}, '/projects/' || ${code}::text, ${code}::text || n, '* * * * *', '', '', 'x',
           sluice_now() - make_interval(secs => ${count} - n + ${secondsAgo})
      from generate_series(1, ${count}) n`)
}

async function turns(asked: Partial<Turns> = {}): Promise<string[]> {
  const given = { most: 50, postponed: [], perProject: 3, longestWaitSeconds: 600, ...asked }
  const { ids } = await dueInTurns(database, given)
  const rows = await database.rows(sql<{ id: string; action: string }>`select id, action from scheduled_activities`)
  return ids.map(id => rows.find(row => row.id === id)!.action)
}

const open = (actions: readonly string[], updated = 'now()') =>
  database.count(sql`
    insert into schedule_occurrences (schedule_id, due_at, state, updated_at)
    select id, next_run_at, 'resolving', ${sql.raw(updated)} from scheduled_activities where action = any(${[...actions]})`)

async function begins(code: string, count: number): Promise<void> {
  const project = await projectOf(code)
  await database.count(sql`
    insert into activities (kind, node_id, project_id, path, name_key, created_by, status, head)
    select 'change', ${project}, ${project}, '/projects/' || ${code}::text, 'k' || n, 'x', 'pending', true
      from generate_series(1, ${count}) n`)
}

test('what is due of all projects comes in turns, of each the oldest first, and of none more than it may', async () => {
  await due('a', 9, 60)
  await due('b', 2)
  await due('c', 1)
  assert.deepEqual(await turns(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  assert.deepEqual(await turns({ most: 3 }), ['a1', 'b1', 'c1'])
})

test('projects of which something is in the making come behind those of which nothing is', async () => {
  await due('a', 9, 60)
  await due('b', 2)
  await open(['a1', 'a2'])
  await database.count(sql`update scheduled_activities set next_run_at = null where action in ('a1', 'a2')`)
  assert.deepEqual(await turns(), ['b1', 'b2', 'a3'])
})

test('while there is no slot for what was made of a project, no more of it is made, but of others', async () => {
  await due('a', 9, 60)
  await due('b', 2)
  await begins('a', 2)
  assert.deepEqual(await turns(), ['a1', 'b1', 'a2', 'b2', 'a3'])
  await database.count(sql`update slot_pools set used = configured_limit`)
  assert.deepEqual(await turns(), ['a1', 'b1', 'b2'])
  await begins('a', 5)
  assert.deepEqual(await turns(), ['b1', 'b2'])
})

test('nothing waits until it would count as missed, nor for what hangs', async () => {
  await due('a', 9, 60)
  await database.count(sql`update slot_pools set used = configured_limit`)
  await begins('a', 9)
  assert.deepEqual(await turns(), [])
  assert.deepEqual((await turns({ longestWaitSeconds: 30 })).length, 9)
  await database.count(sql`delete from activities`)
  await due('b', 4)
  await open(['b1', 'b2', 'b3'], "now() - interval '1 hour'")
  assert.deepEqual(
    (await turns()).filter(each => each.startsWith('b')),
    ['b1', 'b2', 'b3'],
  )
})
