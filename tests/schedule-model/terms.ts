import { isDeepStrictEqual } from 'node:util'
import { dueTimes, type Expression, nextDueTime } from './due-times.ts'
import type { Pattern } from './files.ts'

export type Target = 'asset' | 'environment' | 'workflow'

/** Attributes of a schedule. Instants are seconds since 1970. */
export interface Terms {
  readonly target: Target
  /** One of the two. */
  readonly expression: Expression | null
  readonly runAt: number | null
  readonly zone: string
  readonly repeat: boolean
  readonly maximumRunCount: number | null
  readonly endAt: number | null
  readonly enabled: boolean
  readonly allowParallel: boolean
  readonly newCommitsOnly: boolean
  readonly patterns: readonly Pattern[]
  readonly patternMatch: 'any' | 'all'
  /** Branch, for an environment. */
  readonly gitRev: string | null
  /** Version to use regardless of the asset's own, for an asset. */
  readonly templateVersion: string | null
}

/** The attributes that determine when it is due. */
const ofTime = ['expression', 'runAt', 'zone', 'repeat', 'maximumRunCount', 'endAt', 'enabled'] as const

export const movesTime = (before: Terms, after: Terms): boolean =>
  ofTime.some(each => !isDeepStrictEqual(before[each], after[each]))

/** Whether the times contain none before their end. */
export const endsTooSoon = (before: Terms | undefined, wanted: Terms, now: number): boolean =>
  wanted.enabled &&
  wanted.endAt !== null &&
  !(['expression', 'runAt', 'zone', 'endAt'] as const).every(each => isDeepStrictEqual(before?.[each], wanted[each])) &&
  nextDue(wanted, now) === null

/** Null: never again. The end itself may be a due time. */
export function nextDue(terms: Terms, after: number): number | null {
  const { expression, runAt, zone, endAt } = terms
  const next = expression ? nextDueTime(expression, zone, after) : runAt! > after ? runAt : null
  return next === null || (endAt !== null && next > endAt) ? null : next
}

/** All due times since the first of them. */
export function dueSince(terms: Terms, first: number, now: number): number[] {
  const { expression, zone, endAt, repeat } = terms
  const until = Math.min(now, endAt ?? now)
  if (!expression || !repeat) return [first]
  return dueTimes(expression, zone, first - 1, until)
}

const time = (at: number | null) => (at === null ? null : new Date(at * 1_000).toISOString())

/** Attributes in the form of a request. */
export const attributesOf = (terms: Terms) => ({
  cron_schedule: terms.expression?.text ?? null,
  run_at: time(terms.runAt),
  time_zone: terms.zone,
  repeat: terms.repeat,
  maximum_run_count: terms.maximumRunCount,
  end_at: time(terms.endAt),
  enabled: terms.enabled,
  allow_parallel_execution: terms.allowParallel,
  ...(terms.target !== 'workflow' && {
    new_commits_only: terms.newCommitsOnly,
    commit_file_patterns: terms.patterns,
    commit_file_pattern_match: terms.patternMatch,
  }),
  ...(terms.target === 'environment' && { git_rev: terms.gitRev }),
  ...(terms.target === 'asset' && { template_version: terms.templateVersion }),
})
