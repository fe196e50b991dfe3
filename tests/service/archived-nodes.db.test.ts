import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { created, newAsset, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A project of which everything is archived: it is read as before, and takes nothing but its restoring. */

const project = '/api/projects/shop'
const live = `${project}/environments/live`

let service: TestService
let admin: Client
let asset: string
let bookmark: string

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  ;({ asset } = await shop(service, { 'web/actions.yaml': 'actions: { work: { description: Nothing, run: "true" } }' }))
  bookmark = (await created(admin.post(`${asset}/bookmarks`, { description: 'A page' }))).id
  for (const node of [asset, live, project]) assert.equal((await admin.delete(node)).status, 204, node)
})
after(() => service.stop())

const related = async (path: string, name: string): Promise<string> =>
  (await admin.get(path)).body.data.relationships[name].links.related

test('nothing beneath an archived project is made or changed, and no event says so', async () => {
  const remote = `${project}/git_remotes/${(await admin.get(`${project}/git_remotes`)).body.data[0].id}`
  const templated = { code: 'new', name: 'New', template_code: 'web', template_version: '1.0' }
  const template = { code: 'new', name: 'New', template_type: 'asset', git_remote_name: 'code' }
  const written: [method: 'POST' | 'PUT' | 'PATCH', path: string, attributes?: object][] = [
    ['POST', `${project}/environments`, { code: 'new', name: 'New' }],
    ['POST', `${project}/assets`, templated],
    ['POST', `${live}/assets`, templated],
    ['POST', `${project}/agents`, templated],
    ['POST', `${project}/git_remotes`, { name: 'new', url: 'https://example.test/new.git' }],
    ['PATCH', remote, { name: 'other' }],
    ['POST', `${project}/templates`, template],
    ['PATCH', `${project}/templates/web`, { name: 'Other' }],
    ['PUT', `${project}/templates/web/versions/2`, { git_rev: 'main' }],
    ['PUT', `${project}/templates/web/versions/1.0`, { git_rev: 'main', description: 'Other' }],
    ['POST', `${asset}/node_background_tasks`],
    ['POST', `${asset}/changes`, { action: 'work' }],
    ['POST', `${project}/changes`, { action: 'work', git_remote_name: 'code', git_rev: 'main' }],
    ['PATCH', asset, { template_version: '1.0' }],
    ['PATCH', `${asset}/bookmarks/${bookmark}`, { description: 'Other' }],
  ]
  for (const node of [project, live, asset]) {
    written.push(['POST', `${node}/bookmarks`, { description: 'New' }])
    written.push(['PATCH', node, { name: 'Other' }])
    written.push(['PATCH', await related(node, 'properties'), { data: { other: true } }])
    written.push(['PATCH', await related(node, 'settings'), { data: { 'allow_parallel.changes': false } }])
  }
  const newest = async () => (await admin.get('/api/events?limit=1')).body.data[0].id
  const before = await newest()
  const taken: string[] = []
  for (const [method, path, attributes] of written) {
    const { status, body, text } = await admin.send(method, path, attributes ? { attributes } : {})
    if (status !== 409 || body.errors[0].code !== 'archived')
      taken.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
  }
  assert.deepEqual(taken, [])
  assert.equal(await newest(), before)
})

test('what is archived is read as before, and archiving it again is no change', async () => {
  for (const path of [project, live, asset, `${asset}/bookmarks/${bookmark}`, `${asset}/converged_properties`])
    assert.equal((await admin.get(path)).status, 200, path)
  const { updated_at } = (await admin.get(asset)).body.data.attributes
  assert.equal((await admin.patch(asset, { archived: true })).status, 200)
  assert.equal((await admin.get(asset)).body.data.attributes.updated_at, updated_at)
})

test('it is restored from the root down, keeps its code meanwhile, and then takes changes again', async () => {
  for (const node of [asset, live]) {
    const refused = await admin.patch(node, { archived: false })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'archived'], node)
  }
  const taken = await admin.post('/api/projects', { code: 'SHOP', name: 'Another' })
  assert.deepEqual([taken.status, taken.body.errors[0].code], [409, 'code-taken'])
  for (const node of [project, live, asset])
    assert.equal((await admin.patch(node, { archived: false })).body.data.attributes.archived, false, node)
  assert.equal((await admin.delete(`${asset}/bookmarks/${bookmark}`)).status, 204)
  await newAsset(admin, 'second')
})
