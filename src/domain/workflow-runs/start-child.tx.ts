import { startsAt } from '#authoring/workflows/start-time.ts'
import type { Context } from '#platform/commands/command.ts'
import { clockOf } from '#platform/db/clock.ts'
import { failure } from '#platform/failure.ts'
import { rightMissing } from '#platform/required-rights.ts'
import type { PlannedRetry } from '../changes/index.ts'
import { findNodeAt, findNodeById } from '../nodes/index.ts'
import type { CreatingStep } from '../steps/for-workflow-runs.ts'
import { aboutRun, createRun, needsOfRun } from './create-run.tx.ts'
import { findMaking } from './making.store.ts'
import type { CreateRunParts, PlanRunParts, RunParts } from './parts.port.ts'
import type { RetriedMaking } from './retried-making.ts'
import { retryRun } from './retry-run.tx.ts'
import { findLineOfRuns, findRun, type StoredRun } from './run.store.ts'
import { deepest } from './run.ts'

interface ChildToStart {
  readonly run: StoredRun
  readonly step: Pick<CreatingStep, 'id' | 'step_type'>
  readonly making: RetriedMaking
}

/**
 * Creates the child of a step of a run, in the name of the run's creator and with their current rights: a change of its
 * target, or a run of another workflow. In a retry it is a retry of the step's earlier child.
 *
 * @returns `over` when the earlier child has ended well after all, and nothing is created
 * @throws Failure with the reason why it cannot be created
 */
export async function startChild(
  parts: RunParts,
  context: Context,
  run: StoredRun,
  step: CreatingStep,
): Promise<'made' | 'over'> {
  const making = await findMaking(context.tx, parts.keyring, step.id)
  if (making.retries !== null) {
    const start = await startOfRetry(context, making)
    return retries[step.step_type](parts, context, { run, step, making, start })
  }
  await makers[step.step_type](parts, context, { run, step, making })
  return 'made'
}

/** Start of a retry: not before the start time of the child that it retries, unless that had already started. */
async function startOfRetry({ tx }: Pick<Context, 'tx'>, making: Awaited<ReturnType<typeof findMaking>>) {
  if (making.retry_starts_anew) return beginning({ tx }, making)
  return making.tried_run_at === null ? {} : { run_at: making.tried_run_at }
}

interface ChildToRetry extends ChildToStart {
  readonly start: { readonly run_at?: string }
}

const makers = { change, workflow: nestedRun } as const

const retries = {
  change: ({ makeRetry }: Pick<RunParts, 'makeRetry'>, context: Context, child: ChildToRetry) =>
    makeRetry(context, ...retriedChange(child)),
  workflow: async (parts: CreateRunParts, context: Context, child: ChildToRetry) => {
    const made = await retryNested(parts, context, child)
    if (made === 'over') return 'over'
    const { actor } = context
    await context.record({ type: 'api:workflow_runs:create', actor, ...aboutRun(made.id, made.project, made.code) })
    return 'made'
  },
} as const

const retriedChange = ({ step, making, start }: ChildToRetry) =>
  [
    making.retries!,
    {
      workflowStepId: step.id,
      runAt: start.run_at ?? null,
      ...(making.retry_overrides && { propertyOverrides: making.retry_overrides }),
    },
  ] as const

/** Retry that a step would start. */
export type PlannedChild =
  | { readonly kind: 'run'; readonly run: StoredRun }
  | { readonly kind: 'change'; readonly retry: PlannedRetry | undefined }
  /** The earlier child has ended well: nothing would be created. */
  | { readonly kind: 'over'; readonly id: string }

/**
 * The retry that a step of a run would start: a run is created, without its event, for the caller to undo; a change is
 * only planned, undefined if a job would have to find out what it runs.
 *
 * @throws Failure with the reason why it could not be created
 */
