import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import type { Resource, WorkflowRun } from '../../api/records.ts'
import type { Metadata } from './metadata-lines.ts'
import type { WorkflowPlan } from './workflow-plan.ts'

/** Attributes of the API for a workflow run or its retry. */
export interface WorkflowRunAttributes {
  readonly version?: number
  readonly skip_steps?: readonly string[]
  readonly property_overrides?: Readonly<Record<string, unknown>>
  readonly metadata?: Metadata
  readonly run_at?: string
  readonly retry?: true
}

/** Request that creates a workflow run, or returns its plan. */
export interface WorkflowRunRequest {
  /** Path of the API. */
  readonly path: string
  readonly attributes: WorkflowRunAttributes
  /** Id of the run that is retried. */
  readonly retryOf?: string
}

const documentOf = ({ attributes, retryOf }: WorkflowRunRequest, more: object, meta?: object) => ({
  attributes: { ...attributes, ...more },
  ...(retryOf !== undefined && {
    relationships: { workflow_run: { data: { type: 'workflow_run', id: retryOf } } },
  }),
  ...(meta && { meta }),
})

/** Plan of a workflow run; undefined reads none. */
export const useWorkflowPlan = (request: WorkflowRunRequest | undefined): UseQueryResult<WorkflowPlan> =>
  useQuery({
    queryKey: ['workflow plan', request],
    queryFn: async () => {
      const answer = await sluice().send('POST', request!.path, { data: documentOf(request!, {}, { plan: true }) })
      return (answer!.data as { attributes: unknown }).attributes as WorkflowPlan
    },
    enabled: request !== undefined,
    // What a plan waits for changes by the second.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

/** Creates the run that a plan describes. */
export async function runPlannedWorkflow(
  request: WorkflowRunRequest,
  plan: WorkflowPlan,
): Promise<Resource<WorkflowRun>> {
  const answer = await sluice().send('POST', request.path, { data: documentOf(request, { plan_sha: plan.plan_sha }) })
  return answer!.data as Resource<WorkflowRun>
}
