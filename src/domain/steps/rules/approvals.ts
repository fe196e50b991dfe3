import { isSameName } from '../../users/index.ts'

/** Person who decides on a waiting step, with their current groups of the directory. */
export interface Decider {
  readonly userId: string | null
  readonly username: string
  readonly groupnames: readonly string[]
  /** Whether the decider uses the token of a step or an agent, which acts for a person but is none. */
  readonly isProgram: boolean
}

/** One rule of an approval step; names as resolved when the activity was created. */
export interface ApprovalRule {
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
  readonly required_approvals?: number
  readonly allow_self_approval?: boolean
}

/** Stored approval of a step: who, when, and the indexes of the rules that it counts for. */
export interface Approval {
  readonly username: string
  readonly at: string
  readonly message?: string
  readonly rules: readonly number[]
}

export interface Approvable {
  readonly rules: readonly ApprovalRule[]
  readonly approvals: readonly Pick<Approval, 'username' | 'rules'>[]
  /** User who created the activity. */
  readonly creatorId: string | null
}

/** Reasons why a user may not decide. */
export const refusals = {
  program: 'The tokens of steps and agents never approve nor reject: people do.',
  not_named: 'You are not among its approvers.',
  creator: 'You made it yourself, and its rule requires the approval of another person.',
  already: 'You have approved it already: one person approves a step once.',
} as const

type Refusal = keyof typeof refusals

export type DecisionVerdict = { readonly counts: readonly number[] } | { readonly refused: Refusal }

/**
 * Whether a person's approval counts, and for which of the rules. A user named by no rule is no approver, not even a
 * superuser.
 */
export function approvalBy(decider: Decider, { rules, approvals, creatorId }: Approvable): DecisionVerdict {
  if (decider.isProgram) return { refused: 'program' }
  const named = rules.flatMap((rule, at) => (names(rule, decider) ? [at] : []))
  if (named.length === 0) return { refused: 'not_named' }
  const isCreator = creatorId !== null && decider.userId === creatorId
  const counts = named.filter(at => !isCreator || rules[at]!.allow_self_approval === true)
  if (counts.length === 0) return { refused: 'creator' }
  const before = approvals.some(({ username }) => isSameName(username, decider.username))
  return before ? { refused: 'already' } : { counts }
}

/** Decides on a rejection: anyone whom a rule names may reject, even what they created or have approved before. */
export function rejectionBy(decider: Decider, { rules }: Pick<Approvable, 'rules'>): DecisionVerdict {
  if (decider.isProgram) return { refused: 'program' }
  const counts = rules.flatMap((rule, at) => (names(rule, decider) ? [at] : []))
  return counts.length === 0 ? { refused: 'not_named' } : { counts }
}

/** Number of approvals that each rule still lacks. */
export const lacking = ({ rules, approvals }: Pick<Approvable, 'rules' | 'approvals'>): number[] =>
  rules.map((rule, at) =>
    Math.max(0, (rule.required_approvals ?? 1) - approvals.filter(({ rules }) => rules.includes(at)).length),
  )

/** Whether the creator of an activity satisfies a rule alone: then it is not required. */
export const satisfiedAlone = (rule: ApprovalRule, maker: Pick<Decider, 'username' | 'groupnames'>): boolean =>
  rule.allow_self_approval === true && (rule.required_approvals ?? 1) === 1 && names(rule, maker)

/**
 * Whether a rule names a user or one of their groups. Names of users and of groups of a directory are compared
 * case-insensitively.
 */
const names = (
  { user_names = [], ldap_groups = [] }: ApprovalRule,
  { username, groupnames }: Pick<Decider, 'username' | 'groupnames'>,
): boolean =>
  user_names.some(name => isSameName(name, username)) ||
  ldap_groups.some(name => groupnames.some(group => isSameName(group, name)))
