import { isDeepStrictEqual } from 'node:util'
import { type Approval, type ApprovalRule, lacking } from './approvals.ts'
import { leftOut, unmasked } from './left-out.ts'
import type { Body } from './next-moves.ts'
import type { StepState } from './step.lifecycle.ts'
import type { StepDefinition } from './step-definition.ts'
import { bodyOf, segmentsOf } from './step-rows.ts'

/** A step of an activity that has ended: its definition and its outcome. */
export interface EndedStep extends StepDefinition {
  readonly id: string
  readonly segment: string
  readonly status: StepState
  readonly body: Body
  readonly made_children: boolean
  readonly approved_by: readonly Approval[]
  readonly children: readonly EndedStep[]
}

/** A step of a retry. */
export interface RetriedStep extends StepDefinition {
  /** The original step; undefined for a new one. */
  readonly was?: EndedStep
  /** Whether it is over already, in the state of `was`. */
  readonly kept: boolean
  /** Body to use instead of the one from its definition: only its children are left to run. */
  readonly body?: Body | undefined
  /** Earlier approvals that still count. */
  readonly approved_by: readonly Approval[]
  /** Whether these are all that its rules require. */
  readonly approved: boolean
  readonly children: readonly RetriedStep[]
}

/** Selects the approvals given under these rules that count in the retry. */
export type ApprovalsThatCount = (rules: readonly ApprovalRule[], given: readonly Approval[]) => readonly Approval[]

/** Parts of the old tree that remain valid. */
export interface RetainedTree {
  readonly counts: ApprovalsThatCount
  /** Whether a step does the same as the one of its name did; default: whether it runs the same action. */
  readonly isSame?: (step: StepDefinition, before: EndedStep) => boolean
}

/**
 * The tree of a retry: successful steps remain as they ended, with all of their descendants; the others run, except the
 * body of a step that ended well and created the steps below it, which run instead. `tree` may be the old one or
 * another, which is compared by names; new steps in it run, so the steps above them are not over. A wait with
 * `reset_on_retry`, and an approval that no longer counts, is required again.
 */
export function retriedTree(tree: StepDefinition, before: EndedStep, standing: RetainedTree): RetriedStep {
  // The approval that the settings require is above the root, and may have been added or removed since.
  const came = isAboveRoot(tree) && !isAboveRoot(before)
  if (came) return { ...again(tree, undefined, []), children: [retried(tree.children[0]!, before, standing)] }
  const went = isAboveRoot(before) && !isAboveRoot(tree)
  return retried(tree, went ? before.children[0]! : before, standing)
}

const isAboveRoot = ({ step_type, children }: StepDefinition): boolean => step_type === 'wait' && children.length === 1

function retried(step: StepDefinition, before: EndedStep | undefined, standing: RetainedTree): RetriedStep {
  const { counts, isSame = runsTheSame } = standing
  const was = before && isSame(step, before) ? before : undefined
  const pairs = was ? pairsOf(step, was) : step.children.map(child => [child, undefined] as const)
  if (was?.status === 'success' && !hasNew([[step, was]], isSame) && !asksAgain(was, counts)) return asItWas(was)
  const next = again(step, was, approvalsOf(step, was, counts))
  // A body that runs once more creates its children once more.
  if (was?.made_children && next.body === undefined) return next
  return { ...next, children: pairs.map(([child, itsBefore]) => retried(child, itsBefore, standing)) }
}

const runsTheSame = (one: StepDefinition, other: StepDefinition): boolean =>
  one.action === other.action && one.step_type === other.step_type

/**
 * The children with their originals. Those that the body has created are in no definition, and still are its children:
 * in another tree they are where the body is, before the starting step or not.
 */
function pairsOf(step: StepDefinition, was: EndedStep): (readonly [StepDefinition, EndedStep | undefined])[] {
  if (was.made_children) {
    const childIn = step.skip_requested ? leftOut : was.skip_requested ? unmasked : (child: EndedStep) => child
    return was.children.map(child => [childIn(child), child])
  }
  const before = new Map(was.children.map(child => [child.segment.toLowerCase(), child]))
  return segmentsOf(step.children).map((name, at) => [step.children[at]!, before.get(name.toLowerCase())])
}

