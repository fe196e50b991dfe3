import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { closeCodes } from '#protocol/runner-protocol.ts'
import { renewSessions } from './runner.store.ts'
import type { RunnerSession } from './session.adapter.ts'

const gatherMilliseconds = 50
const retryMilliseconds = 1_000

/**
 * Renews the leases of all runners that ask within a moment by one statement, and answers each only then: a runner
 * without an answer stops its steps, as one without a stored lease must.
 */
export class Leases {
  readonly #database: Database
  readonly #log: Log
  #due = new Set<RunnerSession>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  renew(session: RunnerSession): void {
    this.#due.add(session)
    this.#timer ??= setTimeout(() => void this.#write(), gatherMilliseconds)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#due.clear()
  }

  async #write(): Promise<void> {
    const sessions = [...this.#due]
    this.#due = new Set()
    this.#timer = undefined
    try {
      const held = await renewSessions(
        this.#database,
        sessions.map(({ runner, acked }) => ({ ...runner, acked })),
      )
      failpoint('lease-renewed')
      for (const session of sessions) {
        if (held.has(session.runner.id)) session.send({ type: 'alive' })
        // It reconnects, and then learns whether it was given up.
        else session.close(closeCodes.superseded)
      }
    } catch (error) {
      this.#log.warn({ err: error, runners: sessions.length }, 'renewing runner leases failed; retrying')
      for (const session of sessions) this.#due.add(session)
      this.#timer ??= setTimeout(() => void this.#write(), retryMilliseconds)
    }
  }
}
