import { beginning, faultsOfSeal, type Link, type Seal } from './chain.ts'
import { reportedRemovals, type Stretch, stretchesOf, uncovered } from './removals.ts'

export interface Fault {
  /** The seal with the fault; null for an event without a seal. */
  readonly seq: number | null
  readonly event_id: string | null
  readonly what: string
}

export interface Proof {
  /** Number of seals read. */
  readonly sealed: number
  /** Number of sealed events that are no longer there. Their digests still chain, so that alone is no fault. */
  readonly removed: number
  /** Link at which the chain ended. */
  readonly head: Link
  /** Faults found. Empty: everything that was read is complete and unchanged. */
  readonly faults: readonly Fault[]
}

/** State of a verification that is still reading: later events may report seals that are missing so far. */
export interface Reading extends Proof {
  /** Seals whose events were removed, according to the events read. */
  readonly explained: readonly Stretch[]
  /** Seals whose events are missing and not yet reported as removed. */
  readonly unexplained: readonly Stretch[]
}

/** A seal as it was read; `differing` are the columns of its event that differ from the sealed body. */
export type Read = Seal & { readonly differing?: readonly string[] }

/** Maximum number of faults to report: more would not help if the whole trail was changed. */
const mostFaults = 100

/**
 * Reads seals in their order and returns their faults.
 *
 * @param noted links that were noted before, elsewhere: the chain has to lead through each. Only these reveal an
 *   attacker who had the whole database and sealed everything again.
 * @param from where the seals begin; default: the first of all
 */
export async function prove(
  seals: AsyncIterable<Read>,
  noted: readonly Link[] = [],
  from: Link = beginning,
): Promise<Proof> {
  return concluded(await readTrail(seals, noted, from))
}

/** `prove` without a verdict on missing seals: `concluded` adds those faults once nothing follows. */
export async function readTrail(
  seals: AsyncIterable<Read>,
  noted: readonly Link[] = [],
  from: Link = beginning,
): Promise<Reading> {
  const faults: Fault[] = []
  const hashes = new Map(noted.map(({ seq, hash }) => [seq, hash]))
  const passed = new Set([from.seq])
  const [missing, explained]: [number[], Stretch[]] = [[], []]
  let [sealed, link] = [0, from]
  for await (const seal of seals) {
    const { seq, event_id, event, differing = [] } = seal
    const found = faultsOfSeal(seal, link)
    if (differing.length > 0) found.push(`the event’s ${differing.join(', ')} differ from what was sealed`)
    if (hashes.get(seq)?.equals(seal.hash) === false) found.push('the hash is not the one that was noted')
    faults.push(...found.map(what => ({ seq, event_id, what })))
    passed.add(seq)
    sealed += 1
    if (!event) missing.push(seq)
    // A removal reports nothing about later seals.
    else if (found.length === 0) explained.push(...reportedRemovals(event.body).filter(([, last]) => last < seq))
    link = { seq, hash: seal.hash }
    if (faults.length >= mostFaults) break
  }
  const cut = faults.length >= mostFaults
  const lost = cut ? [] : noted.filter(({ seq }) => !passed.has(seq))
  for (const { seq } of lost) faults.push({ seq, event_id: null, what: 'the seal was noted, and is not there' })
  const unexplained = cut ? [] : uncovered(stretchesOf(missing), explained)
  return { sealed, removed: missing.length, head: link, faults: faults.slice(0, mostFaults), explained, unexplained }
}

/** Joins two readings, the second of which follows the first. */
export const joined = (before: Reading, after: Reading): Reading => ({
  sealed: before.sealed + after.sealed,
  removed: before.removed + after.removed,
  head: after.head,
  faults: [...before.faults, ...after.faults].slice(0, mostFaults),
  explained: [...before.explained, ...after.explained],
  unexplained: uncovered([...before.unexplained, ...after.unexplained], after.explained),
})

/** Result at the end of the trail, where a missing seal that no event reports as removed is a fault. */
export function concluded({ sealed, removed, head, faults, unexplained }: Reading): Proof {
  const gone = unexplained.map(([first, last]) => ({
    seq: first,
    event_id: null,
    what:
      first === last
        ? 'the event is not there, and none that follows tells that it was removed as old'
        : `the events up to seal ${last} are not there, and none that follows tells that they were removed as old`,
  }))
  return { sealed, removed, head, faults: [...faults, ...gone].slice(0, mostFaults) }
}
