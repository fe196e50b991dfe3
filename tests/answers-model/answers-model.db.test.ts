import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Chance } from '../audit-trail/chance.ts'
import type { Client } from '../support/api.ts'
import { created, readyVersion } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { play } from './history.ts'
import type { Node, NodeType, World } from './world.ts'

/**
 * Random requests by a superuser and by people whose rights change meanwhile: each response must be the one predicted
 * from the specification. SLUICE_TEST_SEED selects another history, SLUICE_TEST_REQUESTS a longer one.
 */

const seed = Number(process.env['SLUICE_TEST_SEED'] ?? 20_261_122)
const requests = Number(process.env['SLUICE_TEST_REQUESTS'] ?? 350)

const everything = { read: true, update: true, execute: true, delete: true }
const users = {
  ann: [{ path: '/projects/bank', ...everything }],
  bob: [
    { path: '/projects/bank', read: true },
    { path: '/projects/bank/environments', ...everything },
  ],
  cat: [
    { path: '/projects/shop', read: true },
    { path: '/projects/shop/authorisation_policies', update: true },
  ],
}

let service: TestService
const world: World = {
  nodes: [],
  bookmarks: [],
  schedules: [],
  changes: [],
  tokens: [],
  rights: { policies: [], rules: [], ties: [], assignments: [] },
}

before(async () => {
  service = await startTestService({ users, spares: 0 })
  const admin = service.as('admin')
  await makeNodes(admin)
  await readRights(admin)
  await nothingStarts(admin)
})
after(() => service.stop())

async function makeNodes(admin: Client): Promise<void> {
  const repository = await service.repository({
    'web/actions.yaml': 'actions:\n  ask: { description: Waits, steps: [{ wait: Look }] }\n',
    'bot/agent.sh': '#!/bin/sh\nexec sleep 60\n',
  })
  const bank = await made(admin, 'project', null, { code: 'bank' })
  await made(admin, 'project', null, { code: 'shop' })
  const old = await made(admin, 'project', null, { code: 'old', project_type: 'Standard' })
  const project = `/api${bank.path}`
  await created(admin.post(`${project}/git_remotes`, { name: 'code', url: repository.url }))
  for (const [code, template_type] of [
    ['web', 'asset'],
    ['bot', 'agent'],
  ]) {
    await created(admin.post(`${project}/templates`, { code, name: code, template_type, git_remote_name: 'code' }))
    for (const version of ['1', '2'])
      await readyVersion(admin, `${project}/templates/${code}/versions/${version}`, 'main')
  }
  const live = await made(admin, 'environment', bank, { code: 'live' })
  await made(admin, 'environment', old, { code: 'live' })
  const web = { template_code: 'web', template_version: '1' }
  for (const parent of [bank, live]) await made(admin, 'asset', parent, { code: 'front', ...web })
  const node = world.nodes.at(-1)!
  const { id } = await created(admin.post(`/api${node.path}/bookmarks`, { description: 'Look here' }))
  world.bookmarks.push({ id, node, createdBy: 'admin', description: 'Look here', url: null })
}

async function made(
  admin: Client,
  type: NodeType,
  parent: Node | null,
  given: { code: string; project_type?: string; template_version?: string },
): Promise<Node> {
  const path = `${parent?.path ?? ''}/${type}s`
  const answer = await admin.post(`/api${path}`, { name: given.code, ...given })
  assert.equal(answer.status, 201, answer.text)
  const { id, relationships } = answer.body.data
  const node: Node = {
    id,
    type,
    code: given.code,
    path: `${path}/${given.code}`,
    parent,
    projectType: parent?.projectType ?? ((given.project_type ?? 'Enterprise') as Node['projectType']),
    createdBy: 'admin',
    name: given.code,
    description: '',
    archived: false,
    templateVersion: given.template_version ?? null,
    properties: { kind: 'properties', id: relationships.properties.data.id, versions: [{}] },
    settings: { kind: 'settings', id: relationships.settings.data.id, versions: [{}] },
  }
  world.nodes.push(node)
  return node
}

/** Changes stay pending: their execution is tested elsewhere. */
async function nothingStarts(admin: Client): Promise<void> {
  const { body } = await admin.get('/api/system_configuration')
  const { id } = body.data.relationships.settings.data
  const { status } = await admin.patch(`/api/settings/${id}`, { data: { maintenance_mode: 'enabled' } })
  assert.equal(status, 200)
}

/** Policies at the start of the history. */
async function readRights(admin: Client): Promise<void> {
  const { policies, rules, ties, assignments } = world.rights
  const all = async (type: string): Promise<{ id: string; attributes: Record<string, unknown> }[]> =>
    (await admin.get(`/api/${type}?limit=1000`)).body.data.toReversed()
  for (const { id, attributes } of await all('authorisation_policies'))
    policies.push({ id, ...(attributes as Pick<(typeof policies)[number], 'name' | 'description' | 'system'>) })
  for (const { id, attributes } of await all('authorisation_rules')) {
    const { path, read, update, execute, delete: deletes } = attributes as unknown as (typeof rules)[number]
    rules.push({ id, path, read, update, execute, delete: deletes })
  }
  const policyOf = ({ authorisation_policy_id: id }: Record<string, unknown>) => policies.find(each => each.id === id)!
  for (const { id, attributes } of await all('policy_rules')) {
    const rule = rules.find(each => each.id === attributes['authorisation_rule_id'])!
    ties.push({ id, policy: policyOf(attributes), rule })
  }
  for (const { id, attributes } of await all('policy_assignments')) {
    const { username, groupname } = attributes as { username: string | null; groupname: string | null }
    assignments.push({ id, policy: policyOf(attributes), username, groupname })
  }
}

test('each request is answered as it was predicted', async t => {
  const people = ['ann', 'ann', 'ann', 'ann', 'bob', 'bob', 'bob', 'cat', 'cat']
  const askers = ['admin', 'admin', 'admin', 'admin', 'admin', 'admin', ...people, 'stranger']
  const clients = Object.fromEntries(
    askers.map(name => [name, name === 'stranger' ? service.stranger : service.as(name)]),
  )
  const { wrong, statuses } = await play(
    { world, chance: new Chance(seed), clients, bearer: service.bearer, askers },
    requests,
  )
  t.diagnostic(JSON.stringify(statuses))
  assert.deepEqual(wrong, [])
})
