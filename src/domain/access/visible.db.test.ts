import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { join, sql } from '#platform/db/sql.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { allPaths, mayByRule, projectCodes, ruleSets } from '../../../tests/support/rights-oracle.ts'
import type { Rule } from './decide.ts'
import { rightsFrom } from './rights.sql.ts'

const own = await testDatabase()
const database: Database = openDatabase({ url: own.ownerUrl, name: 'rights test' })
const record = { projectId: sql`r.project_id`, path: sql`r.path` }
const visible = (rules: readonly Rule[]) => rightsFrom({ superuser: false, blocked: false, rules }).visible(record)

before(async () => {
  await database.count(sql`
    with made as (select sluice_uuid7() as id, code from unnest(${projectCodes}::text[]) code)
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', code, code, 'Enterprise', id, '/projects/' || code, 'test' from made`)
  await database.count(sql`create table records (project_id uuid, path text collate "C" not null)`)
  await database.count(sql`
    insert into records
    select n.id, each
      from unnest(${allPaths}::text[]) each
      left join nodes n on n.path = '/projects/' || split_part(each, '/', 3)`)
})
after(async () => {
  await database.end()
  await own.drop()
})

test('what a list shows is what the rules allow to read, for 10,000 random policies', async () => {
  const batches = fc.array(ruleSets, { minLength: 5, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(batches, async batch => {
      const columns = batch.map((rules, i) => sql`coalesce(${visible(rules)}, false) as ${sql.ref(`p${i}`)}`)
      const rows = await database.rows(sql<Record<string, unknown>>`select path, ${join(columns, ', ')} from records r`)
      for (const row of rows)
        for (const [i, rules] of batch.entries())
          if (row[`p${i}`] !== mayByRule(rules, 'read', row['path'] as string))
            assert.fail(`${row['path']} is ${row[`p${i}`]} under ${JSON.stringify(rules)}`)
    }),
    { numRuns: 2_000 },
  )
})

test('what somebody may execute is what the rules allow to execute', async () => {
  const executable = (rules: readonly Rule[]) =>
    rightsFrom({ superuser: false, blocked: false, rules }).executable!(record)
  await fc.assert(
    fc.asyncProperty(ruleSets, async rules => {
      const rows = await database.rows(sql<{ path: string; shown: boolean }>`
        select path, coalesce(${executable(rules)}, false) as shown from records r`)
      assert.deepEqual(
        rows,
        rows.map(({ path }) => ({ path, shown: mayByRule(rules, 'execute', path) })),
      )
    }),
    { numRuns: 200 },
  )
})

test('hundreds of rules, one inside the other and with *, are decided as a few are', async () => {
  const codes = Array.from({ length: 150 }, (_, i) => `many-${i}`)
  const rules = codes.flatMap((code, i) => [
    { ...read(`/projects/${code}`), read: i % 3 > 0 },
    ...(i % 2 ? [{ ...read(`/projects/${code}/environments/live`), read: i % 3 === 0 }] : []),
    ...(i % 5 ? [] : [{ ...read(`/projects/${code}/environments/live/assets/web`), read: i % 3 > 0 }]),
  ])
  const paths = codes.flatMap(code =>
    [
      '',
      '/environments/live',
      '/environments/live/assets/web',
      '/environments/lively',
      '/environments',
      '/git_remotes',
    ].map(beneath => `/projects/${code}${beneath}`),
  )
  for (const more of [
    [],
    // Paths with the same decision that differ in two places.
    codes.slice(50).map((code, i) => ({ ...read(`/projects/${code}/environments/lively`), read: i % 2 > 0 })),
    [read('/projects/*/git_remotes')],
    [{ ...read('/projects/*/environments/live'), read: false }],
  ]) {
    const all = [...rules, ...more]
    const rows = await database.rows(sql<{ path: string; shown: boolean }>`
      select r.path, coalesce(${visible(all)}, false) as shown
        from (select null::uuid as project_id, path collate "C" as path from unnest(${paths}::text[]) path) r`)
    assert.deepEqual(
      rows,
      paths.map(path => ({ path, shown: mayByRule(all, 'read', path) })),
    )
  }
})

const read = (path: string): Rule => ({ path, read: true, update: null, execute: null, delete: null })

test('who may read something of any project may read anywhere, and nobody whose rules name a few', () => {
  const anywhere = (...rules: readonly Rule[]) => rightsFrom({ superuser: false, blocked: false, rules }).anywhere
  const denied = (path: string) => ({ ...read(path), read: false })
  const many = Array.from({ length: 65 }, (_, i) => read(`/projects/p${i}`))
  assert.equal(anywhere(read('/')), true)
  assert.equal(anywhere(read('/projects'), denied('/projects/a'), read('/projects/a/environments/live')), true)
  assert.equal(anywhere(read('/projects/*/environments/live')), true)
  assert.equal(anywhere(...many), true)
  assert.equal(anywhere(...many.slice(1)), false)
  assert.equal(anywhere(read('/projects/a')), false)
  assert.equal(anywhere(denied('/projects/a')), false)
})

test('nothing in the path of a rule is read as SQL or as a pattern', async () => {
  const hostile = ["/projects/'; drop table records; --", '/projects/a%', '/projects/_', '/*/(a|b)', '/*/a.*', '/*/\\']
  for (const path of hostile)
    assert.deepEqual(await database.rows(sql`select from records r where ${visible([read(path)])}`), [])
})

test('a project made after its rule was read is seen, and one destroyed is not', async () => {
  const condition = visible([read('/projects/late'), read('/projects/none')])
  const list = () => database.rows(sql<{ path: string }>`select r.path from nodes r where ${condition}`)
  assert.deepEqual(await list(), [])
  await database.count(sql`
    with made as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'late', 'late', 'Enterprise', id, '/projects/late', 'test' from made`)
  assert.deepEqual(await list(), [{ path: '/projects/late' }])
  await database.count(sql`update nodes set destroyed_at = sluice_now() where code = 'late'`)
  assert.deepEqual(await list(), [])
})

test('a list for one project among many reads that project in the order of its index', async () => {
  await database.count(sql`
    insert into bookmarks (node_id, project_id, path, description, created_by, created_at)
    select n.id, n.id, n.path, 'x', 'test', now() - make_interval(secs => i)
      from generate_series(1, 3000) i join nodes n on n.code = (array['a', 'ab'])[1 + i % 2]`)
  await database.count(sql`create index on bookmarks (project_id, created_at, id)`)
  await database.count(sql`analyze bookmarks`)
  const plan = await database.rows(
    sql<{ 'QUERY PLAN': string }>`
      explain select r.id from bookmarks r where ${visible([read('/projects/a')])} order by r.created_at desc, r.id desc limit 10`,
  )
  const text = plan.map(row => row['QUERY PLAN']).join('\n')
  assert.match(text, /Index (Only )?Scan Backward using bookmarks_project_id_created_at_id_idx/)
  assert.doesNotMatch(text, /Sort/)
})
