import type { Rights } from '#platform/actor.ts'

/** Record that blocks archiving or deleting another. */
export interface Blocker {
  readonly id: string
  readonly what: string
  readonly path: string | null
}

/** Maximum number of blockers named in a refusal. */
const maxBlockers = 100

/** Maximum number of uses that a statement reads: one more than are named, to know whether there are others. */
export const blockerLimit = maxBlockers + 1

/**
 * `meta` of a refusal: records that the caller may not read are counted but not named, and a flag says whether the list
 * is incomplete.
 */
export const blockersShownTo = (rights: Pick<Rights, 'may'>, uses: readonly Blocker[]): Record<string, unknown> =>
  inUse(uses, use =>
    use.path !== null && rights.may('read', use.path)
      ? use
      : { what: use.what, path: use.path === null ? null : 'hidden' },
  )

/** `in_use`, and `in_use_more: true` where there are more than that. */
export const inUse = <T>(uses: readonly T[], shown: (use: T) => object): Record<string, unknown> => ({
  in_use: uses.slice(0, maxBlockers).map(shown),
  ...(uses.length > maxBlockers && { in_use_more: true }),
})
