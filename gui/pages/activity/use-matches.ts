import { useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Resource } from '../../api/records.ts'
import type { Place } from '../../components/log-window/section-rows.ts'
import type { LogSubject } from './log-source.ts'

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
export function useMatches(subject: LogSubject, sought: { query: string } | { errors: true }, isLive: boolean) {
  const query = { ...subject.query, ...sought }
  return useQuery({
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
