import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

export interface Head {
  seq: number
  hash: Buffer
  sealed_below: string
}

export interface UnsealedEvent {
  id: string
  created_at: string
  tx: string
  body: Buffer
}

export const isAnyUnsealed = async (queries: Queries): Promise<boolean> =>
  (await queries.one(sql`
    select from events
     where tx >= (select sealed_below from audit_head) and tx < pg_snapshot_xmin(sluice_snapshot())
     limit 1`)) !== undefined

/** Creates the partitions of this month and the next two. */
export const ensurePartitions = (queries: Queries): Promise<unknown> =>
  queries.rows(sql`select sluice_ensure_partitions(2)`)

export const deleteThrottles = (queries: Queries): Promise<number> =>
  queries.count(sql`delete from event_throttles where recorded_at < sluice_now() - interval '30 days'`)

/** End of the chain, locked; undefined while another process seals. */
export const lockHead = (tx: Tx): Promise<Head | undefined> =>
  tx.one(sql<Head>`select seq, hash, sealed_below from audit_head for update skip locked`)

/** The number below which all transactions have ended. */
export const oldestRunning = async (tx: Tx): Promise<string> =>
  (await tx.one(sql<{ xmin: string }>`select pg_snapshot_xmin(sluice_snapshot()) as xmin`))!.xmin

/**
 * Events of transactions `from` up to `below`: a limited number, plus the remaining ones of the last transaction among
 * them.
 */
export const eventsBetweenTransactions = (
  tx: Tx,
  from: string,
  below: string,
  most: number,
): Promise<UnsealedEvent[]> =>
  tx.rows(sql<UnsealedEvent>`
    select id, created_at, tx, body
      from (select * from events
             where tx >= ${from}::xid8 and tx < ${below}::xid8
             order by tx
             fetch first ${sql.lit(most)} rows with ties) next
     order by id`)

export const insertSeals = (
  tx: Tx,
  seals: readonly { readonly seq: number; readonly id: string; readonly digest: Buffer; readonly hash: Buffer }[],
): Promise<number> =>
  tx.count(sql`
    insert into event_seals (seq, event_id, digest, hash)
    select * from unnest(${seals.map(each => each.seq)}::bigint[], ${seals.map(each => each.id)}::uuid[],
                         ${seals.map(each => each.digest)}::bytea[], ${seals.map(each => each.hash)}::bytea[])`)

export const moveHead = (tx: Tx, { seq, hash, sealed_below }: Head): Promise<number> =>
  tx.count(sql`update audit_head set seq = ${seq}, hash = ${hash}, sealed_below = ${sealed_below}::xid8`)

/**
 * State of sealing in one row: {seq}, up to which the trail is sealed, and {unsealed_seconds}, the age of the oldest
 * event behind it, if there is one.
 */
export const sealingState = sql<{ seq: number; unsealed_seconds: number | null }>`
  select h.seq,
         (select extract(epoch from sluice_now() - e.created_at)
            from events e
           where e.tx >= h.sealed_below
           order by e.tx
           limit 1) as unsealed_seconds
    from audit_head h`

/** The number up to which the audit trail is sealed: the position of streams and subscribers. */
export async function sealedUpTo(queries: Queries): Promise<number> {
  return (await queries.one(sql<{ seq: number }>`select seq from audit_head`))!.seq
}
