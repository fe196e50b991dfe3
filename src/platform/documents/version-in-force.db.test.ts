import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { versionInForce } from './document-store.ts'

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'version in force test' })
const owner = openDatabase({ url: own.ownerUrl, name: 'version in force test' })
after(async () => {
  await database.end()
  await owner.end()
  await own.drop()
})

test('of thousands of versions the one in force is found at each instant, by an index', async () => {
  await database.count(sql`
    insert into properties (owner_type, owner_id, project_id, path, created_by, version)
    select 'Asset', sluice_uuid7(), sluice_uuid7(), '/projects/p' || i, 'test', 2000
      from generate_series(1, 5) i`)
  // One version per second; the last has no end.
  await database.count(sql`
    insert into properties_versions (properties_id, version, data, data_sha, created_by, active_from, active_to)
    select p.id, i, '', '', 'test', timestamptz '2001-01-01' + i * interval '1 second',
           case when i < 2000 then timestamptz '2001-01-01' + (i + 1) * interval '1 second' end
      from properties p, generate_series(1, 2000) i`)
  await owner.count(sql`analyze properties_versions`)
  const found = async (at: string | undefined) => {
    const rows = await database.rows(sql<{ version: number }>`
      select v.version from properties r ${versionInForce('properties', at)}`)
    return rows.map(({ version }) => version)
  }
  const five = (version: number) => Array(5).fill(version)
  assert.deepEqual(await found('2001-01-01T00:16:40.5Z'), five(1_000))
  // An instant at which two intervals meet belongs to the later version.
  assert.deepEqual(await found('2001-01-01T00:16:41Z'), five(1_001))
  assert.deepEqual(await found('2001-01-01T00:00:00.9Z'), [])
  assert.deepEqual(await found('2030-01-01T00:00:00Z'), five(2_000))
  assert.deepEqual(await found(undefined), five(2_000))
  const isByNumberNow = async () => {
    assert.match(await planOf('2001-01-01T00:16:40.5Z'), /Index Scan using properties_versions_one_at_a_time/)
    assert.match(await planOf(undefined), /Index (Only )?Scan using properties_versions_properties_id_version_key/)
  }
  await isByNumberNow()
  // Nearly all documents have one version, so by the average the planner sees no difference.
  await database.count(sql`
    with made as (
      insert into properties (owner_type, owner_id, project_id, path, created_by, version)
      select 'Asset', sluice_uuid7(), sluice_uuid7(), '/projects/q' || i, 'test', 1 from generate_series(1, 50000) i
      returning id
    )
    insert into properties_versions (properties_id, version, data, data_sha, created_by, active_from)
    select id, 1, '', '', 'test', timestamptz '2001-01-01' from made`)
  await owner.count(sql`analyze properties, properties_versions`)
  await isByNumberNow()
})

async function planOf(at: string | undefined): Promise<string> {
  const plan = await database.rows(sql<Record<string, string>>`
    explain select v.version from properties r ${versionInForce('properties', at)} where r.path = '/projects/p1'`)
  return plan.map(row => row['QUERY PLAN']).join('\n')
}
