import { Counter, Histogram, Registry } from 'prom-client'
import type { Actor } from './actor.ts'
import type { Database } from './db/database.ts'
import type { Gate } from './db/gate.ts'
import { Failure } from './failure.ts'
import { KeyedSemaphore, SemaphoreBusy } from './keyed-semaphore.ts'
import { SlidingMinute } from './sliding-minute.ts'

/** Limits of one user's use of the database's connections in one process. */
export interface ShareLimits {
  /** Connections for lists, shows and views, and for commands. */
  readonly lists: Share
  readonly commands: Share
  /** Maximum number of waiting requests of one user, for lists and for commands each. */
  readonly waiting: number
  /** Time after which a waiting request is refused. */
  readonly maxWaitMilliseconds: number
  /** Milliseconds of database time within a minute from which a user is in the slow lane. */
  readonly slowFrom: number
}

interface Share {
  readonly total: number
  readonly perUser: number
}

export const usualShares: ShareLimits = {
  lists: { total: 6, perUser: 2 },
  commands: { total: 5, perUser: 3 },
  waiting: 256,
  maxWaitMilliseconds: 10_000,
  slowFrom: 10_000,
}

/** The databases of one request. */
export interface RequestShare {
  readonly lists: Database
  /** Database that waits for its turn without a limit, for a response that has begun. */
  readonly unhurried: Database
  readonly commands: Database
  /** Milliseconds spent so far, in the database and waiting. */
  readonly spent: () => { readonly database: number; readonly waiting: number }
}

/** Database time of a user within the last minute. */
export interface UserLoad {
  readonly userId: string
  /** Whether these are tokens of steps, which share a place of their own. */
  readonly ofSteps: boolean
  readonly milliseconds: number
  readonly slowLane: boolean
}

const steps = 'steps:'

/**
 * Fair sharing of the connections for requests between users: each has a few places, waiting requests are served round
 * robin over users, and users with much database time within a minute have one place and are served last. It applies to
 * the transactions of a request, not to the request: slow uploads or downloads occupy nothing.
 */
export class FairShare {
  readonly registry = new Registry()
  readonly #databases: { readonly lists: Database; readonly commands: Database }
  readonly #limits: ShareLimits
  readonly #lists: KeyedSemaphore
  readonly #commands: KeyedSemaphore
  readonly #minute = new SlidingMinute()
  /** Key → start times of its open transactions. */
  readonly #running = new Map<string, Set<{ readonly began: number }>>()
  readonly #waited = new Histogram({
    name: 'sluice_user_wait_seconds',
    help: 'How long a transaction of a request waited for its turn among those of its user and of others',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  })
  readonly #refused = new Counter({
    name: 'sluice_busy_refusals_total',
    help: 'Requests that were answered 503 because too many of their user waited, or they waited too long',
    registers: [this.registry],
  })

  constructor(databases: { lists: Database; commands: Database }, limits: ShareLimits = usualShares) {
    this.#databases = databases
    this.#limits = limits
    const isSlow = (key: string) => this.#isSlow(key, performance.now())
    const semaphore = ({ total, perUser }: Share) =>
      new KeyedSemaphore(
        { total, perKey: perUser, waitingPerKey: limits.waiting, maxWaitMilliseconds: limits.maxWaitMilliseconds },
        { isSlow },
      )
    this.#lists = semaphore(limits.lists)
    this.#commands = semaphore(limits.commands)
  }

  /** The connection for lists that is reserved for work that no user waits for: live streams, sign-in, readiness. */
  get unshared(): Database {
    return this.#databases.lists
  }

  /**
   * Share for a request of this user. Tokens of steps have a key of their own: many steps do not slow down their
   * creator.
   */
  of({ userId, via }: Pick<Actor, 'userId' | 'via'>): RequestShare {
    const key = via === 'attempt' ? `${steps}${userId}` : (userId ?? 'anonymous')
    const spent = { database: 0, waiting: 0 }
    const gate = (semaphore: KeyedSemaphore, maxWaitMilliseconds?: number): Gate => ({
      enter: async () => {
        const asked = performance.now()
        const release = await this.#place(semaphore, key, maxWaitMilliseconds)
        const began = performance.now()
        this.#waited.observe((began - asked) / 1_000)
        spent.waiting += began - asked
        const leave = this.#begin(key, began)
        return () => {
          spent.database += leave()
          release()
        }
      },
    })
    const { lists, commands } = this.#databases
    return {
      lists: lists.through(gate(this.#lists)),
      unhurried: lists.through(gate(this.#lists, Number.POSITIVE_INFINITY)),
      commands: commands.through(gate(this.#commands)),
      spent: () => spent,
    }
  }

  /** Users with the most database time within the last minute, in descending order. */
  load(most: number): UserLoad[] {
    const now = performance.now()
    return [...new Set([...this.#minute.keys(), ...this.#running.keys()])]
      .map(key => ({
        userId: key.replace(steps, ''),
        ofSteps: key.startsWith(steps),
        milliseconds: Math.round(this.#spent(key, now)),
        slowLane: this.#isSlow(key, now),
      }))
      .filter(({ milliseconds }) => milliseconds > 0)
      .sort((a, b) => b.milliseconds - a.milliseconds)
      .slice(0, most)
  }

  /** Number of users in the slow lane. */
  slow(): number {
    return this.load(Number.POSITIVE_INFINITY).filter(({ slowLane }) => slowLane).length
  }

  async #place(semaphore: KeyedSemaphore, key: string, maxWaitMilliseconds: number | undefined): Promise<() => void> {
    try {
      return await semaphore.acquire(key, maxWaitMilliseconds)
    } catch (error) {
      if (!(error instanceof SemaphoreBusy)) throw error
      this.#refused.inc()
      throw this.#busy(error, key)
    }
  }

  #busy({ why }: SemaphoreBusy, key: string): Failure {
    const { waiting, maxWaitMilliseconds } = this.#limits
    const which = key.startsWith(steps) ? 'requests of your steps' : 'of your requests'
    const detail =
      why === 'queue is full'
        ? `${waiting} ${which} wait for the database already, as many as may: send fewer at once.`
        : `It waited ${maxWaitMilliseconds / 1_000} s behind other ${which}: send fewer at once, and lists with narrower filters.`
    return new Failure([{ code: 'busy', detail }], { 'retry-after': '5' })
  }

  /** @returns the function that ends it, which returns the milliseconds that it took */
  #begin(key: string, began: number): () => number {
    const running = this.#running.get(key) ?? new Set()
    const one = { began }
    this.#running.set(key, running.add(one))
    return () => {
      running.delete(one)
      if (running.size === 0) this.#running.delete(key)
      const now = performance.now()
      this.#minute.add(key, now - began, now)
      return now - began
    }
  }

  #spent(key: string, now: number): number {
    let sum = this.#minute.of(key, now)
    for (const { began } of this.#running.get(key) ?? []) sum += now - began
    return sum
  }

  #isSlow(key: string, now: number): boolean {
    return this.#spent(key, now) > this.#limits.slowFrom
  }
}
