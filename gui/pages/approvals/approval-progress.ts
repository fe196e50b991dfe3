/** Approvals of a step so far, and how many it needs; undefined if it needs none. */
export function approvalProgress(step: {
  readonly requires_approval_from: unknown
  readonly approved_by: unknown
}): { given: number; required: number } | undefined {
  const rules = Array.isArray(step.requires_approval_from) ? step.requires_approval_from : []
  if (rules.length === 0) return undefined
  const required = rules.reduce((sum, rule) => sum + (Number((rule as Rule).required_approvals) || 1), 0)
  return { given: Array.isArray(step.approved_by) ? step.approved_by.length : 0, required }
}

interface Rule {
  readonly required_approvals?: number
}
