import type { Attempt, Hello } from '#protocol/runner-protocol.ts'

/**
 * Compares the attempts of a runner in the database with those that it reports (pure): `drop` was given up meanwhile,
 * `lost` never reached it, and messages are accepted for `held`.
 */
export function reconcile(
  running: readonly Attempt[],
  { holding, reported }: Pick<Hello, 'holding' | 'reported'>,
): { drop: Attempt[]; lost: Attempt[]; held: Attempt[] } {
  const ours = new Set(running.map(nameOf))
  const theirs = new Set([...holding, ...reported].map(nameOf))
  return {
    drop: holding.filter(attempt => !ours.has(nameOf(attempt))),
    lost: running.filter(attempt => !theirs.has(nameOf(attempt))),
    held: running.filter(attempt => theirs.has(nameOf(attempt))),
  }
}

export const nameOf = ({ stepId, attempt, fence }: Attempt): string => `${stepId}/${attempt}/${fence}`
