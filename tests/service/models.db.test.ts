import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import {
  created,
  newAsset,
  often,
  ran,
  readyVersion,
  type Shop,
  type Shown,
  shop,
  stepAt,
  taskWhen,
} from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { startWorkerProcess } from '../support/worker-process.ts'

/**
 * Models of assets over HTTP: generated, valid or not with the reason, their actions run, hostile templates contained.
 */

const template = `{
  "actions": [
    <% for (const host of properties.hosts) { %>
    { "action": "restart_<%= host %>", "description": "Restarts <%= host %>", "run": "echo restarting <%= host %>" },
    <% } %>
    { "action": "STOP", "description": "The model's own", "run": "false" },
    { "action": "roll", "description": "All of it", "steps": ["stop", "restart_<%= properties.hosts[0] %>"] }
  ],
  "of": "<%= context.asset.code %>", "size": <%= properties.size ?? 0 %>
  <% console.log('hosts', properties.hosts.length) %>
  <% if (properties.spoil) throw new Error('spoiled') %>
}`

const files = {
  'web/actions.yaml': 'actions:\n  stop: { description: The file\'s, run: "true" }\n',
  'web/model.json.erb': template,
  'web/defaults.yaml': 'hosts: [a, b]\n',
}

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, files)
})
after(() => service.stop())

const attributesOf = async (asset: string, client = admin) => {
  const answer = await client.get(asset)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.attributes
}
const validity = async (asset: string) => {
  const { model_valid, model_invalid_reason } = await attributesOf(asset)
  return [model_valid, model_invalid_reason]
}
const actionsOf = async (asset: string, client = admin): Promise<string[]> =>
  (await attributesOf(asset, client)).actions.map(({ action }: { action: string }) => action)

const generate = (asset: string, client = admin): Promise<Answer> => client.post(`${asset}/models/generate`)
async function generated(asset: string): Promise<Shown> {
  const task = await created(generate(asset))
  return taskWhen(admin, `${asset}/node_background_tasks/${task.id}`, 'success', 'error', 'cancelled')
}

async function states(owner: string, data: object): Promise<void> {
  const { body } = await admin.get(owner)
  const written = await admin.patch(`/api/properties/${body.data.relationships.properties.data.id}`, { data })
  assert.equal(written.status, 200, written.text)
}

async function setting(owner: string, data: object): Promise<void> {
  const { body } = await admin.get(owner)
  const written = await admin.patch(`/api/settings/${body.data.relationships.settings.data.id}`, { data })
  assert.equal(written.status, 200, written.text)
}

const eventsOf = async (type: string, since: string): Promise<Shown[]> =>
  (await admin.get(`/api/events?filter[type_eq]=${type}&filter[created_at_gteq]=${since}`)).body.data

test('an asset whose template has a model has none until it is generated; then its actions join those of the file', async () => {
  const { asset } = made
  assert.deepEqual(await validity(asset), [false, 'not_generated'])
  assert.equal((await attributesOf(asset)).erb_file_content, template)
  assert.deepEqual(await actionsOf(asset), ['stop'])
  const task = await generated(asset)
  assert.deepEqual(
    [task.attributes.task_type, task.attributes.status_code],
    ['GenerateModelTask', 'success'],
    task.attributes.error_message,
  )
  assert.deepEqual(await validity(asset), [true, null])
  assert.deepEqual(await actionsOf(asset), ['stop', 'restart_a', 'restart_b', 'roll'])
  const { description } = (await attributesOf(asset)).actions[0]
  assert.equal(description, "The file's", 'the action of the file wins over STOP of the model')
  const { data } = (await admin.get(`${asset}/models`)).body
  assert.equal(data.length, 1)
  const model = (await admin.get(data[0].links.self)).body.data
  assert.deepEqual([model.attributes.data.of, model.attributes.data.size], ['front', 0])
  assert.equal(
    model.attributes.sha256,
    createHash('sha256').update(JSON.stringify(model.attributes.data)).digest('hex'),
  )
  assert.deepEqual(model.attributes.render_logs, [{ category: 'info', message: 'hosts 2' }])
  const [event] = await eventsOf('api:models:generate', task.attributes.created_at)
  assert.equal(event?.attributes.name, 'front')
  const lines = (await admin.get(`/api/node_background_task_log_lines?node_background_task_id=${task.id}`)).body.data
  assert.deepEqual(
    lines.map((line: Shown) => line.attributes.message.replace(/[0-9a-f]{40}/, '…')),
    [
      'Rendering model.json.erb of commit … (version 1.0).',
      'info: hosts 2',
      `${JSON.stringify(model.attributes.data).length} characters, 3 actions.`,
    ],
  )
})

