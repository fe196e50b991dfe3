import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Resource } from '../../api/records.ts'
import type { Place } from '../../components/log-window/section-rows.ts'
import { kinds } from './activity-kind.ts'
import { type LogSubject, wholeLog } from './log-source.ts'
import type { OpenRun } from './run-sections.ts'

/** Lines of a log that match, by their indexes. */
export interface Matches {
  readonly lines: readonly number[]
  /** The same lines by their indexes in the logs of the activity's steps; those of no step are left out. */
  readonly inSteps: readonly Place[]
  /** Whether these are all. */
  readonly isExact: boolean
}

interface Match {
  readonly line: number
  readonly step_id: string | null
  readonly step_line: number
  /** Log of a workflow run: the step of the run that the line is due to, and its index in the log of that step. */
  readonly workflow_step_id?: string | null
  readonly workflow_step_line?: number | null
}

interface Answer {
  readonly data: Resource<{ readonly matches: readonly Match[] }>
  readonly meta: { readonly total: number; readonly total_exact: boolean }
}

/** Searches a log for a text, or for the lines written to stderr. While the activity runs, it is searched every 5 s. */
export const useMatches = (subject: LogSubject, sought: Sought, isLive: boolean) =>
  useQuery(matchesOptions(subject, sought, isLive))

/**
 * Places of the matches of a log of a workflow run with sections also for the steps of nested runs: those of each open run are
 * sought in its own log, and replace those of the step that has started it once they are read.
 */
export function useNestedPlaces(
  own: readonly Place[],
  runs: readonly OpenRun[],
  sought: Sought,
  isLive: boolean,
): readonly Place[] {
  const found = useQueries({
    queries: runs.map(({ run }) => matchesOptions(wholeLog(kinds.workflow_run, run), sought, isLive)),
    combine: inRuns,
  })
  return useMemo(() => {
    const read = new Map(runs.flatMap(({ creator }, i) => (found[i] ? [[creator, found[i]] as const] : [])))
    if (read.size === 0) return own
    return [own, ...read.values()].flat().filter(({ id }) => !read.has(id))
  }, [own, runs, found])
}

const inRuns = (results: readonly UseQueryResult<Matches>[]) => results.map(({ data }) => data?.inSteps)

type Sought = { readonly query: string } | { readonly errors: true }

function matchesOptions(subject: LogSubject, sought: Sought, isLive: boolean) {
  const query = { ...subject.query, ...sought }
  return queryOptions({
    queryKey: recordKey(`${subject.path}/matches`, query),
    queryFn: async (): Promise<Matches> => {
      const { data, meta } = await sluice().document<Answer>(`${subject.path}/matches`, query)
      const { matches } = data.attributes
      return {
        lines: matches.map(({ line }) => line),
        inSteps: matches.flatMap(placeInStep),
        isExact: meta.total_exact,
      }
    },
    enabled: !('query' in sought) || sought.query !== '',
    ...(isLive && { refetchInterval: 5_000 }),
  })
}

function placeInStep({ step_id: id, step_line: line, ...ofRun }: Match): Place[] {
  const { workflow_step_id: stepId, workflow_step_line: lineOfStep } = ofRun
  if (stepId === undefined) return id === null ? [] : [{ id, line }]
  return stepId === null || typeof lineOfStep !== 'number' ? [] : [{ id: stepId, line: lineOfStep }]
}
