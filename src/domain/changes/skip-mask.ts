import { segmentsOf } from '../steps/for-changes.ts'
import { type StepDefinition, unmasked } from '../steps/index.ts'
import { globMatcher, mostWork } from './glob.ts'

/**
 * Marks the steps whose full path matches one of the globs (case-insensitive), and all of their descendants: `*` is any
 * run of characters within one name, `**` across names, `?` one character. A step with approvers is never marked.
 *
 * @returns the tree, or undefined when the mask would skip its root
 */
export function withSkipMask(root: StepDefinition, globs: readonly string[]): StepDefinition | undefined {
  if (globs.length === 0) return root
  const marked = mark(root, segmentsOf([root])[0]!, namedBy(globs))
  return marked.skip_requested ? undefined : marked
}

/** The tree under this mask instead of its former one. */
export const withOtherMask = <Step extends Tree<Step>>(root: Step, globs: readonly string[]): Step =>
  mark(unmasked(root), segmentsOf([root])[0]!, namedBy(globs))

/**
 * Skip mask for steps outside of the definition, as a function of their full paths; undefined for an empty mask.
 *
 * @param approval full path of the approval above the tree of the action, if there is one: globs do not include it
 */
export function maskBelow(
  approval: string | undefined,
  globs: readonly string[],
): ((fullPath: string) => boolean) | undefined {
  if (globs.length === 0) return undefined
  const above = approval === undefined ? 0 : approval.length + 1
  const isNamed = namedBy(globs)
  return fullPath => isNamed(fullPath.slice(above))
}

type Tree<Step> = StepDefinition & { readonly children: readonly Step[] }

/** Whether a mask names a step, by its full path. */
export function namedBy(globs: readonly string[]): (fullPath: string) => boolean {
  const work = mostWork()
  const masks = globs.map(globMatcher)
  return fullPath => masks.some(matches => matches(fullPath, work))
}

function mark<Step extends Tree<Step>>(
  step: Step,
  path: string,
  isMasked: (path: string) => boolean,
  parentMasked = false,
): Step {
  const approval = (step.requires_approval_from ?? []).length > 0
  const masked = parentMasked || isMasked(path)
  const names = segmentsOf(step.children)
  return {
    ...step,
    ...(!approval && masked && { skip_requested: true }),
    children: step.children.map((child, at) => mark(child, `${path}/${names[at]}`, isMasked, masked)),
  }
}
