import type { Context } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import { Failure, isUnavailable } from '#platform/failure.ts'
import { type PlannedRetry, undone } from '../changes/index.ts'
import { makingsOf } from './making.store.ts'
import type { PlanRunParts } from './parts.port.ts'
import type { StoredRun } from './run.store.ts'
import { countSteps, type KeptRun, keptRunsOf, type PlannedRunStep, plannedSteps } from './run-plan.store.ts'
import { type PlannedChild, plannedChild } from './start-child.tx.ts'

/** Steps of a run, root first in reading order, with what is nested in them, by the id of the step. */
export interface NestedSteps {
  readonly steps: readonly PlannedRunStep[]
  readonly nested: ReadonlyMap<string, NestedPlan>
}

/** Run that is planned, with everything that decides what it runs. */
export interface PlannedRun extends NestedSteps {
  readonly facts: readonly unknown[]
}

/** Plan of what a step of a retry starts or takes over. */
export type NestedPlan =
  | ({ readonly kind: 'run' } & NestedSteps)
  | ({ readonly kind: 'change' } & PlannedRetry)
  /** The step would fail for this reason. */
  | { readonly kind: 'refused'; readonly why: string }

/** Limits on the plan of a run, as they are left: each planned retry is created and undone. */
interface Allowance {
  retries: number
  keptSteps: number
}

const allowance = (): Allowance => ({ retries: 50, keptSteps: 10_000 })

/**
 * The steps of a run that has been created to be planned. Each retry of a change or run that one of its steps would make
 * is created as it would be in its turn, described and undone: a second implementation of its rules would differ from
 * them.
 */
export async function plannedRun(
  parts: PlanRunParts,
  context: Context,
  run: StoredRun,
  left: Allowance = allowance(),
): Promise<PlannedRun> {
  const { tx } = context
  const steps = await plannedSteps(tx, [run.id])
  const makings = await makingsOf(tx, parts.keyring, run.id)
  const nested = new Map<string, NestedPlan>()
  const facts: unknown[] = []
  for (const step of steps) {
    const { id, run_id: _, parent_id: __, ...shown } = step
    const child = startsRetry(step) ? await childOf(parts, context, { run, step, left }) : undefined
    if (child?.plan) nested.set(id, child.plan)
    facts.push([shown, makings.get(id) ?? null, ...(child ? [child.facts] : [])])
  }
  const kept = await keptPlans(tx, await keptRunsOf(tx, [run.id]), left)
  return { steps, nested: new Map([...nested, ...kept]), facts }
}

type RetryingStep = PlannedRunStep & { readonly step_type: 'change' | 'workflow' }

const startsRetry = (step: PlannedRunStep): step is RetryingStep => step.retries && !step.final && !step.skip_requested

interface PlannedChildOfStep {
  readonly plan?: NestedPlan
  readonly facts: unknown
}

/** Child of a step that retries an earlier one; undefined if no more of them may be planned. */
async function childOf(
  parts: PlanRunParts,
  context: Context,
  { run, step, left }: { readonly run: StoredRun; readonly step: RetryingStep; readonly left: Allowance },
): Promise<PlannedChildOfStep | undefined> {
  if (left.retries === 0) return undefined
  left.retries -= 1
  try {
    return await undone(context, async () =>
      described(parts, context, await plannedChild(parts, context, run, step), left),
    )
  } catch (error) {
    if (!(error instanceof Failure) || isUnavailable(error)) throw error
    return { plan: { kind: 'refused', why: error.message }, facts: { refused: error.message } }
  }
}

async function described(
  parts: PlanRunParts,
  context: Context,
  child: PlannedChild,
  left: Allowance,
): Promise<PlannedChildOfStep> {
  if (child.kind === 'over') {
    const plan = (await keptPlans(context.tx, [{ step_id: child.id, run_id: child.id }], left)).get(child.id)
    return { ...(plan && { plan }), facts: 'over' }
  }
  if (child.kind === 'change')
    return { ...(child.retry && { plan: { kind: 'change', ...child.retry } }), facts: child.retry ?? null }
  const { workflow_code, version } = child.run
  const { facts, ...steps } = await plannedRun(parts, context, child.run, left)
  return { plan: { kind: 'run', ...steps }, facts: [workflow_code, version, facts] }
}

/** Plans of runs that are taken over as they ended, by the id of the step that had started them; empty if they are too large. */
async function keptPlans(
  queries: Queries,
  runs: readonly KeptRun[],
  left: Allowance,
): Promise<ReadonlyMap<string, NestedPlan>> {
  const ids = runs.map(({ run_id }) => run_id)
  const size = ids.length === 0 ? 0 : await countSteps(queries, ids)
  if (size === 0 || size > left.keptSteps) return new Map()
  left.keptSteps -= size
  const steps = Map.groupBy(await plannedSteps(queries, ids), ({ run_id }) => run_id)
  const nested = await keptPlans(queries, await keptRunsOf(queries, ids), left)
  return new Map(
    runs.flatMap(({ step_id, run_id }) => {
      const own = steps.get(run_id)
      return own ? [[step_id, { kind: 'run', steps: own, nested }] as const] : []
    }),
  )
}