test('an action of the model runs, alone and with steps of the file', async () => {
  const change = await ran(admin, made.asset, 'restart_b')
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const rolled = await ran(admin, made.asset, 'roll')
  assert.equal(rolled.attributes.status_code, 'success')
  assert.equal((await stepAt(admin, rolled.id, 'roll/restart_a')).attributes.status_code, 'success')
})

test('a change of properties above the asset makes its model invalid, and the old properties make it valid again', async () => {
  const live = '/api/projects/shop/environments/live'
  await states(live, { size: 7 })
  assert.deepEqual(await validity(made.asset), [false, 'properties_changed'])
  assert.deepEqual(await actionsOf(made.asset), ['stop'])
  const refused = await admin.post(`${made.asset}/changes`, { action: 'restart_a' })
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.body.errors[0].detail, /the model of the asset is not valid \(properties_changed\)/)
  await states(live, {})
  assert.deepEqual(await validity(made.asset), [true, null])
  await states(live, { size: 8 })
  await generated(made.asset)
  assert.deepEqual(await validity(made.asset), [true, null])
  const { data } = (await admin.get(`${made.asset}/models`)).body
  assert.deepEqual(
    data.map(({ attributes }: Shown) => attributes.data.size),
    [8, 0],
  )
})

test('another version of the template makes the model invalid; the history keeps every model', async () => {
  const asset = await newAsset(admin, 'moving')
  await generated(asset)
  made.repository.commit({
    ...files,
    'web/model.json.erb': '{"actions": {"new": {"description": "New", "run": "true"}}}',
  })
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/2.0', 'main')
  assert.equal((await admin.patch(asset, { template_version: '2.0' })).status, 200)
  assert.deepEqual(await validity(asset), [false, 'template_version_changed'])
  assert.deepEqual((await admin.get(`${asset}/models`)).body.data, [])
  await generated(asset)
  assert.deepEqual(await validity(asset), [true, null])
  assert.deepEqual(await actionsOf(asset), ['stop', 'new'])
  const ids = async (list: string) => (await admin.get(`${asset}/${list}`)).body.data.map(({ id }: Shown) => id)
  const [all, now] = [await ids('model_history'), await ids('models')]
  assert.deepEqual([all.length, now.length, all[0]], [2, 1, now[0]])
  assert.equal((await admin.get(`${asset}/model_history/${all[1]}`)).status, 200)
})

test('a version that only a destroyed asset had is deleted while the models of that are still there', async () => {
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/passing', 'main')
  const asset = await newAsset(admin, 'passing', { template_version: 'passing' })
  await generated(asset)
  await withClient(service.testDatabase.superuserUrl, async client => {
    // Models are deleted after this part of destroyed nodes.
    await client.query('begin; lock table schedule_occurrences in exclusive mode')
    assert.equal((await admin.delete(`${asset}?ignore_in_use=true`)).status, 204)
    const deleted = await admin.delete('/api/projects/shop/templates/web/versions/passing')
    assert.equal(deleted.status, 204, deleted.text)
    await client.query('commit')
  })
})

