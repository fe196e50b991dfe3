import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Client } from '../support/api.ts'
import { created, ended, often, ran, type Shop, type Shown, shop, stepAt } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runStepWhen } from '../support/workflows.ts'

interface Event extends Shown {
  readonly relationships: {
    source?: { data: { type: string; id: string }; links: { source: string } }
    activity?: { data: { type: string; id: string }; links: { related: string } }
  }
}

let service: TestService
let gates: Gates
let admin: Client
let made: Shop

before(async () => {
  gates = await newGates()
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, {
    'web/actions.yaml': `
actions:
  plain: { run: "true" }
  held: { run: "touch ${gates.folder}/held; until [ -e ${gates.folder}/on ]; do sleep 0.05; done" }
`,
  })
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const eventsOfType = async (type: string): Promise<Event[]> =>
  (await admin.get(`/api/events?limit=1000&filter[type_eq]=${type}`)).body.data

/**
 * The source of an event: its path, at which the record of that type and id can be read, and the parameter with its id.
 */
async function sourceOf(event: Event): Promise<string> {
  const { source } = event.relationships
  assert.ok(source, JSON.stringify(event))
  const { type, id } = source.data
  assert.deepEqual([event.attributes.source_type, event.attributes.source_id], [type, id])
  const { status, body, text } = await admin.get(source.links.source)
  assert.equal(status, 200, `${source.links.source}: ${text}`)
  assert.deepEqual([body.data.type, body.data.id], [type, id])
  const found = (await admin.get(`/api/events?limit=1000&filter[source_id_eq]=${id}`)).body.data as Event[]
  assert.ok(
    found.some(each => each.id === event.id),
    `${event.attributes.type} is not found by ${id}`,
  )
  return source.links.source
}

async function related(link: Record<string, string>): Promise<string> {
  const type = `mine:${Object.keys(link).join(':')}`
  const { status, text } = await admin.post('/api/events', { type, ...link })
  assert.equal(status, 201, text)
  return sourceOf((await eventsOfType(type)).at(-1)!)
}

const idAt = async (path: string): Promise<string> => (await admin.get(path)).body.data.id

test('an event that is related to a node has it for its source, however it is named', async () => {
  const asset = made.asset.replace('/api', '')
  assert.equal(await related({ node_path: asset }), made.asset)
  assert.equal(
    await related({ node_id: await idAt('/api/projects/shop/environments/live') }),
    '/api/projects/shop/environments/live',
  )
  assert.equal(await related({ project_path: '/projects/shop' }), '/api/projects/shop')
  assert.equal(await related({ project_id: await idAt('/api/projects/shop') }), '/api/projects/shop')
})

test('an event that is related to a record has that for its source, also beside a node', async () => {
  const version = '/api/projects/shop/templates/web/versions/1.0'
  assert.equal(await related({ template_version_id: await idAt(version) }), version)
  const template = '/api/projects/shop/templates/web'
  const { id } = await ran(admin, made.asset, 'plain')
  assert.equal(await related({ node_path: '/projects/shop', change_id: id }), `/api/changes/${id}`)
  const step = await stepAt(admin, id, 'plain')
  assert.equal(await related({ step_id: step.id }), `/api/steps/${step.id}`)
  const source = await admin.post('/api/events', { type: 'mine:template', template_id: await idAt(template) })
  assert.equal(source.status, 201)
  const [event] = await eventsOfType('mine:template')
  assert.equal((await admin.get(event!.relationships.source!.links.source)).body.data.id, await idAt(template))
})

test('each event of a change or a run and of their steps names it, also once it is purged', async () => {
  const { id: change } = await ran(admin, made.asset, 'plain')
  await published(admin, 'waits', 'steps: [{ type: wait, name: look }]\n')
  const run = await began(admin, 'waits')
  await runStepWhen(admin, run, 'look', 'waiting')
  await admin.delete(`/api/workflow_runs/${run}`)
  for (const [type, list, id] of [
    ['change', 'changes', change],
    ['workflow_run', 'workflow_runs', run],
  ] as const) {
    const events: Event[] = (await admin.get(`/api/events?limit=100&filter[for_${type}]=${id}`)).body.data
    assert.ok(events.some(each => each.attributes.source_type?.endsWith('step')))
    for (const { attributes, relationships } of events) {
      assert.deepEqual(relationships.activity?.data, { type, id }, attributes.type)
      assert.equal((await admin.get(relationships.activity.links.related)).body.data.id, id)
    }
    assert.equal((await admin.delete(`/api/${list}/${id}?purge=true`)).status, 204)
    const [later] = (await admin.get(`/api/events?limit=1&filter[for_${type}]=${id}`)).body.data as Event[]
    assert.equal(later!.relationships.activity?.data.id, id)
  }
  const [other] = await eventsOfType('api:projects:create')
  assert.equal(other!.relationships.activity, undefined)
})

test('maintenance, secrets and full pools are about records that answer', async () => {
  const { settings } = (await admin.get('/api/system_configuration')).body.data.relationships
  const path = `/api/settings/${settings.data.id}`
  for (const mode of ['enabled', 'disabled'])
    assert.equal((await admin.patch(path, { data: { maintenance_mode: mode } })).status, 200)
  for (const type of ['info:maintenance_mode:enabled', 'info:maintenance_mode:disabled'])
    assert.equal(await sourceOf((await eventsOfType(type)).at(-1)!), path)

  const node_path = made.asset.replace('/api', '')
  const value = 'correct horse battery staple'
  const stored = await admin.post('/api/secrets/encrypt', { node_path, path: 'db', key: 'password', value })
  const { reference } = stored.body.data.attributes
  assert.equal((await admin.post('/api/secrets/resolve', { node_path, reference })).status, 200)
  for (const type of ['api:secrets:encrypt', 'api:secrets:resolve'])
    assert.equal(await sourceOf((await eventsOfType(type)).at(-1)!), made.asset)

  assert.equal((await admin.patch(path, { data: { 'concurrent.runner_limit': 0 } })).status, 200)
  const { id } = await created(admin.post(`${made.asset}/changes`, { action: 'plain' }))
  const [full] = await until(
    'the pool is full',
    () => eventsOfType('warn:resource_slot_pool:full'),
    found => found.length > 0,
    often,
  )
  assert.match(await sourceOf(full!), /^\/api\/admin\/resource_slots\//)
  assert.equal((await admin.patch(path, { data: { 'concurrent.runner_limit': null } })).status, 200)
  await ended(admin, id)
})

test('the event of a cancel says which request asked for it, of a change and of a run, also when it ends later', async () => {
  const { id } = await created(admin.post(`${made.asset}/changes`, { action: 'held' }))
  await gates.reached('held')
  await admin.delete(`/api/changes/${id}`)
  await ended(admin, id)
  await published(admin, 'release', 'steps: [{ type: wait, name: look }]\n')
  const run = await began(admin, 'release')
  await runStepWhen(admin, run, 'look', 'waiting')
  await admin.delete(`/api/workflow_runs/${run}`)
  for (const [list, subject] of [
    ['changes', id],
    ['workflow_runs', run],
  ] as const) {
    const [event] = (await eventsOfType(`api:${list}:cancel`)).filter(each => each.attributes.source_id === subject)
    const { username, request_method, request_path, url_params_id, remote_address } = event!.attributes
    assert.deepEqual(
      [username, request_method, request_path, url_params_id, typeof remote_address],
      ['admin', 'DELETE', `/api/${list}/${subject}`, subject, 'string'],
    )
    assert.equal(await sourceOf(event!), `/api/${list}/${subject}`)
  }
})
