/** Milliseconds. */
export interface ReadingTimes {
  /** Time in milliseconds for which a reading is reused. */
  readonly fresh: number
  /** Maximum time in milliseconds to wait for a reading. */
  readonly maxWait: number
  /** Time in milliseconds after which a reading counts as lost and is restarted: a connection may break unnoticed. */
  readonly lost: number
}

const usualReading: ReadingTimes = { fresh: 5_000, maxWait: 2_000, lost: 60_000 }

/** Expensive value, read once for all callers within a few seconds; each call waits for a limited time only. */
export class SharedReading<T> {
  readonly #read: () => Promise<T>
  readonly #failed: (error: unknown) => void
  readonly #times: ReadingTimes
  #last: { readonly at: number; readonly value: T | undefined } | undefined
  #underWay: { readonly began: number; readonly answer: Promise<T | undefined> } | undefined
  #isWell = true

  /** @param failed called for the first of several failures in a row */
  constructor(read: () => Promise<T>, failed: (error: unknown) => void, times = usualReading) {
    this.#read = read
    this.#failed = failed
    this.#times = times
  }

  /** Current reading; undefined if it cannot be read, or not in time. */
  async now(): Promise<T | undefined> {
    const now = performance.now()
    if (this.#last && now - this.#last.at < this.#times.fresh) return this.#last.value
    if (!this.#underWay || now - this.#underWay.began > this.#times.lost) this.#underWay = this.#begin(now)
    const { began, answer } = this.#underWay
    return inTime(answer, began + this.#times.maxWait - now)
  }

  #begin(began: number): { began: number; answer: Promise<T | undefined> } {
    const isLast = () => this.#underWay?.began === began
    const answer = this.#value(isLast).then(value => {
      if (isLast()) {
        this.#last = { at: performance.now(), value }
        this.#underWay = undefined
      }
      return value
    })
    return { began, answer }
  }

  async #value(isLast: () => boolean): Promise<T | undefined> {
    try {
      const value = await this.#read()
      if (isLast()) this.#isWell = true
      return value
    } catch (error) {
      // A reading that counts as lost says nothing about those started since.
      if (isLast()) {
        if (this.#isWell) this.#failed(error)
        this.#isWell = false
      }
      return undefined
    }
  }
}

async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T | undefined> {
  if (milliseconds <= 0) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
