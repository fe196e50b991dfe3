import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsDomain } from '../../src/domain/events/index.ts'
import { nodesDomain } from '../../src/domain/nodes/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApi } from '../support/api.ts'
import { idsOf, walk } from './list-grammar.ts'
import { everything, readerOfA } from './specimen.ts'

/** Properties that only lists of events have, and lists of one project. */
const domains = [nodesDomain({ others: [] }), eventsDomain]
const api = await startTestApi({ domains, users: { admin: everything, reader: readerOfA } })
after(() => api.stop())
const client = api.as('admin')

await api.database.rows(sql`
  insert into nodes (id, node_type, code, name, description, project_type, project_id, path, archived, created_by, created_at)
  select id, 'project', code, 'Name ' || n % 7, (array['', 'a%b', 'A_b', 'Éa'])[1 + n % 4],
         (array['Standard', 'Enterprise'])[1 + n % 2], id, '/projects/' || code, n % 4 = 0, 'user' || n % 5,
         '2026-11-21T02:00:00Z'::timestamptz + make_interval(secs => (n % 40) * 0.000001)
    from (select n, sluice_uuid7() as id, case n when 1 then 'a' else 'p' || n end as code
            from generate_series(1, 120) n) made`)
await api.database.rows(sql`
  insert into nodes (node_type, code, name, parent_id, project_id, path, created_by)
  select 'environment', 'e' || e, 'Environment', p.id, p.id, p.path || '/environments/e' || e, 'admin'
    from nodes p, generate_series(1, 3) e`)
await api.database.rows(sql`
  insert into events (type, system, username, project_id, node_id, path, source_type, source_id, body, attributes, created_at)
  select (array['api:projects:create', 'custom:one', 'audit:steps:approve'])[1 + i % 3], i % 2 = 0, 'user' || i % 4,
         n.id, n.id, n.path, case when i % 2 = 0 then 'project' end, case when i % 2 = 0 then n.id end, '{}',
         jsonb_strip_nulls(jsonb_build_object('count', case when i % 3 > 0 then i % 12 end, 'word', 'W' || i % 5,
                                              'deep', jsonb_build_object('er', i % 2))),
         sluice_now() + make_interval(secs => (i % 30) * 0.000001)
    from nodes n, generate_series(1, 3) i where n.node_type = 'project' and n.code < 'p5'`)

// biome-ignore lint/suspicious/noExplicitAny: attributes that only some events have
type Attributes = Record<string, any>

test('the newest events come oldest first, and links.next leads to the older page', async () => {
  const newest = await client.get('/api/events?limit=1000')
  const pages: string[][] = []
  let before = 0
  const walked = await walk(client, '/api/events?limit=40', async () => void before++)
  for (let at = 0; at < walked.length; at += 40) pages.unshift(idsOf(walked.slice(at, at + 40)))
  assert.ok(before > 1)
  assert.deepEqual(pages.flat(), idsOf(newest.body.data))
})

test('attributes that only some events have are filtered by name, nested ones by dots, as numbers where both are', async () => {
  const all = (await client.get('/api/events?limit=1000')).body.data
  const ask = async (filter: string) => idsOf((await client.get(`/api/events?limit=1000&${filter}`)).body.data)
  const those = (test: (attributes: Attributes) => boolean) =>
    idsOf(all.filter((each: { attributes: Attributes }) => test(each.attributes)))
  assert.deepEqual(
    await ask('filter[count_gt]=9'),
    those(({ count }) => count > 9),
  )
  assert.deepEqual(
    await ask('filter[count_null]=1'),
    those(({ count }) => count === undefined),
  )
  assert.deepEqual(
    await ask('filter[count_not_eq]=3'),
    those(({ count }) => count !== 3),
  )
  assert.deepEqual(
    await ask('filter[word_in][]=W1&filter[word_in][]=W2'),
    those(({ word }) => ['W1', 'W2'].includes(word)),
  )
  assert.deepEqual(
    await ask('filter[word_start]=w3'),
    those(({ word }) => word === 'W3'),
  )
  assert.deepEqual(
    await ask('filter[deep.er_eq]=1'),
    those(({ deep }) => deep.er === 1),
  )
  assert.deepEqual(await ask("filter[o'hara_eq]=1"), [])
})

test('a list for someone who may see one project shows what lies in it', async () => {
  const { body } = await api.as('reader').get('/api/projects?total=true')
  assert.deepEqual(
    body.data.map((each: { attributes: { code: string } }) => each.attributes.code),
    ['a'],
  )
  assert.equal(body.meta.total, 1)
})
