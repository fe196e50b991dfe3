import type { Claimer } from '../engine.port.ts'
import type { Decision, StepMove } from '../rules/next-moves.ts'
import type { Activity } from '../store/activity.store.ts'
import type { Neighbourhood, StoredStep } from '../store/neighbourhood.store.ts'
import type { StepChange } from '../store/step-transition.store.ts'
import type { FailureEvent } from './step-events.ts'

/** Fields of a step's report besides its outcome. */
export interface Report {
  readonly exitCode?: number | null
  readonly errorMessage?: string | null
  readonly resultSeq?: number
  /** The event of a body that failed. */
  readonly failure?: FailureEvent
}

/**
 * Converts the decision into changes to write. Queued steps go to the asking runner in the same statement, in the order
 * of the tree, whether they were queued before or just now: a light step then costs one commit. If older queued steps
 * were not read, `claimOlder` looks for them. If each step has its own runner, nothing goes to the asking one.
 */
export function withClaims(
  activity: Activity,
  known: Neighbourhood,
  decision: Decision,
  options: { reports?: ReadonlyMap<string, Report>; claimer?: Claimer },
): StepChange[] {
  const { claimer } = options
  const changes = decision.moves.map(move => changeOf(move, known.steps.get(move.id)!, options.reports?.get(move.id)))
  const older = activity.n_queued === 0 ? [] : known.queued
  if (!claimer || activity.per_step || !canRunSteps(activity) || !older) return changes
  const ended = decision.moves.filter(move => runs(known.steps.get(move.id)!) && move.body !== 'open').length
  const taken = queuedAfter(activity, known, changes, older).slice(0, Math.max(0, room(activity, claimer) + ended))
  const claimed = new Set(taken.map(({ id }) => id))
  return [
    ...changes.map(change => (claimed.delete(change.id) ? claimedToo(change, claimer) : change)),
    ...older.filter(({ id }) => claimed.has(id)).map(step => claimOfQueued(step, claimer)),
  ]
}

/**
 * Steps that are queued once the changes have been made, in the order of the tree, as far as it is known: if only the
 * first were read, the ones after the last of them may come later.
 */
export function queuedAfter(
  { n_queued }: Pick<Activity, 'n_queued'>,
  { steps }: Pick<Neighbourhood, 'steps'>,
  changes: readonly StepChange[],
  older: readonly StoredStep[],
): StoredStep[] {
  const last = older.length < n_queued ? (older.at(-1)?.tree_order ?? '') : undefined
  const queued = changes.filter(({ to }) => to === 'queued').map(({ id }) => steps.get(id)!)
  const inReach = queued.filter(({ tree_order }) => last === undefined || tree_order < last)
  return [...older, ...inReach].sort((one, other) => (one.tree_order < other.tree_order ? -1 : 1))
}

const claimedToo = (change: StepChange, { runnerId }: Claimer): StepChange => ({
  ...change,
  path: [...change.path, 'claim'],
  to: 'running',
  claimedBy: runnerId,
})

const runs = (step: StoredStep) => step.status === 'running' && step.body === 'open'

function changeOf(move: StepMove, step: StoredStep, report: Report = {}): StepChange {
  const common = { id: move.id, path: move.path, to: move.to, body: move.body, before: step, ...report }
  return move.from === 'running'
    ? { ...common, from: 'running', fence: runs(step) ? step.fence : null }
    : { ...common, from: move.from }
}

/** Whether new steps may start: not while it is paused, stopping, or without a slot. */
export const canRunSteps = (activity: Activity): boolean =>
  activity.status === 'running' && activity.pause_state === 'none' && activity.stopping === null

export const room = (activity: Activity, claimer: Claimer): number =>
  Math.min(claimer.limit, activity.parallel_steps - activity.n_running)

export const claimOfQueued = (before: StoredStep, { runnerId }: Pick<Claimer, 'runnerId'>): StepChange => ({
  id: before.id,
  from: 'queued',
  path: ['claim'],
  to: 'running',
  body: before.body,
  before,
  claimedBy: runnerId,
})
