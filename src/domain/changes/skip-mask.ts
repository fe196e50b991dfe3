import type { StepDefinition } from '../steps/index.ts'

/**
 * Marks the steps whose full path matches one of the globs, case ignored (execution.md 1, 7): `*` is any run of
 * characters within one name, `**` across names, `?` one character. What has approvers is never marked.
 *
 * @returns the tree, or undefined when the mask would skip its root
 */
export function withSkipMask(root: StepDefinition, globs: readonly string[]): StepDefinition | undefined {
  if (globs.length === 0) return root
  const masks = globs.map(pattern)
  const marked = mark(root, '', masks)
  return marked.skip_requested ? undefined : marked
}

function mark(step: StepDefinition, above: string, masks: readonly RegExp[]): StepDefinition {
  const name = step.step_name.replaceAll('/', '_')
  const path = above === '' ? name : `${above}/${name}`
  const approval = (step.requires_approval_from ?? []).length > 0
  const skipped = !approval && masks.some(mask => mask.test(path))
  return {
    ...step,
    ...(skipped && { skip_requested: true }),
    children: step.children.map(child => mark(child, path, masks)),
  }
}

function pattern(glob: string): RegExp {
  const parts: Record<string, string> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }
  const source = glob.replace(/\*\*|[*?]|[.+^${}()|[\]\\]/g, found => parts[found] ?? `\\${found}`)
  return new RegExp(`^${source}$`, 'i')
}
