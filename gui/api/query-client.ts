import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { Refused } from '#client/sluice.ts'

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls `listener` when the service answers 401, which means that the session has ended; returns how to stop. */
export function onSessionEnd(listener: Listener): Listener {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function reportEnd(error: unknown): void {
  if (isStatus(error, 401)) for (const listener of listeners) listener()
}

export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof Refused && statuses.includes(error.status)

// A request under way is drawn before the next event of the user: with a timer, as is usual, the second click of a
// double click on a busy page comes first and is sent as well.
notifyManager.setScheduler(queueMicrotask)

/**
 * Reads invalidated queries again, also those that are being read for the first time: the library takes the answer that is
 * under way, which may be older than the reason to read again.
 */
export class CurrentQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const begun = new Set(
      this.getQueryCache()
        .findAll(filters)
        .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching'),
    )
    await super.invalidateQueries(filters, options)
    if (begun.size > 0) await super.invalidateQueries({ predicate: query => begun.has(query) }, options)
  }
}

/**
 * Cache of what the service answered. Live streams keep it current, so nothing is fetched again merely because the
 * window gets the focus; the client itself retries lost connections.
 */
export const queryClient = new CurrentQueryClient({
  queryCache: new QueryCache({ onError: reportEnd }),
  mutationCache: new MutationCache({ onError: reportEnd }),
  defaultOptions: {
    queries: { staleTime: 15_000, gcTime: 5 * 60_000, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})
