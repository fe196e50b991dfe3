import type { Database } from '#platform/db/database.ts'
import type { NewEvent } from '#platform/events.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { eventsOfKnownChanges } from '../advance/advance.tx.ts'
import { firstQueued } from '../advance/claim.store.ts'
import { withClaims } from '../advance/decided-changes.ts'
import { bringsSomething, reportOf, verdictOn } from '../advance/results.tx.ts'
import type { Claimer } from '../engine.port.ts'
import { activityMoves } from '../rules/activity-moves.ts'
import { type Happened, nextMoves } from '../rules/next-moves.ts'
import { type Activity, findAsSeen } from '../store/activity.store.ts'
import { decide, type Neighbourhood, neighbourhoodOf, type StoredStep } from '../store/neighbourhood.store.ts'
import { countersMovedBy, type StepChange } from '../store/step-transition.store.ts'

/**
 * State of an activity that this process knows while its steps run, without any lock. It is valid as long as the
 * activity's row has version `seen`: every change of a step's row changes that row in the same transaction.
 */
export interface Prediction {
  readonly activity: Activity
  /** The transaction that wrote the activity's row. */
  readonly seen: string
  readonly known: Neighbourhood
}

/** Effects of the ends of steps on their activity when nothing else has happened in it. */
export interface PredictedSuccess {
  readonly prediction: Prediction
  readonly changes: readonly StepChange[]
  readonly events: readonly NewEvent[]
}

/**
 * Maximum number of queued steps that are read at once: of ten thousand siblings those for the next twenty statements.
 */
const queuedAhead = 64

/**
 * Reads an activity in which these steps have just begun, as far as their success will need it. One snapshot: the steps
 * are as they were when the activity's row was `seen`'s. Undefined: steps of it run elsewhere as well, and the first of
 * them to end would invalidate the prediction.
 */
export function predictNextSteps(
  database: Database,
  activityId: string,
  stepIds: readonly string[],
): Promise<Prediction | undefined> {
  return database.transaction(
    async tx => {
      const [row, known, queued] = await Promise.all([
        findAsSeen(tx, activityId),
        neighbourhoodOf(tx, activityId, stepIds),
        firstQueued(tx, activityId, queuedAhead),
      ])
      if (!row || row.n_running > stepIds.length) return undefined
      const { seen, ...activity } = row
      for (const id of stepIds) await decide(tx, known, activity.stopping, [doneBy(id)])
      return { activity, seen, known: { ...known, queued } }
    },
    { readOnly: true },
  )
}

const doneBy = (id: string): Happened => ({ what: 'body', id, outcome: 'done' })

/** Whether nothing more has to be read for the success of any running step. */
export const reachesBeyond = ({ known, activity }: Prediction): boolean =>
  runningIn(known.steps).every(id => nextMoves(known, activity.stopping, [doneBy(id)]).missing.length === 0)

export const runningIn = (steps: ReadonlyMap<string, StoredStep>): string[] =>
  [...steps.values()].filter(({ status, body }) => status === 'running' && body === 'open').map(({ id }) => id)

/**
 * Computes the effects of these results, if all of them are predicted: other steps start in place of these, and the
 * activity continues as before. Undefined in all other cases, which are applied under the activity's lock.
 */
export function predictSuccess(
  prediction: Prediction,
  results: readonly Result[],
  claimer: Claimer,
): PredictedSuccess | undefined {
  if (!arePlain(results, prediction)) return undefined
  const stepIds = results.map(({ stepId }) => stepId)
  const planned = whenDone(prediction, stepIds, claimer)
  if (!planned) return undefined
  const reports = new Map(results.map(result => [result.stepId, reportOf(result)]))
  return { ...planned, changes: planned.changes.map(change => ({ ...change, ...reports.get(change.id) })) }
}

/** The steps run. */
function whenDone(prediction: Prediction, stepIds: readonly string[], claimer: Claimer): PredictedSuccess | undefined {
  const { activity, known } = prediction
  if (activity.pause_state !== 'none') return undefined
  const decision = nextMoves(known, activity.stopping, stepIds.map(doneBy))
  if (decision.missing.length > 0 || decision.sweeps.length > 0) return undefined
  const changes = withClaims(activity, known, decision, { claimer })
  const after = withCounters(activity, changes)
  const root = changes.find(({ id }) => id === activity.root_step_id)?.to
  const leavesRoom = after.n_queued > 0 && after.n_running < after.parallel_steps
  if (leavesRoom || activityMoves(after, root).length > 0) return undefined
  const { knownEvents } = eventsOfKnownChanges(activity, known, changes, [], undefined)
  return knownEvents && { prediction, changes, events: knownEvents }
}

/** Whether each result is of another step, and reports only a success. */
const arePlain = (results: readonly Result[], { known }: Prediction): boolean =>
  new Set(results.map(({ stepId }) => stepId)).size === results.length &&
  results.every(result => isPlain(result, known))

const isPlain = (result: Result, { steps }: Neighbourhood): boolean =>
  result.outcome === 'success' && !bringsSomething(result) && verdictOn(steps.get(result.stepId), result) === 'applied'

export function withCounters(activity: Activity, changes: readonly StepChange[]): Activity {
  const by = countersMovedBy(changes)
  return {
    ...activity,
    n_pending: activity.n_pending + by.n_pending,
    n_queued: activity.n_queued + by.n_queued,
    n_running: activity.n_running + by.n_running,
    n_waiting: activity.n_waiting + by.n_waiting,
    n_waiting_approval: activity.n_waiting_approval + by.n_waiting_approval,
  }
}
