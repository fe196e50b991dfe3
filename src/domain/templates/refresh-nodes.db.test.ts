import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { type TemplateWorld, templateWorld } from '../../../tests/support/template-world.ts'
import { rightsFrom } from '../access/rights.sql.ts'

/**
 * Tests of when programs run, for versions and for assets that have actions of their own; the test acts as every
 * runner.
 */

let world: TemplateWorld
let repository: Awaited<ReturnType<TemplateWorld['repository']>>
const version = '/api/projects/shop/templates/web/versions/1'
const asset = '/api/projects/shop/assets/front'

before(async () => {
  world = await templateWorld({ admin: rightsFrom({ superuser: true, blocked: false, rules: [] }) })
  repository = await world.repository({ 'web/actions.ts': '// one\n' })
  const template = { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: repository.remote }
  await world.admin.post('/api/projects/shop/templates', template)
  await world.admin.put(version, { git_rev: 'main' })
  await world.runJobs()
  await programsDeclare('one')
  await world.admin.post('/api/projects/shop/assets', {
    ...{ code: 'front', name: 'Front', template_code: 'web', template_version: '1' },
  })
  await programsDeclare('one')
  assert.deepEqual(await actions(), ['one'])
})
after(() => world.stop())

const put = async (attributes: object, meta: object = { ignore_in_use: true }) => {
  const raw = JSON.stringify({ data: { attributes, meta } })
  const answer = await world.admin.send('PUT', version, { raw, headers: { 'content-type': 'application/json' } })
  assert.equal(answer.status, 200, answer.text)
  await world.runJobs()
}
const shown = async () => (await world.admin.get(version)).body.data
const actions = async () =>
  (await world.admin.get(asset)).body.data.attributes.actions.map(({ action }: { action: string }) => action)
const running = async () => {
  while (await world.loop('background_tasks.admit'));
  const rows = await world.api.database.rows(sql<{ id: string }>`
    select id from node_background_tasks where status_code = 'running' order by request_number`)
  return rows.map(({ id }) => id)
}

/** Ends queued programs with a declaration of an action of this name, after they have read the properties. */
async function programsDeclare(name: string): Promise<void> {
  const outputs = { actions: [{ name, entry: { description: name }, program: true }], reads_properties: true }
  for (const id of await running()) await world.runnerEnds(id, 'success', outputs)
  await world.runJobs()
}

test('an asset of a version that was broken has the actions of the commit that mends it', async () => {
  await put({ git_rev: 'nowhere' })
  assert.equal((await shown()).attributes.state, 'broken')
  assert.deepEqual(await actions(), ['one'])
  repository.commit({ 'web/actions.ts': '// two\n' })
  await put({ git_rev: 'main' })
  await programsDeclare('two')
  assert.equal((await shown()).attributes.state, 'ready')
  await programsDeclare('two')
  assert.deepEqual(await actions(), ['two'])
})

test('an asset that is restored has the actions of the commit that its version went to meanwhile', async () => {
  assert.equal((await world.admin.delete(asset)).status, 204)
  repository.commit({ 'web/actions.ts': '// three\n' })
  await put({}, { fetch_revision: true, ignore_in_use: true })
  await programsDeclare('three')
  assert.equal((await world.admin.patch(asset, { archived: false })).status, 200)
  await programsDeclare('three')
  assert.deepEqual(await actions(), ['three'])
  assert.equal((await world.admin.patch(asset, { archived: false })).status, 200)
  assert.deepEqual(await running(), [], 'who was not archived is not restored')
})

test('a program that has been asked for a revision that was replaced meanwhile is told of as superseded', async () => {
  repository.commit({ 'web/actions.ts': '// late\n' }, { branch: 'late' })
  const plain = repository.commit(
    { 'web/actions.yaml': 'actions:\n  stop: { description: Stop, run: echo }\n' },
    { branch: 'plain' },
  )
  await put({ git_rev: 'late' })
  assert.equal((await running()).length, 1)
  await put({ git_rev: 'plain' })
  await programsDeclare('late')
  const { id, attributes } = await shown()
  assert.deepEqual([attributes.commit_sha, await actions()], [plain, ['stop']])
  const told = await world.api.database.rows(sql<{ git_rev: string }>`
    select attributes->>'git_rev' as git_rev from events
     where source_id = ${id}::uuid and type = 'info:template_version:refresh_superseded'`)
  assert.deepEqual(told, [{ git_rev: 'late' }])
})

test('a program that is stopped with its refresh is told of once, as cancelled', async () => {
  await put({ git_rev: 'late' })
  repository.commit({ 'web/actions.ts': '// later\n' }, { branch: 'later' })
  await put({ git_rev: 'later' })
  const [task] = await running()
  assert.equal((await world.admin.post(`${version}/cancel_refresh`)).status, 200)
  await world.runnerEnds(task!, 'cancelled')
  await world.runJobs()
  const told = await world.api.database.rows(sql<{ type: string }>`
    select type from events
     where source_id = ${(await shown()).id}::uuid and attributes->>'git_rev' = 'later' and type like '%superseded'`)
  assert.deepEqual(told, [])
})
