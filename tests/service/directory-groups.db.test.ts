import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, ended, shop, stepsOf } from '../support/changes.ts'
import {
  directoryPassword,
  groupDn,
  personDn,
  startTestDirectory,
  type TestDirectory,
} from '../support/directory-server.ts'
import { startTestService, type TestService } from '../support/service.ts'

let directory: TestDirectory
let service: TestService
let admin: Client
let asset: string
before(async () => {
  directory = await startTestDirectory()
  for (const name of ['ann', 'bob']) await directory.addPerson(name)
  await directory.addGroup('operators', [personDn('ann')])
  await directory.addGroup('everybody', [personDn('ann'), personDn('bob')])
  service = await startTestService({ spares: 0, config: { authorities: directory.authority } })
  admin = service.as('admin')
  await patchSettings('/api/system_configuration', directory.settings('starttls'))
  await refresh()
  asset = (await shop(service, { 'web/actions.yaml': 'actions: { deploy: { run: "true" } }' })).asset
  for (const [groupname, rule] of [
    ['operators', { path: '/projects/shop', read: true }],
    ['everybody', { path: asset.replace('/api', ''), read: true, execute: true }],
  ] as const) {
    const policy = { name: groupname, authorisation_rules: [rule], assignments: [{ groupname }] }
    assert.equal((await admin.post('/api/authorisation_policies', policy)).status, 201)
  }
})
after(async () => {
  await service?.stop()
  await directory?.tidy()
})

async function patchSettings(of: string, data: object): Promise<void> {
  const { body } = await admin.get(of)
  const answer = await admin.patch(body.data.relationships.settings.links.related, { data })
  assert.equal(answer.status, 200, answer.text)
}

/** Requests a refresh of the directory, and waits until that has succeeded. */
async function refresh(): Promise<void> {
  const done = async () =>
    (await admin.get('/api/events?filter[type_eq]=api:ldap_refresh:success&limit=1000')).body.data.length as number
  const before = await done()
  assert.equal((await admin.post('/api/ldap_refresh')).status, 204)
  await until('the refresh succeeds', done, count => count > before, { seconds: 30, pause: 20 })
}

const basic = (name: string) => ({ authorization: `Basic ${btoa(`${name}:${directoryPassword(name)}`)}` })

test('tokens and sessions of people of the directory lose and gain what their groups may do with each refresh', async () => {
  const { stranger } = service
  const wanted = { description: 'x', expires_at: '2099-01-01T00:00:00Z' }
  const { body } = await stranger.post('/api/tokens', wanted, basic('ann'))
  const token = service.bearer(body.meta.token)
  const begun: Answer = await stranger.post('/api/tokens/session', undefined, basic('ann'))
  assert.equal(begun.status, 201, begun.text)
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  const readable = async () => [
    (await token.get('/api/projects/shop')).status,
    (await stranger.get('/api/projects/shop', { cookie })).status,
  ]
  assert.deepEqual(await readable(), [200, 200])

  await directory.remove(groupDn('operators'))
  await directory.addGroup('operators', [personDn('bob')])
  await refresh()
  assert.deepEqual(await readable(), [404, 404])
  // Their identity and their other groups are unchanged.
  assert.deepEqual((await token.get('/api/me')).body.data.attributes.groupnames, ['everybody'])
  assert.equal((await stranger.get(asset, { cookie })).status, 200)

  await directory.remove(groupDn('operators'))
  await directory.addGroup('operators', [personDn('ann')])
  await refresh()
  assert.deepEqual(await readable(), [200, 200])
})

test('a rule of approval that speaks of groups asks of those alone who are in one when they make the change', async () => {
  const created_by = { ldap_groups: ['Operators'] }
  await patchSettings(asset, {
    requires_approval_from: [{ change_filter: { actions: 'all', created_by }, user_names: ['admin'] }],
  })
  const make = async (name: string) => {
    const { id } = await created(service.stranger.post(`${asset}/changes`, { action: 'deploy' }, basic(name)))
    const [root] = (await stepsOf(admin, id)) as { attributes: { step_type: string } }[]
    return { id, root: root!.attributes.step_type }
  }
  const byBob = await make('bob')
  assert.notEqual(byBob.root, 'wait')
  assert.equal((await ended(admin, byBob.id)).attributes['status_code'], 'success')
  const byAnn = await make('ann')
  assert.equal(byAnn.root, 'wait')
  assert.equal((await admin.delete(`/api/changes/${byAnn.id}`)).status, 204)
})

