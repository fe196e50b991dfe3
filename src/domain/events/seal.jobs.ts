import { chainHash, digestOf } from '#audit/chain.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Loop } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import {
  deleteThrottles,
  ensurePartitions,
  eventsBetweenTransactions,
  type Head,
  insertSeals,
  isAnyUnsealed,
  lockHead,
  moveHead,
  oldestRunning,
  type UnsealedEvent,
} from './seal.store.ts'

/**
 * Loop that seals events every half second, in one process at a time. Woken by each commit it would seal events one by
 * one.
 */
export const sealing: Loop = {
  name: 'events.seal',
  every: 500,
  hints: [],
  run: async ({ database }) => {
    // Checked without the lock first, so that an idle service writes nothing.
    const waiting = await isAnyUnsealed(database)
    return waiting ? database.transaction(tx => sealNext(tx), { statementTimeout: 60_000 }) : false
  },
}

/** Creates partitions of events and log chunks ahead of time, and deletes throttles that are no longer in effect. */
export const daily: Job = {
  name: 'events.daily',
  cron: '17 3 * * *',
  run: async (_: never, { database }) => {
    await ensurePartitions(database)
    await deleteThrottles(database)
  },
}

/** Maximum number of events sealed at once, plus the remaining ones of the last transaction among them. */
const batch = 2_000

/**
 * Appends the next events to the hash chain: only those of transactions below the oldest one that still runs, so that
 * nothing can be inserted before them any more, and in the order in which they were recorded. Not in the order of
 * transaction numbers: a transaction gets its number with its first write, which may be long before it has the lock on
 * the record of its event, so the third version of a record would come before the second.
 *
 * @returns whether there may be more right away
 */
export async function sealNext(tx: Tx): Promise<boolean> {
  const head = await lockHead(tx)
  if (!head) return false
  // Taken before the events are read: all transactions below it have ended, so the next statement sees every event of
  // theirs.
  const bound = await oldestRunning(tx)
  const events = await eventsBetweenTransactions(tx, head.sealed_below, bound, batch)
  if (events.length === 0) return false
  await append(tx, head, events)
  return events.length >= batch
}

async function append(tx: Tx, head: Head, events: readonly UnsealedEvent[]): Promise<void> {
  let { seq, hash } = head
  const seals = events.map(event => {
    const digest = digestOf(event)
    seq += 1
    hash = chainHash(hash, seq, digest)
    return { seq, id: event.id, digest, hash }
  })
  await insertSeals(tx, seals)
  const sealedBelow = String(newestTransaction(events) + 1n)
  await moveHead(tx, { seq, hash, sealed_below: sealedBelow })
  tx.hint('events_sealed')
  failpoint('seal-before-commit')
}

/** Newest transaction of at least one event. Transaction numbers have 64 bits, more than `Math.max` keeps. */
function newestTransaction(events: readonly { tx: string }[]): bigint {
  let newest = 0n
  for (const { tx } of events) if (BigInt(tx) > newest) newest = BigInt(tx)
  return newest
}
