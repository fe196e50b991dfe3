/** The one vocabulary of states of activities and steps, and what each says to a person. */
export const states = {
  initializing: { why: 'being prepared: its revision is resolved, its tree is stored' },
  pending: { why: 'has not started' },
  queued: { why: 'its turn has come; it waits for a runner' },
  running: { why: 'under way' },
  waiting: { why: 'nothing of it goes on until somebody continues it, approves it, or its time comes' },
  success: { why: 'ended well', final: true },
  skipped: { why: 'left out by the skip mask', final: true },
  error: { why: 'failed', final: true },
  cancelled: { why: 'somebody stopped it', final: true },
  aborted: { why: 'never ran, or ran no further, because something before it failed or was rejected', final: true },
  system_error: { why: 'the service itself could not carry it on', final: true },
} as const

/** What lists and people call them: of two of them there is a kind with a name of its own. */
export const reportedStatuses: readonly string[] = [...Object.keys(states), 'waiting_for_approval', 'rejected']

/** Of those, what is said of an activity that has not ended. */
export const unfinishedStatuses: readonly string[] = [
  ...Object.entries(states).flatMap(([name, state]) => ('final' in state ? [] : name)),
  'waiting_for_approval',
]
