import { workflowLimits } from './workflow-limits.ts'
import type { WorkflowError } from './workflow-tree.ts'

/** Sorts errors by their place in the source, without duplicates, and limits their number. */
export function inOrder(errors: readonly WorkflowError[]): WorkflowError[] {
  const each = new Map(errors.map(error => [`${error.line}:${error.column}:${error.message}`, error]))
  const sorted = [...each.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
  const more = sorted.length - workflowLimits.errors
  if (more <= 0) return sorted
  const shown = sorted.slice(0, workflowLimits.errors)
  return [...shown, { ...shown.at(-1)!, pointer: '', message: `And ${more} more.` }]
}
