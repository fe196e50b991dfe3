import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { changeWhen, created, newAsset, ran, shop, stepsOf } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

const actions = `
actions:
  hello: { run: 'echo hello > "$SLUICE_ARTEFACTS/greeting"; echo hello' }
  linger: { run: sleep 300 }
`

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({ users: { tenant: [{ path: '/projects/flat', read: true, execute: true }] } })
  admin = service.as('admin')
  ;({ asset } = await shop(service, { 'web/actions.yaml': actions }))
})
after(() => service.stop())

const destroy = async (path: string) => assert.equal((await admin.delete(`${path}?ignore_in_use=true`)).status, 204)
const statusesOf = async (asked: readonly Promise<Answer>[]) => (await Promise.all(asked)).map(({ status }) => status)

test('rights and secrets of a destroyed project are not those of the next one with its code', async () => {
  const tenant = service.as('tenant')
  await created(admin.post('/api/projects', { code: 'flat', name: 'Flat' }))
  await created(admin.post('/api/projects/flat/environments', { code: 'live', name: 'Live' }))
  const secret = { node_path: '/projects/flat/environments/live', path: 'db', key: 'password', value: 'old secret' }
  const stored = await admin.post('/api/secrets/encrypt', secret)
  const { reference } = stored.body.data.attributes
  const resolved = { node_path: secret.node_path, reference }
  assert.equal((await tenant.post('/api/secrets/resolve', resolved)).status, 200)
  await admin.post('/api/authorisation_rules', { path: '/projects/flats', read: true })

  await destroy('/api/projects/flat')
  await created(admin.post('/api/projects', { code: 'flat', name: 'Somebody else’s' }))
  await created(admin.post('/api/projects/flat/environments', { code: 'live', name: 'Live' }))
  assert.equal((await tenant.get('/api/projects/flat')).status, 404)
  assert.equal((await admin.post('/api/secrets/resolve', resolved)).status, 422)
  const left = await admin.get('/api/authorisation_rules?filter[path_start]=/projects/flat')
  assert.deepEqual(
    left.body.data.map((rule: { attributes: { path: string } }) => rule.attributes.path),
    ['/projects/flats'],
  )
  const events = await admin.get('/api/events?filter[type_eq]=api:authorisation_rules:destroy')
  assert.deepEqual(
    events.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes['rule_path'],
      attributes['forced'],
    ]),
    [['/projects/flat', true]],
  )
})

test('what ran on a destroyed node is gone with it, and what runs is cancelled', async () => {
  const { id } = await ran(admin, asset, 'hello')
  const [step] = await stepsOf(admin, id)
  const artefact = (await admin.get(`/api/changes/${id}/artefacts`)).body.data[0].id
  const running = await created(admin.post(`${asset}/changes`, { action: 'linger' }))
  await changeWhen(admin, running.id, 'runs', ({ attributes }) => attributes.status_code === 'running')
  const paths = [
    `/api/changes/${id}`,
    `/api/changes/${id}/steps`,
    `/api/changes/${id}/log_lines`,
    `/api/changes/${id}/artefacts`,
    `/api/steps/${step!.id}`,
    `/api/steps/${step!.id}/log_lines`,
    `/api/artefacts/${artefact}`,
    `/api/artefacts/${artefact}/content`,
  ]
  const other = await newAsset(admin, 'other')
  const kept = await ran(admin, other, 'hello')
  const shownIn = async (list: string) =>
    [
      ...new Set(
        (await admin.get(list)).body.data.map(
          (each: { id: string; attributes: { change_id?: string } }) => each.attributes.change_id ?? each.id,
        ),
      ),
    ].toSorted()
  assert.deepEqual([...new Set(await statusesOf(paths.map(path => admin.send('GET', path))))], [200])

  await destroy(asset)
  assert.deepEqual([...new Set(await statusesOf(paths.map(path => admin.get(path))))], [404])
  assert.equal((await admin.delete(`/api/changes/${running.id}`)).status, 404)
  for (const list of ['/api/changes', '/api/steps', '/api/log_lines']) assert.deepEqual(await shownIn(list), [kept.id])
})
