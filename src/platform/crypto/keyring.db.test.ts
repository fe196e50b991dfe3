import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import {
  dataKeyName,
  newDataKey,
  openKeyring,
  rewrap,
  rootKey,
  rootKeys,
  UnknownDataKey,
  WrongRootKey,
} from './index.ts'

const own = await testDatabase()
const database: Database = openDatabase({ url: own.appUrl, name: 'keyring test' })
const key = randomBytes(32)
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'))
})
after(async () => {
  await database.end()
  await own.drop()
  await rm(folder, { recursive: true })
})

test('a root key is made once, for its owner alone, and two first starts agree on it', async () => {
  const file = join(folder, 'data', 'root.key')
  const made = await Promise.all([1, 2, 3].map(() => rootKey({ given: undefined, file, database })))
  assert.equal(made[0]!.length, 32)
  assert.deepEqual(made[1], made[0])
  assert.deepEqual(made[2], made[0])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(join(folder, 'data')), ['root.key'])
  assert.deepEqual(await rootKey({ given: key, file, database }), key)
})

test('a root key that others can read, or that is no key, stops the start', async () => {
  const open = join(folder, 'open.key')
  await writeFile(open, `${key.toString('base64')}\n`)
  await chmod(open, 0o644)
  await assert.rejects(rootKey({ given: undefined, file: open, database }), /chmod 600/)
  const cut = join(folder, 'cut.key')
  await writeFile(cut, 'abcd\n', { mode: 0o600 })
  await assert.rejects(rootKey({ given: undefined, file: cut, database }), /32 bytes/)
})

test('processes that start together for the first time share one data key, and what one seals the other opens', async () => {
  const [a, b] = await Promise.all([1, 2].map(() => openKeyring({ database, rootKey: key })))
  const sealed = a!.seal('{"z":1,"a":2}', 'properties_versions:1')
  assert.equal(b!.openText(sealed, 'properties_versions:1'), '{"z":1,"a":2}')
  assert.equal((await database.one(sql<{ n: number }>`select count(*)::int as n from data_keys`))!.n, 1)
  assert.deepEqual(a!.mac('cursors', 'x'), b!.mac('cursors', 'x'))
  assert.notDeepEqual(a!.mac('cursors', 'x'), a!.mac('credentials', 'x'))
})

test('sealed bytes open only for the record that they were sealed for, and only unchanged', async () => {
  const keyring = await openKeyring({ database, rootKey: key })
  const plain = Buffer.from([0, 255, 1, 0])
  const sealed = keyring.seal(plain, 'vault_entries:1')
  assert.deepEqual(keyring.open(sealed, 'vault_entries:1'), plain)
  assert.throws(() => keyring.open(sealed, 'vault_entries:2'), /another record, or changed/)
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = changed[i]! ^ 1
    assert.throws(() => keyring.open(changed, 'vault_entries:1'), `byte ${i}`)
  }
  assert.throws(() => keyring.open(sealed.subarray(0, 20), 'vault_entries:1'), /no ciphertext/)
  assert.notDeepEqual(keyring.seal(plain, 'vault_entries:1'), sealed)
  assert.equal(keyring.openText(keyring.seal('', 'x'), 'x'), '')
})

test('a long text is compressed before it is sealed, and comes back as it was', async () => {
  const keyring = await openKeyring({ database, rootKey: key })
  const long = JSON.stringify({ text: 'repeated, '.repeat(1_000), letters: 'ü€🙂' })
  const sealed = await keyring.sealText(long, 'properties_versions:1')
  assert.ok(sealed.length < long.length / 10)
  assert.equal((await openKeyring({ database, rootKey: key })).openText(sealed, 'properties_versions:1'), long)
  assert.throws(() => keyring.open(sealed, 'properties_versions:2'), /another record, or changed/)
  // Declared in another format than its own: the format is sealed with the rest.
  const otherFormat = Buffer.from(sealed)
  otherFormat[0] = keyring.seal('', 'x')[0]!
  assert.throws(() => keyring.open(otherFormat, 'properties_versions:1'), /another record, or changed/)
  const random = randomBytes(4_000).toString('latin1')
  const large = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => index))
  assert.ok((await keyring.sealText(large, 'x')).length < large.length / 2)
  for (const text of ['', '{}', random, large])
    assert.equal(keyring.openText(await keyring.sealText(text, 'x'), 'x'), text)
})

