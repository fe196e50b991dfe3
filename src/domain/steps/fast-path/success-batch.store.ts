import type { Database } from '#platform/db/database.ts'
import { equalsUnindexed, raw, type Sql, sql } from '#platform/db/sql.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { liveSessions } from '../../runners/index.ts'
import { claimOf, withAbove } from '../advance/advance.tx.ts'
import { queuedAfter } from '../advance/decided-changes.ts'
import type { ClaimedStep, EngineParts } from '../engine.port.ts'
import { stepLife } from '../rules/step.lifecycle.ts'
import { columnsOf, lineUp, type StoredStep } from '../store/neighbourhood.store.ts'
import {
  countersMovedBy,
  isUnchangedSinceRead,
  newValues,
  requestedColumns,
  requestedRows,
  type StepChange,
  unnested,
} from '../store/step-transition.store.ts'
import { type PredictedSuccess, type Prediction, runningIn, withCounters } from './next-step-prediction.tx.ts'

/** Successes being applied, with the session of the runner that reports them and continues. */
export interface ToSucceed extends PredictedSuccess {
  readonly runner: { readonly id: string; readonly session: number }
  /** Text passed to `SideQuery`, to answer for this activity. */
  readonly beside: string
}

/** A query of the caller's that the same statement answers: an expression on an activity's id and the given text. */
export type SideQuery = (activityId: Sql, given: Sql) => Sql<string>

/** A claimed step; if the activity has none, only the activity's fields. */
interface SuccessRow {
  activity_id: string
  seen: string
  beside: string
  id: string
  attempt: number
  fence: number
  definition: string | null
  tree_order: string
  /** The siblings after it, in order, fewer than `readAhead` when these are all; null if they were not requested. */
  younger: StoredStep[] | null
}

/** Number of siblings read at once: a sequence reads them once for as many steps. */
export const readAhead = 16

/** Unfinished siblings after a step `claimed`, as JSON. */
const siblingsAfter = (): Sql => sql`
           (select coalesce(json_agg(younger), '[]')
              from (select ${columnsOf('s')}
                      from steps s
                     where s.parent_id = claimed.parent_id and not s.final and s.position > claimed.position
                     order by s.position
                     limit ${raw(String(readAhead))}) younger)`

export interface Succeeded {
  readonly claimed: readonly ClaimedStep[]
  readonly beside: string
  /** Reads the following steps, called once the claimed steps are sent: it takes longer than sending them. */
  lookFurther(): Further
}

interface Further {
  /** The steps that run now. */
  readonly running: readonly string[]
  /** Current knowledge; undefined if it does not suffice to predict the next steps. */
  readonly prediction: Prediction | undefined
}

/**
 * Ends steps and begins those that follow them, of many activities at once: locks, compares, moves, claims, records the
 * events and reads the following steps, all in one statement. An activity that is not in the predicted state, or whose
 * runner has another connection now, is left unchanged, and has no row in the result.
 *
 * @throws when an activity is in the predicted state and its steps are not: a bug, and the statement is rolled back
 */
export async function succeedAll(
  database: Database,
  parts: Pick<EngineParts, 'recording'>,
  asked: readonly ToSucceed[],
  beside: SideQuery,
): Promise<Map<string, Succeeded>> {
  const rows = await database.atOnce(statement(parts, asked, beside))
  database.hints.emit('events')
  const rowsOf = Map.groupBy(rows, row => row.activity_id)
  return new Map(
    asked.flatMap(each => {
      const { id } = each.prediction.activity
      const own = rowsOf.get(id)
      return own ? [[id, succeeded(each, own as [SuccessRow, ...SuccessRow[]])]] : []
    }),
  )
}

function succeeded(asked: ToSucceed, rows: readonly [SuccessRow, ...SuccessRow[]]): Succeeded {
  const { known } = asked.prediction
  const [{ activity_id, beside }] = rows
  const before = new Map([...known.steps.values(), ...(known.queued ?? [])].map(step => [step.id, step]))
  const claims = rows.filter(row => row.id !== null).sort((one, other) => (one.tree_order < other.tree_order ? -1 : 1))
  const claimed = claims.map(({ id, attempt, fence, definition }) =>
    withAbove({ ...claimOf({ ...before.get(id)!, attempt, fence, definition }), activity_id }, before),
  )
  return { claimed, beside, lookFurther: () => further(asked, rows[0].seen, claims) }
}

function further({ prediction, changes }: ToSucceed, seen: string, claims: readonly SuccessRow[]): Further {
  const { activity, known } = prediction
  const older = known.queued ?? []
  const stands = stepsAfter([...known.steps.values(), ...older], changes)
  for (const { id, attempt, fence } of claims) stands.set(id, { ...stands.get(id)!, attempt, fence })
  const running = runningIn(stands)
  const goesOn = (step: StoredStep | undefined) => step !== undefined && !isFinal(stepLife, step.status)
  const after = new Map([...known.after].filter(([id]) => goesOn(stands.get(id))))
  for (const { id, younger } of claims) {
    if (!younger) continue
    // Their state before this statement, which may have moved them as well.
    for (const step of younger) if (!stands.has(step.id)) stands.set(step.id, step)
    lineUp(after, id, younger, readAhead)
  }
  const lines = running.map(id => withAncestors(stands, id))
  if (lines.some(line => line.at(-1)!.parent_id !== null)) return { running, prediction: undefined }
  const younger = [...after.values()].flatMap(id => (id === null ? [] : [stands.get(id)!]))
  const steps = new Map([...lines.flat(), ...younger].map(step => [step.id, step]))
  const queued = queuedAfter(activity, { steps: stands }, changes, older).filter(({ id }) => !isClaimed(stands, id))
  return {
    running,
    prediction: {
      activity: withCounters(activity, changes),
      seen,
      known: { steps, after, children: new Map(), allSkipped: new Map(), beside: undefined, queued },
    },
  }
}

