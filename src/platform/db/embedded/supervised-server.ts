import { setTimeout as pause } from 'node:timers/promises'
import { isAlive, type Postmaster } from './postmaster.ts'

const lookMilliseconds = 200
const longestPause = 5_000

/**
 * An embedded PostgreSQL that is restarted when it is gone: killed for lack of memory, for example. It is polled
 * instead of waited for as a child, because a server taken over from an earlier service is no child. Meanwhile the
 * service's work fails and is retried; committed data are available once the log has been replayed.
 */
export class SupervisedServer {
  #server: Postmaster
  readonly #cluster: string
  readonly #log: (line: string) => void
  readonly #start: () => Promise<Postmaster>
  readonly #over = new AbortController()
  #watching: Promise<void> | undefined

  constructor(server: Postmaster, cluster: string, log: (line: string) => void, start: () => Promise<Postmaster>) {
    this.#server = server
    this.#cluster = cluster
    this.#log = log
    this.#start = start
  }

  keep(): void {
    this.#watching ??= this.#watch()
  }

  /** Ends the supervision; returns the current server. */
  async letGo(): Promise<Postmaster> {
    this.#over.abort()
    await this.#watching
    return this.#server
  }

  async #watch(): Promise<void> {
    while (await this.#wait(lookMilliseconds)) {
      if (!isAlive(this.#server, this.#cluster)) await this.#startAgain()
    }
  }

  /**
   * Restarts the server, with retries: processes of the old server may keep its memory for a moment, and until they are
   * gone a new one does not start.
   */
  async #startAgain(): Promise<void> {
    this.#log(`PostgreSQL (process ${this.#server.pid}) has ended; starting it again.`)
    for (let wait = lookMilliseconds, tries = 1; ; wait = Math.min(wait * 2, longestPause), tries++) {
      try {
        this.#server = await this.#start()
        this.#log(`PostgreSQL runs again (process ${this.#server.pid}).`)
        return
      } catch (error) {
        if (tries % 5 === 0) this.#log(`PostgreSQL does not start again: ${(error as Error).message}`)
        if (!(await this.#wait(wait))) return
      }
    }
  }

  async #wait(milliseconds: number): Promise<boolean> {
    await pause(milliseconds, undefined, { signal: this.#over.signal, ref: false }).catch(() => {})
    return !this.#over.signal.aborted
  }
}
