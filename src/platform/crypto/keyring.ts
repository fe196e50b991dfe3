import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'
import type { Database, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type Packed, unpacked } from './packed.ts'

/**
 * Encryption at rest (access.md 3). Everything secret is sealed under a data key; data keys lie in the database, wrapped
 * by the root key, which does not. `aad` names the record and the column that the bytes belong to
 * (`properties_versions:<id>`): what is copied from one row to another no longer opens. All calls are synchronous: a
 * kilobyte takes 60 µs.
 */
export interface Keyring {
  seal(plain: Uint8Array | string, aad: string): Buffer
  /**
   * For documents of any size: compressed first where that makes a difference, since what is read from the database is
   * paid for by the byte (a megabyte of ciphertext takes 6 ms on its way). Never for what is secret beside what others
   * choose: its length would speak.
   */
  sealText(text: string, aad: string): Buffer
  /** @throws when the bytes were sealed for another record, were changed, or belong to an unknown key. */
  open(sealed: Uint8Array, aad: string): Buffer
  /** The same, left compressed where it is: for whoever has another thread to unpack it. */
  openPacked(sealed: Uint8Array, aad: string): Packed
  /** For documents kept as JSON text: what was sealed as text comes back as the same text, keys in the same order. */
  openText(sealed: Uint8Array, aad: string): string
  /** 32 bytes that only this installation can make, different for each purpose: cursors, cached credentials. */
  mac(purpose: string, bytes: Uint8Array | string): Buffer
}

/** The root key is not the one that this database was encrypted with. */
export class WrongRootKey extends Error {}

/**
 * Loads the data keys. The first start on a database makes the first of them and notes a check value of the root key;
 * every later start compares with it, so that a wrong key stops the service before it writes what nobody could read.
 */
export async function openKeyring(options: { database: Database; rootKey: Uint8Array }): Promise<Keyring> {
  const wrapping = keyring(options.rootKey, new Map([[0, derive(options.rootKey, 'wrap data keys')]]), 0)
  const rows = await options.database.transaction(async tx => {
    await checkRootKey(tx, wrapping)
    return dataKeys(tx, wrapping)
  })
  const keys = new Map(rows.map(({ id, wrapped }) => [id, wrapping.open(wrapped, dataKeyName(id))]))
  const current = Math.max(...rows.filter(row => !row.retired).map(row => row.id))
  return keyring(options.rootKey, keys, current)
}

async function checkRootKey(tx: Tx, wrapping: Keyring): Promise<void> {
  // The lock makes processes that start together for the first time agree on one first data key.
  const installation = (await tx.one(
    sql<{ id: string; key_check: Buffer | null }>`select id, key_check from installation for update`,
  ))!
  const check = wrapping.mac('root key check', installation.id)
  if (!installation.key_check) {
    await tx.count(sql`update installation set key_check = ${check}`)
  } else if (!timingSafeEqual(installation.key_check, check)) {
    throw new WrongRootKey(
      'the root key is not the one that this database is encrypted with: give the right SLUICE_ROOT_KEY, or put the right root.key back from its backup',
    )
  }
}

type DataKey = { id: number; wrapped: Buffer; retired: boolean }

async function dataKeys(tx: Tx, wrapping: Keyring): Promise<DataKey[]> {
  const known = await tx.rows(
    sql<DataKey>`select id, wrapped, retired_at is not null as retired from data_keys order by id`,
  )
  if (known.some(key => !key.retired)) return known
  const id = (known.at(-1)?.id ?? 0) + 1
  const wrapped = wrapping.seal(randomBytes(32), dataKeyName(id))
  await tx.count(sql`insert into data_keys (id, wrapped) values (${id}, ${wrapped})`)
  return [...known, { id, wrapped, retired: false }]
}

const dataKeyName = (id: number) => `data_keys:${id}`

/** The first byte of everything sealed: what follows is key id (4 bytes), nonce (12), tag (16), ciphertext. */
const formats = { plain: 1, deflated: 2 }
const smallestDeflated = 1_024
/** What is compressed has its size before it. */
const sizeLength = 4
const headerLength = 5
const nonceLength = 12
const tagLength = 16
const cipherName = 'aes-256-gcm'

function keyring(rootKey: Uint8Array, bytesOfKeys: ReadonlyMap<number, Buffer>, current: number): Keyring {
  // Given as bytes, a key is made anew by each call: three quarters of what a short one costs.
  const keys = new Map([...bytesOfKeys].map(([id, bytes]) => [id, createSecretKey(bytes)]))
  const macKeys = new Map<string, KeyObject>()
  const openPacked = (sealed: Uint8Array, aad: string): Packed => {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const isKnown = bytes[0] === formats.plain || bytes[0] === formats.deflated
    if (bytes.length < headerLength + nonceLength + tagLength || !isKnown)
      throw new Error(`${aad} holds no ciphertext of a known format`)
    const header = bytes.subarray(0, headerLength)
    const key = keys.get(header.readUInt32BE(1))
    if (!key) throw new Error(`${aad} is sealed under data key ${header.readUInt32BE(1)}, which is not there`)
    const nonce = bytes.subarray(headerLength, headerLength + nonceLength)
    const tag = bytes.subarray(headerLength + nonceLength, headerLength + nonceLength + tagLength)
    const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagLength })
    decipher.setAAD(Buffer.concat([header, Buffer.from(aad)])).setAuthTag(tag)
    let plain: Buffer
    try {
      plain = Buffer.concat([decipher.update(bytes.subarray(headerLength + nonceLength + tagLength)), decipher.final()])
    } catch (cause) {
      throw new Error(`${aad} does not open: it was sealed for another record, or changed`, { cause })
    }
    if (bytes[0] === formats.plain) return { bytes: plain, deflated: false, size: plain.length }
    return { bytes: plain.subarray(sizeLength), deflated: true, size: plain.readUInt32BE() }
  }
  const open = (sealed: Uint8Array, aad: string): Buffer => unpacked(openPacked(sealed, aad))
  const sealAs = (format: number, plain: Uint8Array, aad: string): Buffer => {
    const header = Buffer.alloc(headerLength)
    header.writeUInt8(format)
    header.writeUInt32BE(current, 1)
    // Random nonces hold for 2^32 seals under one data key; a new data key begins the count again.
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv(cipherName, keys.get(current)!, nonce, { authTagLength: tagLength })
    cipher.setAAD(Buffer.concat([header, Buffer.from(aad)]))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
  }
  return {
    seal: (plain, aad) => sealAs(formats.plain, typeof plain === 'string' ? Buffer.from(plain) : plain, aad),
    sealText: (text, aad) => {
      const plain = Buffer.from(text)
      if (plain.length < smallestDeflated) return sealAs(formats.plain, plain, aad)
      const size = Buffer.alloc(sizeLength)
      size.writeUInt32BE(plain.length)
      const deflated = Buffer.concat([size, deflateRawSync(plain, { level: constants.Z_BEST_SPEED })])
      return deflated.length < plain.length
        ? sealAs(formats.deflated, deflated, aad)
        : sealAs(formats.plain, plain, aad)
    },
    open,
    openPacked,
    openText: (sealed, aad) => open(sealed, aad).toString('utf8'),
    mac: (purpose, bytes) => {
      const key = macKeys.get(purpose) ?? createSecretKey(derive(rootKey, `mac: ${purpose}`))
      macKeys.set(purpose, key)
      return createHmac('sha256', key).update(bytes).digest()
    },
  }
}

const derive = (rootKey: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', rootKey, 'sluice', purpose, 32))
