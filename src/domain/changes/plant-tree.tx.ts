import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { together } from '#platform/db/pipeline.ts'
import type { NewEvent } from '#platform/events.ts'
import { eventNode, type Node } from '../nodes/index.ts'
import { segmentsOf } from '../steps/for-changes.ts'
import {
  type EndedStep,
  endedTree,
  insertRetry,
  insertTree,
  lockActivity,
  makeReady,
  type StepDefinition,
  unmasked,
} from '../steps/index.ts'
import { withAutoContinue } from './auto-continue.tx.ts'
import {
  findChange,
  keepOriginal,
  notePlan,
  noteResolved,
  overridesOf,
  retainedSteps,
  type StoredChange,
  takeOrigin,
} from './change.store.ts'
import { resolvedSettings } from './change-context.tx.ts'
import { maskedTree, remaskedTree, underApprovals, withoutApprovals } from './change-tree.ts'
import { approvalsThatCount } from './given-approvals.tx.ts'
import { lockOriginRemote, originOfChange } from './origin.tx.ts'
import type { ChangeParts } from './parts.port.ts'
import { approvalsIn, type Plan, planOf } from './plan.tx.ts'
import { creatorWithGroups } from './run-as.tx.ts'
import { maskBelow } from './skip-mask.ts'
import { recordUnresolvedApproversEvent } from './unresolved-approvers.tx.ts'

type PlanParts = Pick<ChangeParts, 'keyring' | 'converge'>
type PlantParts = PlanParts & Pick<ChangeParts, 'record'>

/** A change that is initializing, its node, and the tree that it will run at a commit. */
export interface Planted {
  readonly change: StoredChange
  readonly node: Node
  readonly commitSha: string
  readonly tree: StepDefinition
}

/**
 * Gives a change its tree, in which a retry takes over the successful steps, and makes it pending.
 *
 * @returns what it runs
 */
export async function plantTree(
  parts: PlantParts,
  tx: Tx,
  { change, node, commitSha, ...given }: Planted,
): Promise<Planted> {
  const { id } = change
  const tree = change.auto_continue_wait_steps ? withAutoContinue(given.tree) : given.tree
  const retried = await retriedBy(parts.keyring, tx, change)
  if (retried) {
    const { original } = retried
    // Steps that were added to it are in no action's definition: the mask is applied to them as they are.
    const before = hasMaskOf(change, original) ? retried.before : underOtherMask(retried.before, change)
    const counts = await approvalsThatCount(parts.keyring, tx, { retry: change, original, commitSha })
    const isSkipped = maskBelow(tree.step_type === 'wait' ? segmentsOf([tree])[0] : undefined, change.skip_steps)
    await insertRetry(tx, parts.keyring, { from: original.id, to: id, before, tree, counts, isSkipped })
  }
  const [, , activity] = await together([
    retried ? undefined : insertTree(tx, parts.keyring, id, tree),
    noteResolved(tx, id, { commitSha, stepName: tree.step_name }),
    lockActivity(tx, id),
  ])
  if (change.plan_sha !== null || approvalsIn(tree).length > 0)
    await signPlan(parts, tx, { change, node, commitSha, tree })
  const createdBy = { userId: change.user_id, username: change.created_by }
  await recordUnresolvedApproversEvent(parts, tx, { id, node, createdBy }, tree)
  await makeReady(tx, id, activity)
  return { change, node, commitSha, tree }
}

/** Stores the hash of the plan that approvers of the change approve. */
const signPlan = async (parts: PlanParts, tx: Tx, planted: Planted): Promise<void> =>
  notePlan(tx, planted.change.id, (await planOfPlanted(parts, tx, planted)).planSha)

/** The plan of a change that has its tree. The plan of a retry includes the steps that it takes over. */
export async function planOfPlanted(
  parts: PlanParts,
  tx: Tx,
  { change, node, commitSha, tree }: Planted,
): Promise<Plan> {
  const { action } = change
  const settings = resolvedSettings(parts.keyring, change)
  const propertyOverrides = overridesOf(parts.keyring, change)
  const kept = change.retry_of === null ? undefined : await retainedSteps(tx, change.id)
  const origin = originOfChange(change)
  return planOf(parts, tx, { node, action, origin, commitSha, tree, settings, propertyOverrides, kept })
}

/**
 * Activity that a retry runs again, locked so that it is not deleted meanwhile; undefined if nothing of it had begun.
 */
async function retriedBy(
  keyring: Keyring,
  tx: Tx,
  { retry_of }: StoredChange,
): Promise<{ original: StoredChange; before: EndedStep } | undefined> {
  if (retry_of === null) return undefined
  await keepOriginal(tx, retry_of)
  const original = await findChange(tx, retry_of)
  const before = original && (await endedTree(tx, keyring, retry_of))
  return before && { original: original!, before }
}

/**
 * Gives a retry the tree of its original: at the same commit, with its own mask, under the approvals that are required
 * now. Undefined if the original never had a tree.
 */
export async function plantOriginalTree(
  parts: PlantParts,
  tx: Tx,
  change: StoredChange,
  node: Node,
): Promise<Planted | undefined> {
  const retried = await retriedBy(parts.keyring, tx, change)
  if (!retried) return undefined
  const { original, before } = retried
  const root = withoutApprovals(before)
  const { skip_steps: skipSteps, starting_step: startingStep } = change
  const masked = hasMaskOf(change, original) ? root : maskedTree(unmasked(root), { skipSteps, startingStep })
  const settings = resolvedSettings(parts.keyring, change)
  const tree = await underApprovals(masked, {
    action: change.action,
    settings,
    createdBy: await creatorWithGroups(tx, settings, { userId: change.user_id, username: change.created_by }),
    properties: async () => (await parts.converge(tx, node)).data,
  })
  return plantTree(parts, tx, { change, node, commitSha: original.commit_sha!, tree })
}

const hasMaskOf = (change: StoredChange, original: StoredChange): boolean =>
  JSON.stringify(change.skip_steps) === JSON.stringify(original.skip_steps)

/**
 * Tree of an ended change under the step mask of another. Globs do not include the approval above it, if there is one.
 */
function underOtherMask(before: EndedStep, change: StoredChange): EndedStep {
  const root = withoutApprovals(before)
  const masked = remaskedTree(root, { skipSteps: change.skip_steps, startingStep: change.starting_step })
  return root === before ? masked : { ...before, children: [masked] }
}

/** Uses the original tree when the newest commit was requested, but its actions are not available; this is recorded. */
export async function plantUnrefreshed(
  parts: PlantParts,
  tx: Tx,
  change: StoredChange,
  node: Node,
  why: string,
): Promise<Planted | undefined> {
  await takeOrigin(tx, change.id, change.retry_of!)
  const original = (await findChange(tx, change.id))!
  await lockOriginRemote(tx, originOfChange(original))
  const planted = await plantOriginalTree(parts, tx, original, node)
  if (planted) await parts.record(tx, notRefreshed(change, node, why))
  return planted
}

const notRefreshed = (change: StoredChange, node: Node, why: string): NewEvent => ({
  type: 'warn:changes:catalog_not_refreshed',
  actor: { userId: change.user_id, username: change.created_by },
  source: { type: 'change', id: change.id },
  node: eventNode(node),
  activityId: change.id,
  attributes: {
    action: change.action,
    template_version: change.template_version,
    catalog_request_status: 'error',
    error: why,
  },
})
