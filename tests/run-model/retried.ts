import type { Step } from './step.ts'

/**
 * The tree of a retry: successful steps are kept, the others will run; children are retried, however many retries ago
 * they were created.
 *
 * @param step plan of the retry, with nothing done
 * @param approvalsCount whether earlier approvals still count
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

/** Whether both create the same: a workflow under any overrides, or a change of the same node by the same action. */
function isSame({ plan, makes }: Step, before: Step): boolean {
  if (plan.kind !== before.plan.kind || makes?.kind !== before.makes?.kind) return false
  if (makes?.kind !== 'change' || before.makes?.kind !== 'change') return true
  return makes.asset === before.makes.asset && makes.action === before.makes.action
}

const pairs = (step: Step, before: Step) =>
  step.children.map(child => [child, before.children.find(({ name }) => name === child.name)] as const)

/** Whether it had succeeded, its descendants are unchanged, and no person has to be asked again. */
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

/** Sets a step, with its descendants, to the state in which it ended. */
function stand(step: Step, before: Step): void {
  const { status, own, isSkipped, made, approvals, wasRejected } = before
  Object.assign(step, { status, own, isSkipped, made, approvals: [...approvals], wasRejected })
  for (const [child, was] of pairs(step, before)) stand(child, was!)
}
