import type { Database } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { NewEvent } from '#platform/events.ts'
import type { Result } from '#platform/runner-protocol.ts'
import { type Activity, activityColumns } from './activity.store.ts'
import { activityMoves } from './activity-moves.ts'
import { foretell, withClaims } from './advance.ts'
import type { Claimer } from './engine.ts'
import { decide, type Neighbourhood, neighbourhoodOf } from './neighbourhood.store.ts'
import { type Happened, nextMoves } from './next-moves.ts'
import { bringsSomething, reportOf, verdictOn } from './results.ts'
import { countersMovedBy, type StepChange } from './step-transition.ts'

/**
 * What this process knows of an activity while a step of it runs, without holding any lock. It stands for as long as the
 * activity's row is `seen`'s: whoever changes a step's row changes that row in the same transaction.
 */
export interface Foresight {
  readonly activity: Activity
  /** The transaction that wrote the activity's row. */
  readonly seen: string
  readonly known: Neighbourhood
}

/** What the end of a step makes of its activity when nothing else has happened in it. */
export interface Succession {
  readonly foresight: Foresight
  readonly changes: readonly StepChange[]
  readonly events: readonly NewEvent[]
}

/**
 * Looks at an activity in which a step has just begun, as far as the step's success will ask. All of it is one snapshot: the
 * steps are as they were when the activity's row was `seen`'s.
 */
export function foresee(database: Database, activityId: string, stepId: string): Promise<Foresight | undefined> {
  return database.transaction(
    async tx => {
      const [row, known] = await Promise.all([
        tx.one(sql<Activity & { seen: string }>`
          select ${activityColumns}, xmin::text as seen from activities where id = ${activityId}`),
        neighbourhoodOf(tx, activityId, [stepId]),
      ])
      if (!row) return undefined
      const { seen, ...activity } = row
      await decide(tx, known, activity.stopping, [doneBy(stepId)])
      return { activity, seen, known }
    },
    { readOnly: true },
  )
}

const doneBy = (id: string): Happened => ({ what: 'body', id, outcome: 'done' })

/** Whether nothing more is to be read for what follows from the success of this step. */
export const reachesBeyond = ({ known, activity }: Foresight, stepId: string): boolean =>
  nextMoves(known, activity.stopping, [doneBy(stepId)]).lacks.length === 0

/**
 * What follows from a step that has done its work, where all of it is foreseen: steps begin in its place, and the
 * activity goes on as before. Undefined for everything else, which is applied under the activity's lock.
 */
export function succession(foresight: Foresight, result: Result, claimer: Claimer): Succession | undefined {
  const { activity, known } = foresight
  if (result.outcome !== 'success' || bringsSomething(result) || activity.pause_state !== 'none') return undefined
  if (verdictOn(known.steps.get(result.stepId), result) !== 'applied') return undefined
  const decision = nextMoves(known, activity.stopping, [doneBy(result.stepId)])
  if (decision.lacks.length > 0 || decision.sweeps.length > 0) return undefined
  const reports = new Map([[result.stepId, reportOf(result)]])
  const changes = withClaims(activity, known, decision, { reports, claimer })
  const after = withCounters(activity, changes)
  const root = changes.find(({ id }) => id === activity.root_step_id)?.to
  if (after.n_queued > 0 || activityMoves(after, root).length > 0) return undefined
  const { foretold } = foretell(activity, known, changes, [], reports)
  return foretold && { foresight, changes, events: foretold }
}

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
