import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import {
  type BodyOutcome,
  endingOf,
  isWait,
  type StepNow,
  type Stopping,
} from '../../src/domain/steps/rules/next-moves.ts'
import { type StepMoveName, stepLife } from '../../src/domain/steps/rules/step.lifecycle.ts'

/** A step of a whole tree, held in memory; `own` is the outcome of its body. */
export interface TreeStep extends Omit<StepNow, 'open_children' | 'failed_children' | 'system_failed_children'> {
  readonly position: number
  readonly own?: BodyOutcome
}

/**
 * The rules of step moves, implemented a second time, slowly and simply: for each step, evaluating the whole tree, the
 * moves due now. Production does not use it; the tests compare `nextMoves` with it.
 */
export function nextMovesOfTree(
  steps: readonly TreeStep[],
  stopping: Stopping,
): { id: string; path: StepMoveName[] }[] {
  const stepOf = new Map(steps.map(step => [step.id, step]))
  const childrenOf = Map.groupBy(
    steps.toSorted((a, b) => a.position - b.position),
    step => step.parent_id,
  )
  return steps.flatMap(step => {
    const path = isFinal(stepLife, step.status) ? [] : dueOf(step)
    return path.length ? [{ id: step.id, path }] : []
  })

  function dueOf(step: TreeStep): StepMoveName[] {
    const parent = stepOf.get(step.parent_id ?? '')
    const children = childrenOf.get(step.id) ?? []
    if (step.status === 'running') {
      if (step.body === 'open' || !children.every(done)) return []
      const failed = children.filter(child => !well(child))
      const counts = {
        ignore_failure: step.ignore_failure,
        failed_children: failed.length,
        system_failed_children: failed.filter(child => child.status === 'system_error').length,
      }
      // The outcome of a body with children left is final; only one without children decides itself.
      const own = step.body === 'failed' || children.length === 0 || step.own === undefined ? step.own : undefined
      return [endingOf(counts, stopping, own)]
    }
    if (step.status !== 'pending') return []
    if (parent?.status === 'skipped') return ['skip']
    if (parent && (parent.body === 'failed' || done(parent))) return ['abort']
    const elders = parent?.child_execution_strategy === 'sequential' ? eldersOf(step) : []
    if (elders.some(elder => done(elder) && !well(elder))) return ['abort']
    const itsTurn = !parent || (parent.status === 'running' && parent.body !== 'open' && elders.every(done))
    return itsTurn && !stopping ? firstMoves(step, children) : []
  }

  function firstMoves(step: TreeStep, children: readonly TreeStep[]): StepMoveName[] {
    const skipped = masked(step)
    if (skipped && descendantsOf(step).every(each => done(each) || masked(each))) return ['skip']
    if (!skipped && (step.needs_approval || (isWait(step) && step.body === 'open'))) return ['wait']
    if (!skipped && step.body === 'open') return ['queue']
    return children.every(done) ? ['pass'] : ['queue', 'enter']
  }

  function eldersOf(step: TreeStep): TreeStep[] {
    return (childrenOf.get(step.parent_id) ?? []).filter(sibling => sibling.position < step.position)
  }

  function descendantsOf(step: TreeStep): TreeStep[] {
    return (childrenOf.get(step.id) ?? []).flatMap(child => [child, ...descendantsOf(child)])
  }
}

/** Approval steps are never skipped. */
export const masked = (step: Pick<StepNow, 'skip_requested' | 'needs_approval'>): boolean =>
  step.skip_requested && !step.needs_approval

const done = (step: TreeStep) => isFinal(stepLife, step.status)
const well = (step: TreeStep) => step.status === 'success' || step.status === 'skipped'
