import { diff3Merge } from 'node-diff3'

/** Text with the changes of two versions of it. */
export interface MergedText {
  readonly text: string
  /** Places where both changed the same lines; `text` has mine there. */
  readonly conflicts: number
}

/**
 * Merges the changes of two texts line by line.
 *
 * @param base text from which both began
 */
export function mergedText(base: string, theirs: string, mine: string): MergedText {
  const [own, old, other] = [mine, base, theirs].map(text => text.split('\n')) as [string[], string[], string[]]
  const regions = diff3Merge(own, old, other, { excludeFalseConflicts: true })
  return {
    text: regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []).join('\n'),
    conflicts: regions.filter(({ conflict }) => conflict !== undefined).length,
  }
}
