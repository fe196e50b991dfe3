import { equal } from '#platform/documents/document.ts'
import type { Making } from './run-tree.ts'

/** What a step makes by trying again what was made before. */
export interface RetriedMaking extends Making {
  /** The change or run that it tries again; null: it makes a new one. */
  readonly retries: string | null
}

/** Whether two steps are there for the same thing, with whatever values. */
export const isSameWork = (one: Making, other: Making): boolean =>
  one.action === other.action && one.workflow === other.workflow && equal([...one.targets], [...other.targets])

/** What is over is not made again. */
export const keptMaking = (before: RetriedMaking): RetriedMaking => ({ ...before, retries: null })

/**
 * What a step of a retry makes that was to make something before as well. It tries that again only where it would run the
 * same actions; with other overrides these are put in the place of those that were.
 */
export function retriedMaking(now: Making, before: RetriedMaking | null): RetriedMaking {
  if (!before || !comesFromTheSame(now, before)) return { ...now, retries: null }
  const { retry_overrides: stands, ...rest } = before
  const isSame = equal(now.property_overrides, before.property_overrides)
  const overrides = isSame ? stands : now.property_overrides
  const startsAnew = now.start_time !== before.start_time && { retry_starts_anew: true as const }
  return { ...rest, ...now, ...(overrides && { retry_overrides: overrides }), ...startsAnew }
}

const origins = ['template_version', 'git_remote_name', 'git_rev', 'version'] as const

const comesFromTheSame = (one: Making, other: Making): boolean =>
  isSameWork(one, other) && origins.every(name => one[name] === other[name])
