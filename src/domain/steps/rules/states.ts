/** The one vocabulary of states of activities and steps, each with its description. */
export const states = {
  initializing: { why: 'being prepared: the revision is resolved, and the tree of steps is stored' },
  pending: { why: 'has not started' },
  queued: { why: 'waits for a runner or a slot' },
  running: { why: 'in progress' },
  waiting: { why: 'waits for a user, an approval or a time' },
  success: { why: 'succeeded', final: true },
  skipped: { why: 'skipped by the skip mask', final: true },
  error: { why: 'failed', final: true },
  cancelled: { why: 'cancelled by a user', final: true },
  aborted: { why: 'did not run, or not to its end, because a predecessor failed or was rejected', final: true },
  system_error: { why: 'could not be advanced by the service', final: true },
} as const

/** Statuses as shown to people and used in lists: two of them have a special kind with a name of its own. */
export const reportedStatuses: readonly string[] = [...Object.keys(states), 'waiting_for_approval', 'rejected']

/** Statuses of these that an unfinished activity can have. */
export const unfinishedStatuses: readonly string[] = [
  ...Object.entries(states).flatMap(([name, state]) => ('final' in state ? [] : name)),
  'waiting_for_approval',
]
