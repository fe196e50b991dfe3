import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { type Packed, unpacked } from './packed.ts'
import type { Roots } from './root-key.ts'
import { derive, readKeys, type Wrapping, WrongRootKey, wrappingOf } from './root-wrapping.ts'
import { openWith, resealWith, type SealingKey, sealTextWith, sealWith } from './sealing.ts'

/**
 * Encryption at rest. Everything secret is sealed under a data key. Data keys are in the database, wrapped by the root
 * key, which is not in the database. `aad` names the record and the column that the bytes belong to
 * (`properties_versions:<id>`): bytes copied from one row to another cannot be opened. All calls but `sealText` are
 * synchronous: a kilobyte takes 60 µs.
 */
export interface Keyring {
  seal(plain: Uint8Array | string, aad: string): Buffer
  /**
   * Encrypts a document of any size: compressed first if that makes a difference, since reads from the database cost
   * time per byte (a megabyte of ciphertext takes 6 ms on its way). Never use it for a secret next to text chosen by
   * others: the length would reveal the secret.
   */
  sealText(text: string, aad: string): Promise<Buffer>
  /**
   * @throws when the bytes were sealed for another record, were changed, or belong to an unknown key (`UnknownDataKey`,
   *   after which the keys are read again).
   */
  open(sealed: Uint8Array, aad: string): Buffer
  /** Decrypts without decompressing, for a caller that has another thread to do so. */
  openPacked(sealed: Uint8Array, aad: string): Packed
  /** Decrypts a document stored as JSON text: the result is the text that was sealed, keys in the same order. */
  openText(sealed: Uint8Array, aad: string): string
  /** 32 bytes that only this installation can derive, different for each purpose: cursors, cached credentials. */
  mac(purpose: string, bytes: Uint8Array | string): Buffer
}

/** Keys that a process knows, so that a rotation knows when it may continue. */
export interface KnownKeys {
  /** The newest data key that this process can open with. */
  readonly knows: number
  /** The data key that this process seals with. */
  readonly sealsWith: number
  /** Names the next root key, if this process has one; reveals nothing about the key. */
  readonly nextRoot: string | null
}

/** The keyring of a process of the service: it learns keys of other processes while it runs. */
export interface LiveKeyring extends Keyring {
  /** Seals the same content under the current key. */
  reseal(sealed: Uint8Array, aad: string): Buffer
  /** Reads the keys again. */
  refresh(): Promise<KnownKeys>
  readonly known: KnownKeys
  /** Wraps under the current root key, or under the next one. */
  readonly wrapping: Wrapping
  readonly nextWrapping: Wrapping | undefined
}

/**
 * Loads the data keys. The first start on a database creates the first of them and stores a check value of the root
 * key. Every later start compares with it, so that a wrong key stops the service before it writes unreadable data.
 *
 * @throws WrongRootKey
 */
export async function openKeyring(options: {
  database: Database
  /** 32 bytes, or their sources, which are read each time. */
  rootKey: Uint8Array | Roots
}): Promise<LiveKeyring> {
  const { database, rootKey } = options
  const roots: Roots =
    rootKey instanceof Uint8Array ? { read: async () => ({ current: rootKey }), adopt: async () => {} } : rootKey
  let hand = await load(database, roots)
  const macKeys = new Map<string, KeyObject>()
  let refreshing: Promise<void> | undefined
  const refresh = async () => {
    refreshing ??= load(database, roots)
      .then(read => {
        hand = read
      })
      .finally(() => {
        refreshing = undefined
      })
    await refreshing
    return hand.known
  }
  const openPacked = (sealed: Uint8Array, aad: string) => openWith(hand.keys, sealed, aad)
  const open = (sealed: Uint8Array, aad: string) => unpacked(openPacked(sealed, aad))

  return {
    seal: (plain, aad) => sealWith(hand.sealing, plain, aad),
    sealText: (text, aad) => sealTextWith(() => hand.sealing, text, aad),
    reseal: (sealed, aad) => resealWith(hand.sealing, hand.keys, sealed, aad),
    open,
    openPacked,
    openText: (sealed, aad) => open(sealed, aad).toString('utf8'),
    mac: (purpose, bytes) => {
      const key = macKeys.get(purpose) ?? createSecretKey(derive(hand.macKey, `mac: ${purpose}`))
      macKeys.set(purpose, key)
      return createHmac('sha256', key).update(bytes).digest()
    },
    refresh,
    get known() {
      return hand.known
    },
    get wrapping() {
      return hand.wrapping
    },
    get nextWrapping() {
      return hand.nextWrapping
    },
  }
}

interface Keys {
  readonly keys: ReadonlyMap<number, KeyObject>
  readonly sealing: SealingKey
  readonly macKey: Buffer
  readonly known: KnownKeys
  readonly wrapping: Wrapping
  readonly nextWrapping: Wrapping | undefined
}

async function load(database: Database, roots: Roots): Promise<Keys> {
  const given = await roots.read()
  const candidates = [given.current, ...(given.next ? [given.next] : [])].map(root => ({ root, ...wrappingOf(root) }))
  const read = await database.transaction(tx => readKeys(tx, candidates))
  const inForce = candidates.find(({ wrapping }) => wrapping === read.wrapping)!
  // The next root key has become the current one: another process, or an interrupted start, has wrapped the keys again.
  if (inForce !== candidates[0]) await roots.adopt(inForce.root)
  const next = inForce === candidates[0] ? candidates[1] : undefined
  // From bytes, each call would create the key object again: three quarters of the time of a short call.
  const keys = new Map(read.dataKeys.map(({ id, bytes }) => [id, createSecretKey(bytes)]))
  const sealsWith = Math.max(...read.dataKeys.filter(({ inUse }) => inUse).map(({ id }) => id))
  return {
    keys,
    sealing: { id: sealsWith, key: keys.get(sealsWith)! },
    macKey: read.macKey,
    wrapping: inForce.wrapping,
    nextWrapping: next?.wrapping,
    known: {
      knows: Math.max(...keys.keys()),
      sealsWith,
      nextRoot: next ? next.checkOf(read.installationId).toString('hex') : null,
    },
  }
}

/** Generates a data key, which is not used until every process knows it. */
export const newDataKey = (): Buffer => randomBytes(32)

export { WrongRootKey }
