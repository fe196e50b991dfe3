import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isFinal } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import type { Resource, StepAttempt } from '../../api/records.ts'
import type { StepRecord, Steps } from './steps.ts'
import type { PartProps } from './use-activity.ts'

export type Attempt = Resource<StepAttempt>

const none: ReadonlyMap<string, readonly Attempt[]> = new Map()

/** Attempts of this activity that were followed by another one, by their steps; read only if a step has any. */
export function useSupersededAttempts({ kind, record, live }: PartProps): ReadonlyMap<string, readonly Attempt[]> {
  const again = restarts(live.steps)
  const path = `${kind.path(record.id)}/attempts`
  const { data = none } = useQuery({
    // With their number, so that a step that runs again has the list read again.
    queryKey: listKey(path, { again: String(again) }),
    queryFn: async () => {
      const attempts: Attempt[] = []
      const query = { 'filter[superseded_eq]': 'true', limit: 1_000 }
      for await (const { data } of sluice().pages(path, query)) attempts.push(...(data as unknown as Attempt[]))
      return Map.groupBy(attempts, ({ attributes }) => attributes.step_id)
    },
    enabled: kind.type === 'change' && again > 0,
    placeholderData: keepPreviousData,
  })
  return data
}

function restarts(steps: Steps): number {
  let count = 0
  for (const { attributes } of steps.all()) count += Math.max(0, (attributes.attempt ?? 0) - 1)
  return count
}

/** Attempts of a step of a change, oldest first, also those of the changes that it is a retry of. */
export function useAttempts({ kind }: Pick<PartProps, 'kind'>, step: StepRecord | undefined, isWanted: boolean) {
  const { attempt = 0, status_code: status = '', updated_at = '' } = step?.attributes ?? {}
  const path = `${kind.stepPath(step?.id ?? '')}/attempts`
  return useQuery({
    // With the time, so that the attempts of a step that has moved are read again.
    queryKey: listKey(path, { updated_at }),
    queryFn: async () => (await sluice().list<StepAttempt>(path)) as readonly Attempt[],
    enabled: step !== undefined && isWanted && (attempt > 0 || !isFinal(status)),
    placeholderData: keepPreviousData,
  })
}
