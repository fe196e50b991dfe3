import { useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Resource } from '../../api/records.ts'
import type { LogSubject } from './log-source.ts'

/** Lines of a log that match, by their indexes. */
export interface Matches {
  readonly lines: readonly number[]
  /** Whether these are all. */
  readonly isExact: boolean
}

interface Answer {
  readonly data: Resource<{ readonly matches: readonly { readonly line: number }[] }>
  readonly meta: { readonly total: number; readonly total_exact: boolean }
}

/** Searches a log for a text, or for the lines written to stderr. While the activity runs, it is searched every 5 s. */
export function useMatches(subject: LogSubject, sought: { query: string } | { errors: true }, isLive: boolean) {
  const query = { ...subject.query, ...sought }
  return useQuery({
    queryKey: recordKey(`${subject.path}/matches`, query),
    queryFn: async (): Promise<Matches> => {
      const { data, meta } = await sluice().document<Answer>(`${subject.path}/matches`, query)
      return { lines: data.attributes.matches.map(({ line }) => line), isExact: meta.total_exact }
    },
    enabled: !('query' in sought) || sought.query !== '',
    ...(isLive && { refetchInterval: 5_000 }),
  })
}
