import { fromJson } from '../json/from-json.ts'

/*
 * Removal of old events. Their seals stay, and the service records the removed events in the trail itself, in events
 * that it never removes. An event that is missing without such a record was removed by another party.
 */

/** Type of the events that report removals. Only the service can record them with `system`. */
export const removalType = 'info:data_cleanup:events'

/** Seals by their numbers, from the first to the last of them. */
export type Stretch = readonly [first: number, last: number]

/** Numbers of the seals whose events were removed, as the event of the removal reports them: `1-3,7`. */
export const stretchesText = (numbers: readonly number[]): string =>
  stretchesOf(numbers.toSorted((a, b) => a - b))
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',')

/** Ascending numbers as ranges. */
export function stretchesOf(numbers: Iterable<number>): Stretch[] {
  const stretches: [number, number][] = []
  for (const number of numbers) {
    const last = stretches.at(-1)
    if (last && number <= last[1] + 1) last[1] = Math.max(last[1], number)
    else stretches.push([number, number])
  }
  return stretches
}

interface RemovalEvent {
  readonly type: string
  readonly system: boolean
  readonly attributes: { readonly removed_seals: string }
}

/** Removed events that an event reports; empty for other events. */
export function reportedRemovals(body: Buffer | string): Stretch[] {
  if (!body.includes(removalType)) return []
  try {
    const { type, system, attributes } = fromJson<RemovalEvent>(body.toString())
    return type === removalType && system === true ? attributes.removed_seals.split(',').map(stretchIn) : []
  } catch {
    return []
  }
}

function stretchIn(text: string): Stretch {
  const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? []
  if (first === undefined) throw new Error(`"${text}" names no seals`)
  return [Number(first), Number(last)]
}

/** Parts of ascending ranges that are in none of the others. */
export function uncovered(missing: readonly Stretch[], explained: readonly Stretch[]): Stretch[] {
  const covering = explained.toSorted(([a], [b]) => a - b)
  const left: Stretch[] = []
  let at = 0
  for (const [first, last] of missing) {
    let from = first
    // A range that ends before this one begins covers no later one either.
    while (at < covering.length && covering[at]![1] < from) at += 1
    for (let i = at; i < covering.length && covering[i]![0] <= last && from <= last; i += 1) {
      if (covering[i]![0] > from) left.push([from, covering[i]![0] - 1])
      from = Math.max(from, covering[i]![1] + 1)
    }
    if (from <= last) left.push([from, last])
  }
  return left
}
