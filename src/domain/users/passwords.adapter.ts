import { availableParallelism } from 'node:os'
import { Failure } from '#platform/failure.ts'
import { KeyedSemaphore, SemaphoreBusy } from '#platform/keyed-semaphore.ts'
import { HashingThread } from './hashing.adapter.ts'

/** Limits of a password's length. */
export const passwordLength = { least: 12, most: 1_024 } as const

/** Hashes off the main thread, at most cores − 1 at once, so that signing in cannot use the whole machine. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Whether a password is correct. Without a hash (no such user, no password) it takes the same time and is false. */
  verify(known: string | null, password: string): Promise<boolean>
}

/**
 * Maximum number of waiting sign-ins, under one address or in all: more are a flood, and are refused with a retry time.
 * Setting a password counts as one address.
 */
const longestQueue = { waitingPerKey: 100, waiting: 400 }

export function passwords(parallel = Math.max(1, availableParallelism() - 1)): Passwords {
  const turns = new Turns(Array.from({ length: parallel }, () => new HashingThread()))
  // Computed once, at the first use: the hash of an unknown password.
  let nobody: Promise<string> | undefined
  return {
    hash: password => turns.take('', thread => thread.hash(normal(password))),
    verify: (known, password) =>
      turns.take('', async thread => {
        nobody ??= thread.hash(crypto.randomUUID())
        return (await thread.verify(known ?? (await nobody), normal(password))) && known !== null
      }),
  }
}

/** Normalized form of a password: one keyboard sends é as one character, another as two. */
const normal = (password: string) => password.normalize('NFC')

/**
 * Limits hashes to the number of threads, or of other resources; the others wait, and addresses are served round robin:
 * a flood of sign-ins from one address delays only that address.
 */
export class Turns<Thread> {
  readonly #free: Thread[]
  readonly #threads: number
  readonly #places: KeyedSemaphore
  readonly #rest: Pause | undefined
  /** Time of the last turn in milliseconds, with the rest. */
  #turn = 0

  constructor(threads: readonly Thread[], rest?: Pause) {
    this.#free = [...threads]
    this.#threads = threads.length
    this.#places = new KeyedSemaphore({ total: threads.length, perKey: threads.length, ...longestQueue })
    this.#rest = rest
  }

  /** @throws Failure `too-many-requests` (429) when too many wait */
  async take<T>(address: string, work: (thread: Thread) => Promise<T>): Promise<T> {
    const release = await this.#places.acquire(address).catch((error: unknown) => {
      throw error instanceof SemaphoreBusy ? tooManyRequests('Too many sign-ins at once.', this.#seconds()) : error
    })
    const thread = this.#free.pop()!
    const from = performance.now()
    try {
      return await work(thread)
    } finally {
      if (this.#rest) void this.#afterPause(thread, release, from, this.#rest)
      else this.#handOn(thread, release)
    }
  }

  async #afterPause(thread: Thread, release: () => void, from: number, rest: Pause): Promise<void> {
    await rest(performance.now() - from)
    this.#turn = performance.now() - from
    this.#handOn(thread, release)
  }

  #handOn(thread: Thread, release: () => void): void {
    this.#free.push(thread)
    release()
  }

  /** Estimated seconds until all current waiters have been served. */
  #seconds(): number {
    return Math.max(1, Math.ceil((this.#places.waiting * this.#turn) / this.#threads / 1_000))
  }
}

/** Pause of a processor, which resolves when it may work again after a number of milliseconds of work. */
type Pause = (worked: number) => Promise<unknown>

/**
 * Semaphore for sign-ins that need a slow hash: half of the processors, one sign-in at a time on each; with one or two
 * processors, one with pauses.
 */
export const signInTurns = (processors = availableParallelism()): Turns<number> =>
  new Turns(
    [...Array(Math.max(1, Math.floor(processors / 2))).keys()],
    processors > 2 ? undefined : pauseWhileRequestsWait,
  )

const glance = 20

/**
 * Pauses hashing while there are other requests. If a hash uses one of two processors, other requests are delayed by
 * milliseconds: the system lets a thread keep its processor until its next tick. So a twelfth of the time is for hashes
 * while there are other requests, that is while this thread is busy for more than the fifth of its time that the
 * service's own loops take.
 */
async function pauseWhileRequestsWait(worked: number): Promise<void> {
  const until = performance.now() + Math.min(12 * worked, 200)
  while (performance.now() < until) {
    const before = performance.eventLoopUtilization()
    await new Promise(resolve => setTimeout(resolve, glance))
    if (performance.eventLoopUtilization(before).utilization < 0.2) return
  }
}

/** 429, with the seconds after which to retry. */
export const tooManyRequests = (detail: string, seconds: number): Failure =>
  new Failure([{ code: 'too-many-requests', detail }], { 'retry-after': String(seconds) })
