import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { openKeyring } from '#platform/crypto/index.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { startTestVault, type TestVault } from '../../../tests/support/vault-server.ts'
import { keyValueVault } from './key-value-vault.adapter.ts'
import { referenceOf, type SecretPlace } from './reference.ts'
import type { Vault } from './vault.port.ts'
import { builtInVault } from './vault.store.ts'
import type { VaultConnection } from './vault-connection.ts'
import { VaultFailure } from './vault-failure.ts'

/** Guarantees of every vault, tested on the built-in one and on those with the interface of Vault and OpenBao. */

const own = await testDatabase()
const database: Database = openDatabase({ url: own.appUrl, name: 'vault test', size: 4 })
let server: TestVault
let secure: TestVault
const outgoing = { privateAddresses: ['127.0.0.0/8', '::1'], authorities: undefined }
const connection = (more: Partial<VaultConnection> = {}): VaultConnection => ({
  address: server.address,
  auth_method: 'token',
  token: server.token,
  mount_path: 'kv',
  ...more,
})
const asUser = (of: TestVault = server): VaultConnection => ({
  address: of.address,
  auth_method: 'userpass',
  ...of.user,
  mount_path: '/kv/',
})

const vaults: Record<string, () => Promise<Vault>> = {
  'the built-in vault': async () =>
    builtInVault(await openKeyring({ database, rootKey: Buffer.alloc(32, 'of this test') })),
  'a key-value engine, with a token': async () => keyValueVault(connection(), outgoing),
  'a key-value engine, with a user over TLS': async () =>
    keyValueVault({ ...asUser(secure), tls: { ca: secure.authority } }, outgoing),
}

before(async () => {
  server = await startTestVault()
  secure = await startTestVault({ tls: true })
})
beforeEach(() => {
  server.state = 'open'
  server.readOnly = false
  delete server.before
})
after(async () => {
  await server.stop()
  await secure.stop()
  await database.end()
  await own.drop()
})

const by = { userId: null, username: 'anna', projectId: null }
const place = (key: string, path = `/projects/bank/${randomBytes(4).toString('hex')}`): SecretPlace => ({ path, key })
const store = (vault: Vault, at: SecretPlace, value: string) =>
  database.transaction(tx => vault.store(tx, { ...at, value }, by))
const read = async (vault: Vault, ...places: SecretPlace[]) => {
  const found = await vault.read(database, places)
  return places.flatMap(each => found.get(referenceOf(each)) ?? [])
}

