import { setTimeout as pause } from 'node:timers/promises'

/** For how long somebody who is away is asked again, in milliseconds: after pauses that double from `first` to `longest`. */
export interface Patience {
  readonly first: number
  readonly longest: number
  /** Counted from the first try that failed; one that has begun by then is waited for. */
  readonly inAll: number
}

/** A service starts again within this, and a database of its own with it. */
export const usualPatience: Patience = { first: 100, longest: 2_000, inAll: 30_000 }
/** Each request is sent once and without a key, for whoever measures. */
export const noPatience: Patience = { first: 0, longest: 0, inAll: 0 }

/**
 * Tries until it succeeds, until what went wrong will not pass, or until patience has an end.
 *
 * @param passes whether the same may go well a little later
 * @throws what the last try did, and at once when it is stopped
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  passes: (error: unknown) => boolean,
  { first, longest, inAll }: Patience,
  stop?: AbortSignal,
): Promise<T> {
  let end: number | undefined
  for (let wait = first; ; wait = Math.min(2 * wait, longest)) {
    try {
      return await attempt()
    } catch (error) {
      end ??= performance.now() + inAll
      if (!passes(error) || performance.now() + wait >= end) throw error
    }
    await pause(wait, undefined, stop ? { signal: stop } : {})
  }
}
