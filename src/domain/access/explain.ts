import type { Right } from '#platform/actor.ts'
import {
  type Branch,
  compileRules,
  decidingBranch,
  decidingRules,
  matchingBranches,
  namedOnly,
  type Rule,
  saysAbout,
  segmentsOf,
} from './decide.ts'
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
  /** Other rules that match the path, the one with the longest path first. */
  readonly others: readonly OtherRule<R>[]
  /** The decision in a sentence. */
  readonly reason: string
}

/** Rule that matches a path and did not decide, with the reason in a sentence. */
interface OtherRule<R extends Rule> {
  readonly rule: R
  readonly reason: string
}

/** Whether someone may do it, decided like every request, and which rules decided it. Pure. */
export function explain<R extends Rule>(granted: GrantedRules<R>, right: Right, path: string): Explained<R> {
  const { superuser, blocked, disabled } = granted
  const said = { allowed: !disabled && rightsFrom(granted).may(right, path), rules: [], others: [] }
  if (disabled) return { ...said, decidedBy: 'disabled', reason: 'The user is disabled, and so has no rights.' }
  if (blocked) return { ...said, decidedBy: 'blocked', reason: 'The policy blocked takes every right.' }
  if (superuser) return { ...said, decidedBy: 'superuser', reason: 'The policy superuser gives every right.' }
  const compiled = compileRules(granted.rules)
  const branch = decidingBranch(compiled, right, path)
  const rules = branch ? decidingRules(branch, right) : []
  const others = matchingBranches(compiled, path).flatMap(each => othersOf(each, branch, right))
  if (rules.length === 0) return { ...said, decidedBy: 'no_rule', others, reason: ofNoRule(path) }
  const does = said.allowed ? 'allows' : 'denies'
  return {
    allowed: said.allowed,
    decidedBy: 'rule',
    rules,
    others,
    reason: `The longest path that says something about ${right} here is ${branch!.path}, which ${does} it.`,
  }
}

const ofNoRule = (path: string): string =>
  segmentsOf(path)[0] === namedOnly
    ? `No rule says anything about it: one on the root does not cover /${namedOnly}.`
    : 'No rule says anything about it, so there is no right.'

/** Rules of a matching branch that did not decide, with the reason. */
function othersOf<R extends Rule>(branch: Branch<R>, deciding: Branch<R> | undefined, right: Right): OtherRule<R>[] {
  const decided = branch === deciding ? decidingRules(branch, right) : []
  return branch.rules
    .filter(rule => !decided.includes(rule))
    .map(rule => ({ rule, reason: whyNot(rule, branch, deciding, right) }))
}

function whyNot(rule: Rule, branch: Branch, deciding: Branch | undefined, right: Right): string {
  if (!deciding || saysAbout(rule, right) === null) return `It says nothing about ${right}.`
  if (branch === deciding) return 'A rule on the same path denies it, and a denial takes precedence.'
  return segmentsOf(branch.path).length < segmentsOf(deciding.path).length
    ? 'Its path is shorter than that of the deciding rule.'
    : 'Its path has a * where that of the deciding rule has a name.'
}
