/**
 * What failed and is to be tried again, each by its id, after a pause that grows with its tries. In the memory of the
 * process that tries: another one, or this one once it has started anew, learns it for itself.
 */
export class Setbacks {
  readonly #of = new Map<string, Setback>()
  /** What went well last, each with its place in the order of all that happened. */
  readonly #well = new Map<string, number>()
  #happened = 0
  readonly #now: () => number

  /** @param now milliseconds, only ever forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * It failed.
   *
   * @param at when, by the clock of whoever asks
   * @returns how often in a row, and since when
   */
  note(id: string, at = 0): { readonly tries: number; readonly since: number } {
    const { tries: before, since, place } = this.#of.get(id) ?? { tries: 0, since: at, place: ++this.#happened }
    const tries = before + 1
    this.#of.set(id, { tries, since, place, again: this.#now() + Math.min(100 * 2 ** tries, longestPause) })
    this.#well.delete(id)
    return { tries, since }
  }

  /** It went well. */
  over(id: string): void {
    this.#of.delete(id)
    this.#well.delete(id)
    this.#well.set(id, ++this.#happened)
    if (this.#well.size > mostRemembered) this.#well.delete(this.#well.keys().next().value!)
  }

  /** Nobody is to try it any more. */
  forget(id: string): void {
    this.#of.delete(id)
  }

  /** Whether more fail than went well, and have not failed again, since this one failed first: not by a fault of its own. */
  isOneOfMost(id: string): boolean {
    const place = this.#of.get(id)?.place ?? this.#happened
    const well = [...this.#well.values()].filter(each => each > place).length
    return this.#of.size > 1 && this.#of.size > well
  }

  /** Those whose pause is not over. */
  postponed(): string[] {
    const now = this.#now()
    for (const [id, { again }] of this.#of) if (again + forgottenAfter < now) this.#of.delete(id)
    return [...this.#of].filter(([, { again }]) => again > now).map(([id]) => id)
  }
}

interface Setback {
  readonly tries: number
  readonly since: number
  readonly place: number
  readonly again: number
}

const longestPause = 60_000
/** It went well elsewhere, or is no more. */
const forgottenAfter = 600_000
const mostRemembered = 1_000
