import type { ActionCatalogue } from '#authoring/actions/action.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { Failure } from '#platform/failure.ts'
import { findCatalogue, readChildSteps, withModelActions } from '../action-catalogue/index.ts'
import {
  type ChangeParts,
  maskBelow,
  modelActionsOfChange,
  modelOfChange,
  namesApproversByProperties,
  placeOf,
  recordUnresolvedApproversEvent,
  resolvedSettings,
  type StoredChange,
  withAutoContinue,
  withNamesBelow,
} from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import type { ConvergeProperties } from '../properties/index.ts'
import type { ReportedStep, StoredResult } from '../steps/for-step-execution.ts'
import type { StepDefinition } from '../steps/index.ts'
import { pathOfWait } from './requesting-step.store.ts'

/**
 * Maximum number of steps of a change that have not begun before a new one: so a step that adds two of itself does not
 * run forever.
 */
const mostPending = 200_000

export type CatalogueParts = Pick<ChangeParts, 'keyring' | 'model' | 'lastModelActions'>
export type ChildParts = CatalogueParts & Pick<ChangeParts, 'converge' | 'record'>

/**
 * Builds the steps that a step adds below itself, from the actions of the change's own commit; or the reason why they
 * are invalid. The change's skip mask applies to them too.
 */
export async function childStepsOf(
  parts: ChildParts,
  tx: Tx,
  { step, change, node }: { readonly step: ReportedStep; readonly change: StoredChange; readonly node: Node },
  list: readonly unknown[],
): Promise<StoredResult> {
  const catalogue = await catalogueOfChange(parts, tx, change, node)
  if ('conflict' in catalogue) return catalogue
  const read = readChildSteps(catalogue, list, step.full_path.split('/').length)
  if ('faults' in read) return { conflict: `The steps that it adds cannot be: ${read.faults.join(' ')}` }
  if (step.activity.n_pending + sizeOf(read) > mostPending)
    return { conflict: `The steps that it adds cannot be: more than ${mostPending} of the change have not begun.` }
  try {
    const asked = change.auto_continue_wait_steps ? read.map(withAutoContinue) : read
    const childSteps = await named(parts.converge, tx, node, asked)
    const createdBy = { userId: change.user_id, username: change.created_by }
    for (const each of childSteps)
      await recordUnresolvedApproversEvent(parts, tx, { id: change.id, node, createdBy }, each)
    if (change.skip_steps.length === 0) return { childSteps }
    return { childSteps, isSkipped: maskBelow(await approvalAbove(tx, step), change.skip_steps) }
  } catch (error) {
    if (error instanceof Failure) return { conflict: `The steps that it adds cannot be: ${error.message}` }
    throw error
  }
}

/** Actions that its steps may name: those of its commit, and after them those of the asset's model. */
export async function catalogueOfChange(
  parts: CatalogueParts,
  queries: Queries,
  change: StoredChange,
  node: Node,
): Promise<ActionCatalogue | { conflict: string }> {
  const place = placeOf(
    { gitRemoteId: change.git_remote_id, commitSha: change.commit_sha, templateCode: change.template_code },
    resolvedSettings(parts.keyring, change),
  )
  const stored = place && (await findCatalogue(queries, place, change.node_id))
  if (stored?.state !== 'ready') return { conflict: 'The actions of its commit are not known any more.' }
  const model = await modelActionsOfChange(parts, queries, change, await modelOfChange(parts, queries, change, node))
  return model ? withModelActions(stored.catalogue, model) : stored.catalogue
}

const sizeOf = (steps: readonly StepDefinition[]): number =>
  steps.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)

/** Resolves approvers that are named by the node's properties, as in the initial tree of the change. */
async function named(
  converge: ConvergeProperties,
  tx: Tx,
  node: Node,
  steps: readonly StepDefinition[],
): Promise<readonly StepDefinition[]> {
  if (!steps.some(namesApproversByProperties)) return steps
  const properties = async () => (await converge(tx, node)).data
  return Promise.all(steps.map(step => withNamesBelow(step, properties)))
}

/** Full path of the approval step above, if the settings require one. */
const approvalAbove = async (tx: Tx, { activity }: ReportedStep): Promise<string | undefined> =>
  (await pathOfWait(tx, activity.root_step_id))?.full_path
