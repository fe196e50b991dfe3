import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase, type Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { readSoFar } from '../../../tests/support/rows-read.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { isSuperuser, keepLastSuperuser, rightsOf, superusers } from './index.ts'

const own = await testDatabase()
const database: Database = openDatabase({ url: own.appUrl, name: 'rights test' })
const users: Record<string, string> = {}

before(async () => {
  for (const [name, groups] of Object.entries({ ann: ['ops', 'dev'], bob: ['dev'], eve: [] }))
    users[name] = (await database.one(
      sql<{ id: string }>`
        insert into users (username, groupnames, created_by) values (${name}, ${groups}::text[], 'test') returning id`,
    ))!.id
})
after(async () => {
  await database.end()
  await own.drop()
})

/** A policy with one rule (read on that path, or a system policy), given to whom. */
async function grant(path: string, to: { user?: string; group?: string }): Promise<string> {
  const assigned = sql`${to.user ? users[to.user] : null}::uuid, ${to.group ?? null}::text, 'test'`
  const policy = await database.one(sql<{ id: string }>`
    with policy as (insert into authorisation_policies (name, created_by) values (gen_random_uuid()::text, 'test') returning id),
         rule   as (insert into authorisation_rules (path, read, created_by) values (${path}, true, 'test') returning id),
         tie    as (insert into policy_rules (policy_id, rule_id, created_by) select policy.id, rule.id, 'test' from policy, rule)
    insert into policy_assignments (policy_id, assignee_id, groupname, created_by) select id, ${assigned} from policy returning policy_id as id`)
  return policy!.id
}

const grantSystem = (system: string, user: string) =>
  database.count(sql`
    insert into policy_assignments (policy_id, assignee_id, created_by)
    select id, ${users[user]}, 'test' from authorisation_policies where system = ${system}`)

/** Users by name, as each is asked for alone and as all are. */
async function allSuperusers(): Promise<string[]> {
  const namesOf = async (condition: Sql) => {
    const rows = await database.rows(
      sql<{ username: string }>`select u.username from users u where ${condition} order by 1`,
    )
    return rows.map(({ username }) => username)
  }
  const each = await namesOf(isSuperuser(sql`u.id`))
  assert.deepEqual(await namesOf(sql`u.id in (${superusers()})`), each)
  return each
}

const readers = async (path: string) => {
  const names = []
  for (const [name, id] of Object.entries(users)) if ((await rightsOf(database, id)).may('read', path)) names.push(name)
  return names
}

test('a policy reaches a user, a group, one user of a group, or everyone', async () => {
  await grant('/a', { user: 'ann' })
  await grant('/b', { group: 'dev' })
  await grant('/c', { user: 'bob', group: 'ops' })
  await grant('/d', { user: 'ann', group: 'ops' })
  await grant('/e', {})
  assert.deepEqual(await readers('/a'), ['ann'])
  assert.deepEqual(await readers('/b'), ['ann', 'bob'])
  assert.deepEqual(await readers('/c'), [])
  assert.deepEqual(await readers('/d'), ['ann'])
  assert.deepEqual(await readers('/e'), ['ann', 'bob', 'eve'])
})

test('a group of a policy is that of the directory in any case of its letters, as in approvals', async () => {
  await grant('/f', { group: 'OPS' })
  await grant('/g', { user: 'bob', group: 'Dev' })
  assert.deepEqual([await readers('/f'), await readers('/g')], [['ann'], ['bob']])
})

test('a right that is taken away is gone with the next look', async () => {
  const policy = await grant('/taken', { user: 'eve' })
  assert.deepEqual(await readers('/taken'), ['eve'])
  await database.count(sql`delete from policy_assignments where policy_id = ${policy}`)
  assert.deepEqual(await readers('/taken'), [])
})

test('the superuser policy gives everything and the blocked policy takes even that', async () => {
  await grantSystem('superuser', 'ann')
  await grantSystem('superuser', 'bob')
  assert.deepEqual(await allSuperusers(), ['ann', 'bob'])
  assert.deepEqual(await readers('/anything'), ['ann', 'bob'])
  await grantSystem('blocked', 'bob')
  assert.deepEqual(await allSuperusers(), ['ann'])
  assert.deepEqual(await readers('/b'), ['ann'])
  await database.count(sql`update users set disabled = true where username = 'ann'`)
  assert.deepEqual(await allSuperusers(), [])
  assert.deepEqual(await readers('/anything'), [])
})

test('superusers are so by name, by group, by both, or as everyone is', async () => {
  const given: [names: (string | null)[], become: string[]][] = [
    [['bob', null], ['bob']],
    [
      [null, 'DEV'],
      ['ann', 'bob'],
    ],
    [['bob', 'ops'], []],
    [['ann', 'Ops'], ['ann']],
    [
      [null, null],
      ['ann', 'bob', 'eve'],
    ],
  ]
  await database.count(sql`update users set disabled = false`)
  for (const [[user, group], become] of given) {
    await database.count(sql`
      delete from policy_assignments a using authorisation_policies p where p.id = a.policy_id and p.system is not null`)
    await database.count(sql`
      insert into policy_assignments (policy_id, assignee_id, groupname, created_by)
      select id, ${user ? users[user] : null}::uuid, ${group ?? null}::text, 'test'
        from authorisation_policies where system = 'superuser'`)
    assert.deepEqual(await allSuperusers(), become, `${user}, ${group}`)
  }
})

test('what somebody may is read by index, however many groups have policies, and who is a superuser without looking at everyone', async () => {
  await withClient(own.superuserUrl, async client => {
    await client.query(`
      delete from policy_assignments where policy_id in (select id from authorisation_policies where system is not null);
      insert into users (username, groupnames, created_by)
      select 'person ' || n, array['Group ' || n, 'Group ' || n + 1], 'test' from generate_series(1, 20000) n;
      insert into policy_assignments (policy_id, groupname, created_by)
      select p.id, 'GROUP ' || n, 'test'
        from generate_series(1, 20000) n, (select id from authorisation_policies where system is null limit 1) p;
      insert into users (username, created_by) values ('the last', 'test');
      insert into policy_assignments (policy_id, assignee_id, created_by)
      select p.id, u.id, 'test' from authorisation_policies p, users u where p.system = 'superuser' and u.username = 'the last';
      analyze users; analyze policy_assignments`)
  })
  const { id } = (await database.one(sql<{ id: string }>`select id from users where username = 'person 7'`))!
  const read = (table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> =>
    database.transaction(async tx => {
      const before = await readSoFar(tx, table)
      await work(tx)
      return (await readSoFar(tx, table)) - before
    })
  assert.ok((await read('policy_assignments', tx => rightsOf(tx, id))) < 100)
  const asks = async (): Promise<string[]> => {
    assert.ok((await read('users', keepLastSuperuser)) < 100)
    assert.ok((await read('users', tx => tx.rows(superusers()))) < 100)
    return allSuperusers()
  }
  assert.deepEqual(await asks(), ['the last'])
  await database.count(sql`
    update policy_assignments a set assignee_id = null, groupname = 'GROUP 7'
      from authorisation_policies p where p.id = a.policy_id and p.system = 'superuser'`)
  assert.deepEqual(await asks(), ['person 6', 'person 7'])
})
