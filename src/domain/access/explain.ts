import type { Right } from '#platform/actor.ts'
import { compileRules, decidingBranch, decidingRules, namedOnly, type Rule, segmentsOf } from './decide.ts'
import { type Granted, rightsFrom } from './rights.sql.ts'

/** Rules granted to a user, each identifiable; a user who is `disabled` has no rights, whatever is granted. */
export interface GrantedRules<R extends Rule> extends Granted {
  readonly disabled: boolean
  readonly rules: readonly R[]
}

type DecidedBy = 'disabled' | 'blocked' | 'superuser' | 'rule' | 'no_rule'

export interface Explained<R extends Rule> {
  readonly allowed: boolean
  readonly decidedBy: DecidedBy
  /** Rules that decided, all of one path; empty unless `decidedBy` is rule. */
  readonly rules: readonly R[]
  /** The decision in a sentence. */
  readonly reason: string
}

/** Whether someone may do it, decided like every request, and which rules decided it. Pure. */
export function explain<R extends Rule>(granted: GrantedRules<R>, right: Right, path: string): Explained<R> {
  const { superuser, blocked, disabled } = granted
  const said = { allowed: !disabled && rightsFrom(granted).may(right, path), rules: [] }
  if (disabled) return { ...said, decidedBy: 'disabled', reason: 'The user is disabled, and so has no rights.' }
  if (blocked) return { ...said, decidedBy: 'blocked', reason: 'The policy blocked takes every right.' }
  if (superuser) return { ...said, decidedBy: 'superuser', reason: 'The policy superuser gives every right.' }
  const branch = decidingBranch(compileRules(granted.rules), right, path)
  const rules = branch ? decidingRules(branch, right) : []
  if (rules.length === 0) return { ...said, decidedBy: 'no_rule', reason: ofNoRule(path) }
  const does = said.allowed ? 'allows' : 'denies'
  return {
    allowed: said.allowed,
    decidedBy: 'rule',
    rules,
    reason: `The longest path that says something about ${right} here is ${branch!.path}, which ${does} it.`,
  }
}

const ofNoRule = (path: string): string =>
  segmentsOf(path)[0] === namedOnly
    ? `No rule says anything about it: one on the root does not cover /${namedOnly}.`
    : 'No rule says anything about it, so there is no right.'
