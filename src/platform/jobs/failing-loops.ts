import { messageOf } from '../failure.ts'

/** A loop that has failed each time for a while. */
export interface FailingLoop {
  readonly loop: string
  readonly failures: number
  /** Since the first of them. */
  readonly failing_seconds: number
  /** What the last one said. */
  readonly error: string
}

/** The loops of a process that failed when they last ran. */
export class FailingLoops {
  readonly #of = new Map<string, { began: number; failures: number; error: string }>()

  /** Answers how often in a row. */
  failed(loop: string, error: unknown, now = performance.now()): number {
    const before = this.#of.get(loop)
    const failures = (before?.failures ?? 0) + 1
    const message = messageOf(error)
    this.#of.set(loop, { began: before?.began ?? now, failures, error: message.slice(0, longest) })
    return failures
  }

  wentWell(loop: string): void {
    this.#of.delete(loop)
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
