import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, ended, linesOf, often, ran, shop, stepsOf } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startTestVault, type TestVault } from '../support/vault-server.ts'

/**
 * Secrets in a vault of the organisation, through the whole service: by settings, allowed values, outages, and
 * destroyed nodes.
 */

const actions = `
actions:
  use:
    description: Says its secret
    env: { PASSWORD: "{{ database.password }}" }
    run: echo "the password is $PASSWORD"
  ask:
    description: Takes what it is not told
    steps: [{ input: Which one, arguments: [{ name: token, sensitive: true, default_value: the-default }] }]
`
const secret = 'the-marked-secret'
const live = '/projects/shop/environments/live'

let service: TestService
let admin: Client
let asset: string
let ours: TestVault
let theirs: TestVault

before(async () => {
  service = await startTestService({
    users: {
      owner: [{ path: '/projects/shop', read: true, update: true, execute: true }],
    },
  })
  admin = service.as('admin')
  ours = await startTestVault()
  theirs = await startTestVault()
  ;({ asset } = await shop(service, { 'web/actions.yaml': actions }))
})
beforeEach(() => {
  ours.state = 'open'
})
after(async () => {
  // Closed first, because it would keep this process from ending when the service reports a fault.
  await ours.stop()
  await theirs.stop()
  await service.stop()
})

const settingOf = (vault: TestVault) => ({
  address: vault.address,
  auth_method: 'token',
  token: vault.token,
  mount_path: 'kv',
})
const store = (client: Client, more: object = {}) =>
  client.post('/api/secrets/encrypt', {
    ...{ node_path: live, path: 'database', key: 'password', value: secret },
    ...more,
  })
const resolve = (client: Client, reference: string, node_path = live) =>
  client.post('/api/secrets/resolve', { node_path, reference })
const reference = `secret:/${live}/database/password`

async function setSettings(client: Client, node: string, data: object): Promise<Answer> {
  const { relationships } = (await client.get(node)).body.data
  return client.patch(`/api/settings/${relationships.settings.data.id}`, { data })
}

async function setProperties(data: object): Promise<void> {
  const { relationships } = (await admin.get(asset)).body.data
  const answer = await admin.patch(`/api/properties/${relationships.properties.data.id}`, { data })
  assert.equal(answer.status, 200, answer.text)
}

test('a vault below the installation is one that the installation lists, chosen without knowing its token', async () => {
  const owner = service.as('owner')
  const hidden = { ...settingOf(ours), token: '{{hidden}}' }
  assert.equal((await setSettings(owner, `/api${live}`, { vault: settingOf(ours) })).status, 422)
  const listed = { 'allowed.vault': [settingOf(ours), settingOf(theirs)] }
  assert.equal((await setSettings(admin, '/api/system_configuration', listed)).status, 200)
  const chosen = await setSettings(owner, `/api${live}`, { vault: hidden })
  assert.equal(chosen.status, 200, chosen.text)
  assert.ok(!chosen.text.includes(ours.token))
  assert.equal(chosen.body.meta?.warnings, undefined)
  const another = await setSettings(owner, `/api${live}`, { vault: { ...hidden, mount_path: 'another' } })
  assert.equal(another.status, 422)
})

test('a secret of a node lies in the vault that its settings name, and in no table', async () => {
  const stored = await created(store(admin))
  assert.deepEqual(stored.attributes, { reference })
  assert.deepEqual(ours.at(`${live.slice(1)}/database`), { password: secret })
  assert.equal((await resolve(admin, reference)).body.data.attributes.value, secret)
  const [entry] = await service.database.rows(sql<object>`select value, kept_in from vault_entries`)
  assert.deepEqual(entry, { value: null, kept_in: `${ours.address} (kv)` })
  // The project still has the built-in one.
  await created(store(admin, { node_path: '/projects/shop' }))
  assert.equal(ours.at('projects/shop/database'), undefined)
  const events = await admin.get('/api/events?filter[type_start]=api:secrets&limit=100')
  assert.equal(events.body.data.length, 3)
  assert.ok(!events.text.includes(secret))
})

