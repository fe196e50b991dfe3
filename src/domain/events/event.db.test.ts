import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { NewEvent } from '#platform/events.ts'
import { type Client, startTestApi } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { sealEverything } from '../../../tests/support/sealed-trail.ts'
import { appendProgress, eventsDomain, newestEventOf, record } from './index.ts'

const api = await startTestApi({
  domains: [eventsDomain],
  users: {
    admin: superuserRights,
    banker: rightsTo({ '/projects/bank': ['read'] }),
    auditor: rightsTo({ '/events': ['read'] }),
    bot: rightsTo({ '/events': ['update'] }),
  },
})
after(() => api.stop())
const admin = api.as('admin')
const nodes: Record<string, string> = {}

before(async () => {
  for (const code of ['bank', 'shop'])
    nodes[code] = (await api.database.one(
      sql<{ id: string }>`
        with made as (select sluice_uuid7() as id)
        insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
        select id, 'project', ${code}, ${code}, 'Enterprise', id, ${`/projects/${code}`}, 'test' from made returning id`,
    ))!.id
})

const say = (event: Partial<NewEvent>) =>
  api.database.transaction(tx =>
    record(tx, { type: 'api:projects:update', actor: { userId: null, username: 'ann' }, ...event }),
  )
const inProject = (code: string) => ({ id: nodes[code]!, path: `/projects/${code}`, projectId: nodes[code]! })
const names = async (client: Client, query: string) => {
  const { body, status } = await client.get(`/api/events?${query}`)
  assert.ok(status === 200 || status === 206, JSON.stringify(body))
  return body.data.map((event: { attributes: { name?: string } }) => event.attributes.name)
}
const post = (client: Client, attributes: object) =>
  client.send('POST', '/api/events', {
    raw: JSON.stringify({ data: { type: 'Event', attributes } }),
    headers: {
      'content-type': 'application/vnd.api+json',
    },
  })

test('a list answers the newest ten, the oldest of them first, and leads to older ones', async () => {
  for (let i = 1; i <= 13; i++) await say({ type: 'api:bookmarks:create', attributes: { name: `n${i}` } })
  const first = await admin.get('/api/events?filter[type_eq]=api:bookmarks:create')
  assert.equal(first.status, 206)
  assert.equal(first.body.meta.partial_response, true)
  const shown = first.body.data.map((event: { attributes: { name: string } }) => event.attributes.name)
  assert.deepEqual(shown, ['n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10', 'n11', 'n12', 'n13'])
  const older = await admin.get(first.body.links.next.replace(api.address, ''))
  assert.deepEqual(
    older.body.data.map((event: { attributes: { name: string } }) => event.attributes.name),
    ['n1', 'n2', 'n3'],
  )
})

test('a custom event is answered by 201 without a body and carries whatever was sent', async () => {
  const sent = {
    type: 'deploy:finished',
    'app.version': '1.10',
    took: { seconds: 12.5, parts: ['a'] },
    node_path: '/projects/bank',
  }
  const posted = await post(admin, sent)
  assert.equal(posted.status, 201)
  assert.equal(posted.text, '')
  const { body } = await admin.get('/api/events?filter[type_eq]=deploy:finished')
  const [event] = body.data
  const { username, system, created_at, hash, ...attributes } = event.attributes
  const { source_id, source_type, ...given } = attributes
  assert.deepEqual(given, sent)
  assert.equal(source_type, 'project')
  assert.deepEqual(event.relationships.source.data, { type: 'project', id: source_id })
  assert.equal(event.relationships.source.links.source, '/api/projects/bank')
  assert.deepEqual([username, system, hash], ['admin', false, null])
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.equal(event.links.self, `/api/events/${event.id}`)
  assert.deepEqual((await admin.get(event.links.self)).body.data, event)
})