const isClaimed = (steps: ReadonlyMap<string, StoredStep>, id: string) => steps.get(id)!.status !== 'queued'

/** Steps after the changes, except for the columns that only the claims set. */
function stepsAfter(before: readonly StoredStep[], changes: readonly StepChange[]): Map<string, StoredStep> {
  const steps = new Map(before.map(step => [step.id, step]))
  for (const { id, change, lost } of requestedRows(changes).asked) {
    const step = steps.get(id)!
    steps.set(id, {
      ...step,
      ...(change && { status: change.to, body: change.body }),
      ...(change &&
        (change.claimedBy
          ? { runner_id: change.claimedBy, result_seq: 0 }
          : { result_seq: change.resultSeq ?? step.result_seq })),
      open_children: step.open_children - lost.ended,
      failed_children: step.failed_children + lost.failed,
      system_failed_children: step.system_failed_children + lost.broken,
    })
  }
  return steps
}

/** A step with its ancestors. */
function withAncestors(steps: ReadonlyMap<string, StoredStep>, id: string): StoredStep[] {
  const line: StoredStep[] = []
  for (let step = steps.get(id); step; step = steps.get(step.parent_id ?? '')) line.push(step)
  return line
}

/** The sequences whose claimed step has an unknown next sibling. */
const sequencesIn = (asked: readonly ToSucceed[]): string[] =>
  asked.flatMap(({ prediction: { known }, changes }) => [
    ...new Set(
      changes.flatMap(({ id, claimedBy, before: { parent_id } }) =>
        claimedBy &&
        parent_id &&
        !known.after.has(id) &&
        known.steps.get(parent_id)?.child_execution_strategy !== 'parallel'
          ? [parent_id]
          : [],
      ),
    ),
  ])

function statement(parts: Pick<EngineParts, 'recording'>, asked: readonly ToSucceed[], beside: SideQuery) {
  const of = <Value>(value: (each: ToSucceed) => Value) => asked.map(value)
  const moved = asked.map(({ changes }) => countersMovedBy(changes))
  const rows = asked.map(({ changes }) => requestedRows(changes).asked)
  return sql<SuccessRow>`
    with asked as materialized (
      select * from unnest(
        ${of(({ prediction }) => prediction.activity.id)}::uuid[], ${of(({ prediction }) => prediction.seen)}::xid[],
        ${of(({ runner }) => runner.id)}::uuid[], ${of(({ runner }) => runner.session)}::bigint[],
        ${moved.map(by => by.n_pending)}::int[], ${moved.map(by => by.n_queued)}::int[],
        ${moved.map(by => by.n_running)}::int[], ${moved.map(by => by.n_waiting)}::int[],
        ${moved.map(by => by.n_waiting_approval)}::int[], ${rows.map(each => each.length)}::int[],
        ${of(each => each.beside)}::text[])
        as asked (id, seen, runner_id, session, n_pending, n_queued, n_running, n_waiting, n_waiting_approval, steps, beside)
    ),
    held as materialized (${liveSessions(raw('asked'))}),
    counted as (
      update activities a
         set n_pending          = a.n_pending + asked.n_pending,
             n_queued           = a.n_queued + asked.n_queued,
             n_running          = a.n_running + asked.n_running,
             n_waiting          = a.n_waiting + asked.n_waiting,
             n_waiting_approval = a.n_waiting_approval + asked.n_waiting_approval,
             updated_at         = sluice_now()
        from asked join held on held.id = asked.runner_id
       where a.id = asked.id and a.xmin = asked.seen
      returning a.id, asked.steps, ${beside(raw('a.id'), raw('asked.beside'))} as beside
    ),
    moved as (
      update steps s
         set ${newValues}
        from (select sluice_now() as now offset 0) clock, ${unnested(rows.flat())} m ${requestedColumns}, counted
       where s.id = m.id and ${equalsUnindexed('s.activity_id', sql`counted.id`)}
         and ${isUnchangedSinceRead}
      returning s.id, s.activity_id, s.parent_id, s.position, s.attempt, s.fence, s.tree_order, s.definition,
                m.claimed_by
    ),
    recorded as (${parts.recording(
      asked.flatMap(({ events }) => events),
      sql`activity_id in (select id from counted)`,
    )})
    select counted.id as activity_id, pg_current_xact_id()::xid::text as seen, counted.beside,
           claimed.id, claimed.attempt, claimed.fence, claimed.definition, claimed.tree_order,
           case when claimed.parent_id = any(${sequencesIn(asked)}::uuid[]) then ${siblingsAfter()} end as younger
      from counted
      left join moved claimed on claimed.claimed_by is not null and ${equalsUnindexed('claimed.activity_id', sql`counted.id`)}
     where sluice_all_moved((select sum(steps) from counted), (select count(*) from moved))`
}
