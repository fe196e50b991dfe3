import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Body, StepMove } from '../rules/next-moves.ts'
import type { StepMoveName, StepState } from '../rules/step.lifecycle.ts'
import type { StepChange } from './step-transition.store.ts'

export interface UnfinishedStep {
  id: string
  parent_id: string | null
  status: StepState
  body: Body
  needs_approval: boolean
  fence: number
  runner_id: string | null
  attempt: number
}

/** Steps of a locked activity that have not ended, for operations that stop all of it. */
export function unfinishedSteps(tx: Tx, activityId: string): Promise<UnfinishedStep[]> {
  return tx.rows(sql<UnfinishedStep>`
    select id, parent_id, status, body, needs_approval, fence, runner_id, attempt
      from steps
     where activity_id = ${activityId} and not final
     order by tree_order`)
}

/** The attempts of a locked activity that are this runner's, in the order of the tree. */
export function attemptsOn(tx: Tx, activityId: string, runnerId: string): Promise<UnfinishedStep[]> {
  return tx.rows(sql<UnfinishedStep>`
    select id, parent_id, status, body, needs_approval, fence, runner_id, attempt
      from steps
     where runner_id = ${runnerId}::uuid and status = 'running' and body = 'open' and activity_id = ${activityId}
     order by tree_order`)
}

const bodyRuns = (step: Pick<UnfinishedStep, 'status' | 'body'>): boolean =>
  step.status === 'running' && step.body === 'open'

/** One move of a step that was read under the lock, with the fence that it needs. */
export function stepChange(step: UnfinishedStep, move: StepMoveName, to: StepMove['to'], body: Body): StepChange {
  const common = { id: step.id, path: [move], to, body, before: step }
  return step.status === 'running'
    ? { ...common, from: 'running', fence: bodyRuns(step) ? step.fence : null }
    : { ...common, from: step.status }
}