const hasNew = (
  pairs: readonly (readonly [StepDefinition, EndedStep | undefined])[],
  isSame: NonNullable<RetainedTree['isSame']>,
): boolean =>
  pairs.some(
    ([step, was]) =>
      !was ||
      !isSame(step, was) ||
      isNamedNoMore(step, was) ||
      asksOthers(step, was) ||
      hasNew(pairsOf(step, was), isSame),
  )

/**
 * Whether the old mask skipped the step, or its body on the way to an approval below it, and the mask of the retry does
 * not.
 */
const isNamedNoMore = (step: StepDefinition, was: EndedStep): boolean =>
  step.skip_requested !== true && (was.status === 'skipped' || (was.body === 'none' && bodyOf(was) !== 'none'))

/**
 * Whether the step asks other people or for other things than the ended one did: approvals under other rules, for other
 * arguments or of another kind of wait do not count. A step that did more than wait is not asked again because a rule
 * was removed.
 */
const asksOthers = (step: StepDefinition, was: EndedStep): boolean =>
  isWait(step)
    ? !isDeepStrictEqual(questionOf(step), questionOf(was)) || (resets(step) && !resets(was))
    : rulesOf(step).length > 0 && !isDeepStrictEqual(rulesOf(step), rulesOf(was))

function questionOf(step: StepDefinition) {
  const rules = rulesOf(step)
  // An approval never continues by time. A wait that ends at once is a wait for any user, under
  // auto_continue_wait_steps.
  const { seconds = 0, until } = (rules.length === 0 && step.wait) || {}
  return { rules, seconds, until: until && Date.parse(until), given: step.input_arguments ?? [] }
}

const resets = (step: StepDefinition): boolean => isWait(step) && step.reset_on_retry === true

/** Whether a person has to be asked again, here or below. */
function asksAgain(was: EndedStep, counts: ApprovalsThatCount): boolean {
  if (was.status !== 'success') return false
  if (resets(was)) return true
  const rules = rulesOf(was)
  if (rules.length > 0 && !areMet(rules, counts(rules, was.approved_by))) return true
  return was.children.some(child => asksAgain(child, counts))
}

const asItWas = (was: EndedStep): RetriedStep => ({
  ...was,
  was,
  kept: true,
  approved: true,
  children: was.children.map(asItWas),
})

function approvalsOf(
  step: StepDefinition,
  was: EndedStep | undefined,
  counts: ApprovalsThatCount,
): readonly Approval[] {
  const rules = rulesOf(step)
  if (!was || rules.length === 0 || resets(was) || asksOthers(step, was)) return []
  return counts(rules, was.approved_by)
}

function again(step: StepDefinition, was: EndedStep | undefined, approvals: readonly Approval[]): RetriedStep {
  const rules = rulesOf(step)
  const approved = rules.length > 0 && areMet(rules, approvals)
  const isAsked = resets(step) || (was !== undefined && asksOthers(step, was))
  const isOver = was !== undefined && bodyIsOver(was) && !isAsked && (rules.length === 0 || approved)
  // The old tree's own steps keep the state of their bodies.
  const body = isOver ? was.body : approved && isWait(step) ? 'done' : undefined
  return {
    ...step,
    ...(was && { was }),
    body,
    kept: false,
    approved,
    approved_by: approvals,
    children: [],
  }
}

/** Whether the step's own part is done, and remains so, although the step itself is not. */
function bodyIsOver(was: EndedStep): boolean {
  if (was.body !== 'done' || resets(was)) return false
  return was.made_children || was.status === 'success'
}

const isWait = ({ step_type }: StepDefinition): boolean => step_type === 'wait' || step_type === 'input'

const rulesOf = ({ requires_approval_from }: StepDefinition) =>
  (requires_approval_from ?? []) as readonly ApprovalRule[]

const areMet = (rules: readonly ApprovalRule[], approvals: readonly Approval[]): boolean =>
  lacking({ rules, approvals }).every(count => count === 0)
