import { nearestTo } from '#platform/nearest-name.ts'
import { leftOut, leftOutItself, segmentsOf } from '../steps/for-changes.ts'
import type { StepDefinition } from '../steps/index.ts'

/**
 * Skips everything before a step: the elder siblings of it and of each step above it if these run in sequence, with all
 * of their descendants; and the bodies of the steps above it. Steps with approvers are kept. Siblings that run at the
 * same time are not before it.
 *
 * @param path its full path, case-insensitive
 * @returns the tree, or the reason why there is no such step
 */
export function withStartingStep<Step extends Tree<Step>>(root: Step, path: string): Step | { readonly why: string } {
  const names = new Map<string, string>()
  const started = startingAt(root, segmentsOf([root])[0]!, path.toLowerCase(), names)
  if (started) return started
  const nearest = nearestTo(path, [...names.values()])
  return { why: `The change has no step ${path}${nearest === undefined ? '.' : `; did you mean ${nearest}?`}` }
}

type Tree<Step> = StepDefinition & { readonly children: readonly Step[] }

/**
 * Tree that starts at the wanted step, looked for in this one; undefined when the step is not below this one. `seen`
 * collects all paths examined.
 */
function startingAt<Step extends Tree<Step>>(
  step: Step,
  path: string,
  wanted: string,
  seen: Map<string, string>,
): Step | undefined {
  const own = path.toLowerCase()
  seen.set(own, path)
  if (own === wanted) return step
  const names = segmentsOf(step.children)
  const found = step.children.map((child, at) => startingAt(child, `${path}/${names[at]}`, wanted, seen))
  const at = found.findIndex(each => each !== undefined)
  if (at < 0) return undefined
  const inOrder = step.child_execution_strategy === 'sequential'
  const children = step.children.map((child, i) => (i === at ? found[at]! : inOrder && i < at ? leftOut(child) : child))
  return { ...leftOutItself(step), children }
}
