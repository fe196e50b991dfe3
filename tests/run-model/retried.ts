import type { Step } from './step.ts'

/**
 * The tree of a retry: what had succeeded stands, the rest is to be run; what a step had made is
 * tried again, however many retries ago that was.
 *
 * @param step what the retry is to do, with nothing of it done
 * @param approvalsCount whether what was approved is still what is to be run
 */
export function takeOver(step: Step, before: Step, approvalsCount: boolean): void {
  if (!isSame(step, before)) return
  if (approvalsCount && !step.plan.resetOnRetry) step.approvals = [...before.approvals]
  if (stands(step, before, approvalsCount)) {
    stand(step, before)
    return
  }
  if (step.makes) step.tries = before.made ?? before.tries
  for (const [child, was] of pairs(step, before)) if (was) takeOver(child, was, approvalsCount)
}

/** It is there for the same: a workflow under whatever overrides, a change of the same node by the same action. */
function isSame({ plan, makes }: Step, before: Step): boolean {
  if (plan.kind !== before.plan.kind || makes?.kind !== before.makes?.kind) return false
  if (makes?.kind !== 'change' || before.makes?.kind !== 'change') return true
  return makes.asset === before.makes.asset && makes.action === before.makes.action
}

const pairs = (step: Step, before: Step) =>
  step.children.map(child => [child, before.children.find(({ name }) => name === child.name)] as const)

/** It had succeeded, everything beneath it is what it was, and nobody is to be asked once more. */
const stands = (step: Step, before: Step, approvalsCount: boolean): boolean =>
  before.status === 'success' && !someAskAgain(before, approvalsCount) && descendantsUnchanged(step, before)

const someAskAgain = (before: Step, approvalsCount: boolean): boolean =>
  before.status === 'success' &&
  ((before.isWait && (before.plan.resetOnRetry || (before.plan.kind === 'approval' && !approvalsCount))) ||
    before.children.some(child => someAskAgain(child, approvalsCount)))

const descendantsUnchanged = (step: Step, before: Step): boolean =>
  before.children.length === step.children.length &&
  pairs(step, before).every(
    ([child, was]) =>
      was && isSame(child, was) && (was.status !== 'skipped' || child.isSkipped) && descendantsUnchanged(child, was),
  )

/** As it ended, with everything beneath. */
function stand(step: Step, before: Step): void {
  const { status, own, isSkipped, made, approvals, wasRejected } = before
  Object.assign(step, { status, own, isSkipped, made, approvals: [...approvals], wasRejected })
  for (const [child, was] of pairs(step, before)) stand(child, was!)
}
