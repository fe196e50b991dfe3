import { messageOf } from '../failure.ts'

/** A loop that has failed each time for a while. */
export interface FailingLoop {
  readonly loop: string
  readonly failures: number
  /** Seconds since the first of these failures. */
  readonly failing_seconds: number
  /** Message of the last failure. */
  readonly error: string
}

/** Number of runs of a loop in this process, and the time of the last one. */
export interface LoopRuns {
  readonly loop: string
  readonly runs: number
  /** Number of failures. */
  readonly failures: number
  /** Number of consecutive failures up to the last one. */
  readonly failuresInARow: number
  /** End of the last one, in milliseconds since 1970; before the first, the start of the loop. */
  readonly lastAt: number
}

/** The loops of a process: which of them failed when they last ran, and how often they have run. */
export class FailingLoops {
  readonly #of = new Map<string, { began: number; failures: number; error: string }>()
  readonly #runs = new Map<string, { runs: number; failures: number; lastAt: number }>()

  /** Registers a loop as running. */
  begins(loop: string): void {
    this.#runs.set(loop, { runs: 0, failures: 0, lastAt: Date.now() })
  }

  /** Records a failure. Returns the number of consecutive failures. */
  failed(loop: string, error: unknown, now = performance.now()): number {
    this.#ran(loop, 1)
    const before = this.#of.get(loop)
    const failures = (before?.failures ?? 0) + 1
    const message = messageOf(error)
    this.#of.set(loop, { began: before?.began ?? now, failures, error: message.slice(0, longest) })
    return failures
  }

  wentWell(loop: string): void {
    this.#ran(loop, 0)
    this.#of.delete(loop)
  }

  #ran(loop: string, failures: 0 | 1): void {
    const before = this.#runs.get(loop)
    this.#runs.set(loop, {
      runs: (before?.runs ?? 0) + 1,
      failures: (before?.failures ?? 0) + failures,
      lastAt: Date.now(),
    })
  }

  /** Returns the counts of all loops that run in this process. */
  all(): LoopRuns[] {
    return [...this.#runs].map(([loop, runs]) => ({
      loop,
      ...runs,
      failuresInARow: this.#of.get(loop)?.failures ?? 0,
    }))
  }

  now(now = performance.now()): FailingLoop[] {
    return [...this.#of].map(([loop, { began, failures, error }]) => ({
      loop,
      failures,
      failing_seconds: Math.round((now - began) / 1_000),
      error,
    }))
  }
}

const longest = 1_000
