import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { recordAll } from '../../src/domain/events/index.ts'
import { basicOf, type Client } from '../support/api.ts'
import { created, ended, newAsset, type Shown, shop, stepAt } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { follow, type LiveClient } from '../support/live-client.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

/**
 * The stream of node summaries, judged as its reader would use it: a list that was read once, with the messages of the
 * stream applied to it, is the list as it is now.
 */

let service: TestService
let gates: Gates
let admin: Client
let asset: string

before(async () => {
  gates = await newGates()
  service = await startTestService({
    users: {
      reader: [{ path: '/projects/shop', read: true }],
      narrow: [{ path: '/projects/other', read: true }],
    },
  })
  admin = service.as('admin')
  const actions = `
actions:
  held: { run: "touch ${gates.folder}/held; until [ -e ${gates.folder}/on ]; do sleep 0.05; done; exit 3" }
  go: { description: x, run: echo on }
  asks: { description: x, steps: [{ wait: Have a coffee, steps: [go] }] }
`
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
})
after(async () => {
  await service.stop()
  await gates.remove()
})

/** Reader of the tree: the list, and what has come since. */
interface Reader {
  readonly stream: LiveClient
  /** Waits until the tree that the reader has is the list, in which `isSo` holds. */
  has(isSo: (nodes: ReadonlyMap<string, Shown>) => boolean): Promise<void>
  /** Number of messages that made the reader read the list again. */
  resets(): number
}

async function listOf(username: string): Promise<Map<string, Shown>> {
  const nodes = new Map<string, Shown>()
  for (let next: string | undefined = '/api/nodes?limit=10000'; next; ) {
    const { status, body } = await service.as(username).get(next)
    assert.ok([200, 206].includes(status))
    for (const each of body.data) nodes.set(each.id, each)
    next = body.links.next
  }
  return nodes
}

async function reader(username = 'admin', lastEventId?: string, known?: Map<string, Shown>): Promise<Reader> {
  const stream = await follow(service.address, '/api/nodes/live', { username, lastEventId })
  assert.equal(stream.status, 200)
  const nodes = known ?? (await listOf(username))
  let applied = 0
  let resets = 0
  const apply = async () => {
    for (; applied < stream.messages.length; applied++) {
      const { kind, data } = stream.messages[applied]!
      if (kind === 'node_summary') nodes.set(data.data.id, data.data)
      else if (kind === 'gone') nodes.delete(data.data.id)
      else {
        resets += 1
        nodes.clear()
        for (const [id, node] of await listOf(username)) nodes.set(id, node)
      }
    }
  }
  return {
    stream,
    resets: () => resets,
    has: async isSo => {
      for (let seen = -1; ; ) {
        await apply()
        if (isSo(nodes)) break
        seen = stream.messages.length
        await stream.until(messages => messages.length > seen)
      }
      // Later commits are sent as well.
      for (let seen = -1; ; ) {
        await apply()
        const sorted = (all: ReadonlyMap<string, Shown>) => [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
        const list = await listOf(username)
        if (JSON.stringify(sorted(nodes)) === JSON.stringify(sorted(list))) return
        if (seen === stream.messages.length) assert.deepEqual(sorted(nodes), sorted(list))
        seen = stream.messages.length
        await stream.until(messages => messages.length > seen)
      }
    },
  }
}

const node = (nodes: ReadonlyMap<string, Shown>, path: string) =>
  [...nodes.values()].find(({ attributes }) => attributes.path === path)?.attributes
const pathOf = (api: string) => api.replace('/api', '')

test('nodes that are created, renamed, archived, restored and destroyed are so in the tree of each reader', async () => {
  const all = await reader()
  const some = await reader('reader')
  const none = await reader('narrow')
  const both = async (isSo: Parameters<Reader['has']>[0]) => {
    await all.has(isSo)
    await some.has(isSo)
  }
  const back = await newAsset(admin, 'back')
  await both(nodes => node(nodes, pathOf(back))?.template_version === '1.0')
  assert.equal((await admin.patch(back, { name: 'The back' })).status, 200)
  await both(nodes => node(nodes, pathOf(back))?.name === 'The back')
  assert.equal((await admin.patch(back, { archived: true })).status, 200)
  await both(nodes => node(nodes, pathOf(back))?.archived === true)
  assert.equal((await admin.patch(back, { archived: false })).status, 200)
  await both(nodes => node(nodes, pathOf(back))?.archived === false)
  assert.equal((await admin.delete(`${back}?ignore_in_use=true`)).status, 204)
  await both(nodes => node(nodes, pathOf(back)) === undefined)
  await created(admin.post('/api/projects', { code: 'hidden', name: 'Hidden' }))
  await all.has(nodes => node(nodes, '/projects/hidden') !== undefined)
  assert.deepEqual(none.stream.messages, [])
  for (const each of [all, some, none]) {
    assert.equal(each.resets(), 0)
    each.stream.close()
  }
})

test('an activity that starts, waits and ends is told of its node', async () => {
  const tree = await reader('reader')
  const at = (nodes: ReadonlyMap<string, Shown>) => node(nodes, pathOf(asset))
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'asks' }))
  await tree.has(nodes => at(nodes)?.waiting_count === 1)
  const step = await stepAt(admin, id, 'asks/Have a coffee')
  assert.equal((await admin.post(`/api/steps/${step.id}/continue`, {})).status, 200)
  await tree.has(nodes => at(nodes)?.last_status === 'success' && at(nodes)?.active_count === 0)

  await created(admin.post(`${asset}/changes`, { action: 'held' }))
  await gates.reached('held')
  await tree.has(nodes => at(nodes)?.active_count === 1)
  await gates.open('on')
  await tree.has(nodes => at(nodes)?.last_status === 'error' && at(nodes)?.active_count === 0)
  assert.equal(tree.resets(), 0)
  tree.stream.close()
})

