/** Limits of a `KeyedSemaphore`. */
export interface SemaphoreLimits {
  /** Total number of places. */
  readonly total: number
  /** Places that one key may hold. */
  readonly perKey: number
  /** Maximum number of waiters under one key, and under all of them. Default: any number. */
  readonly waitingPerKey?: number
  readonly waiting?: number
  /** Time after which a waiting `acquire` fails. Default: never. */
  readonly maxWaitMilliseconds?: number
}

export interface SemaphoreOptions {
  /** Whether a key is slow: it then has one place at most, and is served after the others. Called at each turn. */
  readonly isSlow?: (key: string) => boolean
}

/** Thrown by `KeyedSemaphore.acquire` if too many wait under a key, or this one has waited too long. */
export class SemaphoreBusy extends Error {
  readonly why: 'queue is full' | 'timed out'
  constructor(why: SemaphoreBusy['why']) {
    super(`no place in the semaphore: ${why}`)
    this.name = 'SemaphoreBusy'
    this.why = why
  }
}

interface Waiter {
  readonly enter: () => void
}

/** Number of other takers that may pass a waiting slow key: it is served last, but not never. */
const mostPassedBy = 8

/**
 * Semaphore with a total limit and a limit per key, which serves waiting keys round robin: however many wait under one
 * key, the only waiter of another key is served next but one.
 */
export class KeyedSemaphore {
  readonly #limits: SemaphoreLimits
  readonly #isSlow: (key: string) => boolean
  #free: number
  readonly #taken = new Map<string, number>()
  /** Waiters by key, in the order in which keys get their turn; every key has at least one. */
  readonly #waiting = new Map<string, Waiter[]>()
  #passedBy = 0

  constructor(limits: SemaphoreLimits, options: SemaphoreOptions = {}) {
    this.#limits = limits
    this.#isSlow = options.isSlow ?? (() => false)
    this.#free = limits.total
  }

  /** Runs `work` in a place. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(key)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Resolves to the release of a place, to be called once.
   *
   * @throws SemaphoreBusy
   */
  async acquire(
    key: string,
    maxWaitMilliseconds = this.#limits.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
  ): Promise<() => void> {
    if (!this.#waiting.has(key) && this.#mayEnter(key)) this.#enter(key)
    else await this.#turn(key, maxWaitMilliseconds)
    let released = false
    return () => {
      if (released) return
      released = true
      this.#leave(key)
    }
  }

  /** Number of waiters, under any key. */
  get waiting(): number {
    let sum = 0
    for (const queue of this.#waiting.values()) sum += queue.length
    return sum
  }

  /** Places that a key holds now. */
  takenBy(key: string): number {
    return this.#taken.get(key) ?? 0
  }

  #turn(key: string, maxWaitMilliseconds: number): Promise<void> {
    const queue = this.#waiting.get(key) ?? []
    const { waitingPerKey = Number.POSITIVE_INFINITY, waiting = Number.POSITIVE_INFINITY } = this.#limits
    if (queue.length >= waitingPerKey || this.waiting >= waiting) {
      return Promise.reject(new SemaphoreBusy('queue is full'))
    }
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const waiter: Waiter = {
        enter: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      queue.push(waiter)
      this.#waiting.set(key, queue)
      if (maxWaitMilliseconds === Number.POSITIVE_INFINITY) return
      timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0) this.#waiting.delete(key)
        reject(new SemaphoreBusy('timed out'))
      }, maxWaitMilliseconds)
    })
  }

  #mayEnter(key: string): boolean {
    const most = this.#isSlow(key) ? 1 : this.#limits.perKey
    return this.#free > 0 && this.takenBy(key) < most
  }

  #enter(key: string): void {
    this.#free -= 1
    this.#taken.set(key, this.takenBy(key) + 1)
  }

  #leave(key: string): void {
    this.#free += 1
    const left = this.takenBy(key) - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#admit(next)
  }

  #admit(key: string): void {
    const queue = this.#waiting.get(key)!
    const waiter = queue.shift()!
    // Its next waiter has its turn after those of the other keys.
    this.#waiting.delete(key)
    if (queue.length > 0) this.#waiting.set(key, queue)
    this.#enter(key)
    waiter.enter()
  }

  /** Key whose turn it is; undefined if no waiter may enter. */
  #next(): string | undefined {
    let slow: string | undefined
    for (const key of this.#waiting.keys()) {
      if (!this.#mayEnter(key)) continue
      if (!this.#isSlow(key)) {
        if (slow === undefined) return key
        if (this.#passedBy < mostPassedBy) {
          this.#passedBy += 1
          return key
        }
        break
      }
      slow ??= key
    }
    if (slow !== undefined) this.#passedBy = 0
    return slow
  }
}
