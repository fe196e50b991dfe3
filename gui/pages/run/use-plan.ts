import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Refused } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import type { Change, Resource } from '../../api/records.ts'
import type { Plan } from './plan.ts'
import type { RunAttributes } from './run-form.ts'

/** Request that creates a change, or returns its plan. */
export interface RunRequest {
  /** Path of the API. */
  readonly path: string
  readonly attributes: RunAttributes
  /** Id of the change that is retried. */
  readonly retryOf?: string
}

const documentOf = ({ attributes, retryOf }: RunRequest, more: object, meta?: object) => ({
  attributes: { ...attributes, ...more },
  ...(retryOf !== undefined && { relationships: { change: { data: { type: 'change', id: retryOf } } } }),
  ...(meta && { meta }),
})

/** Plan of a change; undefined reads none. A failed plan is not read again by itself: the form says what is wrong. */
export const usePlan = (request: RunRequest | undefined): UseQueryResult<Plan> =>
  useQuery({
    queryKey: ['plan', request],
    queryFn: async () => {
      const { path } = request!
      const answer = await sluice().send('POST', path, { data: documentOf(request!, {}, { plan: true }) })
      return (answer!.data as { attributes: unknown }).attributes as Plan
    },
    enabled: request !== undefined,
    // What a plan waits for changes by the second.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

/** Creates the change that a plan describes; without a plan, whatever is there. */
export async function runPlanned(request: RunRequest, plan: Plan | undefined): Promise<Resource<Change>> {
  const bound = plan ? { plan_sha: plan.plan_sha } : {}
  const answer = await sluice().send('POST', request.path, { data: documentOf(request, bound) })
  return answer!.data as Resource<Change>
}

/** Whether a refusal says that the plan has changed since it was shown. */
export const hasMoved = (error: unknown): boolean =>
  error instanceof Refused &&
  error.status === 409 &&
  error.faults.some(({ source }) => source?.pointer === '/data/attributes/plan_sha')

/** Whether a refusal says that there is no plan yet, since its actions have not been read; the change itself reads them. */
export const isUnplanned = (error: unknown): boolean =>
  error instanceof Refused && error.status === 409 && error.faults[0]?.code === 'wrong-state' && !hasMoved(error)
