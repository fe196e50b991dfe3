import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The document of a record stays small however many related records it has: the lists contain all of them. */

const live = '/api/projects/shop/environments/live'
const hidden = `${live.slice('/api'.length)}/assets`
let service: TestService
let admin: Client
before(async () => {
  service = await startTestService({
    spares: 0,
    users: {
      ann: [
        { path: '/projects/shop', read: true },
        { path: hidden, read: false },
        { path: `${hidden}/a-1100`, read: true },
        { path: `${hidden}/a-1101`, read: true },
      ],
    },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': 'actions:\n  go: { run: "true" }\n' })
  await service.database.transaction(async tx => {
    await tx.count(sql`
      insert into nodes (node_type, code, name, path, parent_id, project_id, environment_id, created_by)
      select node_type, 'a-' || n, 'a-' || n, ${hidden} || '/a-' || n, parent_id, project_id, environment_id, created_by
        from nodes, generate_series(1, 1200) n
       where path = ${`${hidden}/front`}`)
    await tx.count(sql`
      insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by)
      select n.id, n.project_id, n.path, h.template_id, h.template_version_id, h.created_by
        from nodes n, template_version_histories h
       where n.code like 'a-%' and h.node_id = (select id from nodes where code = 'front')`)
  })
})
after(() => service.stop())

const cut = { partial_response: true }
const templateOf = async (client: Client, asset: string) => {
  const { body } = await client.get(`${live}/assets/${asset}`)
  return body.included.find(({ type }: { type: string }) => type === 'template').relationships.nodes
}

test('of more than a thousand children a thousand are named, and it is said that there are more', async () => {
  const { children, bookmarks } = (await admin.get(live)).body.data.relationships
  assert.deepEqual([children.data.length, children.meta], [1000, cut])
  assert.deepEqual([bookmarks.data.length, bookmarks.meta], [0, undefined])
  const included = (await admin.get(`${live}?include=children`)).body.included
  assert.equal(included.length, 1000)
  assert.equal((await admin.get(`${live}/assets?total=true&limit=1`)).body.meta.total, 1201)
})

test('an asset names its template, and that a thousand of the nodes that are made from it', async () => {
  const nodes = await templateOf(admin, 'front')
  assert.deepEqual([nodes.data.length, nodes.meta], [1000, cut])
  assert.equal((await admin.get('/api/assets?filter[template_code_eq]=web&total=true&limit=1')).body.meta.total, 1201)
})

test('of more than a thousand children of a step a thousand are named, and the list of steps has all', async () => {
  const { id } = (await admin.post(`${live}/assets/front/changes`, { action: 'go' })).body.data
  await service.database.count(sql`
    insert into steps (activity_id, project_id, path, parent_id, "position", tree_order, step_type, step_name, full_path,
                       status, body)
    select s.activity_id, s.project_id, s.path, s.id, n, s.tree_order || '.' || lpad(n::text, 8, '0'), 'standard', 's-' || n,
           s.full_path || '/s-' || n, 'success', 'done'
      from steps s, generate_series(1, 1200) n
     where s.activity_id = ${id}::uuid and s.parent_id is null`)
  await service.database.count(
    sql`update steps set children = 1200 where activity_id = ${id}::uuid and parent_id is null`,
  )
  const steps: { id: string; relationships: Record<string, { data: unknown[]; meta?: object }> }[] = []
  for (let next: string | undefined = `/api/changes/${id}/steps?limit=500`; next; ) {
    const { body } = await admin.get(next)
    steps.push(...body.data)
    next = body.links.next
  }
  const { children } = steps[0]!.relationships
  assert.deepEqual([children!.data.length, children!.meta], [1000, cut])
  assert.deepEqual(
    children!.data,
    steps.slice(1, 1001).map(step => ({ type: 'step', id: step.id })),
  )
  assert.equal(steps.length, 1201)
})

test('a time in which an asset had a version names the newest thousand of its background tasks', async () => {
  await service.database.count(sql`
    insert into node_background_tasks (task_type, node_id, project_id, path, status_code, pool, created_by,
                                       template_version_history_id)
    select 'GenerateActionsRequest', h.node_id, h.project_id, h.path, 'success', 'actions_refresh', 'admin', h.id
      from template_version_histories h, generate_series(1, 1200) n
     where h.node_id = (select id from nodes where code = 'front')`)
  const [time] = (await admin.get(`${live}/assets/front/version_history`)).body.data
  const { data, meta } = time.relationships.node_background_tasks
  assert.deepEqual([data.length, meta], [1000, cut])
  const newest = await admin.get(`${live}/assets/front/node_background_tasks?limit=1&filter[sorts]=request_number desc`)
  assert.equal(data[0].id, newest.body.data[0].id)
})

test('whoever may read few of them is told of those alone, wherever they stand among the others', async () => {
  const ann = service.as('ann')
  const readable = (await admin.get(`${live}/assets?filter[code_in][]=a-1100&filter[code_in][]=a-1101`)).body.data
  const ids = readable.map(({ id }: { id: string }) => id).sort()
  const idsIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id).sort()
  const { children } = (await ann.get(live)).body.data.relationships
  assert.deepEqual([idsIn(children), children.meta], [ids, undefined])
  const nodes = await templateOf(ann, 'a-1100')
  assert.deepEqual([idsIn(nodes), nodes.meta], [ids, undefined])
})
