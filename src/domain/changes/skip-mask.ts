import { type StepDefinition, segmentsOf } from '../steps/index.ts'
import { globMatcher, mostWork } from './glob.ts'

/**
 * Marks the steps whose full path matches one of the globs, case ignored, and all that is beneath them (execution.md 1,
 * 7): `*` is any run of characters within one name, `**` across names, `?` one character. What has approvers is never
 * marked.
 *
 * @returns the tree, or undefined when the mask would skip its root
 */
export function withSkipMask(root: StepDefinition, globs: readonly string[]): StepDefinition | undefined {
  if (globs.length === 0) return root
  const work = mostWork()
  const masks = globs.map(globMatcher)
  const isMasked = (path: string) => masks.some(matches => matches(path, work))
  const marked = mark(root, segmentsOf([root])[0]!, isMasked)
  return marked.skip_requested ? undefined : marked
}

function mark(
  step: StepDefinition,
  path: string,
  isMasked: (path: string) => boolean,
  beneathMasked = false,
): StepDefinition {
  const approval = (step.requires_approval_from ?? []).length > 0
  const masked = beneathMasked || isMasked(path)
  const names = segmentsOf(step.children)
  return {
    ...step,
    ...(!approval && masked && { skip_requested: true }),
    children: step.children.map((child, at) => mark(child, `${path}/${names[at]}`, isMasked, masked)),
  }
}
