import type { Context } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { rightMissing } from '#platform/required-rights.ts'
import { findNodeById, type Node } from '../nodes/index.ts'
import { approvedSteps, findChange, retainedSteps, type StoredChange } from './change.store.ts'
import { actionPath } from './change.ts'
import { undone } from './only-planned.tx.ts'
import type { CreateChangeParts } from './parts.port.ts'
import { shownSteps } from './plan.tx.ts'
import { plantRetry, type RetryRequest, retryChange } from './retry-change.tx.ts'

/**
 * Creates a retry of a change in the name of the context's actor, like a request of theirs, and records it. Without
 * `propertyOverrides` it has those of the change; it does not start before `runAt`.
 *
 * @returns `over` for a successful change: nothing is created
 * @throws Failure like the response to the request
 */
export type MakeRetry = (
  context: Context,
  changeId: string,
  by: { readonly workflowStepId: string; readonly runAt: string | null; readonly propertyOverrides?: JsonObject },
) => Promise<'made' | 'over'>

export const retryMaker =
  (parts: CreateChangeParts): MakeRetry =>
  async (context, changeId, by) => {
    const { actor, record } = context
    const what = await toRetry(context, changeId)
    if (what === 'over') return 'over'
    const made = await retryChange(parts, context, what, requestOf(by), by)
    if (made.outcome !== 'done') throw new Error(`a retry was not made but ${made.outcome}`)
    await record({ type: 'api:changes:create', actor, ...made.event })
    return 'made'
  }

/** Steps of a retry of a change that was only planned. */
export interface PlannedRetry {
  /** Path of the node. */
  readonly path: string
  /** The tree, as the plan of a change shows it. */
  readonly steps: JsonObject
  /** Full paths of the steps that it takes over. */
  readonly kept: readonly string[]
  /** Full paths of the steps to run whose earlier approvals are enough. */
  readonly approved: readonly string[]
}

/**
 * Creates what `MakeRetry` would create, describes it and rolls it back.
 *
 * @returns `over` for a successful change; undefined if a job would have to find out what it runs
 * @throws Failure like `MakeRetry`
 */
export type PlanMadeRetry = (...asked: Parameters<MakeRetry>) => Promise<PlannedRetry | 'over' | undefined>

export const retryPlanner =
  (parts: CreateChangeParts): PlanMadeRetry =>
  async (context, changeId, by) => {
    const { tx } = context
    const what = await toRetry(context, changeId)
    if (what === 'over') return 'over'
    return undone(context, async () => {
      const { id, planted } = await plantRetry(parts, context, what, requestOf(by), { ...by, asKnown: true })
      if (!planted) return undefined
      const [kept, approved] = [await retainedSteps(tx, id), await approvedSteps(tx, id)]
      return { path: what.node.path, steps: shownSteps(planted.tree), kept, approved }
    })
  }

/** The change, with its node, which the actor may retry; `over` if it has succeeded. */
async function toRetry(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  changeId: string,
): Promise<{ change: StoredChange; node: Node } | 'over'> {
  const change = await findChange(tx, changeId)
  const node = change && (await findNodeById(tx, change.node_id))
  if (!change || !node) throw failure('missing', `The change ${changeId} is gone: it cannot be tried again.`)
  if (change.status === 'success') return 'over'
  const path = actionPath(node.path, change.action)
  if (!actor.rights.may('execute', path)) throw rightMissing(actor, { right: 'execute', path })
  return { change, node }
}

const requestOf = ({ propertyOverrides }: Parameters<MakeRetry>[2]): RetryRequest => ({
  retry: true,
  ...(propertyOverrides && { property_overrides: propertyOverrides }),
})
