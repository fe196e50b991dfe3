import { type Fault, type Proof, prove } from '#audit/proof.ts'
import type { Queries } from '#platform/db/database.ts'
import { headOf, type SealedEvent, sealedAfter, unsealedAfter } from './sealed-events.store.ts'

/**
 * Proves the audit trail in the database: every event has the digest that was sealed, its columns say what its body says,
 * the seals chain without a gap up to the head, and nothing lies below the sealed bound without a seal.
 */
export async function verifyAuditTrail(queries: Queries): Promise<Omit<Proof, 'head'>> {
  const head = await headOf(queries)
  const { sealed, removed, faults, head: end } = await prove(sealsUpTo(queries, head.seq))
  const cut: Fault[] =
    end.seq === head.seq && end.hash.equals(head.hash)
      ? []
      : [{ seq: end.seq, event_id: null, what: `the chain ends at ${end.seq}, its head says ${head.seq}` }]
  return { sealed, removed, faults: [...faults, ...cut, ...(await unsealed(queries))] }
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
