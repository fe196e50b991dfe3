import { createHash } from 'node:crypto'
import type { Context, Outcome } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { onlyPlanned, outlookOf } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import { makingsOf } from './making.store.ts'
import type { CreateRunParts } from './parts.port.ts'
import { findRun, isRetry } from './run.store.ts'
import { nameOfRun } from './run.ts'
import { type PlannedRunStep, plannedSteps } from './run-plan.store.ts'

/**
 * The plan of a run that is requested instead of the run.
 *
 * @param create creates the run, and returns its id
 * @throws Failure as the run itself would, also for an outdated `plan_sha`
 */
export const planRun = (
  parts: CreateRunParts,
  { tx }: Pick<Context, 'tx'>,
  project: Node,
  create: () => Promise<string>,
): Promise<Outcome> => onlyPlanned({ tx }, async () => documentOf(parts, tx, project, await create()))

/** @throws Failure `wrong-state` (409) when a created run is not what its plan showed; the caller's transaction undoes it */
export async function refuseMovedRun(
  parts: Pick<CreateRunParts, 'keyring'>,
  tx: Context['tx'],
  id: string,
  planSha: string,
): Promise<void> {
  if ((await planOf(parts, tx, id)).planSha !== planSha) throw moved()
}

const moved = (): Failure =>
  failure('wrong-state', 'The plan has changed since it was shown. Request it again, and check it before you run it.', {
    source: { pointer: '/data/attributes/plan_sha' },
  })

async function documentOf(parts: CreateRunParts, tx: Context['tx'], project: Node, id: string): Promise<object> {
  const { planSha, run, steps } = await planOf(parts, tx, id)
  const { data: settings } = await parts.settings.ofNode(tx, project)
  const outlook = await outlookOf(tx, {
    site: parts.site,
    name: nameOfRun(project.path, run.workflow_code).toLowerCase(),
    nodeId: project.id,
    allowSameName: settings['allow_parallel.runs_of_same_workflow'] === true,
    itself: id,
  })
  const pathsOf = (holds: (step: PlannedRunStep) => boolean) => steps.filter(holds).map(step => step.full_path)
  return {
    type: 'workflow_run_plan',
    id: planSha,
    attributes: {
      plan_sha: planSha,
      parent_path: project.path,
      workflow_code: run.workflow_code,
      version: run.version,
      name: run.name,
      steps: shown(steps),
      ...((await isRetry(tx, id)) && {
        kept_steps: pathsOf(({ final }) => final),
        approved_steps: pathsOf(
          ({ final, needs_approval, requires_approval_from: rules }) => !final && !needs_approval && rules.length > 0,
        ),
      }),
      ...outlook,
    },
  }
}

/** Hash of a run that exists, with the facts that it is made of. Values of overrides are hashed, never shown. */
async function planOf({ keyring }: Pick<CreateRunParts, 'keyring'>, tx: Context['tx'], id: string) {
  const run = (await findRun(tx, id))!
  const steps = await plannedSteps(tx, id)
  const makings = await makingsOf(tx, keyring, id)
  const facts = steps.map(({ id: _, parent_id: __, ...step }, at) => [step, makings.get(steps[at]!.id) ?? null])
  const planSha = createHash('sha256')
    .update(JSON.stringify([run.path, run.workflow_code, run.version, facts]))
    .digest('hex')
  return { run, steps, planSha }
}

/** The tree as the plan shows it, from its rows in reading order. */
function shown(rows: readonly PlannedRunStep[]): JsonObject {
  const steps = new Map<string, JsonObject & { children: JsonObject[] }>()
  for (const { id, parent_id, final: _, needs_approval: __, ...step } of rows) {
    const node = { ...(step as unknown as JsonObject), children: [] }
    steps.set(id, node)
    if (parent_id !== null) steps.get(parent_id)!.children.push(node)
  }
  return steps.get(rows[0]!.id)!
}
