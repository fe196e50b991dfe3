import { equal } from '#platform/documents/document.ts'
import type { Making } from './run-tree.ts'

/** Making of a step that retries an earlier child. */
export interface RetriedMaking extends Making {
  /** The change or run that it retries; null: it creates a new one. */
  readonly retries: string | null
}

/** Whether two steps create the same kind of child of the same target, with any values. */
export const isSameWork = (one: Making, other: Making): boolean =>
  one.action === other.action && one.workflow === other.workflow && equal([...one.targets], [...other.targets])

/** Making of a finished step, which creates nothing again. */
export const completedMaking = (before: RetriedMaking): RetriedMaking => ({ ...before, retries: null })

/**
 * Making of a step of a retry, based on the earlier one. It retries the earlier child only if that would run the same
 * actions; different overrides replace the earlier ones.
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
