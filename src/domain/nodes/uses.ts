import type { Rights } from '#platform/actor.ts'

/** What hinders a deletion. */
export interface Use {
  readonly id: string
  readonly what: string
  readonly path: string | null
}

/** `meta.in_use` of a refusal: what the caller may not read is counted but not named. */
export const usesShownTo = (rights: Pick<Rights, 'may'>, uses: readonly Use[]): object[] =>
  uses.map(use =>
    use.path !== null && rights.may('read', use.path)
      ? use
      : { what: use.what, path: use.path === null ? null : 'hidden' },
  )
