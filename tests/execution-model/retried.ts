import type { Plan } from './plan.ts'
import { isMasked, type Mask, Step, stepsOf, tree } from './step.ts'

export interface RetryAsked {
  readonly mask: Mask
  /** Full path of the starting step. */
  readonly startingStep?: string | undefined
  /** Whether earlier approvals count: what they approved has not changed. */
  readonly approvalsCount: boolean
  /** The tree of a newer commit. */
  readonly refreshed?: Plan | undefined
}

/** The tree of a retry: successful steps are kept, the others will run. */
export function retriedTree(before: Step, asked: RetryAsked): Step {
  const { refreshed, mask, approvalsCount } = asked
  const wanted = refreshed ? tree(refreshed, mask) : again(before, undefined, mask)
  if (asked.startingStep !== undefined) startAt(wanted, asked.startingStep)
  takeOver(wanted, before, approvalsCount)
  return wanted
}

/** Copy of the tree without outcomes, including added steps. */
function again(step: Step, parent: Step | undefined, mask: Mask): Step {
  const copy = new Step(step.plan, step.name, parent, mask)
  copy.parallel = step.parallel
  if (parent) parent.children.push(copy)
  copy.isSkipped = isMasked(copy)
  for (const child of step.children) again(child, copy, mask)
  return copy
}

export function startAt(root: Step, path: string): void {
  const at = stepsOf(root).find(step => step.path.toLowerCase() === path.toLowerCase())!
  for (let step = at; step.parent; step = step.parent) {
    const { parent } = step
    const before = parent.parallel ? [] : parent.children.slice(0, step.place).flatMap(stepsOf)
    for (const each of [parent, ...before]) each.isSkipped = each.plan.kind !== 'approval'
  }
}

function takeOver(step: Step, before: Step, approvalsCount: boolean): void {
  if (!isSame(step, before)) return
  if (before.madeChildren && before.own === 'done') {
    // Its body does not run again to add them: they are all that is left of it.
    step.madeChildren = true
    step.children = []
    for (const child of before.children) again(child, step, step.mask)
    // Added steps are where their parent is, also before the starting step.
    if (step.isSkipped)
      for (const each of step.children.flatMap(stepsOf)) each.isSkipped = each.plan.kind !== 'approval'
  }
  if (!isAsked(step, before, approvalsCount)) step.approvals = [...before.approvals]
  if (stands(step, before, approvalsCount)) {
    stand(step, before)
    return
  }
  const isMet = step.plan.kind === 'approval' && step.approvals.length >= step.plan.approvals
  const wasOver = before.status === 'success' || step.madeChildren
  if (isMet || (before.own === 'done' && wasOver && !isAsked(step, before, approvalsCount))) step.own = 'done'
  for (const [child, was] of pairs(step, before)) if (was) takeOver(child, was, approvalsCount)
}

const isSame = (step: Step, before: Step): boolean =>
  typeOf(step.plan) === typeOf(before.plan) && (step.plan.kind !== 'script' || step.plan.name === before.plan.name)

/** A timer and an approval are waits of different kinds. */
const typeOf = ({ kind }: Plan) => (kind === 'timer' || kind === 'approval' ? 'wait' : kind)

const pairs = (step: Step, before: Step) =>
  step.children.map(
    child => [child, before.children.find(was => was.name.toLowerCase() === child.name.toLowerCase())] as const,
  )

/** Whether it had succeeded, its descendants are unchanged, and no person has to be asked again. */
function stands(step: Step, before: Step, approvalsCount: boolean): boolean {
  if (before.status !== 'success' || wasLeftOut(step, before) || asksOthers(step, before)) return false
  return !someAskAgain(before, approvalsCount) && descendantsUnchanged(step, before, approvalsCount)
}

/** Whether an approval at or below a successful step no longer counts; also in removed steps. */
const someAskAgain = (before: Step, approvalsCount: boolean): boolean =>
  before.status === 'success' &&
  (asksAgain(before, approvalsCount) || before.children.some(child => someAskAgain(child, approvalsCount)))

/** `asked`: below a failed step of a group that ignores failures no person is asked, since nothing would continue. */
const descendantsUnchanged = (step: Step, before: Step, approvalsCount: boolean, asked = true): boolean =>
  pairs(step, before).every(([child, was]) => {
    if (!was || !isSame(child, was) || asksOthers(child, was) || wasLeftOut(child, was)) return false
    const isAsked = asked && was.status === 'success'
    return !(isAsked && asksAgain(was, approvalsCount)) && descendantsUnchanged(child, was, approvalsCount, isAsked)
  })

/** Whether it was skipped, or its body on the way to an approval below it, and no mask names it any more. */
const wasLeftOut = (step: Step, before: Step): boolean =>
  (before.status === 'skipped' || (before.own === 'passed' && before.plan.kind !== 'stage')) && !step.isSkipped

const isAsked = (step: Step, before: Step, approvalsCount: boolean): boolean =>
  asksAgain(before, approvalsCount) || asksOthers(step, before)

/**
 * Whether an earlier answer does not count: the question is another one, or is asked again (reset_on_retry).
 */
const asksOthers = ({ plan }: Step, { plan: before }: Step): boolean =>
  isWait(plan) &&
  (plan.kind !== before.kind ||
    (plan.kind === 'approval' && plan.approvals !== before.approvals) ||
    (plan.kind === 'input' && plan.hasDefault !== before.hasDefault) ||
    (plan.resetOnRetry && !before.resetOnRetry))

const asksAgain = ({ plan }: Step, approvalsCount: boolean): boolean =>
  isWait(plan) && (plan.resetOnRetry || (plan.kind === 'approval' && !approvalsCount))

const isWait = ({ kind }: Plan): boolean => kind !== 'script' && kind !== 'stage'

/** Sets a step, with its descendants, to the state in which it ended. */
function stand(step: Step, before: Step): void {
  const { status, own, approvals, rejected, isSkipped, madeChildren } = before
  Object.assign(step, { status, own, approvals: [...approvals], rejected, isSkipped, madeChildren })
  step.children = []
  for (const was of before.children) stand(again(was, step, step.mask), was)
}
