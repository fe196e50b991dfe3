import { availableParallelism } from 'node:os'
import { Failure } from '#platform/failure.ts'
import { HashingThread } from './hashing.adapter.ts'

/** What a password must be like (interface.md 9). */
export const passwordLength = { least: 12, most: 1_024 } as const

/** Hashes off the main thread, at most cores − 1 at once, so that signing in cannot take the machine from the rest. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Without a hash (no such user, no password) it takes the same time and is false. */
  verify(known: string | null, password: string): Promise<boolean>
}

/** More of them waiting than this are somebody's flood: they are told to come again. */
const longestQueue = 100

export function passwords(parallel = Math.max(1, availableParallelism() - 1)): Passwords {
  const turns = new Turns(Array.from({ length: parallel }, () => new HashingThread()))
  // Made once, by the first who needs it: the hash of no password that anybody could know.
  let nobody: Promise<string> | undefined
  return {
    hash: password => turns.take(thread => thread.hash(normal(password))),
    verify: (known, password) =>
      turns.take(async thread => {
        nobody ??= thread.hash(crypto.randomUUID())
        return (await thread.verify(known ?? (await nobody), normal(password))) && known !== null
      }),
  }
}

/** One keyboard sends é as one character, another as two. */
const normal = (password: string) => password.normalize('NFC')

/** So many at once as there are threads, or whatever else there is one of for each; the others wait for their turn. */
export class Turns<Thread> {
  readonly #free: Thread[]
  readonly #waiting: ((thread: Thread) => void)[] = []

  constructor(threads: readonly Thread[]) {
    this.#free = [...threads]
  }

  async take<T>(work: (thread: Thread) => Promise<T>): Promise<T> {
    const free = this.#free.pop()
    if (!free && this.#waiting.length >= longestQueue) throw tooManyRequests('Too many sign-ins at once.', 1)
    const thread = free ?? (await new Promise<Thread>(resolve => this.#waiting.push(resolve)))
    try {
      return await work(thread)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(thread)
      else this.#free.push(thread)
    }
  }
}

/** 429, with the seconds after which to come again. */
export const tooManyRequests = (detail: string, seconds: number): Failure =>
  new Failure([{ code: 'too-many-requests', detail }], { 'retry-after': String(seconds) })
