import { GitFailure } from './git-failure.ts'

/** Time in milliseconds for which a host that did not answer in time is not contacted again. */
const leftAloneFor = 30_000

/**
 * Circuit breaker for hosts of remotes that did not answer until a timeout. Further requests for their remotes fail at
 * once, except for one every half a minute that tries the host: a hanging host occupies one slot, and not all of them.
 */
export class CircuitBreaker {
  readonly #of = new Map<string, { readonly why: string; readonly again: number; tried: boolean }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether the circuit of a host is open, for callers that can do without a response. */
  isOpen(host: string): boolean {
    const silent = this.#of.get(host)
    return silent !== undefined && (silent.tried || this.#now() < silent.again)
  }

  /** @throws GitFailure */
  async ask<T>(host: string, work: () => Promise<T>): Promise<T> {
    const silent = this.#of.get(host)
    if (silent && (silent.tried || this.#now() < silent.again))
      throw new GitFailure(`${host} has not answered, and is left alone for a moment: ${silent.why}`, '', null)
    if (silent) silent.tried = true
    try {
      const answer = await work()
      this.#of.delete(host)
      return answer
    } catch (error) {
      // A refusal or a missing repository is a response.
      if (!(error instanceof GitFailure) || !isSilence(error)) this.#of.delete(host)
      else this.#of.set(host, { why: error.message, again: this.#now() + leftAloneFor, tried: false })
      throw error
    }
  }
}

/** Whether git failed by a timeout, in the words of this program, curl or ssh. */
const isSilence = ({ message }: GitFailure): boolean =>
  /said nothing|did not end within|too slow|timed out/i.test(message)