test('every attribute can be filtered by, nested ones by dotted names, as text or as numbers', async () => {
  const type = 'filter:me'
  const all = [
    { name: 'a', size: 9, deep: { flag: true, who: 'Ann "x"' } },
    { name: 'b', size: 10, deep: { flag: false } },
    { name: 'c', size: '11', 'deep.flag': 'dotted' },
    { name: 'd' },
  ]
  for (const attributes of all) await post(admin, { type, ...attributes })
  const found = (filter: string) => names(admin, `filter[type_eq]=${type}&${filter}`)
  assert.deepEqual(await found('filter[size_gt]=9'), ['b', 'c'])
  assert.deepEqual(await found('filter[size_eq]=10'), ['b'])
  assert.deepEqual(await found('filter[size_in][]=11&filter[size_in][]=9'), ['a', 'c'])
  assert.deepEqual(await found('filter[size_not_eq]=10'), ['a', 'c', 'd'])
  assert.deepEqual(await found('filter[size_null]=1'), ['d'])
  assert.deepEqual(await found('filter[deep.flag_eq]=true'), ['a'])
  assert.deepEqual(await found('filter[deep.flag_eq]=dotted'), ['c'])
  assert.deepEqual(await found('filter[deep.flag_not_null]=1'), ['a', 'b', 'c'])
  assert.deepEqual(await found(`filter[deep.who_eq]=${encodeURIComponent('Ann "x"')}`), ['a'])
  assert.deepEqual(await found('filter[deep.who_cont]=ANN'), ['a'])
  assert.deepEqual(await found("filter[it's; drop table events_eq]=x"), [])
})

test('a name with more dots than any document is deep is that of no event', async () => {
  const name = Array.from({ length: 30_000 }, () => 'a').join('.')
  const { status, body } = await admin.get(`/api/events?filter[${name}_eq]=x`)
  assert.deepEqual([status, body.data], [200, []])
  const known = Array.from({ length: 200 }, (_, at) => `part${at}`).join('.')
  await admin.post('/api/events', { type: 'custom:dots', [known]: 'x' })
  assert.equal((await admin.get(`/api/events?filter[${known}_eq]=x`)).body.data.length, 1)
})

test('who may not read a node does not see its events, and events of no node need /events', async () => {
  const type = 'api:templates:create'
  await say({ type, node: inProject('bank'), attributes: { name: 'in bank' } })
  await say({ type, node: inProject('shop'), attributes: { name: 'in shop' } })
  await say({ type, attributes: { name: 'nowhere' } })
  const seen = (user: string) => names(api.as(user), `filter[type_eq]=${type}`)
  assert.deepEqual(await seen('admin'), ['in bank', 'in shop', 'nowhere'])
  assert.deepEqual(await seen('banker'), ['in bank'])
  assert.deepEqual(await seen('auditor'), ['nowhere'])
  const shop = (await admin.get(`/api/events?filter[type_eq]=${type}&filter[name_eq]=${encodeURIComponent('in shop')}`))
    .body.data[0]
  assert.equal((await api.as('banker').get(`/api/events/${shop.id}`)).status, 404)
})

test('the events of a change are its own and those of its steps', async () => {
  const change = '01900000-0000-7000-8000-0000000000c1'
  const step = '01900000-0000-7000-8000-0000000000d1'
  await say({ type: 'api:changes:start', source: { type: 'change', id: change }, attributes: { name: 'change' } })
  await say({
    type: 'api:steps:start',
    source: { type: 'step', id: step },
    activityId: change,
    attributes: { name: 'step' },
  })
  assert.deepEqual(await names(admin, `filter[for_change]=${change}`), ['change', 'step'])
  assert.deepEqual(await names(admin, `filter[source_id_eq]=${step}`), ['step'])
  assert.equal((await admin.get('/api/events?filter[for_change]=banana')).status, 400)
  const { body } = await admin.get(`/api/events?filter[source_id_eq]=${step}`)
  assert.deepEqual(body.data[0].relationships.source, {
    data: { type: 'step', id: step },
    links: { source: `/api/steps/${step}` },
  })
})

test('what only the service says cannot be said in a custom event', async () => {
  const { status, body } = await post(admin, { type: 'x', username: 'eve', source_id: '1', request_path: '/', ok: 1 })
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map((error: { source: { pointer: string } }) => error.source.pointer),
    ['/data/attributes/username', '/data/attributes/source_id', '/data/attributes/request_path'],
  )
  assert.equal((await post(admin, { nothing: 1 })).status, 422)
})

