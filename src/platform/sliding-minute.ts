const buckets = 12
const bucketLength = 60_000 / buckets

interface Sums {
  readonly sums: Float64Array
  /** The number of the newest bucket; all buckets together are the last minute. */
  newest: number
}

/** Sums of the last minute by key, in steps of five seconds. Times are those of `performance.now()`, in milliseconds. */
export class SlidingMinute {
  readonly #keys = new Map<string, Sums>()
  #swept = 0

  add(key: string, amount: number, now: number): void {
    this.#sweep(now)
    const known = this.#keys.get(key) ?? { sums: new Float64Array(buckets), newest: bucketOf(now) }
    this.#keys.set(key, known)
    dropOld(known, now)
    known.sums[known.newest % buckets]! += amount
  }

  of(key: string, now: number): number {
    const known = this.#keys.get(key)
    if (!known) return 0
    dropOld(known, now)
    return known.sums.reduce((sum, each) => sum + each, 0)
  }

  /** Keys with a sum, in no order. */
  keys(): IterableIterator<string> {
    return this.#keys.keys()
  }

  /** Removes keys without entries, once a minute. */
  #sweep(now: number): void {
    if (now - this.#swept < 60_000) return
    this.#swept = now
    for (const key of [...this.#keys.keys()]) if (this.of(key, now) === 0) this.#keys.delete(key)
  }
}

const bucketOf = (now: number): number => Math.floor(now / bucketLength)

function dropOld(known: Sums, now: number): void {
  const current = bucketOf(now)
  const passed = Math.min(buckets, current - known.newest)
  for (let ago = 0; ago < passed; ago++) known.sums[(current - ago) % buckets] = 0
  known.newest = Math.max(known.newest, current)
}
