import Type from 'typebox'
import type { Sql } from '#platform/db/sql.ts'
import type { AnyView } from '#platform/domain.ts'
import type { ParentRow, Resource } from '#platform/jsonapi/resource.ts'
import { readable } from '#platform/jsonapi/select.ts'
import type { ViewContext } from '#platform/view-context.ts'
import type { LogOwners } from './log-owners.port.ts'
import type { Log } from './log-range.tx.ts'
import {
  linesOfChange,
  linesOfRun,
  linesOfStep,
  linesOfTree,
  linesOfWorkflowStep,
  madeByRun,
  madeByTree,
  ofTreeOrMade,
} from './log-scopes.sql.ts'

/** A log that can be read by the index of its lines. */
export interface ReadableLog {
  /** Path below which its endpoints are: `/api/changes/:id`. */
  readonly path: string
  /** Name of its operations: `changes`. */
  readonly name: string
  /** The record whose log it is, in words. */
  readonly of: string
  readonly parent: (id: string) => Sql<ParentRow>
  readonly scope: (parent: ParentRow, query: ViewContext['query']) => Sql<boolean>
  /** Whether it may have lines of several activities. */
  readonly ofRun?: true
  /** Whether it is the log of a step, and not of an activity. */
  readonly ofStep?: true
  /** Ids of the activities that the owner made, whose lines it has as well. */
  readonly made?: (parent: ParentRow) => Sql
  /** Id of the workflow run of whose steps it has lines. */
  readonly runOf?: (parent: ParentRow) => string
  /** Condition on the lines of these activities and of the owner's own that it has; absent if it has all. */
  readonly within?: (parent: ParentRow, query: ViewContext['query']) => Sql<boolean>
  /** The step that wrote all of its lines, if there is only one. */
  readonly stepOf?: (parent: ParentRow, query: ViewContext['query']) => string | undefined
  readonly parameters?: AnyView['parameters']
}

/** A record whose log is read. */
export type OwnerOfLog = ParentRow & { readonly readPath: string }

const hasChildren = ({ include_child_steps }: ViewContext['query']) => include_child_steps === 'true'

const ofStepOrTree = (parent: ParentRow, query: ViewContext['query']) =>
  hasChildren(query) ? linesOfTree(parent) : linesOfStep(parent)

/** Logs of changes, workflow runs and the steps of both. */
export const readableLogs = ({ activityRow, stepRow }: LogOwners): readonly ReadableLog[] => [
  {
    path: '/api/changes/:id',
    name: 'changes',
    of: 'a change',
    parent: id => activityRow(id, 'change'),
    scope: linesOfChange,
  },
  {
    path: '/api/steps/:id',
    name: 'steps',
    of: 'a step',
    parent: id => stepRow(id, 'change'),
    scope: ofStepOrTree,
    within: ofStepOrTree,
    ofStep: true,
    stepOf: (parent, query) => (hasChildren(query) ? undefined : (parent['ran_as'] as string)),
    parameters: {
      include_child_steps: {
        schema: Type.Boolean(),
        describe: 'Whether to include the lines of all child steps, ordered by time.',
      },
    },
  },
  {
    path: '/api/workflow_runs/:id',
    name: 'workflow_runs',
    of: 'a workflow run and of the changes that it made',
    parent: id => activityRow(id, 'workflow_run'),
    scope: linesOfRun,
    made: madeByRun,
    runOf: ({ id }) => id,
    ofRun: true,
  },
  {
    path: '/api/workflow_steps/:id',
    name: 'workflow_steps',
    of: 'a step of a workflow run and of what it made',
    parent: id => stepRow(id, 'workflow_run'),
    scope: linesOfWorkflowStep,
    made: madeByTree,
    runOf: parent => parent['activity_id'] as string,
    within: ofTreeOrMade,
    ofRun: true,
    ofStep: true,
  },
]

export async function ownerOfLog(
  { parent }: ReadableLog,
  { database, params }: ViewContext,
): Promise<OwnerOfLog | undefined> {
  const found = await database.one(parent(params['id']!))
  return found && { ...found, readPath: found.path }
}

/** The log of a record as far as the caller may read it. */
export function logOf(
  lines: Resource,
  log: ReadableLog,
  owner: OwnerOfLog,
  { actor, query }: Pick<ViewContext, 'actor' | 'query'>,
): Log {
  const stepId = log.stepOf?.(owner, query)
  return { among: [...readable(lines, actor), log.scope(owner, query)], ...(stepId !== undefined && { stepId }) }
}
