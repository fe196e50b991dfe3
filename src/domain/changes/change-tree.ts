import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { stepTree } from '#authoring/actions/action-tree.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { nearestTo } from '#platform/nearest-name.ts'
import { type ApprovalRule, satisfiedAlone } from '../steps/for-changes.ts'
import type { EndedStep, StepDefinition } from '../steps/index.ts'
import { isSameName } from '../users/index.ts'
import { namesApproversByProperties, type PropertiesOfNode, withNames, withNamesBelow } from './approver-names.ts'
import { globMatcher, mostWork } from './glob.ts'
import { withOtherMask, withSkipMask } from './skip-mask.ts'
import { withStartingStep } from './starting-step.ts'

/**
 * The tree that a change runs: its action's steps, below the approvals that its node requires, without skipped steps.
 */
export async function changeTree(what: {
  catalogue: ActionCatalogue
  action: string
  settings: JsonObject
  createdBy: Creator
  skipSteps: readonly string[]
  /** Full path of the step that the change begins with. */
  startingStep: string | null
  /** Properties of the node itself, without the overrides of this change: users must not name their own approvers. */
  properties: PropertiesOfNode
}): Promise<StepDefinition> {
  const { catalogue, action } = what
  // Compared exactly: rights are checked on the given name, and a rule against `deploy` must hold for `Deploy`.
  const root = catalogue.actions.some(each => each.action === action) ? stepTree(catalogue, action) : undefined
  if (!root)
    throw failure('invalid', noSuchAction(catalogue, action), { source: { pointer: '/data/attributes/action' } })
  const begun = maskedTree(root, what)
  const named = namesApproversByProperties(begun) ? await withNamesBelow(begun, what.properties) : begun
  return underApprovals(named, what)
}

/** The tree with skipped steps marked, and everything before its starting step. */
export function maskedTree(
  root: StepDefinition,
  { skipSteps, startingStep }: { skipSteps: readonly string[]; startingStep: string | null },
): StepDefinition {
  const masked = withSkipMask(root, skipSteps)
  if (!masked)
    throw failure('invalid', `skip_steps would skip ${root.step_name}, which is the whole change.`, {
      source: { pointer: '/data/attributes/skip_steps' },
    })
  const begun = startingStep === null ? masked : withStartingStep(masked, startingStep)
  if ('why' in begun) throw failure('invalid', begun.why, { source: { pointer: '/data/attributes/starting_step' } })
  return begun
}

/** The tree as it ended, with another mask instead of its own; steps before its starting step stay skipped. */
export function remaskedTree(
  ended: EndedStep,
  { skipSteps, startingStep }: { skipSteps: readonly string[]; startingStep: string | null },
): EndedStep {
  const masked = withOtherMask(ended, skipSteps)
  const begun = startingStep === null ? masked : withStartingStep(masked, startingStep)
  return 'why' in begun ? masked : begun
}

/** Step below the approval that the settings require now; the step itself if they require none. */
export async function underApprovals(
  root: StepDefinition,
  what: { action: string; settings: JsonObject; createdBy: Creator; properties: PropertiesOfNode },
): Promise<StepDefinition> {
  const matching = approvalRules(what.settings).filter(rule => matches(rule, what.action, what.createdBy))
  const rules = (await Promise.all(matching.map(rule => withNames(rule, what.properties)))).filter(
    rule => !satisfiedAlone(rule, what.createdBy),
  )
  return rules.length === 0 ? root : approvedBefore(root, rules)
}

/** Step below the approval that the settings required, if they did. */
export const withoutApprovals = <Step extends StepDefinition & { readonly children: readonly Step[] }>(
  root: Step,
): Step => (root.step_type === 'wait' ? root.children[0]! : root)

function noSuchAction(catalogue: ActionCatalogue, action: string): string {
  const names = catalogue.actions.map(each => each.action)
  const close = nearestTo(action, names)
  return `There is no action ${action} at this commit${close ? `; did you mean ${close}?` : `; there are: ${names.join(', ') || 'none'}.`}`
}

/** Creator of a change, for approval rules that refer to the creator and to their groups of the directory. */
export interface Creator {
  readonly username: string
  readonly groupnames: readonly string[]
}

/** Whether a rule of these settings refers to groups: only then are the caller's groups looked up. */
export const asksForGroups = (settings: JsonObject): boolean =>
  approvalRules(settings).some(
    ({ change_filter: { created_by }, ...rule }) =>
      created_by?.ldap_groups !== undefined || (rule.allow_self_approval && rule.ldap_groups !== undefined),
  )

interface FilteredRule extends ApprovalRule {
  readonly change_filter: {
    readonly actions: string | readonly string[]
    readonly created_by?: { readonly user_names?: readonly string[]; readonly ldap_groups?: readonly string[] }
  }
}

const approvalRules = (settings: JsonObject) =>
  (settings['requires_approval_from'] ?? []) as unknown as readonly FilteredRule[]

/**
 * Whether a rule applies to a change: `all`, or globs (separated by commas, or a list) over the action; and its
 * creator, if the rule names any.
 */
function matches(
  { change_filter: { actions, created_by } }: FilteredRule,
  action: string,
  createdBy: Creator,
): boolean {
  const globs = (typeof actions === 'string' ? actions.split(',') : actions).map(glob => glob.trim())
  const work = mostWork()
  const named = globs.some(glob => glob === 'all' || globMatcher(glob)(action, work))
  if (!named || created_by === undefined) return named
  const { user_names = [], ldap_groups = [] } = created_by
  return isAmong([createdBy.username], user_names) || isAmong(createdBy.groupnames, ldap_groups)
}

const isAmong = (some: readonly string[], all: readonly string[]): boolean =>
  all.some(each => some.some(one => isSameName(one, each)))

/** A wait above the root: nothing of the change begins before it is approved. */
const approvedBefore = (root: StepDefinition, rules: readonly object[]): StepDefinition => ({
  action: null,
  step_name: 'Approval',
  description: 'This change has to be approved before it begins.',
  step_type: 'wait',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  definition: null,
  requires_approval_from: rules,
  children: [root],
})
