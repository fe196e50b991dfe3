/**
 * Back-off of failed items by id, with a pause that grows with the number of tries. It is in the memory of the process
 * that tries: another process, or this one after a restart, starts from zero.
 */
export class RetryBackoff {
  readonly #of = new Map<string, Failing>()
  /** Items that succeeded last. */
  readonly #well = new Map<string, Happened>()
  #happened = 0
  readonly #now: () => number

  /** @param now milliseconds; never decreases */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Records a failure.
   *
   * @param at when, in milliseconds by the caller's clock
   * @param doing what was tried
   * @returns how often in a row, and whether to give up: it has failed for an hour, while others succeeded
   */
  failed(id: string, at = 0, doing = ''): { readonly tries: number; readonly isLost: boolean } {
    this.#dropOld()
    const { tries: before, since, place } = this.#of.get(id) ?? { tries: 0, since: at, place: ++this.#happened }
    const tries = before + 1
    this.#of.set(id, { tries, since, place, doing, again: this.#now() + Math.min(100 * 2 ** tries, longestPause) })
    this.#well.delete(id)
    return { tries, isLost: tries >= fewestTries && at - since >= endedAfter && !this.#isOneOfMost(id) }
  }

  /** Records a success. */
  succeeded(id: string, doing = ''): void {
    this.#of.delete(id)
    this.#well.delete(id)
    this.#well.set(id, { place: ++this.#happened, doing })
    if (this.#well.size > mostRemembered) this.#well.delete(this.#well.keys().next().value!)
  }

  /** Removes an item that will not be tried again. */
  remove(id: string): void {
    this.#of.delete(id)
  }

  /**
   * Whether the failure is common: since this item failed first, more items failed than succeeded without failing
   * again. Decided over all items, and over those with the same `doing`: successes in continuing say nothing about
   * failures in starting.
   */
  #isOneOfMost(id: string): boolean {
    const one = this.#of.get(id)
    if (!one) return false
    const fail = [...this.#of.values()]
    const well = [...this.#well.values()].filter(({ place }) => place > one.place)
    const alike = ({ doing }: Happened) => doing === one.doing
    return areMost(fail, well) || areMost(fail.filter(alike), well.filter(alike))
  }

  /** Ids of the items whose pause has not ended. */
  postponed(): string[] {
    this.#dropOld()
    const now = this.#now()
    return [...this.#of].filter(([, { again }]) => again > now).map(([id]) => id)
  }

  #dropOld(): void {
    const now = this.#now()
    for (const [id, { again }] of this.#of) if (again + droppedAfter < now) this.#of.delete(id)
  }
}

interface Happened {
  /** Sequence number among all failures and successes. */
  readonly place: number
  readonly doing: string
}

interface Failing extends Happened {
  readonly tries: number
  readonly since: number
  readonly again: number
}

const areMost = (fail: readonly Happened[], well: readonly Happened[]): boolean =>
  fail.length > 1 && fail.length > well.length

/**
 * Maximum pause in milliseconds. With the poll that follows, it is within the 30 s in which everything that can
 * continue is guaranteed to be tried.
 */
const longestPause = 25_000
/** Milliseconds of failures after which an item is given up, long enough to roll back a faulty release. */
const endedAfter = 3_600_000
/**
 * Minimum number of tries before an item is given up: a machine that was suspended for an hour has not tried meanwhile.
 */
const fewestTries = 5
/** Time after which an item is dropped: it succeeded in another process, or no longer exists. */
const droppedAfter = 600_000
const mostRemembered = 1_000
