/** Approvals of a waiting step, as the API shows its rules and the approvals so far. */

export interface ApprovalRule {
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
  readonly required_approvals?: number
}

export interface Approval {
  readonly username: string
  readonly at: string
  readonly message?: string
  /** Indexes of the rules that it counts for. */
  readonly rules: readonly number[]
}

export interface RuleProgress {
  readonly given: number
  readonly required: number
  readonly users: readonly string[]
  readonly groups: readonly string[]
}

/** How many approvals each rule of a step has and requires. */
export function approvalProgress(rules: unknown, approvals: unknown): RuleProgress[] {
  const given = approvalsIn(approvals)
  return (Array.isArray(rules) ? (rules as ApprovalRule[]) : []).map((rule, at) => ({
    given: given.filter(each => each.rules.includes(at)).length,
    required: rule.required_approvals ?? 1,
    users: rule.user_names ?? [],
    groups: rule.ldap_groups ?? [],
  }))
}

export const approvalsIn = (approvals: unknown): readonly Approval[] =>
  Array.isArray(approvals) ? (approvals as Approval[]) : []
