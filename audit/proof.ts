import { beginning, faultsOfSeal, type Link, type Seal } from './chain.ts'

export interface Fault {
  /** The seal that it is about; null where an event has none. */
  readonly seq: number | null
  readonly event_id: string | null
  readonly what: string
}

export interface Proof {
  /** Seals that were looked at. */
  readonly sealed: number
  /** Sealed events that are no longer there: removed as old. Their digests still chain. */
  readonly removed: number
  /** Where the chain ended. */
  readonly head: Link
  /** What does not hold. Empty: what was read is whole and unchanged. */
  readonly faults: readonly Fault[]
}

/** A seal as it was read; `differing` are the columns of its event that say otherwise than what was sealed. */
export type Read = Seal & { readonly differing?: readonly string[] }

/** Whoever changed everything is told so soon: nothing is gained by more. */
const mostFaults = 100

/**
 * Reads seals in their order and says what does not hold of them.
 *
 * @param noted links that were noted before, elsewhere: the chain has to lead through each. Only these find out whoever
 *   had the whole database, and sealed everything anew.
 * @param from where the seals begin; left out, with the first of all
 */
export async function prove(
  seals: AsyncIterable<Read>,
  noted: readonly Link[] = [],
  from: Link = beginning,
): Promise<Proof> {
  const faults: Fault[] = []
  const hashes = new Map(noted.map(({ seq, hash }) => [seq, hash]))
  const passed = new Set([from.seq])
  let [sealed, removed, link] = [0, 0, from]
  for await (const seal of seals) {
    const { seq, event_id, event, differing = [] } = seal
    const found = faultsOfSeal(seal, link)
    if (differing.length > 0) found.push(`the event’s ${differing.join(', ')} differ from what was sealed`)
    if (hashes.get(seq)?.equals(seal.hash) === false) found.push('the hash is not the one that was noted')
    faults.push(...found.map(what => ({ seq, event_id, what })))
    passed.add(seq)
    sealed += 1
    if (!event) removed += 1
    link = { seq, hash: seal.hash }
    if (faults.length >= mostFaults) return { sealed, removed, head: link, faults: faults.slice(0, mostFaults) }
  }
  for (const { seq } of noted)
    if (!passed.has(seq)) faults.push({ seq, event_id: null, what: 'the seal was noted, and is not there' })
  return { sealed, removed, head: link, faults }
}
