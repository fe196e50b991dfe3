/**
 * What failed and is to be tried again, each by its id, after a pause that grows with its tries. In the memory of the
 * process that tries: another one, or this one once it has started anew, learns it for itself.
 */
export class Setbacks {
  readonly #of = new Map<string, { tries: number; again: number }>()
  readonly #now: () => number

  /** @param now milliseconds, only ever forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** It failed. Answers how often in a row. */
  note(id: string): number {
    const tries = (this.#of.get(id)?.tries ?? 0) + 1
    this.#of.set(id, { tries, again: this.#now() + Math.min(100 * 2 ** tries, longestPause) })
    return tries
  }

  /** It went well, or nobody is to try it any more. */
  over(id: string): void {
    this.#of.delete(id)
  }

  /** Those whose pause is not over. */
  postponed(): string[] {
    const now = this.#now()
    for (const [id, { again }] of this.#of) if (again + forgottenAfter < now) this.#of.delete(id)
    return [...this.#of].filter(([, { again }]) => again > now).map(([id]) => id)
  }
}

const longestPause = 60_000
/** It went well elsewhere, or is no more. */
const forgottenAfter = 600_000