test('a rendering that fails says why, on the task and in an event that holds the properties without their secrets', async () => {
  await states(made.asset, {
    spoil: true,
    colour: 'red',
    dbPassword: 'hunter2hunter2',
    deep: { list: ['hunter2hunter2', 'with hunter2hunter2 in it', 'green', 5] },
    api_keys: { first: 'abc', second: 17 },
    database: 'postgres://app:hidden-too@db.example/shop',
    reference: 'secret://projects/shop/database/password',
  })
  const task = await generated(made.asset)
  assert.deepEqual(
    [task.attributes.status_code, task.attributes.error_message],
    ['error', 'model.json.erb:11: Error: spoiled'],
  )
  assert.deepEqual(await validity(made.asset), [false, 'generation_failed'])
  const [event] = await eventsOf('error:model:generate', task.attributes.created_at)
  const { hosts, size, ...ownProperties } = event?.attributes.converged_properties ?? {}
  assert.ok(Array.isArray(hosts) && !hosts.includes('{{hidden}}'), JSON.stringify(hosts))
  assert.equal(size, 8)
  assert.deepEqual(ownProperties, {
    spoil: true,
    colour: 'red',
    dbPassword: '{{hidden}}',
    deep: { list: ['{{hidden}}', '{{hidden}}', 'green', 5] },
    api_keys: { first: '{{hidden}}', second: '{{hidden}}' },
    database: '{{hidden}}',
    reference: 'secret://projects/shop/database/password',
  })
  assert.equal(event?.attributes.error, task.attributes.error_message)
  await states(made.asset, {})
  assert.deepEqual(await validity(made.asset), [true, null], 'the model of what is in force again is still there')
})

test('actions that are none are told, and make no model', async () => {
  made.repository.commit(
    { ...files, 'web/model.json.erb': '{"actions": {"go": {"rum": "true"}}}' },
    { branch: 'wrong' },
  )
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/wrong', 'wrong')
  const asset = await newAsset(admin, 'wrong', { template_version: 'wrong' })
  const task = await generated(asset)
  assert.match(task.attributes.error_message, /^Action "go": Unknown key "rum"/)
  assert.equal((await eventsOf('error:model:derive_actions', task.attributes.created_at)).length, 1)
  assert.deepEqual(await validity(asset), [false, 'generation_failed'])
  assert.deepEqual((await admin.get(`${asset}/model_history`)).body.data, [])
})

test('an endless model ends at its time, is cancelled before that, and the service answers meanwhile', async () => {
  made.repository.commit({ ...files, 'web/model.json.erb': '<% for (;;) {} %>{"actions": []}' }, { branch: 'endless' })
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/endless', 'endless')
  const asset = await newAsset(admin, 'endless', { template_version: 'endless' })
  const task = await created(generate(asset))
  const path = `${asset}/node_background_tasks/${task.id}`
  await taskWhen(admin, path, 'running')
  const second = await generate(asset)
  assert.equal(second.status, 409)
  assert.equal(second.body.errors[0].meta.links.node_background_task, path)
  assert.equal((await admin.delete(path)).status, 204)
  assert.equal((await taskWhen(admin, path, 'cancelled', 'error')).attributes.status_code, 'cancelled')
  assert.equal((await eventsOf('api:models:cancel', task.attributes.created_at)).length, 1)
  assert.deepEqual(await validity(asset), [false, 'not_generated'])
  await setting(asset, { model_render_timeout: 1 })
  const late = await generated(asset)
  assert.equal(late.attributes.error_message, 'The model was not rendered within 1 s.')
  assert.deepEqual(await service.database.rows(sql`select from slot_claims where holder_kind = 'task'`), [])
})

test('a template without a model makes none, and its assets say so', async () => {
  made.repository.commit({ 'web/actions.yaml': files['web/actions.yaml'] }, { branch: 'plain' })
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/plain', 'plain')
  const asset = await newAsset(admin, 'plain', { template_version: 'plain' })
  assert.deepEqual(await validity(asset), [false, null])
  assert.equal((await attributesOf(asset)).erb_file_content, '')
  const refused = await generate(asset)
  assert.equal(refused.status, 409)
  assert.match(refused.body.errors[0].detail, /has no model/)
})

test('generating needs execute on the asset, and a model is read by who may read it, as are its actions', async () => {
  const { asset } = made
  const path = '/projects/shop/environments/live/assets/front'
  await service.addUser('reader', [{ path, read: true }])
  await service.addUser('blind', [
    { path, read: true, execute: true },
    { path: `${path}/model`, read: false },
  ])
  await service.addUser('stranger', [{ path: '/projects/other', read: true, execute: true }])
  const [reader, blind, stranger] = ['reader', 'blind', 'stranger'].map(name => service.as(name)) as [
    Client,
    Client,
    Client,
  ]
  assert.equal((await generate(asset, reader)).status, 403)
  assert.equal((await generate(asset, stranger)).status, 404)
  const { id } = (await reader.get(`${asset}/models`)).body.data[0]
  assert.deepEqual((await blind.get(`${asset}/models`)).body.data, [])
  assert.equal((await blind.get(`${asset}/models/${id}`)).status, 404)
  assert.equal((await stranger.get(`${asset}/models/${id}`)).status, 404)
  assert.ok((await actionsOf(asset, reader)).includes('restart_a'))
  assert.deepEqual(await actionsOf(asset, blind), ['stop'])
  assert.deepEqual((await attributesOf(asset, blind)).model_valid, true)
})

