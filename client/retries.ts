/** Retry policy: exponential back-off from `initial` to `maximum`, in milliseconds. */
export interface Retries {
  readonly initial: number
  readonly maximum: number
  /** Time after the first failure in which new attempts start; an attempt in progress may end later. */
  readonly total: number
}

/** Default retry policy: its total is long enough for a restart of the service and its embedded database. */
export const defaultRetries: Retries = { initial: 100, maximum: 2_000, total: 30_000 }
/** Sends each request once and without an idempotency key, for measurements. */
export const noRetries: Retries = { initial: 0, maximum: 0, total: 0 }

/**
 * Retries `attempt` with back-off until it succeeds, fails for good or the retry time is over.
 *
 * @param isTransient whether an error may go away
 * @throws the error of the last attempt; the reason of `stop` as soon as it is aborted
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  { initial, maximum, total }: Retries,
  stop?: AbortSignal,
): Promise<T> {
  let end: number | undefined
  for (let wait = initial; ; wait = Math.min(2 * wait, maximum)) {
    try {
      return await attempt()
    } catch (error) {
      end ??= performance.now() + total
      if (!isTransient(error) || performance.now() + wait >= end) throw error
    }
    await pause(wait, stop)
  }
}

/** Resolves after some milliseconds; rejects with the reason of `stop` when that is aborted. */
function pause(milliseconds: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stop?.aborted) return reject(stop.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(stop!.reason)
    }
    const timer = setTimeout(() => {
      stop?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    stop?.addEventListener('abort', onAbort, { once: true })
  })
}
