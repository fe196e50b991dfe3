import { isDeepStrictEqual } from 'node:util'
import type { Plan } from '../execution-model/plan.ts'
import { retriedTree } from '../execution-model/retried.ts'
import { Step } from '../execution-model/step.ts'
import { Activity, type Made, mask, planOf } from './activity.ts'
import { type Approval, isSatisfied } from './deciding.ts'
import { approvalAbove } from './plans.ts'
import type { Asked } from './rules.ts'

/** Rules at a step of a retry, with earlier approvals. */
interface Carried {
  readonly path: string
  readonly approvals: readonly Approval[]
  /** Key by which the execution judge compares the rules of two steps. */
  readonly number: number
}

/**
 * A retry of a change: approvals count if what they approved and the rules are unchanged, but not those of the creator
 * of the retry.
 *
 * @param counts whether nothing has changed since the step was approved
 */
export function retriedChange(before: Activity, made: Made, counts: (step: Step, by: string) => boolean): Activity {
  const carried = before
    .steps()
    .filter(({ plan }) => plan.kind === 'approval')
    .map(step => carriedOver(before, made, step, counts))
  const root = retriedTree(sameTop(before, made), { mask, approvalsCount: true, refreshed: replanned(made, carried) })
  const change = new Activity(made, root)
  for (const step of change.waits()) {
    const found = carried.find(({ path }) => path === innerPath(step))
    if (found) change.saidAt(step).approvals = found.approvals
    const was = before.steps().find(each => innerPath(each) === innerPath(step))
    if (was && step.plan.kind === 'wait' && step.own === 'done')
      change.saidAt(step).continuedBy = before.saidAt(was).continuedBy
  }
  return change
}

function carriedOver(before: Activity, made: Made, step: Step, counts: (step: Step, by: string) => boolean): Carried {
  const { rules, approvals } = before.saidAt(step)
  const now = step.parent ? rules : made.rules
  const isSame = isDeepStrictEqual(rules, now)
  const kept = isSame
    ? approvals.filter(({ by }) => counts(step, by)).flatMap(each => ofOther(each, made.maker, rules))
    : []
  const isMet = isSame && isSatisfied({ rules, approvals: kept })
  const { approvals: number } = step.plan
  step.approvals = isMet ? Array.from({ length: number }, () => 'met') : []
  const asksAgain = !isMet && (step.own === 'done' || !isSame)
  return { path: innerPath(step), approvals: kept, number: asksAgain ? number + 1 : number }
}

/** An approval in the retry: the creator's own counts only for rules that allow it. */
function ofOther(approval: Approval, maker: string, rules: readonly Asked[]): Approval[] {
  if (approval.by !== maker) return [approval]
  const own = approval.rules.filter(at => rules[at]!.mayApproveOwn)
  return own.length > 0 ? [{ ...approval, rules: own }] : []
}

function replanned(made: Made, carried: readonly Carried[]): Plan {
  const again = (plan: Plan, path: string): Plan => {
    const found = carried.find(each => each.path === path)
    const children = plan.children.map(child =>
      again(child, plan.name === 'Approval' ? child.name : `${path}/${child.name}`),
    )
    return { ...plan, children, approvals: found?.number ?? plan.approvals }
  }
  const plan = planOf(made)
  return again(plan, plan.name)
}

/** The earlier steps, below an approval if the retry begins with one. */
function sameTop({ root }: Activity, { rules }: Made): Step {
  const hasApproval = root.plan.name === 'Approval'
  if (hasApproval === rules.length > 0) return root
  if (hasApproval) return root.children[0]!
  const top = new Step(approvalAbove(root.plan), 'Approval', undefined, mask)
  top.children = [root]
  return top
}

const innerPath = ({ path }: Step): string => path.replace(/^Approval\//, '')