export async function plannedChild(
  parts: PlanRunParts,
  context: Context,
  run: StoredRun,
  step: Pick<CreatingStep, 'id' | 'step_type'>,
): Promise<PlannedChild> {
  const making = await findMaking(context.tx, parts.keyring, step.id)
  const child = { run, step, making, start: await startOfRetry(context, making) }
  const over = { kind: 'over', id: making.retries! } as const
  if (step.step_type === 'change') {
    const retry = await parts.planRetry(context, ...retriedChange(child))
    return retry === 'over' ? over : { kind: 'change', retry }
  }
  const made = await retryNested(parts, context, child)
  return made === 'over' ? over : { kind: 'run', run: (await findRun(context.tx, made.id))! }
}

async function retryNested(
  parts: CreateRunParts,
  context: Pick<Context, 'tx' | 'actor'>,
  { run, step, making, start }: ChildToRetry,
) {
  const { tx, actor } = context
  const before = await findRun(tx, making.retries!)
  const project = before && (await findNodeById(tx, before.project_id))
  if (!project) throw failure('missing', `The run ${making.retries} is gone: it cannot be tried again.`)
  if (before.status === 'success') return 'over' as const
  const needed = needsOfRun(project, before.workflow_code)
  if (!actor.rights.may(needed.right, needed.path)) throw rightMissing(actor, needed)
  const asked = { ...start, ...(making.retry_overrides && { property_overrides: making.retry_overrides }) }
  const id = await retryRun(parts, context, project, before, asked, { step: { id: step.id, depth: run.depth + 1 } })
  return { id, project, code: before.workflow_code }
}

async function change(
  { makeChange }: Pick<RunParts, 'makeChange'>,
  context: Context,
  { step, making }: ChildToStart,
): Promise<void> {
  const [path] = making.targets
  const node = await findNodeAt(context.tx, path!)
  if (!node) throw failure('missing', `There is no node ${path}.`)
  const { template_version, git_remote_name, git_rev } = making
  await makeChange(
    context,
    node,
    {
      action: making.action!,
      property_overrides: making.property_overrides,
      ...(template_version !== null && { template_version }),
      ...(git_remote_name !== null && { git_remote_name }),
      ...(git_rev !== null && { git_rev }),
      ...(await beginning(context, making)),
    },
    { workflowStepId: step.id },
  )
}

async function nestedRun(parts: CreateRunParts, context: Context, { run, step, making }: ChildToStart): Promise<void> {
  const project = await findNodeById(context.tx, run.project_id)
  const code = making.workflow!
  if (!project) throw failure('missing', `${run.path} has been destroyed.`)
  const needed = needsOfRun(project, code)
  if (!context.actor.rights.may(needed.right, needed.path)) throw rightMissing(context.actor, needed)
  const line = (await findLineOfRuns(context.tx, run.id)).reverse()
  if (run.depth >= deepest)
    throw failure(
      'wrong-state',
      `Runs can be nested at most ${deepest} deep: ${line.map(each => each.code).join(' → ')}.`,
    )
  if (line.some(above => above.code.toLowerCase() === code.toLowerCase()))
    throw failure('wrong-state', `The workflow reaches itself: ${[...line.map(each => each.code), code].join(' → ')}.`)
  const made = await createRun(
    parts,
    context,
    project,
    {
      workflow: code,
      property_overrides: making.property_overrides,
      ...(making.version !== null && { version: making.version }),
      ...(await beginning(context, making)),
    },
    { step: { id: step.id, depth: run.depth + 1 } },
  )
  await context.record({
    type: 'api:workflow_runs:create',
    actor: context.actor,
    ...aboutRun(made.id, project, made.code),
  })
}

/** A time of day is its next occurrence from now on. */
async function beginning({ tx }: Pick<Context, 'tx'>, { start_time }: RetriedMaking): Promise<{ run_at?: string }> {
  return start_time === null ? {} : { run_at: startsAt(start_time, await clockOf(tx)) }
}
