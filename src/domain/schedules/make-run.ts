import { rightMissing } from '#platform/required-rights.ts'
import { aboutRun, type CreateRunParts, createRun, needsOfRun } from '../workflow-runs/index.ts'
import type { MakingParts } from './make.jobs.ts'

/**
 * Creates the run of a schedule's workflow in the name of its creator, like a request of theirs, and records it.
 *
 * @throws Failure like the response to the request
 */
export const runMaker =
  (parts: CreateRunParts): MakingParts['makeRun'] =>
  async (context, project, { scheduledActivityId, workflow, version, ...asked }) => {
    const needed = needsOfRun(project, workflow)
    if (!context.actor.rights.may(needed.right, needed.path)) throw rightMissing(context.actor, needed)
    const given = { ...asked, workflow, ...(version !== null && { version }) }
    const { id, code } = await createRun(parts, context, project, given, { scheduledActivityId })
    await context.record({ type: 'api:workflow_runs:create', actor: context.actor, ...aboutRun(id, project, code) })
    return id
  }
