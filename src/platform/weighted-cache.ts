/**
 * Least-recently-used cache with limits of the number of entries and the sum of their weights. The newest entry is kept
 * whatever its weight.
 */
export class WeightedCache<Value> {
  readonly #limits: { readonly entries: number; readonly weight: number }
  /** Least recently set first. */
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>()
  #weight = 0

  constructor(limits: { readonly entries: number; readonly weight: number }) {
    this.#limits = limits
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }

  /** Adds or replaces the entry as the newest, and evicts the oldest until the limits hold. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      const fits = this.#entries.size <= this.#limits.entries && this.#weight <= this.#limits.weight
      if (fits || oldest === key) break
      this.delete(oldest)
    }
  }
}
