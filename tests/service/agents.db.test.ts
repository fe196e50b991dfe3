import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, readyVersion, type Shown, taskWhen } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Agents before one has been started: nodes with a status, built images, and a log. */

const robot = '/api/projects/bank/agents/robot'
const status = `${robot}/status`

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({ users: { stranger: [{ path: '/projects/other', read: true }] } })
  admin = service.as('admin')
  const { url } = await service.repository({ 'bot/actions.yaml': 'actions: { work: { run: "true" } }' })
  await created(admin.post('/api/projects', { code: 'bank', name: 'Bank' }))
  await created(admin.post('/api/projects/bank/git_remotes', { name: 'code', url }))
  const template = { code: 'bot', name: 'Bot', template_type: 'agent', git_remote_name: 'code' }
  await created(admin.post('/api/projects/bank/templates', template))
  for (const version of ['1', '2'])
    await readyVersion(admin, `/api/projects/bank/templates/bot/versions/${version}`, 'main')
  await created(newAgent('robot'))
})
after(() => service.stop())

const newAgent = (code: string) =>
  admin.post('/api/projects/bank/agents', { code, name: code, template_code: 'bot', template_version: '1' })

const shown = async (path: string) => (await admin.get(path)).body
const attributesOf = async (path: string) => (await shown(path)).data.attributes

/** A build as the future code will leave it: there is no request for one yet. */
async function build(code: string, imageSha: string | null): Promise<string> {
  const { id } = (await service.database.one(sql<{ id: string }>`
    insert into node_background_tasks (task_type, node_id, project_id, path, status_code, pool, created_by, image_sha,
                                       template_version_history_id)
    select 'BuildAgentImageTask', n.id, n.project_id, n.path, ${code}, 'image_build', 'admin', ${imageSha}, h.id
      from nodes n
      join template_version_histories h on h.node_id = n.id and h.active_to is null
     where n.path = '/projects/bank/agents/robot'
    returning id`))!
  return id
}

const state = (columns: ReturnType<typeof sql>) =>
  service.database.count(sql`
    update agent_statuses set ${columns}
     where node_id = (select id from nodes where path = '/projects/bank/agents/robot' and destroyed_at is null)`)

test('a new agent is absent, has no image and has written nothing', async () => {
  const { data, included } = await shown(robot)
  const { agent_status: reference } = data.relationships
  assert.equal(reference.links.related, status)
  assert.deepEqual(
    included.filter(({ type }: { type: string }) => type === 'agent_status').map(({ id }: Shown) => id),
    [reference.data.id],
  )
  const own = (await shown(status)).data
  assert.equal(own.id, reference.data.id)
  assert.deepEqual(own.attributes, {
    desired_status: 'absent',
    status: 'absent',
    image_build_status: 'none',
    active_image_sha: null,
    newest_image_sha: null,
  })
  assert.equal(own.relationships.node.data.id, data.id)
  assert.equal(own.relationships.referenced_build_agent_image_task.data, null)
  assert.deepEqual(own.relationships.available_build_agent_image_tasks.data, [])
  const lines = await admin.get(`${status}/log_lines`)
  assert.deepEqual(
    [lines.status, lines.body.data, lines.body.meta],
    [200, [], { authorisations: { update: true, delete: true }, partial_response: false }],
  )
})

test('orchestrator events of an agent that does not run, and starting it, are refused', async () => {
  const events = await admin.get(`${status}/orchestrator_events`)
  assert.deepEqual([events.status, events.body.errors[0].code], [409, 'wrong-state'])
  assert.match(events.body.errors[0].detail, /robot is absent/)
  const started = await admin.patch(status, { desired_status: 'running' })
  assert.deepEqual([started.status, started.headers.get('allow')?.includes('PATCH')], [405, false])
})

