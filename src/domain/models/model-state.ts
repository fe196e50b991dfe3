import type { ModelsOfNode } from './model.store.ts'

export const invalidReasons = [
  'not_generated',
  'properties_changed',
  'template_version_changed',
  'generation_failed',
] as const

export type InvalidReason = (typeof invalidReasons)[number]

/**
 * Why an asset whose template has a model has none that is right. A failure is told before what led
 * to it: generating again is what somebody tried already.
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