test('no reference leads out of its node to what the vault holds for others', async () => {
  ours.put('projects/bank/database', { password: 'the-secret-of-the-bank' })
  const led = `secret:/${live}/../../../bank/database/password`
  const asked = ours.asked.length
  const answer = await resolve(service.as('owner'), led)
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.body.errors[0].source.pointer, '/data/attributes/reference')
  const { relationships } = (await admin.get(asset)).body.data
  const written = await admin.patch(`/api/properties/${relationships.properties.data.id}`, { data: { led } })
  assert.equal(written.status, 422, written.text)
  assert.equal(ours.asked.length, asked)
})

test('a step is given what its vault holds, and says it to nobody', async () => {
  await setProperties({ database: { password: reference } })
  const change = await ran(admin, asset, 'use')
  assert.equal(change.attributes.status_code, 'success')
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  assert.ok(lines.includes('the password is ***'), lines.join('\n'))
})

test('a vault that is away is 503 to a caller, and the message of a step', async () => {
  ours.state = 'sealed'
  for (const asked of [resolve(admin, reference), store(admin, { value: 'another secret' })]) {
    const answer = await asked
    assert.equal(answer.status, 503, answer.text)
    assert.match(answer.body.errors[0].detail, /The vault at http:.* \(503: Vault is sealed\)/)
    assert.equal(answer.headers.get('retry-after'), '5')
  }
  const change = await ran(admin, asset, 'use')
  assert.equal(change.attributes.status_code, 'error')
  const [step] = await stepsOf(admin, change.id)
  assert.match(step?.attributes.error_message, /The vault at http:.* cannot read kv\/.*sealed/)
  ours.state = 'open'
  assert.equal((await ran(admin, asset, 'use')).attributes.status_code, 'success')
  assert.equal((await resolve(admin, reference)).body.data.attributes.value, secret)
})

test('a wait that takes a sensitive default by itself while the vault is away takes it once the vault is back', async () => {
  ours.state = 'sealed'
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'ask', auto_continue_wait_steps: true }))
  const lines = async () =>
    (await linesOf(admin, `/api/changes/${id}`)).map(({ attributes }) => String(attributes.message))
  const yet = await until('its log says why', lines, said => said.length > 0, often)
  assert.match(yet[0]!, /^It does not continue by itself yet, and tries again in half a minute: .*sealed/)
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.status_code, 'waiting')
  ours.state = 'open'
  await moveClock(service.testDatabase, '31 s')
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'success')
  assert.match(change.attributes.property_overrides.token, /^secret:/)
})

test('a vault that is struck from the list is asked no more', async () => {
  const asked = ours.asked.length
  await setSettings(admin, '/api/system_configuration', { 'allowed.vault': [settingOf(theirs)] })
  const refused = await resolve(admin, reference)
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.body.errors[0].detail, /not among those that allowed\.vault lists/)
  assert.equal(ours.asked.length, asked)
  await setSettings(admin, '/api/system_configuration', {
    'allowed.vault': [{ ...settingOf(ours), token: 'newer-token' }],
  })
  assert.equal((await resolve(admin, reference)).status, 200, 'its credentials may be others')
  await setSettings(admin, '/api/system_configuration', { 'allowed.vault': [settingOf(ours)] })
})

test('what was stored beneath a destroyed node is erased in its vault, what others put there stays', async () => {
  ours.put(`${live.slice(1)}/others`, { password: 'of somebody else' })
  ours.state = 'sealed'
  const gone = await admin.delete(`/api${live}?ignore_in_use=true`)
  assert.ok(gone.status < 300, gone.text)
  const removals = () => service.database.rows(sql<{ path: string }>`select path from vault_removals`)
  await until(
    'the vault has been asked',
    async () => service.logged,
    lines => lines.some(l => l.includes('could not be deleted from its vault')),
    often,
  )
  assert.deepEqual(
    (await removals()).map(({ path }) => path).filter(path => path.endsWith('/database')),
    [`${live}/database`],
  )
  ours.state = 'open'
  // The queue retries by itself, later than a test waits.
  await service.database.rows(sql`
    select graphile_worker.add_job('secrets.remove_elsewhere', '{}', job_key => 'secrets.remove_elsewhere')`)
  await until('it is erased', removals, rows => rows.length === 0, often)
  assert.equal(ours.at(`${live.slice(1)}/database`), undefined)
  assert.deepEqual(ours.at(`${live.slice(1)}/others`), { password: 'of somebody else' })
})

test('no log of the service holds a secret or a token', () => {
  const logged = service.logged.join('\n')
  for (const word of [secret, ours.token, theirs.token]) assert.ok(!logged.includes(word))
})
