import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Failure } from '#platform/failure.ts'

/** argon2id as OWASP advises (19 MiB, two passes, one lane): about 20 ms of one core. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

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
  const turns = new Turns(parallel)
  // Made once, by the first who needs it: the hash of no password that anybody could know.
  let nobody: Promise<string> | undefined
  return {
    hash: password => turns.take(() => hash(normal(password), cost)),
    verify: (known, password) =>
      turns.take(async () => {
        nobody ??= hash(crypto.randomUUID(), cost)
        return (await verify(known ?? (await nobody), normal(password))) && known !== null
      }),
  }
}

/** One keyboard sends é as one character, another as two. */
const normal = (password: string) => password.normalize('NFC')

class Turns {
  #free: number
  #waiting: (() => void)[] = []

  constructor(parallel: number) {
    this.#free = parallel
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else {
      if (this.#waiting.length >= longestQueue) throw tooManyRequests('Too many sign-ins at once.', 1)
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

/** 429, with the seconds after which to come again. */
export const tooManyRequests = (detail: string, seconds: number): Failure =>
  new Failure([{ code: 'too-many-requests', detail }], { 'retry-after': String(seconds) })
