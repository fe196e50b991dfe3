import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { type Client, startTestApi } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { nodesDomain } from '../nodes/index.ts'
import { openVaults, resolveReferences, secretsDomain, UnresolvedSecrets, type Vaults } from './index.ts'

let vault: Vaults
/** References in the properties, the settings and the model of every node. */
const used = { properties: {}, settings: {}, model: {} as unknown }
const bankPath = '/projects/bank'
const api = await startTestApi({
  domains: ({ keyring }) => {
    const outgoing = { privateAddresses: [], authorities: undefined }
    vault = openVaults({ keyring, outgoing, connectionOf: async () => undefined })
    const documents = {
      properties: async () => used.properties,
      settings: async () => used.settings,
      model: async () => used.model,
    }
    return [
      secretsDomain({ keyring, vaults: vault, documents, maskFirst: async () => {} }),
      nodesDomain({ others: [] }),
    ]
  },
  users: {
    admin: superuserRights,
    keeper: rightsTo({ '/projects/bank': ['read'], '/projects/bank/secrets': ['update'] }),
    user: rightsTo({ '/projects/bank': ['read'], '/projects/bank/assets/web/secrets': ['execute'] }),
    modeller: rightsTo({ [bankPath]: ['read'], [`${bankPath}/assets/web/model/secrets`]: ['execute'] }),
    painter: rightsTo({ [bankPath]: ['read'], [`${bankPath}/properties/secrets`]: ['update', 'execute'] }),
    other: rightsTo({ '/projects/shop': ['read', 'update', 'execute'] }),
  },
})
after(() => api.stop())

const value = 'the-marked-secret-value'
const bank = bankPath
const web = '/projects/bank/assets/web'

before(async () => {
  await api.database.count(sql`
    with made as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'bank', 'bank', 'Enterprise', id, ${bank}, 'test' from made`)
  await api.database.count(sql`
    insert into nodes (node_type, code, name, parent_id, project_id, path, created_by)
    select 'asset', 'web', 'web', id, id, ${web}, 'test' from nodes where path = ${bank}`)
})

const store = (client: Client, more: object = {}) =>
  client.post('/api/secrets/encrypt', { node_path: bank, path: 'db', key: 'password', value, ...more })
const resolve = (client: Client, reference: string, node_path = web) =>
  client.post('/api/secrets/resolve', { node_path, reference })

test('a stored secret is answered to whoever may resolve it, and to no cache', async () => {
  const stored = await store(api.as('keeper'))
  assert.equal(stored.status, 201)
  assert.deepEqual(stored.body.data.attributes, { reference: 'secret://projects/bank/db/password' })
  const resolved = await resolve(api.as('user'), stored.body.data.attributes.reference)
  assert.equal(resolved.status, 200)
  assert.equal(resolved.body.data.attributes.value, value)
  assert.equal(resolved.headers.get('cache-control'), 'no-store')
})

test('storing needs update on the secrets of the node, resolving execute, and neither tells of a node unseen', async () => {
  const { reference } = (await store(api.as('admin'))).body.data.attributes
  assert.equal((await store(api.as('user'))).status, 403)
  assert.equal((await resolve(api.as('keeper'), reference)).status, 403)
  assert.equal((await resolve(api.as('user'), reference, bank)).status, 403)
  const hidden = await store(api.as('other'))
  const unknown = await store(api.as('other'), { node_path: '/projects/none' })
  assert.equal(hidden.status, 404)
  assert.deepEqual({ ...hidden.body.errors[0], id: 0 }, { ...unknown.body.errors[0], id: 0 })
})

test('a secret is stored for its own node and used beneath it alone', async () => {
  const beside = await store(api.as('admin'), { path: 'assets/web' })
  assert.equal(beside.status, 422)
  assert.equal((await store(api.as('admin'), { path: '../shop/db' })).status, 422)
  assert.equal((await store(api.as('admin'), { value: 'abc' })).status, 422)
  assert.equal((await store(api.as('admin'), { key: 'a/b' })).status, 422)
  const whole = await store(api.as('admin'), { node_path: web, path: `${web}/tls`, key: 'key' })
  assert.equal(whole.body.data.attributes.reference, 'secret://projects/bank/assets/web/tls/key')
  assert.equal((await resolve(api.as('admin'), whole.body.data.attributes.reference, bank)).status, 422)
  assert.equal((await resolve(api.as('admin'), 'secret://projects/bank/db/none')).status, 422)
})