test('the image build status follows the latest build that was not cancelled', async () => {
  const statuses: unknown[] = []
  for (const [code, sha] of [
    ['initializing', null],
    ['error', null],
    ['success', 'sha256:one'],
    ['cancelled', null],
    ['success', 'sha256:two'],
  ] as const) {
    await build(code, sha)
    const { image_build_status, newest_image_sha } = await attributesOf(status)
    statuses.push([image_build_status, newest_image_sha])
  }
  assert.deepEqual(statuses, [
    ['building', null],
    ['error', null],
    ['ready', 'sha256:one'],
    ['ready', 'sha256:one'],
    ['ready', 'sha256:two'],
  ])
  const { data, included } = await shown(status)
  const images = included.map(({ attributes }: Shown) => [
    attributes.image_sha,
    attributes.image_purged,
    attributes.image_in_use,
  ])
  assert.deepEqual(images.toSorted(), [
    ['sha256:one', false, false],
    ['sha256:two', false, false],
  ])
  const [newest] = data.relationships.available_build_agent_image_tasks.data
  const task = await taskWhen(admin, `${robot}/node_background_tasks/${newest.id}`, 'success')
  assert.equal(task.attributes.image_sha, 'sha256:two')
  await service.database.count(sql`update node_background_tasks set image_purged = true where id = ${newest.id}::uuid`)
  const after = await shown(status)
  assert.equal(after.data.attributes.image_build_status, 'none')
  assert.equal(after.data.relationships.available_build_agent_image_tasks.data.length, 1)
})

test('an agent that runs, or is wanted, is in use', async () => {
  const image = await build('success', 'sha256:three')
  for (const columns of [
    sql`desired_status = 'running'`,
    sql`desired_status = 'absent', status = 'running', build_task_id = ${image}::uuid`,
  ]) {
    await state(columns)
    const refused = await admin.delete(robot)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'in-use'])
    assert.deepEqual(refused.body.errors[0].meta.in_use, [
      { type: 'agent_status', path: '/projects/bank/agents/robot' },
    ])
  }
  const { data } = await shown(status)
  assert.equal(data.attributes.active_image_sha, 'sha256:three')
  assert.equal(data.relationships.referenced_build_agent_image_task.data.id, image)
  assert.equal((await attributesOf(`${robot}/node_background_tasks/${image}`)).image_in_use, true)
  await state(sql`status = 'absent', build_task_id = null`)
})

test('log lines of an agent are listed, oldest first, and those of another are not among them', async () => {
  await created(newAgent('other'))
  await service.database.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    select s.id, 1, 1, 2, s.id, sluice_now(), sluice_now(), array[sluice_now(), sluice_now()], array['stdout', 'stderr'],
           array[n.code || ' starts', n.code || ' works']
      from agent_statuses s
      join nodes n on n.id = s.node_id`)
  const { data } = await shown(`${status}/log_lines`)
  assert.deepEqual(
    data.map(({ type, attributes }: Shown & { type: string }) => [
      type,
      attributes.message,
      attributes.category,
      attributes.agent_path,
    ]),
    [
      ['agent_log_line', 'robot starts', 'stdout', '/projects/bank/agents/robot'],
      ['agent_log_line', 'robot works', 'stderr', '/projects/bank/agents/robot'],
    ],
  )
  const last = await admin.get(`${status}/log_lines?limit=1`)
  assert.deepEqual([last.status, last.body.data[0].attributes.message], [206, 'robot works'])
  const found = await shown(`${status}/log_lines?filter[category_eq]=stdout`)
  assert.deepEqual(found.data.length, 1)
})

test('another version of its template opens a row of the version history of an agent', async () => {
  assert.equal((await admin.patch(robot, { template_version: '2' })).status, 200)
  const { data } = await shown(`${robot}/version_history`)
  assert.equal(data.length, 2)
  assert.equal(data[0].attributes.active_to, null)
  assert.equal(data[0].attributes.active_from, data[1].attributes.active_to)
})

test('who may not read an agent is told that there is no status, and nobody finds that of a destroyed one', async () => {
  const paths = [status, `${status}/log_lines`, `${status}/orchestrator_events`]
  const stranger = service.as('stranger')
  for (const path of paths) assert.equal((await stranger.get(path)).status, 404, path)
  assert.equal((await admin.delete(robot)).status, 204)
  assert.equal((await attributesOf(status)).status, 'absent')
  assert.equal((await admin.delete(`${robot}?ignore_in_use=true`)).status, 204)
  for (const path of paths) assert.equal((await admin.get(path)).status, 404, path)
})
