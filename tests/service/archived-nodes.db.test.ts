import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { buildSide, codes, idsOf } from './two-sides.ts'

/** A project of which everything is archived: it can be read as before, and only be restored. */

const project = '/api/projects/quarry'
const live = `${project}/environments/live`
const asset = `${live}/assets/front`
const projectAsset = `${project}/assets/front`
const agent = `${project}/agents/helper`
const leaves = [asset, projectAsset, agent]
const nodes = [...leaves, live, project]
const version = `${project}/templates/tree/versions/1`
const owners = [...nodes, `${project}/templates/tree`, version]
const pathOf = (node: string) => node.replace(/^\/api/, '')

let service: TestService
let admin: Client
let ids: Record<string, string>
/** Documents of each owner. */
let documents: Record<'properties' | 'settings', string[]>

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  await service.addUser('the keeper of the quarry', [{ path: '/projects/quarry', read: true }])
  const token = { description: 'a token', expires_at: '2099-01-01T00:00:00Z' }
  await service.as('the keeper of the quarry').post('/api/tokens', token)
  await buildSide(service, 'quarry')
  ids = await idsOf(service, 'quarry')
  const documentsOf = async (name: string) =>
    Promise.all(owners.map(async owner => (await admin.get(owner)).body.data.relationships[name].data.id))
  documents = { properties: await documentsOf('properties'), settings: await documentsOf('settings') }
  for (const node of nodes) assert.equal((await admin.delete(node)).status, 204, node)
})
after(() => service.stop())

const templated = { code: 'new', name: 'New', template_code: 'tree', template_version: '1' }
const scheduled = { action: 'work', cron_schedule: '@daily' }
const described = { description: 'Another' }
const environment = '/projects/{project_code}/environments/{environment_code}'
const onAll = (what: string, attributes: object): [string, object][] =>
  [
    '',
    '/environments/{environment_code}',
    '/environments/{environment_code}/assets/{asset_code}',
    '/assets/{asset_code}',
    '/agents/{agent_code}',
  ].map(below => [what.replace('…', `/api/projects/{project_code}${below}`), attributes])

/** Every route that writes below a node, with a valid body. */
const refused: Readonly<Record<string, object>> = Object.fromEntries([
  ...onAll('PATCH …', { name: 'Another' }),
  ...onAll('POST …/bookmarks', described),
  ...onAll('PATCH …/bookmarks/{id}', described),
  ...onAll('POST …/changes', { action: 'work' }).filter(([route]) => !route.includes('/agents/')),
  ...onAll('POST …/scheduled_activities', scheduled).filter(([route]) => !route.includes('/agents/')),
  ['POST /api/scheduled_activities', { ...scheduled, parent_path: pathOf(asset) }],
  ['PATCH /api/scheduled_activities/{id}', { time_zone: 'Europe/Berlin' }],
  ...[
    `POST /api${environment}/assets/{asset_code}/models/generate`,
    'POST /api/projects/{project_code}/assets/{asset_code}/models/generate',
    `POST /api${environment}/assets/{asset_code}/node_background_tasks`,
    'POST /api/projects/{project_code}/assets/{asset_code}/node_background_tasks',
  ].map(route => [route, {}] as const),
  ['POST /api/projects/{project_code}/environments', { code: 'new', name: 'New' }],
  ['POST /api/projects/{project_code}/assets', templated],
  [`POST /api${environment}/assets`, templated],
  ['POST /api/projects/{project_code}/agents', { ...templated, template_code: 'robot' }],
  ['POST /api/projects/{project_code}/git_remotes', { name: 'new', url: 'https://example.test/new.git' }],
  ['PATCH /api/projects/{project_code}/git_remotes/{id}', { name: 'another' }],
  [
    'POST /api/projects/{project_code}/templates',
    { code: 'new', name: 'New', template_type: 'asset', git_remote_name: 'code' },
  ],
  ['PATCH /api/projects/{project_code}/templates/{template_id}', { name: 'Another' }],
  ['PUT /api/projects/{project_code}/templates/{template_id}/versions/{version}', { git_rev: 'main', ...described }],
  [
    'POST /api/projects/{project_code}/templates/{template_id}/versions/{version}/assign_to_assets',
    { asset_paths: [pathOf(asset), pathOf(projectAsset)] },
  ],
  ['POST /api/projects/{project_code}/workflows', { code: 'new', name: 'New', source_yaml: 'steps: []' }],
  ['PATCH /api/projects/{project_code}/workflows/{workflow_code}', { name: 'Another' }],
  ['POST /api/projects/{project_code}/workflows/{workflow_code}/versions', { source_yaml: 'steps: []' }],
  ['PATCH /api/projects/{project_code}/workflows/{workflow_code}/versions/{version}', { source_yaml: 'steps: []' }],
  ['POST /api/projects/{project_code}/workflows/{workflow_code}/versions/{version}/publish', {}],
  ['POST /api/workflow_runs', { parent_path: pathOf(project), workflow_code: 'release' }],
  ['POST /api/projects/{project_code}/workflows/{workflow_code}/runs', {}],
  ['POST /api/changes', { action: 'work', parent_path: pathOf(asset) }],
  ['PATCH /api/properties/{id}', { data: { another: true } }],
  ['POST /api/properties/{id}/versions/{version}/restore', {}],
  ['PATCH /api/settings/{id}', { data: { 'allow_parallel.changes': false } }],
  ['PUT /api/settings/{id}', { data: { 'allow_parallel.changes': false } }],
  ['POST /api/settings/{id}/versions/{version}/restore', {}],
  ['POST /api/secrets/encrypt', { node_path: pathOf(asset), path: 'db', key: 'password', value: 'long enough' }],
])