test('whoever is in a group of the directory approves for it, from the refresh that tells so', async () => {
  await patchSettings(asset, {
    requires_approval_from: [{ change_filter: { actions: 'all' }, ldap_groups: ['Operators'] }],
  })
  const { id } = await created(service.stranger.post(`${asset}/changes`, { action: 'deploy' }, basic('bob')))
  const step = await until(
    'the change waits',
    async () => (await stepsOf(admin, id))[0]!,
    ({ attributes }) => attributes.status_code === 'waiting_for_approval',
    { seconds: 30, pause: 20 },
  )
  const approve = async (name: string) =>
    (await service.stranger.post(`/api/steps/${step.id}/approve`, {}, basic(name))).status
  const mine = async () =>
    (await service.stranger.get('/api/steps?filter[waiting_for_me]=true', basic('ann'))).body.data.length
  assert.deepEqual([await approve('bob'), await mine()], [403, 1])
  await directory.remove(groupDn('operators'))
  await directory.addGroup('operators', [personDn('bob')])
  await refresh()
  assert.deepEqual([await approve('ann'), await approve('bob'), await mine()], [403, 403, 0])
  await directory.remove(groupDn('operators'))
  await directory.addGroup('operators', [personDn('ann')])
  await refresh()
  assert.equal(await approve('ann'), 200)
  const change = await ended(admin, id)
  assert.deepEqual([change.attributes.status_code, change.attributes.approved_by[0].username], ['success', 'ann'])
  const told = (await admin.get(`/api/events?filter[for_change]=${id}&filter[type_cont]=denied`)).body.data
  assert.deepEqual(
    told.map(({ attributes }: { attributes: { username: string; reason: string } }) => [
      attributes.username,
      attributes.reason,
    ]),
    [
      ['bob', 'not_named'],
      ['ann', 'not_named'],
      ['bob', 'creator'],
    ],
  )
})

test('approvers are looked for in the directory itself, which knows of more than the last refresh told', async () => {
  const { related } = (await admin.get(asset)).body.data.relationships.settings.links
  const faults = async (names: object): Promise<string[]> => {
    const requires_approval_from = [{ change_filter: { actions: 'all' }, ...names }]
    const { status, body } = await admin.patch(related, { data: { requires_approval_from } })
    assert.ok([200, 422].includes(status), body)
    return (body.errors ?? []).map(({ detail }: { detail: string }) => detail)
  }
  assert.deepEqual(await faults({ user_names: ['cyd'] }), ['There is no user cyd, here or in the directory.'])
  await directory.addPerson('cyd')
  await directory.addGroup('watch', [personDn('cyd')])
  assert.deepEqual(await faults({ user_names: ['Cyd'] }), [])
  assert.deepEqual(await faults({ ldap_groups: ['Watch', 'ghosts'] }), [
    'There is no group ghosts, here or in the directory.',
  ])
  assert.deepEqual(await faults({ ldap_groups: ['Watch'] }), [])
  const authorisation_rules = [{ path: '/projects/shop', read: true }]
  const policy = { name: 'watch', authorisation_rules, assignments: [{ groupname: 'watch' }] }
  assert.equal((await admin.post('/api/authorisation_policies', policy)).status, 201)
  const { id } = await created(service.stranger.post(`${asset}/changes`, { action: 'deploy' }, basic('bob')))
  const step = await until(
    'the change waits',
    async () => (await stepsOf(admin, id))[0]!,
    ({ attributes }) => attributes.status_code === 'waiting_for_approval',
    { seconds: 30, pause: 20 },
  )
  // The first sign-in stores the groups of a person.
  const approved = await service.stranger.post(`/api/steps/${step.id}/approve`, {}, basic('cyd'))
  assert.equal(approved.status, 200, approved.text)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})
