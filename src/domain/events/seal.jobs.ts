import { chainHash, digestOf } from '#audit/chain.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Job, Loop } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'

/** Every half second, by one process at a time. Woken by each commit it would seal events one by one. */
export const sealing: Loop = {
  name: 'events.seal',
  every: 500,
  hints: [],
  run: async ({ database }) => {
    // Looked at first without the lock, so that a service at rest writes nothing.
    const waiting = await database.one(sql`
      select from events
       where tx >= (select sealed_below from audit_head) and tx < pg_snapshot_xmin(sluice_snapshot())
       limit 1`)
    return waiting ? database.transaction(tx => sealNext(tx), { statementTimeout: 60_000 }) : false
  },
}

/** Months of events and log chunks made ahead of time, and throttles that no longer hold anything back forgotten. */
export const daily: Job = {
  name: 'events.daily',
  cron: '17 3 * * *',
  run: async (_: never, { database }) => {
    await database.rows(sql`select sluice_ensure_partitions(2)`)
    await database.count(sql`delete from event_throttles where recorded_at < sluice_now() - interval '30 days'`)
  },
}

/** Number of events sealed at once, besides further ones of the last transaction among them. */
const batch = 2_000

interface Head {
  seq: number
  hash: Buffer
  sealed_below: string
}

/**
 * Appends the next events to the hash chain: only those of transactions below the oldest one that still runs, so that
 * nothing can come in between any more, and in the order in which they were recorded. A transaction gets its number with the
 * first that it writes, which may be long before it has the lock on the record that its event is about: by their numbers the
 * third version of a record came before the second.
 *
 * @returns whether there may be more right away
 */
export async function sealNext(tx: Tx): Promise<boolean> {
  const head = await tx.one(sql<Head>`select seq, hash, sealed_below from audit_head for update skip locked`)
  if (!head) return false
  // Taken before the events are read: all below it has ended, so the next statement sees every one of them.
  const bound = (await tx.one(sql<{ xmin: string }>`select pg_snapshot_xmin(sluice_snapshot()) as xmin`))!.xmin
  const events = await tx.rows(sql<{ id: string; created_at: string; tx: string; body: Buffer }>`
    select id, created_at, tx, body
      from (select * from events
             where tx >= ${head.sealed_below}::xid8 and tx < ${bound}::xid8
             order by tx
             fetch first ${sql.lit(batch)} rows with ties) next
     order by id`)
  if (events.length === 0) return false
  await append(tx, head, events)
  return events.length >= batch
}

async function append(
  tx: Tx,
  head: Head,
  events: readonly { id: string; created_at: string; tx: string; body: Buffer }[],
): Promise<void> {
  let { seq, hash } = head
  const seals = events.map(event => {
    const digest = digestOf(event)
    seq += 1
    hash = chainHash(hash, seq, digest)
    return { seq, id: event.id, digest, hash }
  })
  await tx.count(sql`
    insert into event_seals (seq, event_id, digest, hash)
    select * from unnest(${seals.map(each => each.seq)}::bigint[], ${seals.map(each => each.id)}::uuid[],
                         ${seals.map(each => each.digest)}::bytea[], ${seals.map(each => each.hash)}::bytea[])`)
  const sealedBelow = String(newestTransaction(events) + 1n)
  await tx.count(sql`update audit_head set seq = ${seq}, hash = ${hash}, sealed_below = ${sealedBelow}::xid8`)
  tx.hint('events_sealed')
  failpoint('seal-before-commit')
}

/** Newest transaction of at least one event. A transaction's number has 64 bits, more than `Math.max` keeps. */
function newestTransaction(events: readonly { tx: string }[]): bigint {
  let newest = 0n
  for (const { tx } of events) if (BigInt(tx) > newest) newest = BigInt(tx)
  return newest
}

/** One row: {seq}, up to which the trail is sealed, and {unsealed_seconds}, the age of the oldest event behind it, if there is one. */
export const sealingState = sql<{ seq: number; unsealed_seconds: number | null }>`
  select h.seq,
         (select extract(epoch from sluice_now() - e.created_at)
            from events e
           where e.tx >= h.sealed_below
           order by e.tx
           limit 1) as unsealed_seconds
    from audit_head h`

/** The number up to which the audit trail is sealed: where streams and subscribers stand. */
export async function sealedUpTo(queries: Queries): Promise<number> {
  return (await queries.one(sql<{ seq: number }>`select seq from audit_head`))!.seq
}