test('nothing of what a model is made of stands in the database as it is', async () => {
  await states(made.asset, { hosts: ['canary-of-a-model'] })
  const task = await generated(made.asset)
  assert.equal(task.attributes.status_code, 'success')
  const row = await service.database.one(sql<{ found: boolean }>`
    select position('canary-of-a-model'::bytea in data || actions || render_logs) > 0 as found
      from models order by created_at desc limit 1`)
  assert.deepEqual(row, { found: false })
})

test('of old models the one in force stays, and for a quarter what a newer one has overtaken', async () => {
  const asset = await newAsset(admin, 'aging')
  const sizes = async () =>
    (await admin.get(`${asset}/models`)).body.data.map(({ attributes }: Shown) => attributes.data.size)
  const withSize = async (size: number) => {
    await states(asset, { size })
    await generated(asset)
  }
  const atNight = async () => {
    const name = 'models.delete_overtaken'
    await service.database.rows(sql`select graphile_worker.add_job(${name}, job_key => ${name})`)
    await until(
      'models are cleaned up',
      () => service.database.rows(sql`select from graphile_worker.jobs where key = ${name}`),
      rows => rows.length === 0,
      often,
    )
  }
  for (const size of [1, 2, 3]) await withSize(size)
  await states(asset, { size: 1 })
  await service.database.count(sql`
    update models m
       set created_at = m.created_at - interval '150 days'
      from nodes n
     where n.id = m.node_id and n.code = 'aging'`)
  await atNight()
  assert.deepEqual(
    [await sizes(), await validity(asset)],
    [
      [3, 1],
      [true, null],
    ],
  )
  await withSize(4)
  await atNight()
  await states(asset, { size: 3 })
  assert.deepEqual(
    [await sizes(), await validity(asset)],
    [
      [4, 3],
      [true, null],
    ],
  )
})

test('a rendering in the middle of which its process is killed is begun again by another one, of what is so then', async () => {
  const alone = await startTestService({ config: { role: 'api' } })
  const client = alone.as('admin')
  const first = await startWorkerProcess(alone)
  try {
    const forever = '<% for (let i = 0; i < properties.rounds; i++); %>'
    const { asset } = await shop(alone, {
      'web/actions.yaml': files['web/actions.yaml'],
      'web/model.json.erb': `${forever}{"actions": {}, "rounds": <%= properties.rounds %>}`,
    })
    const { body } = await client.get(asset)
    const rounds = (data: object) => client.patch(body.data.relationships.properties.links.related, { data })
    assert.equal((await rounds({ rounds: 1e12 })).status, 200)
    const { id } = await created(client.post(`${asset}/models/generate`))
    const path = `${asset}/node_background_tasks/${id}`
    await taskWhen(client, path, 'running')
    await until(
      'it is rendering',
      () => client.get(`/api/node_background_task_log_lines?node_background_task_id=${id}`),
      answer => answer.body.data.length > 0,
      often,
    )
    await first.kill()
    assert.equal((await rounds({ rounds: 3 })).status, 200)
    // Long enough for the killed process to be noticed; before the next one measures silence of runners by the clock.
    await moveClock(alone.testDatabase, '2 minutes')
    const second = await startWorkerProcess(alone)
    try {
      const task = await taskWhen(client, path, 'success', 'error', 'cancelled')
      assert.equal(task.attributes.status_code, 'success', task.attributes.error_message)
      const models = (await client.get(`${asset}/models`)).body.data
      assert.deepEqual(
        models.map(({ attributes }: Shown) => attributes.data),
        [{ actions: {}, rounds: 3 }],
      )
    } finally {
      assert.deepEqual(await second.stop(), [])
    }
  } finally {
    await first.stop()
    await alone.stop()
  }
})