/** Why a node does not refuse the others. */
const others: Readonly<Record<string, RegExp>> = {
  'is about people and their rights, which reach wherever they are written':
    /^\S+ \/api\/(authorisation_|policy_|tokens|users|ldap_refresh)/,
  'stores what a person keeps for themselves, on no node': /^\S+ \/api\/(me\/preferences|saved_views)/,
  'makes a project, which lies beneath none': /^POST \/api\/projects$/,
  'is about the installation': /^POST \/api\/admin\//,
  'says what is removed by its age, from archived nodes as well': /^\S+ \/api\/data_cleanup_definitions/,
  'is the same as by its path, of a node by its id': /^PATCH \/api\/(environments|assets|agents)\/\{id\}$/,
  'writes nothing': /\/(impact|compare_nodes|validate|preview)$|^POST \/api\/secrets\/resolve$/,
  'notes what happened, which may be about anything': /^POST \/api\/events$/,
  'moves what is under way, of which nothing is left when a node is archived':
    /^POST \/api\/(changes|steps|workflow_runs|workflow_steps)\/\{id\}\//,
  'ends what is under way': /\/cancel_refresh$/,
  'is for no agent, archived or not': /\/agents\/\{agent_code\}\/(changes|scheduled_activities)$/,
}

const writing = () =>
  Object.entries(service.openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map(method => `${method.toUpperCase()} ${path}`)
      .filter(route => /^(POST|PUT|PATCH) /.test(route)),
  )

test('every route that writes is known to be refused beneath what is archived, or not to be beneath it', () => {
  const unknown = writing().filter(
    route => !(route in refused) && !Object.values(others).some(known => known.test(route)),
  )
  assert.deepEqual(unknown, [], 'say in archived-nodes.db.test.ts what it does beneath an archived node')
  assert.deepEqual(
    Object.keys(refused).filter(route => !writing().includes(route)),
    [],
  )
})

/** The paths of a route: those of documents for each owner. */
async function urlsOf(route: string): Promise<string[]> {
  const path = route.split(' ')[1]!
  const owned = /^\/api\/(properties|settings)\//.exec(path)?.[1] as keyof typeof documents | undefined
  if (owned) return documents[owned].map(id => path.replace('{id}', id).replace('{version}', '1'))
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => codes[name]?.('quarry', '') ?? whole)
  if (!filled.endsWith('/{id}')) return [filled]
  const list = filled.replace(/\/\{id\}$/, '')
  return [`${list}/${(await admin.get(list)).body.data[0].id}`]
}

