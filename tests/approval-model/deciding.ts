import type { Person } from './people.ts'
import { type Asked, isNamed } from './rules.ts'

/** Specification of decisions on a step; without effects. */

export type Verb = 'approve' | 'reject' | 'continue'

export interface Approval {
  readonly by: string
  readonly message: string | undefined
  /** Indexes of the rules for which it counts. */
  readonly rules: readonly number[]
}

/** A step as far as decisions are concerned. */
export interface Decidable {
  readonly status: string
  /** Undefined for a step that does not wait; empty if no approval is required. */
  readonly rules: readonly Asked[] | undefined
  readonly maker: string
  readonly approvals: readonly Approval[]
}

/** The decider, with their rights on the node. */
export interface Decider {
  readonly person: Person
  readonly mayRead: boolean
  readonly mayRun: boolean
}

interface Done {
  readonly status: 200
  readonly rules: readonly number[]
  readonly goesOn: boolean
}

export type Answer = Done | { readonly status: 401 | 404 | 403 | 409; readonly code: string; readonly denied?: string }

export function answerTo(decider: Decider, verb: Verb, step: Decidable): Answer {
  const { person, mayRead, mayRun } = decider
  if (!person.signsIn) return { status: 401, code: 'unauthenticated' }
  const asksApproval = step.status === 'waiting' && (step.rules ?? []).length > 0
  if (verb !== 'continue' && asksApproval) return decided(decider, verb, step)
  if (!mayRead) return { status: 404, code: 'missing' }
  if (verb === 'continue' && !mayRun) return { status: 403, code: 'forbidden' }
  const isWait = step.status === 'waiting' && step.rules?.length === 0
  return verb === 'continue' && isWait ? { status: 200, rules: [], goesOn: true } : { status: 409, code: 'wrong-state' }
}

function decided({ person, mayRead }: Decider, verb: 'approve' | 'reject', step: Decidable): Answer {
  const refused = refusal(person, verb, step)
  if (!mayRead) return { status: 404, code: 'missing', denied: refused ?? 'not_readable' }
  if (refused) return { status: 403, code: 'forbidden', denied: refused }
  const rules = verb === 'reject' ? [] : countingFor(person, step)
  return { status: 200, rules, goesOn: verb === 'approve' && isSatisfied(withApproval(step, person.name, rules)) }
}

/** Why a user may not decide; undefined: they may. */
function refusal(person: Person, verb: 'approve' | 'reject', step: Decidable): string | undefined {
  const isApprover = step.rules!.some(rule => isNamed(rule, person))
  if (!isApprover) return 'not_named'
  if (verb === 'reject') return undefined
  if (step.approvals.some(({ by }) => by === person.name)) return 'already'
  return countingFor(person, step).length > 0 ? undefined : 'creator'
}

/** Indexes of the rules for which an approval counts. Creators approve only for rules that allow it. */
const countingFor = (person: Person, { rules, maker }: Decidable): number[] =>
  rules!.flatMap((rule, at) => (isNamed(rule, person) && (rule.mayApproveOwn || person.name !== maker) ? [at] : []))

const withApproval = (step: Decidable, by: string, rules: readonly number[]): Decidable => ({
  ...step,
  approvals: [...step.approvals, { by, rules, message: undefined }],
})

/** State of the step after a decision: it no longer waits if it continues or is rejected. */
export const decidedSo = (step: Decidable, by: string, verb: Verb, { rules, goesOn }: Done): Decidable =>
  verb === 'approve' && !goesOn ? withApproval(step, by, rules) : { ...step, status: 'decided' }

export const isSatisfied = ({ rules, approvals }: Pick<Decidable, 'rules' | 'approvals'>): boolean =>
  rules!.every(({ required }, at) => approvals.filter(each => each.rules.includes(at)).length >= required)

/** Decisions that a reader of the step may make. */
export function can(decider: Decider, step: Decidable): Verb[] {
  return (['approve', 'reject', 'continue'] as const).filter(verb => answerTo(decider, verb, step).status === 200)
}
