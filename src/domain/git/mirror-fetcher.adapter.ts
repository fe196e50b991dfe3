import type { Keyring } from '#platform/crypto/index.ts'
import { clockOf } from '#platform/db/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { lockNamed, tryLockNamed } from '#platform/db/locks.ts'
import { KeyedSemaphore } from '#platform/keyed-semaphore.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { GitFailure } from './git-failure.ts'
import {
  allowIdle,
  credentialsOf,
  findRemote,
  noteFetched,
  pinnedCommits,
  type StoredRemote,
} from './git-remote.store.ts'
import type { FetchFrom, Mirror } from './mirror.adapter.ts'
import type { Reach } from './reach.adapter.ts'
import { type GitProtocol, readRemoteUrl } from './remote-url.ts'

export interface FetchOptions {
  /** A mirror whose newest fetch began less than this ago is not fetched again. Default: as the settings say. */
  readonly freshMilliseconds?: number
  /**
   * Instant to use instead of that: a mirror whose newest fetch began later is not fetched again. The database's time,
   * in milliseconds since 1970.
   */
  readonly since?: number
  readonly signal?: AbortSignal
  /** Callback for git's progress, credentials hidden. */
  readonly onProgress?: (text: string) => void
}

export interface MirrorFetcherOptions {
  readonly database: Database
  readonly keyring: Keyring
  readonly protocols: readonly GitProtocol[]
  readonly reach: Reach
  readonly mirrorOf: (remoteId: string) => Mirror
  /** Maximum time until a remote's first output. Default 60,000. */
  readonly silenceMilliseconds?: number
  /** Settings, read before each fetch. Without them a mirror is fresh for 3 s. */
  readonly settings?: () => Promise<{ readonly freshMilliseconds: number }>
}

const fetchTimeout = 1_800_000
/** Milliseconds of silence after which a server counts as hanging. curl takes as long (`http.lowSpeedTime`). */
const usualSilence = 60_000

/**
 * Fetches into mirrors: one fetch at a time for each remote in all processes, a limited number at a time for each host,
 * and none for a while from a host that does not answer.
 */
export class MirrorFetcher {
  readonly #options: MirrorFetcherOptions
  readonly #underWay = new Map<string, { began: number; ended: Promise<number | undefined> }>()
  // Each holds a connection to the database while its git runs.
  readonly #turns = new KeyedSemaphore({ total: 5, perKey: 4 })
  readonly #silent = new CircuitBreaker()

  constructor(options: MirrorFetcherOptions) {
    this.#options = options
  }

  /** See `Git.fetch`. */
  async fetch(remoteId: string, how: FetchOptions = {}): Promise<number | undefined> {
    const { database, mirrorOf, settings } = this.#options
    const usual = how.freshMilliseconds ?? (await settings?.())?.freshMilliseconds ?? 3_000
    const now = await clockOf(database)
    const fresh = how.since === undefined ? usual : now - how.since
    if (fresh > 0 && (await mirrorOf(remoteId).age(now)) < fresh) return undefined
    const other = this.#underWay.get(remoteId)
    // A fetch that began longer ago may have missed later pushes; ours waits for its turn.
    if (other && performance.now() - other.began < fresh) return other.ended
    const mine = { began: performance.now(), ended: this.#fetchNow(remoteId, fresh, how) }
    this.#underWay.set(remoteId, mine)
    try {
      return await mine.ended
    } finally {
      if (this.#underWay.get(remoteId) === mine) this.#underWay.delete(remoteId)
    }
  }

  /** Changes the mirror with access to the remote, in turn with fetches. */
  change(remoteId: string, work: (source: FetchFrom) => Promise<void>): Promise<void> {
    return this.#inTurn(remoteId, remote => this.#from(remote, {}, work))
  }

  /**
   * Runs work under the remote's lock, which ends with this transaction, however it ends. False: it is locked already,
   * and with `unlessHeld` the caller does not wait.
   */
  locked(
    remoteId: string,
    work: (remote: StoredRemote) => Promise<void>,
    how?: { unlessHeld: true },
  ): Promise<boolean> {
    return this.#options.database.transaction(
      async tx => {
        // Only a lock is held meanwhile: no row, no snapshot, and no transaction id that the audit trail would wait for.
        await allowIdle(tx)
        const lock = `git_remotes:${remoteId}`
        if (!how?.unlessHeld) await lockNamed(tx, lock)
        else if (!(await tryLockNamed(tx, lock))) return false
        const remote = await findRemote(tx, remoteId)
        if (!remote) throw new GitFailure('The Git remote has been deleted.', '', null)
        await work(remote)
        return true
      },
      { statementTimeout: fetchTimeout + 60_000 },
    )
  }

  /** Host and port of the remote, or its path where it has none. */
  hostOf(remote: StoredRemote | undefined): string {
    const where = remote && readRemoteUrl(remote.url, this.#options.protocols)
    if (!where || 'wrong' in where) return ''
    return where.host ? `${where.host}${where.port && `:${where.port}`}` : where.path
  }

  /** Whether its host has not answered lately, and is left alone for a while. */
  isSilent(remote: StoredRemote): boolean {
    return this.#silent.isOpen(this.hostOf(remote))
  }

  async #fetchNow(remoteId: string, fresh: number, how: FetchOptions): Promise<number | undefined> {
    const { database } = this.#options
    const mirror = this.#options.mirrorOf(remoteId)
    let took: number | undefined
    await this.#inTurn(remoteId, async remote => {
      const now = await clockOf(database)
      if ((await mirror.age(now)) < fresh) return
      const began = performance.now()
      await this.#from(remote, how, source => mirror.fetch(source, now))
      took = Math.round(performance.now() - began)
      await noteFetched(database, remoteId)
    })
    return took
  }

  /** Turns for calls that contact the remote's host. */
  async #inTurn(remoteId: string, work: (remote: StoredRemote) => Promise<void>): Promise<void> {
    const host = this.hostOf(await findRemote(this.#options.database, remoteId))
    // In this order: a caller that waited for a slot gets the result found meanwhile.
    await this.#turns.take(host, () => this.#silent.ask(host, () => this.locked(remoteId, work)))
  }

  #from(remote: StoredRemote, how: FetchOptions, work: (from: FetchFrom) => Promise<void>): Promise<void> {
    const { database, keyring, reach, silenceMilliseconds = usualSilence } = this.#options
    return reach({ ...remote, credentials: credentialsOf(keyring, remote) }, reached =>
      work({
        ...reached,
        timeoutMilliseconds: fetchTimeout,
        silenceMilliseconds,
        kept: () => pinnedCommits(database, remote.id),
        ...(how.signal && { signal: how.signal }),
        ...(how.onProgress && { onProgress: how.onProgress }),
      }),
    )
  }
}