test('recording an event needs update on /events, or read on the node that it is linked to', async () => {
  const banker = api.as('banker')
  assert.equal((await post(banker, { type: 'mine:a:b', project_path: '/projects/bank' })).status, 201)
  assert.equal((await post(banker, { type: 'mine:a:b', node_id: nodes['bank'] })).status, 201)
  const forbidden = await post(banker, { type: 'mine:a:b', node_path: '/projects/shop' })
  const unknown = await post(banker, { type: 'mine:a:b', node_path: '/projects/none' })
  assert.equal(forbidden.status, 403)
  assert.deepEqual({ ...forbidden.body.errors[0], id: 0 }, { ...unknown.body.errors[0], id: 0 })
  assert.equal((await post(banker, { type: 'mine:a:b' })).status, 403)
  assert.equal((await post(api.as('bot'), { type: 'mine:a:b' })).status, 201)
  const lost = await post(api.as('bot'), { type: 'mine:a:b', change_id: nodes['bank'] })
  assert.equal(lost.status, 422)
  assert.equal(lost.body.errors[0].source.pointer, '/data/attributes/change_id')
  assert.equal((await names(banker, 'filter[type_eq]=mine:a:b')).length, 2)
})

test('a custom event is related to a scheduled change, and to no scheduled workflow', async () => {
  const schedule = async (kind: string, made: string) =>
    (await api.database.one(sql<{ id: string }>`
      insert into scheduled_activities (kind, node_id, project_id, path, ${sql.ref(made)}, cron_schedule,
                                        property_overrides, settings_overrides, created_by)
      values (${kind}, ${nodes['bank']}::uuid, ${nodes['bank']}::uuid, '/projects/bank/scheduled_activities', 'x',
              '@daily', '', '', 'ann')
      returning id`))!.id
  const change = await schedule('scheduled_change', 'action')
  const posted = await post(api.as('banker'), { type: 'mine:of:schedule', scheduled_change_id: change })
  assert.equal(posted.status, 201, posted.text)
  const [event] = (await admin.get(`/api/events?filter[source_id_eq]=${change}`)).body.data
  assert.deepEqual(event.relationships.source, {
    data: { type: 'scheduled_change', id: change },
    links: { source: `/api/scheduled_activities/${change}` },
  })
  const workflow = await schedule('scheduled_workflow', 'workflow_code')
  assert.equal((await post(admin, { type: 'mine:of:schedule', scheduled_change_id: workflow })).status, 422)
})

test('the event of a template version leads to the version', async () => {
  const id = '01900000-0000-7000-8000-0000000000f1'
  await say({
    type: 'api:template_versions:update',
    source: { type: 'template_version', id },
    node: inProject('bank'),
    attributes: { name: '1.0 / β', template_code: 'web' },
  })
  const [{ relationships }] = (await admin.get(`/api/events?filter[source_id_eq]=${id}`)).body.data
  assert.equal(
    relationships.source.links.source,
    `/api/projects/bank/templates/web/versions/${encodeURIComponent('1.0 / β')}`,
  )
})

test('the output of a fetch grows beside its event', async () => {
  const id = '01900000-0000-7000-8000-0000000000e1'
  const type = 'info:template_version:fetch'
  await say({ type, source: { type: 'template_version', id }, node: inProject('bank') })
  const event = (await newestEventOf(api.database, type, id))!.id
  assert.equal((await admin.get(`/api/events/${event}`)).body.data.attributes.progress, undefined)
  await appendProgress(api.database, event, 'Receiving objects\n')
  await appendProgress(api.database, event, 'done\n')
  assert.equal((await admin.get(`/api/events/${event}`)).body.data.attributes.progress, 'Receiving objects\ndone\n')
  assert.equal((await admin.get('/api/events?filter[progress_cont]=receiving')).body.data[0].id, event)
})

test('a sealed event shows the hash of the chain up to it', async () => {
  await sealEverything(api.database)
  const { body } = await admin.get('/api/events?limit=2')
  for (const event of body.data) assert.match(event.attributes.hash, /^[0-9a-f]{64}$/)
  const [first, second] = await Promise.all(
    body.data
      .slice(0, 2)
      .map(async ({ id }: { id: string }) => (await admin.get(`/api/events/${id}`)).body.data.attributes),
  )
  assert.equal(second.seal_number, first.seal_number + 1)
  assert.equal(second.previous_hash, first.hash)
  await say({ type: 'api:bookmarks:update', attributes: { name: 'not sealed yet' } })
  const [unsealed] = (await admin.get('/api/events?filter[name_eq]=not sealed yet')).body.data
  const { seal_number, previous_hash } = (await admin.get(`/api/events/${unsealed.id}`)).body.data.attributes
  assert.deepEqual([unsealed.attributes.seal_number, seal_number, previous_hash], [undefined, undefined, undefined])
})
