import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { openKeyring } from '#platform/crypto/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import type { PlanNode } from '../../../tests/support/list-plans.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import type { CleanedKind } from './cleanup-definition.ts'
import { endOfStretch, lastOfStretch, type Place, removableIn, removables, stretch } from './removable.store.ts'

/** Tests of query plans on large tables; a clean-up of a million records is many statements, each of which is short. */
const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'plans of clean-ups' })
after(async () => {
  await database.end()
  await own.drop()
})
const kinds = removables({ keyring: await openKeyring({ database, rootKey: randomBytes(32) }), vaults: {} as never })
const count = 30_000
/** Factor by which the real rows are fewer than the claimed ones. */
const fewer = 50
const seen = stretch / fewer

await withClient(own.superuserUrl, async client => {
  const made = `(select n, sluice_now() - interval '300 days' + n * interval '10 minutes' as at from generate_series(1, ${count}) n) m`
  const id = 'sluice_uuid7_at(at, uuid_send(gen_random_uuid()))'
  await client.query(`
    set session_replication_role = replica;
    insert into events (id, created_at, type, system, username, path, body, attributes)
      select ${id}, at, 'x', true, 'ann', '/projects/p' || n % 100, '{}', '{}' from ${made};
    insert into event_seals (seq, event_id, digest, hash)
      select row_number() over (order by id), id, '', '' from events;
    insert into finished_jobs (id, job_class, queue, attempts, maximum_attempts, run_at, finished_at, created_at)
      select ${id}, 'x', 'default', 1, 1, at, at, at from ${made};
    insert into nodes (id, project_id, project_type, node_type, path, code, name, created_by)
      values ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000001', 'Enterprise', 'project', '/projects/p', 'p', 'P', 'ann');
    insert into activities (id, kind, node_id, project_id, path, name_key, status, created_by, created_at, started_at, finished_at)
      select ${id}, 'change', p.id, p.id, p.path, 'x' || n, 'success', 'ann', at, at, at from nodes p, ${made};
    insert into changes (id, action, step_name, property_overrides, settings_overrides)
      select id, 'x', 'x', '', '' from activities;
    analyze;
    update pg_class set reltuples = reltuples * ${fewer}
     where relnamespace = 'public'::regnamespace and reltuples = ${count} and relname <> 'nodes'`)
})

async function readsOf(query: Sql): Promise<{ reads: string[]; text: string }> {
  const explained = sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (format json) ${query}`
  const [{ Plan }] = (await database.one(explained, { plannedAnew: true }))!['QUERY PLAN']
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)]
  const whole = nodes(Plan).filter(node => /Seq Scan/.test(node['Node Type']))
  return { reads: whole.map(node => node['Relation Name'] ?? ''), text: JSON.stringify(Plan, null, 1) }
}

const large = /^(events_default|event_seals|finished_jobs|activities|changes)$/

for (const [name, filters] of [
  ['events', { type_eq: 'x' }],
  ['activities', { status_code_eq: 'success' }],
  ['jobs', { job_class_eq: 'x' }],
] as const satisfies [CleanedKind, object][])
  test(`no statement of a clean-up of ${name} reads all of them, wherever it stands`, async () => {
    const kind = kinds[name]
    const { cutoff } = (await database.one(
      sql<{ cutoff: string }>`select sluice_now() - interval '95 days' as cutoff`,
    ))!
    let place: Place
    for (let at = 0; at < 15; at += 1) {
      const end: Place = await endOfStretch(database, kind, cutoff, place, seen)
      assert.ok(end)
      for (const sought of [
        { node_paths: ['%'], filters, cutoff },
        { node_paths: ['/projects/p1%'], filters: {}, cutoff },
      ])
        for (const query of [lastOfStretch(kind.walked, cutoff, place, seen), removableIn(kind, sought, place, end)]) {
          const { reads, text } = await readsOf(query)
          assert.deepEqual(
            reads.filter(table => large.test(table)),
            [],
            text,
          )
        }
      place = end
    }
  })
