import type { Actor, Need } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { actionPath } from '../changes/index.ts'
import { isOfExistingNode } from '../nodes/index.ts'

/** A step of a change that sends a request to the service while it runs, by its token. */
export interface RequestingStep {
  readonly id: string
  readonly change_id: string
  readonly project_id: string
  readonly action: string
  /** Path of the change's node. */
  readonly readPath: string
  readonly rowVersion: number
}

export const findRequestingStep = (queries: Queries, id: string): Promise<RequestingStep | undefined> =>
  queries.one(sql<RequestingStep>`
    select s.id, c.id as change_id, a.project_id, c.action, a.path as "readPath",
           s.row_version as "rowVersion"
      from steps s
      join activities a on a.id = s.activity_id
      join changes c on c.id = a.id
     where s.id = ${id}::uuid and ${isOfExistingNode(sql`a.node_id`)}`)

/**
 * Rights needed for a step's request: a caller who may run the action may make the requests of its steps. People also
 * need the rights that they would need without a step.
 */
export const needsToAsk = ({ readPath, action }: RequestingStep, actor: Actor, ...ofPeople: Need[]): Need[] => [
  { right: 'execute', path: actionPath(readPath, action) },
  ...(actor.via === 'attempt' ? [] : ofPeople),
]

/** Rights needed for data of the step itself: another step of the project has no more rights than people. */
export const needsOfOwn = (step: RequestingStep, actor: Actor, ...ofOthers: Need[]): Need[] => [
  { right: 'execute', path: actionPath(step.readPath, step.action) },
  ...(actor.stepId === step.id ? [] : ofOthers),
]

/** Full path of a step, if it is a wait step. */
export const pathOfWait = (queries: Queries, stepId: string | null): Promise<{ full_path: string } | undefined> =>
  queries.one(sql<{ full_path: string }>`
    select full_path from steps where id = ${stepId}::uuid and step_type = 'wait'`)