test('rights that are given and taken while it runs make the reader read the list again', async () => {
  const tree = await reader('narrow')
  await tree.has(nodes => nodes.size === 0)
  const policy = await created(admin.post('/api/authorisation_policies', { name: 'further' }))
  const tie = { authorisation_policy_id: policy.id, username: 'narrow' }
  await created(admin.post('/api/policy_assignments', tie))
  const rulesAre = async (...rules: object[]) =>
    assert.equal(
      (await admin.put(`/api/authorisation_policies/${policy.id}/rules`, { authorisation_rules: rules })).status,
      200,
    )
  await rulesAre({ path: '/projects/shop', read: true })
  await tree.has(nodes => node(nodes, pathOf(asset)) !== undefined)
  assert.equal(tree.resets(), 1)
  // Rights of another user make no difference.
  await service.addUser('somebody', [{ path: '/projects', read: true }])
  assert.equal((await admin.patch(asset, { name: 'Front 2' })).status, 200)
  await tree.has(nodes => node(nodes, pathOf(asset))?.name === 'Front 2')
  await rulesAre()
  await tree.has(nodes => nodes.size === 0)
  assert.equal(tree.resets(), 2)

  // Taken back while it is disconnected.
  await rulesAre({ path: '/projects/shop', read: true })
  await tree.has(nodes => nodes.size > 0)
  const { lastId } = tree.stream
  tree.stream.close()
  await rulesAre()
  const again = await reader('narrow', lastId, await listOf('admin'))
  await again.has(nodes => nodes.size === 0)
  again.stream.close()
})

test('a reader that was disconnected while the service was away continues where it was', async () => {
  const tree = await reader()
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'asks' }))
  await tree.has(nodes => node(nodes, pathOf(asset))?.waiting_count === 1)
  const known = await listOf('admin')
  const other = await service.beside('api')
  await service.halt({ keepRunners: true })
  await tree.stream.ended()
  const elsewhere = await fetch(`${other.address}/api/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.api+json', authorization: basicOf('admin', passwordOf('admin')) },
    body: JSON.stringify({ data: { attributes: { code: 'meanwhile', name: 'Meanwhile' } } }),
  })
  assert.equal(elsewhere.status, 201)
  await service.startAgain()
  const step = await stepAt(admin, id, 'asks/Have a coffee')
  assert.equal((await admin.post(`/api/steps/${step.id}/continue`, {})).status, 200)
  await ended(admin, id)
  const again = await reader('admin', tree.stream.lastId, known)
  await again.has(
    nodes => node(nodes, '/projects/meanwhile') !== undefined && node(nodes, pathOf(asset))?.last_status === 'success',
  )
  assert.equal(again.resets(), 0)
  again.stream.close()
  await other.stop({ keepRunners: true })
})

test('of ten thousand assets that change at once each is sent, and of one that changes only that one', async () => {
  const live = await service.database.one(
    sql<{
      id: string
      project_id: string
    }>`select id, project_id from nodes where path = '/projects/shop/environments/live'`,
  )
  const made = await service.database.rows(sql<{ id: string; path: string }>`
    insert into nodes (node_type, code, name, parent_id, environment_id, project_id, path, created_by)
    select 'asset', 'many-' || i, 'Many ' || i, ${live!.id}, ${live!.id}, ${live!.project_id},
           '/projects/shop/environments/live/assets/many-' || i, 'admin'
      from generate_series(1, 10000) i
    returning id, path`)
  const tree = await reader('reader')
  await service.database.transaction(async tx => {
    await tx.count(
      sql`update nodes set name = 'All ' || code where path like '/projects/shop/environments/live/assets/many-%'`,
    )
    for (let from = 0; from < made.length; from += 1_000)
      await recordAll(
        tx,
        made.slice(from, from + 1_000).map(({ id, path }) => ({
          type: 'api:nodes:update',
          actor: { userId: null, username: 'admin' },
          source: { type: 'asset', id },
          node: { id, path, projectId: live!.project_id },
          attributes: {},
        })),
      )
  })
  await tree.has(nodes => made.every(({ id }) => nodes.get(id)?.attributes.name.startsWith('All ')))
  const sent = tree.stream.messages.length
  assert.equal((await admin.patch(asset, { name: 'One' })).status, 200)
  await tree.has(nodes => node(nodes, pathOf(asset))?.name === 'One')
  assert.deepEqual(
    new Set(tree.stream.messages.slice(sent).map(({ data }) => data.data.attributes.path)),
    new Set([pathOf(asset)]),
  )
  assert.equal(tree.resets(), 0)
  tree.stream.close()
})
