import type { ModelsOfNode } from './model.store.ts'

export const invalidReasons = [
  'not_generated',
  'properties_changed',
  'template_version_changed',
  'generation_failed',
] as const

export type InvalidReason = (typeof invalidReasons)[number]

/**
 * Reason why an asset whose template has a model has no valid one. A failure takes precedence over its cause:
 * generating again has been tried already.
 */
export function invalidReason(
  { newest, failed }: ModelsOfNode,
  now: { gitRemoteId: string; commit: string },
): InvalidReason {
  if (failed) return 'generation_failed'
  if (!newest) return 'not_generated'
  const same = newest.commit === now.commit && newest.gitRemoteId === now.gitRemoteId
  return same ? 'properties_changed' : 'template_version_changed'
}