test('nothing beneath an archived project is made or changed, and no event says so', async () => {
  const newest = async () => (await admin.get('/api/events?limit=1')).body.data[0].id
  const before = await newest()
  const taken: string[] = []
  let asked = 0
  for (const [route, attributes] of Object.entries(refused)) {
    for (const url of await urlsOf(route)) {
      asked += 1
      const { status, body, text } = await admin.send(route.split(' ')[0]!, url, { attributes })
      if (status !== 409 || body.errors.some((each: { code: string }) => each.code !== 'archived'))
        taken.push(`${route} ${url}: ${status} ${text.slice(0, 200)}`)
    }
  }
  assert.deepEqual(taken, [])
  assert.ok(asked > 60)
  assert.equal(await newest(), before)
})

/** Names in a body that refer to a record. */
const findsBy = new Set(['parent_path', 'node_path', 'workflow_code', 'asset_paths', 'action'])

test('that it is archived is told before what is wrong with values', async () => {
  const taken: string[] = []
  let asked = 0
  for (const [route, attributes] of Object.entries(refused)) {
    const name = Object.keys(attributes).find(each => !findsBy.has(each))
    if (name === undefined) continue
    for (const url of await urlsOf(route)) {
      asked += 1
      const wrong = { ...attributes, [name]: name === 'data' ? 5 : {} }
      const { status, text } = await admin.send(route.split(' ')[0]!, url, { attributes: wrong })
      if (status !== 409) taken.push(`${route} ${url}: ${status} ${text.slice(0, 200)}`)
    }
  }
  assert.deepEqual(taken, [])
  assert.ok(asked > 40)
})

test('a version that there never was is not there, archived or not', async () => {
  for (const [name, [id]] of Object.entries(documents))
    assert.equal((await admin.post(`/api/${name}/${id}/versions/9/restore`)).status, 404)
})

test('what writes nothing beneath it, or only notes something, is answered as before', async () => {
  const [properties, settings] = [documents.properties[0]!, documents.settings[0]!]
  const paths = { node_path_a: pathOf(asset), node_path_b: pathOf(projectAsset) }
  for (const [path, attributes, status] of [
    [`/api/properties/${properties}/impact`, { data: { another: true } }, 200],
    [`/api/settings/${settings}/impact`, { data: { 'allow_parallel.changes': false } }, 200],
    ['/api/compare_nodes', paths, 200],
    ['/api/events', { type: 'a note', node_path: pathOf(asset) }, 201],
  ] as const) {
    const answer = await admin.post(path, attributes)
    assert.equal(answer.status, status, `${path} ${answer.text.slice(0, 300)}`)
  }
})

test('what is archived is read as before, and archiving it again is no change', async () => {
  for (const path of [
    ...owners,
    `${asset}/bookmarks`,
    `${asset}/converged_properties`,
    `/api/changes/${ids['changes']}`,
  ])
    assert.equal((await admin.get(path)).status, 200, path)
  const { updated_at } = (await admin.get(asset)).body.data.attributes
  assert.equal((await admin.patch(asset, { archived: true })).status, 200)
  assert.equal((await admin.get(asset)).body.data.attributes.updated_at, updated_at)
})

test('it is restored from the root down, keeps its code meanwhile, and then takes changes again', async () => {
  for (const node of [...leaves, live]) {
    const answer = await admin.patch(node, { archived: false })
    assert.deepEqual([answer.status, answer.body.errors[0].code], [409, 'archived'], node)
  }
  const taken = await admin.post('/api/projects', { code: 'QUARRY', name: 'Another' })
  assert.deepEqual([taken.status, taken.body.errors[0].code], [409, 'code-taken'])
  for (const node of nodes.toReversed())
    assert.equal((await admin.patch(node, { archived: false })).body.data.attributes.archived, false, node)
  const [bookmark] = (await admin.get(`${asset}/bookmarks`)).body.data
  assert.equal((await admin.delete(`${asset}/bookmarks/${bookmark.id}`)).status, 204)
  assert.equal((await admin.post(`${live}/assets`, templated)).status, 201)
})
