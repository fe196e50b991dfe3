import type { Context } from '#platform/commands/command.ts'
import { runSettings } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import { createActivity } from '../steps/index.ts'
import type { CreateRunParts } from './parts.port.ts'
import { nameOfRun } from './run.ts'

/** Creator of a run that is not created by a request. */
export interface RunCreator {
  /** A step of an admitted run, at depth `depth` - 1: maintenance does not block its child. */
  readonly step?: { readonly id: string; readonly depth: number }
  readonly scheduledActivityId?: string
}

interface NewRunActivity {
  /** Code of the workflow. */
  readonly code: string
  /** Earliest start (ISO 8601). */
  readonly runAt: string | undefined
  readonly by: RunCreator
  /** The scope that it inherits: of a version that a step published, or of the run that it retries. */
  readonly scopeProjectId: string | null
}

/**
 * Creates the activity of a new run, in the name of the context's actor, initializing, with the current settings of its
 * project for admission.
 *
 * @returns its id
 */
export async function createRunActivity(
  parts: Pick<CreateRunParts, 'site' | 'settings'>,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  project: Node,
  { code, runAt, by, scopeProjectId }: NewRunActivity,
): Promise<string> {
  const { data } = await parts.settings.ofNode(tx, project)
  return createActivity(tx, {
    kind: 'workflow_run',
    nodeId: project.id,
    projectId: project.id,
    path: project.path,
    site: parts.site,
    name: nameOfRun(project.path, code),
    createdBy: actor.username,
    userId: actor.userId,
    scopeProjectId: actor.scopeProjectId ?? scopeProjectId,
    runAt: runAt ?? null,
    underWay: by.step !== undefined,
    workflowStepId: by.step?.id ?? null,
    settings: {
      ...runSettings(data),
      allowSameName: data['allow_parallel.runs_of_same_workflow'] === true,
      // The run needs no slot: its changes do, and their slots limit how many run at once.
      parallelSteps: mostSteps,
    },
  })
}

const mostSteps = 2_147_483_647
