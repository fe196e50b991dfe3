import type { Link } from '#audit/chain.ts'
import { concluded, type Fault, type Proof, type Reading, readTrail } from '#audit/proof.ts'
import { reportedRemovals, uncovered } from '#audit/removals.ts'
import type { Queries } from '#platform/db/database.ts'
import { headOf, removalsReportedAfter, type SealedEvent, sealedAfter, unsealedAfter } from './sealed-events.store.ts'

/**
 * Verifies the audit trail in the database: every event has the sealed digest and columns that agree with its body, or
 * its removal is reported by another event; the seals form a chain without a gap up to the head, and no event below the
 * sealed bound lacks a seal.
 */
export async function verifyAuditTrail(queries: Queries): Promise<Omit<Proof, 'head'>> {
  const head = await headOf(queries)
  const { sealed, removed, faults, head: end } = concluded(await readUpTo(queries, head))
  const cut: Fault[] =
    end.seq === head.seq && end.hash.equals(head.hash)
      ? []
      : [{ seq: end.seq, event_id: null, what: `the chain ends at ${end.seq}, its head says ${head.seq}` }]
  return { sealed, removed, faults: [...faults, ...cut, ...(await unsealed(queries))] }
}

async function readUpTo(queries: Queries, head: Link): Promise<Reading> {
  const reading = await readTrail(sealsUpTo(queries, head.seq))
  if (reading.unexplained.length === 0) return reading
  // It may have been removed while this was read: the removal is already recorded, and sealed within seconds.
  const bodies = await removalsReportedAfter(queries, head.seq)
  return { ...reading, unexplained: uncovered(reading.unexplained, bodies.flatMap(reportedRemovals)) }
}

async function* sealsUpTo(queries: Queries, last: number): AsyncGenerator<SealedEvent> {
  for (let after = 0; ; ) {
    const seals = await sealedAfter(queries, after, last)
    if (seals.length === 0) return
    yield* seals
    after = seals.at(-1)!.seq
  }
}

async function unsealed(queries: Queries): Promise<Fault[]> {
  const faults: Fault[] = []
  for (let at: string | null = null; ; ) {
    const { unsealed, walkedTo } = await unsealedAfter(queries, at)
    faults.push(
      ...unsealed.map(event_id => ({ seq: null, event_id, what: 'the event was put in without being sealed' })),
    )
    if (walkedTo === null) return faults
    at = walkedTo
  }
}
