import { dataKeyName, type LiveKeyring, newDataKey, type ResealPlace } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

export const rotationStates = ['announced', 'switching', 'resealing', 'success'] as const

/** A rotation in progress. */
export interface Rotation {
  readonly id: string
  readonly status: (typeof rotationStates)[number]
  readonly data_key: number
  readonly root_key: boolean
  readonly switched_tx: string | null
  readonly tables_done: number
  readonly place: ResealPlace
  /** Number of rows in this pass that were resealed or locked: if there are some, another pass follows. */
  readonly found: number
  readonly resealed: number
  readonly created_by: string
  readonly user_id: string | null
}

export const openRotation = (queries: Queries, lock = false) =>
  queries.one(sql<Rotation>`
    select id, status, data_key, root_key, switched_tx::text, tables_done, place, found::int, resealed::int, created_by,
           user_id
      from key_rotations
     where finished_at is null ${lock ? sql`for update` : sql``}`)

/** Announces a data key, which no process encrypts with yet. Undefined while another rotation is in progress. */
export async function announce(
  tx: Tx,
  keyring: Pick<LiveKeyring, 'wrapping'>,
  by: { rootKey: boolean; username: string; userId: string | null },
): Promise<string | undefined> {
  // Serialized: both the number of the key and the rotation are taken once.
  await tx.one(sql`select from installation for no key update`)
  if (await openRotation(tx)) return undefined
  const { next } = (await tx.one(sql<{ next: number }>`select max(id) + 1 as next from data_keys`))!
  await tx.count(sql`
    insert into data_keys (id, wrapped) values (${next}, ${keyring.wrapping.wrap(newDataKey(), dataKeyName(next))})`)
  const made = await tx.one(sql<{ id: string }>`
    insert into key_rotations (data_key, root_key, created_by, user_id)
    values (${next}, ${by.rootKey}, ${by.username}, ${by.userId}::uuid)
    returning id`)
  return made!.id
}

/** Processes that do not know the new key yet, or not the next root key; dead ones are gone in half a minute. */
export const unaware = (queries: Queries, { data_key, root_key }: Rotation, nextRoot: string | null) =>
  queries.rows(sql<{ host: string; pid: number; lacks_key: boolean }>`
    select host, pid, knows_key < ${data_key} as lacks_key
      from service_processes
     where knows_key < ${data_key} or (${root_key}::boolean and next_root is distinct from ${nextRoot})
     order by host, pid`)

export const stillSealingBefore = (queries: Queries, { data_key }: Rotation) =>
  queries.rows(sql<{ host: string; pid: number }>`
    select host, pid from service_processes where seals_with < ${data_key} order by host, pid`)

export async function waitFor(queries: Queries, { id }: Rotation, what: string | null): Promise<void> {
  await queries.count(sql`
    update key_rotations set waiting_for = ${what}, updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid and waiting_for is distinct from ${what}`)
}

export async function useKey(tx: Tx, { id, data_key }: Rotation): Promise<void> {
  await tx.count(sql`update data_keys set in_use_at = sluice_now() where id = ${data_key}`)
  await moveTo(tx, id, 'switching')
}

/**
 * Moves a rotation to `resealing`: from here on everything is encrypted with the new key, except in transactions that
 * began before.
 */
export async function beginResealing(tx: Tx, { id }: Rotation): Promise<void> {
  await moveTo(tx, id, 'resealing')
  await tx.count(sql`update key_rotations set switched_tx = sluice_transaction() where id = ${id}::uuid`)
}

const moveTo = (tx: Tx, id: string, status: Rotation['status']) =>
  tx.count(sql`
    update key_rotations
       set status = ${status}, waiting_for = null, updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid`)

/** Whether a transaction that began before all processes had switched may still run. */
export async function olderTransactions(queries: Queries, { switched_tx }: Rotation): Promise<boolean> {
  const row = await queries.one(sql<{ older: boolean }>`
    select pg_snapshot_xmin(sluice_snapshot()) <= ${switched_tx}::xid8 as older`)
  return row!.older
}

export async function noteProgress(
  tx: Tx,
  { id }: Rotation,
  progress: Pick<Rotation, 'tables_done' | 'place' | 'found' | 'resealed'>,
): Promise<void> {
  await tx.count(sql`
    update key_rotations
       set tables_done = ${progress.tables_done}, place = ${progress.place === null ? null : [...progress.place]}::text[],
           found = ${progress.found}, resealed = ${progress.resealed}, waiting_for = null,
           updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid`)
}

/** Retires every earlier key: nothing is encrypted with them. They remain, wrapped, for restored backups. */
export async function finish(tx: Tx, { id, data_key }: Rotation): Promise<void> {
  await tx.count(sql`update data_keys set retired_at = sluice_now() where id < ${data_key} and retired_at is null`)
  await tx.count(sql`
    update key_rotations
       set status = 'success', finished_at = sluice_now(), waiting_for = null, updated_at = sluice_now(),
           row_version = row_version + 1
     where id = ${id}::uuid`)
}

/** A second from now, by the database's clock, which jobs are due by. */
export const inASecond = async (queries: Queries): Promise<string> =>
  (await queries.one(sql<{ at: string }>`select now() + interval '1 second' as at`))!.at