test('a database that is encrypted starts with no other root key, and a lost one is not made anew', async () => {
  await openKeyring({ database, rootKey: key })
  await assert.rejects(openKeyring({ database, rootKey: randomBytes(32) }), WrongRootKey)
  const file = join(folder, 'lost', 'root.key')
  await assert.rejects(rootKey({ given: undefined, file, database }), /is missing/)
  await assert.rejects(stat(file))
})

test('after its data key is retired a keyring seals under a new one and still opens what is old', async () => {
  const old = (await openKeyring({ database, rootKey: key })).seal('old', 'x')
  await database.count(sql`update data_keys set retired_at = sluice_now()`)
  const keyring = await openKeyring({ database, rootKey: key })
  assert.equal(keyring.openText(old, 'x'), 'old')
  assert.equal(keyring.seal('new', 'x').readUInt32BE(1), old.readUInt32BE(1) + 1)
})

test('a key that another process announces is known once it was read again, and sealed with only when it is in use', async () => {
  const [mine, other] = [await openKeyring({ database, rootKey: key }), await openKeyring({ database, rootKey: key })]
  const before = mine.known.sealsWith
  const id = before + 1
  await database.count(sql`
    insert into data_keys (id, wrapped) values (${id}, ${mine.wrapping.wrap(newDataKey(), dataKeyName(id))})`)
  assert.deepEqual(await mine.refresh(), { knows: id, sealsWith: before, nextRoot: null })
  await database.count(sql`update data_keys set in_use_at = sluice_now() where id = ${id}`)
  assert.equal((await mine.refresh()).sealsWith, id)
  const sealed = mine.seal('new', 'x')
  assert.throws(() => other.open(sealed, 'x'), UnknownDataKey)
  await other.refresh()
  assert.equal(other.openText(sealed, 'x'), 'new')
})

test('the root key that follows opens everything, signs as before, and takes the place of its file', async () => {
  const file = join(folder, 'follows', 'root.key')
  const fresh = await testDatabase()
  const its = openDatabase({ url: fresh.appUrl, name: 'next root key' })
  const roots = () => rootKeys({ given: undefined, next: undefined, file, database: its })
  const keyring = await openKeyring({ database: its, rootKey: roots() })
  const first = await readFile(file, 'utf8')
  const [sealed, mac] = [keyring.seal('sealed', 'x'), keyring.mac('cursors', 'x')]
  const next = randomBytes(32)
  await writeFile(`${file}.next`, `${next.toString('base64')}\n`, { mode: 0o600 })
  assert.notEqual((await keyring.refresh()).nextRoot, null)
  assert.equal(await readFile(file, 'utf8'), first)
  await its.transaction(tx => rewrap(tx, keyring.wrapping, keyring.nextWrapping!))
  // This process keeps running; the other one starts as after a power cut, before any file was moved.
  const started = await openKeyring({ database: its, rootKey: roots() })
  for (const each of [started, keyring]) {
    assert.equal((await each.refresh()).nextRoot, null)
    assert.equal(each.openText(sealed, 'x'), 'sealed')
    assert.deepEqual(each.mac('cursors', 'x'), mac)
  }
  assert.equal(await readFile(file, 'utf8'), `${next.toString('base64')}\n`)
  assert.equal(await readFile(`${file}.before`, 'utf8'), first)
  const old = Buffer.from(first, 'base64')
  await assert.rejects(openKeyring({ database: its, rootKey: old }), WrongRootKey)
  await its.end()
  await fresh.drop()
})

test('processes that see at the same moment that the root key has followed keep the one before', async () => {
  for (let round = 0; round < 20; round++) {
    const file = join(folder, `together-${round}`, 'root.key')
    const fresh = () => rootKeys({ given: undefined, next: undefined, file, database: unencrypted })
    const { current } = await fresh().read()
    const next = randomBytes(32)
    await writeFile(`${file}.next`, `${next.toString('base64')}\n`, { mode: 0o600 })
    await Promise.all([1, 2, 3, 4].map(() => fresh().adopt(next)))
    assert.deepEqual((await fresh().read()).current, next)
    assert.equal(await readFile(`${file}.before`, 'utf8'), `${Buffer.from(current).toString('base64')}\n`)
    assert.deepEqual((await readdir(join(folder, `together-${round}`))).sort(), ['root.key', 'root.key.before'])
  }
})

/** A database without keys. */
const unencrypted = { one: async () => undefined } as unknown as Database