for (const [name, open] of Object.entries(vaults)) {
  test(`${name} answers what was stored, byte for byte, and takes another value in its place`, async () => {
    const vault = await open()
    const at = place('password')
    const value = 'a "wörd" with \n lines, \\ and 🔑'
    const id = await store(vault, at, value)
    assert.deepEqual(await vault.read(database, [at]), new Map([[`secret:/${at.path}/password`, value]]))
    assert.equal(await store(vault, at, 'another one'), id)
    assert.deepEqual(await read(vault, at), ['another one'])
  })

  test(`${name} keeps the keys of one path apart, those of any characters too`, async () => {
    const vault = await open()
    const first = place('user name?#%2F', '/projects/bank/a b%/ü')
    const second = place('password', first.path)
    await store(vault, first, 'first')
    await store(vault, second, 'second')
    assert.deepEqual(await read(vault, first, second), ['first', 'second'])
    await vault.remove(database, first)
    assert.deepEqual(await read(vault, first, second), ['second'])
  })

  test(`${name} answers nothing for what is not there, and removing that is no error`, async () => {
    const vault = await open()
    const at = place('none')
    assert.deepEqual(await read(vault, at), [])
    await vault.remove(database, at)
    await store(vault, at, 'there')
    await vault.remove(database, at)
    assert.deepEqual(await read(vault, at), [])
    await store(vault, at, 'there again')
    assert.deepEqual(await read(vault, at), ['there again'])
  })

  test(`${name} loses nothing when keys of one path are stored at the same moment`, async () => {
    const vault = await open()
    const { path } = place('')
    const places = ['a', 'b', 'c', 'd'].map(key => place(key, path))
    await Promise.all(places.map(each => store(vault, each, `value ${each.key}`)))
    assert.deepEqual(await read(vault, ...places), ['value a', 'value b', 'value c', 'value d'])
  })

  test(`${name} gives a secret to nobody but its own table or vault: no row shows it`, async () => {
    const vault = await open()
    await store(vault, place('password'), 'the-marked-value')
    const rows = await database.rows(sql<{ text: string }>`select v::text as text from vault_entries v`)
    const marked = Buffer.from('the-marked-value')
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${marked}|${marked.toString('hex')}`))
  })
}

test('a vault is asked between transactions, and what was asked is asked once however often they are begun', async () => {
  const vault = keyValueVault(connection(), outgoing)
  const at = place('password')
  await store(vault, at, 'stored')
  const before = server.asked.length
  const open: number[] = []
  server.before = () => void open.push(openTransactions)
  let openTransactions = 0
  let attempts = 0
  const values = await database.transaction(async tx => {
    openTransactions += 1
    attempts += 1
    try {
      await tx.one(sql`select 1`)
      await vault.read(tx, [at])
      return [...(await vault.read(tx, [at])).values()]
    } finally {
      openTransactions -= 1
    }
  })
  assert.deepEqual(values, ['stored'])
  assert.deepEqual({ attempts, open, asked: server.asked.length - before }, { attempts: 2, open: [0], asked: 1 })
})

test('secrets that others put there are read: numbers and documents as their text, deleted ones not', async () => {
  const vault = keyValueVault(connection(), outgoing)
  server.put('projects/bank/theirs', { port: 54_321, document: { a: 1 }, text: 'text', pin: '123' })
  const of = (key: string) => place(key, '/projects/bank/theirs')
  assert.deepEqual(await read(vault, of('port'), of('document'), of('text')), ['54321', '{"a":1}', 'text'])
  await assert.rejects(read(vault, of('pin')), /fewer than 4 characters/)
  server.deleteNewest('projects/bank/theirs')
  assert.deepEqual(await read(vault, of('text')), [])
  await store(vault, of('text'), 'after the deletion')
  assert.deepEqual(await read(vault, of('text')), ['after the deletion'])
})

test('what is removed last leaves no history behind', async () => {
  const vault = keyValueVault(connection(), outgoing)
  const [at, other] = [place('a'), place('b')]
  await store(vault, at, 'value')
  await store(vault, { ...other, path: at.path }, 'other')
  await vault.remove(database, at)
  assert.deepEqual(server.at(at.path.slice(1)), { b: 'other' })
  await vault.remove(database, { ...other, path: at.path })
  assert.equal(server.at(at.path.slice(1)), undefined)
  assert.equal(server.asked.at(-1), `DELETE /v1/kv/metadata${at.path}`)
})

test('one sign-in does for many requests, and a revoked token is replaced by another sign-in', async () => {
  const vault = keyValueVault(asUser(), outgoing)
  const signIns = () => server.asked.filter(each => each.includes('/auth/userpass/login/sluice')).length
  const before = signIns()
  const at = place('password')
  await store(vault, at, 'value')
  await Promise.all([1, 2, 3].map(() => read(vault, at)))
  assert.equal(signIns() - before, 1)
  server.revokeTokens()
  assert.deepEqual(await read(vault, at), ['value'])
  assert.equal(signIns() - before, 2)
})

test('a token that is revoked while several paths are read is replaced for all of them, by one sign-in', async () => {
  const vault = keyValueVault(asUser(), outgoing)
  const signIns = () => server.asked.filter(each => each.includes('/auth/userpass/login/sluice')).length
  const places = [1, 2, 3, 4, 5, 6].map(() => place('password'))
  for (const each of places) await store(vault, each, `value of ${each.path}`)
  const before = signIns()
  server.revokeTokens()
  assert.deepEqual(
    await read(vault, ...places),
    places.map(({ path }) => `value of ${path}`),
  )
  assert.equal(signIns() - before, 1)
})

test('a key that is called as what every object has is a key like any other', async () => {
  const vault = keyValueVault(connection(), outgoing)
  assert.deepEqual(await read(vault, place('constructor')), [])
})

const failures: readonly [what: string, prepare: () => VaultConnection, says: RegExp][] = [
  ['is sealed', () => withState('sealed'), /cannot read kv\/projects\/.* \(503: Vault is sealed\)/],
  ['is not there', () => connection({ address: 'http://127.0.0.1:1' }), /cannot be reached \(ECONNREFUSED\)/],
  ['has no such name', () => connection({ address: 'http://vault.invalid' }), /vault\.invalid cannot be resolved/],
  ['refuses the token', () => connection({ token: 'wrong-token' }), /does not let its user read .*permission denied/],
  [
    'refuses the user',
    () => ({ ...asUser(), password: 'wrong-password' }),
    /does not sign in the user sluice \(400: invalid/,
  ],
  ['has no such engine', () => connection({ mount_path: 'nowhere' }), /\(404: no handler for route/],
  ['sends elsewhere for ever', () => withState({ redirect: server.address }), /sends elsewhere, and not to a vault/],
  [
    'sends to an address that is never reached',
    () => withState({ redirect: 'http://169.254.169.254' }),
    /169\.254\.169\.254 is an address that is never reached/,
  ],
  [
    'has a certificate that nobody vouches for',
    () => ({ ...asUser(secure), tls: {} }),
    /certificate of the vault .* is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  ],
]

function withState(state: TestVault['state']): VaultConnection {
  server.state = state
  return connection()
}

for (const [what, prepare, says] of failures)
  test(`a vault that ${what} is told so, without what it was told`, async () => {
    const vault = keyValueVault(prepare(), outgoing)
    await assert.rejects(read(vault, place('password')), (error: Error) => {
      assert.ok(error instanceof VaultFailure, String(error))
      assert.equal(error.status, 503)
      assert.match(error.message, says)
      assert.doesNotMatch(error.message, new RegExp(`wrong-|${server.token}|${server.user.password}`))
      return true
    })
  })

test('private addresses are asked only where they are listed, and certificates are not checked only where that is said', async () => {
  const at = place('password')
  const closed = keyValueVault(connection(), { ...outgoing, privateAddresses: [] })
  await assert.rejects(read(closed, at), /is a private address; SLUICE_PRIVATE_ADDRESSES/)
  const trusting = keyValueVault({ ...asUser(secure), tls: { verify: false } }, outgoing)
  assert.deepEqual(await read(trusting, at), [])
  const known = keyValueVault(asUser(secure), { ...outgoing, authorities: secure.authority })
  assert.deepEqual(await read(known, at), [])
})

test('a standby sends on to the active vault, and is followed with the token', async () => {
  const standby = await startTestVault()
  standby.state = { redirect: server.address }
  const at = place('password')
  await store(keyValueVault(connection(), outgoing), at, 'value')
  const vault = keyValueVault(connection({ address: standby.address }), outgoing)
  assert.deepEqual(await read(vault, at), ['value'])
  await store(vault, at, 'through the standby')
  assert.deepEqual(await read(vault, at), ['through the standby'])
  await standby.stop()
})

test('a vault that never answers holds up nobody but who asked it', async () => {
  server.state = 'silent'
  const vault = keyValueVault(connection(), outgoing)
  const at = place('password')
  const asking = assert.rejects(
    database.transaction(tx => vault.read(tx, [at])),
    /has not answered within 5 s/,
  )
  // More than there are connections: each is answered while the vault is waited for.
  await Promise.all(Array.from({ length: 12 }, () => database.transaction(tx => tx.one(sql`select 1`))))
  await asking
})