test('a path and a key that are longer than an index holds are refused, and the longest of ASCII are not', async () => {
  const noise = (length: number) => randomBytes(length).toString('hex').slice(0, length)
  const longest = { path: noise(1_000), key: noise(255) }
  const stored = await store(api.as('admin'), longest)
  assert.equal(stored.status, 201)
  assert.equal(
    (await resolve(api.as('admin'), stored.body.data.attributes.reference)).body.data.attributes.value,
    value,
  )
  // A path of random characters that take three bytes each.
  const path = Array.from({ length: 1_000 }, () => String.fromCodePoint(0x4e00 + randomInt(20_902))).join('')
  const { status, body } = await store(api.as('admin'), { path })
  assert.deepEqual([status, body.errors[0].source], [422, { pointer: '/data/attributes/path' }])
})

test('both are recorded and nowhere lies the value', async () => {
  const { reference } = (await store(api.as('admin'))).body.data.attributes
  await resolve(api.as('admin'), reference)
  const rows = await api.database.rows(sql<{ type: string; text: string }>`
    select type, attributes::text || convert_from(body, 'UTF8') as text from events order by created_at desc limit 2`)
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['api:secrets:resolve', 'api:secrets:encrypt'],
  )
  const everything = await api.database.rows(sql`
    select e::text, v::text, convert_from(e.body, 'UTF8') from events e, vault_entries v`)
  assert.doesNotMatch(JSON.stringify(everything), new RegExp(`${value}|${Buffer.from(value).toString('hex')}`))
})

test('a secret is no answer to keep for a repeated request', async () => {
  const { reference } = (await store(api.as('admin'))).body.data.attributes
  const key = { 'idempotency-key': 'once' }
  await api.as('admin').post('/api/secrets/resolve', { node_path: web, reference }, key)
  assert.deepEqual(await api.database.rows(sql`select key from idempotency_keys where answer is not null`), [])
})

test('a step is given its document with the secrets in their places, and what to mask', async () => {
  const { reference } = (await store(api.as('admin'))).body.data.attributes
  const document = { z: [reference, { __proto: 1 }], a: reference, plain: 7 }
  const resolved = await resolveReferences(api.database, vault, document, web)
  assert.deepEqual(resolved, {
    document: { z: [value, { __proto: 1 }], a: value, plain: 7 },
    secrets: [value],
    references: [reference],
  })
  assert.deepEqual(Object.keys(resolved.document), ['z', 'a', 'plain'])
})

test('a step whose secrets are missing, malformed or another’s is told all of them', async () => {
  const document = ['secret://projects/bank/db/none', 'secret://x', 'secret://projects/shop/db/password']
  await assert.rejects(resolveReferences(api.database, vault, document, web), (error: UnresolvedSecrets) => {
    assert.ok(error instanceof UnresolvedSecrets)
    assert.deepEqual(error.references, document)
    return true
  })
})

test('who may use the secrets of a model, of properties or of settings resolves what those refer to, and nothing else', async () => {
  const { reference } = (await store(api.as('admin'))).body.data.attributes
  const [modeller, painter] = [api.as('modeller'), api.as('painter')]
  assert.equal((await resolve(modeller, reference)).status, 403)
  assert.equal((await resolve(painter, reference, bank)).status, 403)
  used.properties = { somewhere: [reference] }
  assert.equal((await resolve(modeller, reference)).status, 403)
  assert.equal((await resolve(painter, reference, bank)).body.data.attributes.value, value)
  used.model = { actions: [{ password: reference.replace('secret://', 'secret:///') }] }
  assert.equal((await resolve(modeller, reference)).body.data.attributes.value, value)
  assert.equal((await resolve(modeller, reference, bank)).status, 403)
  used.model = null
  assert.equal((await resolve(modeller, reference)).status, 403)
})

test('storing takes the right to the secrets of the node, or of its properties or settings', async () => {
  assert.equal((await store(api.as('painter'))).status, 201)
  assert.equal((await store(api.as('modeller'), { node_path: web })).status, 403)
})
