import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCsv } from '../contract/csv.ts'
import type { Client } from '../support/api.ts'
import { created, ended, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Requests and expectations of third-party clients of JSON:API (kitsu, devour-client, typed ones). */

let service: TestService
let admin: Client
let made: Shop
const ids: Record<string, string> = {}
const live = '/api/projects/shop/environments/live'

before(async () => {
  service = await startTestService({ spares: 0, users: { guest: [{ path: '/projects/other', read: true }] } })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': 'actions:\n  go: { description: x, run: "true" }\n' })
  await created(admin.post('/api/projects', { code: 'other', name: 'Other' }))
  await created(admin.post('/api/projects/other/environments', { code: 'live', name: 'Live' }))
  for (const [name, path] of Object.entries({
    shop: '/api/projects/shop',
    other: '/api/projects/other',
    live,
    front: made.asset,
  }))
    ids[name] = (await admin.get(path)).body.data.id
  ids['otherLive'] = (await admin.get('/api/projects/other/environments/live')).body.data.id
})
after(() => service.stop())

const send = (method: string, path: string, data: object) => admin.send(method, path, { raw: JSON.stringify({ data }) })

test('a type is taken in the singular, in the plural and as the collection is called, in any case', async () => {
  for (const [path, types] of Object.entries({
    '/api/projects/shop': ['project', 'projects', 'Projects', 'PROJECT'],
    [live]: ['environment', 'environments'],
    [made.asset]: ['asset', 'assets'],
  }))
    for (const type of types) {
      const { status, text } = await send('PATCH', path, {
        type,
        id: ids[path.split('/').at(-1)!],
        attributes: { description: type },
      })
      assert.equal(status, 200, text)
    }
  const { id } = (await admin.get('/api/projects/shop/git_remotes')).body.data[0]
  for (const type of ['git_remote', 'git_remotes', 'gitRemotes', 'git-remotes', 'GitRemote']) {
    const { status, text } = await send('PATCH', `/api/projects/shop/git_remotes/${id}`, {
      type,
      attributes: { name: 'code' },
    })
    assert.equal(status, 200, text)
  }
  for (const type of ['authorisation_policies', 'authorisationPolicies', 'authorisation-policy'])
    assert.equal((await send('POST', '/api/authorisation_policies', { type, attributes: { name: type } })).status, 201)
  const schedule = { type: 'scheduledActivities', attributes: { action: 'go', cron_schedule: '@yearly' } }
  assert.equal((await send('POST', `${made.asset}/scheduled_activities`, schedule)).status, 201)
  for (const type of ['environments', 'asset', 'projectss', '']) {
    const { status, body } = await send('PATCH', '/api/projects/shop', { type, attributes: { name: 'Shop' } })
    assert.deepEqual([status, body.errors[0].code], [409, 'wrong-type'], type)
  }
})

test('a node is answered by its id wherever its code is, and says by its links what it is called', async () => {
  const { shop: project, live: environment, front } = ids
  const byCode = { project: '/api/projects/shop', environment: live, asset: made.asset }
  for (const [path, same] of [
    [`/api/projects/${project}`, byCode.project],
    [`/api/projects/${project!.toUpperCase()}`, byCode.project],
    [`/api/projects/${project}/environments/${environment}`, byCode.environment],
    [`/api/projects/shop/environments/${environment}`, byCode.environment],
    [`/api/projects/${project}/environments/live`, byCode.environment],
    [`/api/environments/${environment}`, byCode.environment],
    [`/api/projects/${project}/environments/${environment}/assets/${front}`, byCode.asset],
    [`/api/assets/${front}`, byCode.asset],
  ] as const) {
    const [found, own] = [await admin.get(path), await admin.get(same)]
    assert.equal(found.status, 200, `${path}: ${found.text}`)
    assert.deepEqual(found.body.data, own.body.data, path)
    assert.equal(found.body.data.links.self, same)
    assert.equal(found.headers.get('etag'), own.headers.get('etag'))
  }
  const beneath = await admin.get(`/api/projects/${project}/environments/${environment}/assets`)
  assert.deepEqual(
    beneath.body.data.map(({ id }: { id: string }) => id),
    [front],
  )
  for (const path of ['actions', 'converged_properties', 'changes', 'bookmarks', 'version_history'])
    assert.equal(
      (await admin.get(`/api/projects/${project}/environments/live/assets/${front}/${path}`)).status,
      200,
      path,
    )
})

test('an id of another place, of another type, of nothing, or of what the caller may not read is missing', async () => {
  const nothing = '01900000-0000-7000-8000-00000000dead'
  for (const path of [
    `/api/projects/${nothing}`,
    `/api/projects/${ids['live']}`,
    `/api/environments/${ids['shop']}`,
    `/api/environments/${nothing}`,
    `/api/assets/not-an-id`,
    `/api/projects/shop/environments/${ids['otherLive']}`,
    `/api/projects/${ids['shop']}/environments/${ids['otherLive']}`,
    `/api/projects/other/environments/live/assets/${ids['front']}`,
    `/api/projects/other/assets/${ids['front']}`,
  ])
    assert.equal((await admin.get(path)).status, 404, path)
  const guest = service.as('guest')
  assert.equal((await guest.get(`/api/projects/${ids['other']}`)).status, 200)
  const [hidden, absent] = [
    await guest.get(`/api/projects/${ids['shop']}`),
    await guest.get(`/api/projects/${nothing}`),
  ]
  assert.deepEqual([hidden.status, hidden.body], [404, absent.body])
  for (const path of [`/api/assets/${ids['front']}`, `/api/environments/${ids['live']}`])
    assert.equal((await guest.get(path)).status, 404)
  assert.equal((await guest.patch(`/api/environments/${ids['live']}`, { name: 'Mine' })).status, 404)
})

test('a node is changed, given children and archived by its id', async () => {
  const path = `/api/projects/${ids['shop']}`
  const patched = await send('PATCH', `/api/environments/${ids['live']}`, {
    type: 'environments',
    id: ids['live'],
    attributes: { description: 'by id' },
  })
  assert.deepEqual([patched.status, patched.body.data.attributes.description], [200, 'by id'], patched.text)
  const other = await send('PATCH', `/api/environments/${ids['live']}`, {
    id: ids['otherLive'],
    attributes: { name: 'x' },
  })
  assert.equal(other.status, 409)
  const child = await created(
    send('POST', `${path}/environments`, { type: 'environments', attributes: { code: 'gone', name: 'Gone' } }),
  )
  assert.equal((await admin.delete(`/api/environments/${child.id}`)).status, 204)
  assert.equal((await admin.get('/api/projects/shop/environments/gone')).body.data.attributes.archived, true)
  const [event] = (
    await admin.get(`/api/events?limit=1&filter[source_id_eq]=${child.id}&filter[type_eq]=api:nodes:destroy`)
  ).body.data
  assert.equal(event.attributes.node_path, '/projects/shop/environments/gone')
  const change = await created(
    send('POST', `${path}/environments/${ids['live']}/assets/${ids['front']}/changes`, {
      type: 'changes',
      attributes: { action: 'go' },
    }),
  )
  assert.equal((await ended(admin, change.id)).attributes.status_code, 'success')
})

test('Accept: text/csv on a list is answered as CSV; whoever takes documents as well gets these', async () => {
  const list = await admin.get('/api/projects?filter[sorts]=code')
  const file = await admin.get('/api/projects', { accept: 'text/csv' })
  assert.match(file.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(file.headers.get('content-disposition') ?? '', /filename="projects\.csv"/)
  assert.equal(readCsv(file.text).length, list.body.data.length + 1)
  const limited = await admin.get('/api/projects?limit=1', { accept: 'text/csv;q=0.9, application/json;q=0.5' })
  assert.deepEqual([limited.status, readCsv(limited.text).length], [206, 2])
  for (const accept of [
    'text/csv, application/vnd.api+json',
    '*/*',
    'text/html, */*;q=0.8',
    'application/json, text/csv;q=0.5',
  ])
    assert.equal((await admin.get('/api/projects', { accept })).body.data.length, list.body.data.length, accept)
  assert.equal((await admin.get('/api/projects', { accept: 'image/png' })).status, 406)
  assert.equal((await admin.get('/api/projects/shop', { accept: 'text/csv' })).status, 406)
})

test('the page of the interface says what to listen to on each stream', async () => {
  const { text } = await admin.get('/api-docs')
  assert.match(text, /addEventListener\(kind, …\)/)
  for (const kind of ['step', 'log_lines', 'end']) assert.match(text, new RegExp(`<code>${kind}</code>`), kind)
})
