import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { unpacked } from './packed.ts'
import { openWith, sealWith } from './sealing.ts'

/** The root key is not the one that this database was encrypted with. */
export class WrongRootKey extends Error {}

/** Wraps and unwraps the keys in the database: the only use of a root key. */
export interface Wrapping {
  wrap(key: Uint8Array, name: string): Buffer
  unwrap(wrapped: Uint8Array, name: string): Buffer
  /** Names the root key of this wrapping in the database, without revealing anything about it. */
  checkOf(installationId: string): Buffer
}

export interface Candidate {
  readonly wrapping: Wrapping
  readonly checkOf: (installationId: string) => Buffer
}

export function wrappingOf(root: Uint8Array): Candidate {
  const key = createSecretKey(derive(root, 'wrap data keys'))
  const checking = derive(root, 'mac: root key check')
  const checkOf = (id: string) => createHmac('sha256', checking).update(id).digest()
  const wrapping: Wrapping = {
    wrap: (bytes, name) => sealWith({ id: 0, key }, bytes, name),
    unwrap: (wrapped, name) => unpacked(openWith(new Map([[0, key]]), wrapped, name)),
    checkOf,
  }
  return { wrapping, checkOf }
}

export const derive = (root: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, 'sluice', purpose, 32))

export const dataKeyName = (id: number): string => `data_keys:${id}`
const macKeyName = 'installation:mac_key'

interface ReadKeys {
  readonly installationId: string
  /** Wrapping of the candidate that fits. */
  readonly wrapping: Wrapping
  readonly macKey: Buffer
  readonly dataKeys: readonly { id: number; bytes: Buffer; inUse: boolean }[]
}

/**
 * The keys, unwrapped by the candidate that the database was encrypted with. On a new database these are the first
 * keys, wrapped by the first candidate.
 */
export async function readKeys(tx: Tx, candidates: readonly Candidate[]): Promise<ReadKeys> {
  // In one statement: if a rotation commits between two, keys of one wrapping would be read with the check of another.
  const read = () =>
    tx.rows(sql<StoredKey>`
      select i.id as installation, i.key_check, i.mac_key, k.id, k.wrapped,
             k.in_use_at is not null and k.retired_at is null as in_use
        from installation i
        left join data_keys k on true
       order by k.id`)
  let rows = await read()
  if (!rows[0]?.key_check || !rows[0].mac_key || !rows.some(row => row.in_use)) {
    await makeFirst(tx, candidates)
    rows = await read()
  }
  const { installation: installationId, key_check, mac_key } = rows[0]!
  const fits = candidates.find(({ checkOf }) => timingSafeEqual(checkOf(installationId), key_check!))
  if (!fits)
    throw new WrongRootKey(
      'the root key is not the one that this database is encrypted with: give the right SLUICE_ROOT_KEY, or put the right root.key back from its backup',
    )
  const { wrapping } = fits
  return {
    installationId,
    wrapping,
    macKey: wrapping.unwrap(mac_key!, macKeyName),
    dataKeys: rows.map(row => ({
      id: row.id,
      bytes: wrapping.unwrap(row.wrapped, dataKeyName(row.id)),
      inUse: row.in_use,
    })),
  }
}

interface StoredKey {
  installation: string
  key_check: Buffer | null
  mac_key: Buffer | null
  id: number
  wrapped: Buffer
  in_use: boolean
}

const hasNoKey = async (tx: Tx): Promise<boolean> =>
  !(await tx.one(sql`select from data_keys where in_use_at is not null and retired_at is null`))

/** Creates the missing ones of the first keys. The lock makes processes that start at the same time agree. */
async function makeFirst(tx: Tx, candidates: readonly Candidate[]): Promise<void> {
  const installation = (await tx.one(sql<{ id: string; key_check: Buffer | null; mac_key: Buffer | null }>`
    select id, key_check, mac_key from installation for update`))!
  const { id, key_check } = installation
  const { wrapping, checkOf } =
    candidates.find(each => key_check && timingSafeEqual(each.checkOf(id), key_check)) ?? candidates[0]!
  if (key_check && !timingSafeEqual(checkOf(id), key_check)) return
  if (!key_check) await tx.count(sql`update installation set key_check = ${checkOf(id)}`)
  if (!installation.mac_key)
    await tx.count(sql`update installation set mac_key = ${wrapping.wrap(randomBytes(32), macKeyName)}`)
  if (!(await hasNoKey(tx))) return
  const { next } = (await tx.one(sql<{ next: number }>`select coalesce(max(id), 0) + 1 as next from data_keys`))!
  await tx.count(sql`
    insert into data_keys (id, wrapped, in_use_at)
    values (${next}, ${wrapping.wrap(randomBytes(32), dataKeyName(next))}, sluice_now())`)
}

/** Wraps every key again, under the new root key. */
export async function rewrap(tx: Tx, from: Wrapping, to: Wrapping): Promise<void> {
  const { id, mac_key } = (await tx.one(sql<{ id: string; mac_key: Buffer }>`
    select id, mac_key from installation for update`))!
  const again = (wrapped: Buffer, name: string) => to.wrap(from.unwrap(wrapped, name), name)
  const keys = await tx.rows(sql<{ id: number; wrapped: Buffer }>`select id, wrapped from data_keys for update`)
  for (const key of keys)
    await tx.count(sql`update data_keys set wrapped = ${again(key.wrapped, dataKeyName(key.id))} where id = ${key.id}`)
  await tx.count(sql`update installation set key_check = ${to.checkOf(id)}, mac_key = ${again(mac_key, macKeyName)}`)
}
