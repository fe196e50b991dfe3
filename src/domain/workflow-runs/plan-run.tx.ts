import { createHash } from 'node:crypto'
import type { Rights } from '#platform/actor.ts'
import type { Context, Outcome } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { onlyPlanned, outlookOf } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import type { PlanRunParts } from './parts.port.ts'
import { type NestedPlan, type NestedSteps, plannedRun } from './plan-nested.tx.ts'
import { findRun, isRetry } from './run.store.ts'
import { nameOfRun } from './run.ts'
import type { PlannedRunStep } from './run-plan.store.ts'

/**
 * The plan of a run that is requested instead of the run.
 *
 * @param create creates the run, and returns its id
 * @throws Failure as the run itself would, also for an outdated `plan_sha`
 */
export const planRun = (
  parts: PlanRunParts,
  context: Context,
  project: Node,
  create: () => Promise<string>,
): Promise<Outcome> => onlyPlanned(context, async () => documentOf(parts, context, project, await create()))

/** @throws Failure `wrong-state` (409) when a created run is not what its plan showed; the caller's transaction undoes it */
export async function refuseMovedRun(
  parts: PlanRunParts,
  context: Context,
  id: string,
  planSha: string,
): Promise<void> {
  if ((await planOf(parts, context, id)).planSha !== planSha) throw moved()
}

const moved = (): Failure =>
  failure('wrong-state', 'The plan has changed since it was shown. Request it again, and check it before you run it.', {
    source: { pointer: '/data/attributes/plan_sha' },
  })

async function documentOf(parts: PlanRunParts, context: Context, project: Node, id: string): Promise<object> {
  const { tx, actor } = context
  const { planSha, run, planned } = await planOf(parts, context, id)
  const { data: settings } = await parts.settings.ofNode(tx, project)
  const outlook = await outlookOf(tx, {
    site: parts.site,
    name: nameOfRun(project.path, run.workflow_code).toLowerCase(),
    nodeId: project.id,
    allowSameName: settings['allow_parallel.runs_of_same_workflow'] === true,
    itself: id,
  })
  const { steps, ...retry } = stepsOf(planned, actor.rights)
  return {
    type: 'workflow_run_plan',
    id: planSha,
    attributes: {
      plan_sha: planSha,
      parent_path: project.path,
      workflow_code: run.workflow_code,
      version: run.version,
      name: run.name,
      steps,
      ...((await isRetry(tx, id)) && retry),
      ...outlook,
    },
  }
}

/** Hash of a run that exists, with the facts that it is made of. Values of overrides are hashed, never shown. */
async function planOf(parts: PlanRunParts, context: Context, id: string) {
  const run = (await findRun(context.tx, id))!
  const planned = await plannedRun(parts, context, run)
  const planSha = createHash('sha256')
    .update(JSON.stringify([run.path, run.workflow_code, run.version, planned.facts]))
    .digest('hex')
  return { run, planned, planSha }
}

/** The tree as the plan shows it, and the full paths of the steps that a retry keeps, and of those that are approved. */
function stepsOf({ steps, nested }: NestedSteps, rights: Rights) {
  const pathsOf = (holds: (step: PlannedRunStep) => boolean) => steps.filter(holds).map(step => step.full_path)
  return {
    steps: treeOf({ steps, nested }, rights),
    kept_steps: pathsOf(({ final }) => final),
    approved_steps: pathsOf(
      ({ final, needs_approval, requires_approval_from: rules }) => !final && !needs_approval && rules.length > 0,
    ),
  }
}

/** Tree from its rows in reading order. */
function treeOf({ steps: rows, nested }: NestedSteps, rights: Rights): JsonObject {
  const steps = new Map<string, JsonObject & { children: JsonObject[] }>()
  for (const { id, run_id: _, parent_id, final, needs_approval: __, ...step } of rows) {
    const node = {
      ...(step as unknown as JsonObject),
      retries: step.retries && !final,
      ...shownOf(nested.get(id), rights),
      children: [],
    }
    steps.set(id, node)
    if (parent_id !== null) steps.get(parent_id)!.children.push(node)
  }
  return steps.get(rows[0]!.id)!
}

/** Plan of what a step starts or takes over, as far as the caller may read it. */
function shownOf(plan: NestedPlan | undefined, rights: Rights): JsonObject {
  if (plan?.kind === 'refused') return { nested_plan: null, retry_refusal: plan.why }
  if (plan?.kind === 'run') return { nested_plan: stepsOf(plan, rights) as unknown as JsonObject }
  if (!plan || !rights.may('read', plan.path)) return { nested_plan: null }
  const { steps, kept, approved } = plan
  return { nested_plan: { steps, kept_steps: [...kept], approved_steps: [...approved] } }
}
