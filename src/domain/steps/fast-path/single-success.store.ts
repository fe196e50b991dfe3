import type { Database } from '#platform/db/database.ts'
import { raw, type Sql, sql } from '#platform/db/sql.ts'
import type { EngineParts } from '../engine.port.ts'
import type { StepChange } from '../store/step-transition.store.ts'
import { type Beside, type SuccessionRow, siblingsAfter, type ToSucceed } from './success.store.ts'

/** Step for step, as in a sequence: a step succeeds, and the sibling after it starts on the same runner. */
interface StepForStep {
  readonly ended: StepChange
  readonly begun: StepChange
  readonly parent: string
}

/** The succession as one step for its next sibling; undefined where it is something else. */
function stepForStep({ changes, runner, foresight: { known } }: ToSucceed): StepForStep | undefined {
  const [ended, begun] = changes
  if (!ended || !begun || changes.length > 2) return undefined
  const parent = ended.before.parent_id
  if (parent === null || begun.before.parent_id !== parent) return undefined
  if (known.steps.get(parent)?.child_execution_strategy === 'parallel') return undefined
  const ends = ended.from === 'running' && ended.to === 'success' && ended.before.body === 'open'
  const begins = begun.from === 'pending' && begun.to === 'running' && begun.claimedBy === runner.id
  const opens = begun.before.body === 'open' && begun.body === 'open' && !begun.before.needs_approval
  return ends && begins && opens ? { ended, begun, parent } : undefined
}

/**
 * The statement of `succeedAll` for a single activity in which one step follows another: the same answer for less.
 * Undefined where something else is asked.
 */
export function singleSuccessStatement(
  parts: Pick<EngineParts, 'recording'>,
  [asked, ...others]: readonly ToSucceed[],
  beside: Beside,
): Sql<SuccessionRow> | undefined {
  const one = asked && others.length === 0 ? stepForStep(asked) : undefined
  return asked && one && statementWith(parts, asked, one, beside, reportOf(one))
}

/**
 * Prepares the statement while the step runs, except for the two values of its result: building its text and its events
 * takes longer than all other work here.
 *
 * @param planned prediction for the usual result
 */
export function readyOfOne(
  database: Pick<Database, 'ready'>,
  parts: Pick<EngineParts, 'recording'>,
  planned: ToSucceed,
  beside: Beside,
): ToSucceed['ready'] {
  const one = stepForStep(planned)
  if (!one) return undefined
  const places = { exitCode: {}, resultSeq: {} }
  const ready = database.ready(statementWith(parts, planned, one, beside, places))
  const [exitCode, resultSeq] = [ready.values.indexOf(places.exitCode), ready.values.indexOf(places.resultSeq)]
  return asked => {
    const reported = stepForStep(asked)
    if (!reported || asked.beside !== planned.beside) return undefined
    const report = reportOf(reported)
    return { ...ready, values: ready.values.with(exitCode, report.exitCode).with(resultSeq, report.resultSeq) }
  }
}

const reportOf = ({ ended: { exitCode, resultSeq } }: StepForStep) => ({ exitCode: exitCode ?? null, resultSeq })

function statementWith(
  parts: Pick<EngineParts, 'recording'>,
  { foresight, runner, events, beside: given }: ToSucceed,
  { ended, begun, parent }: StepForStep,
  beside: Beside,
  report: Readonly<Record<'exitCode' | 'resultSeq', unknown>>,
): Sql<SuccessionRow> {
  const { activity, seen } = foresight
  return sql<SuccessionRow>`
    with claimed as materialized (
      select * from sluice_succeed(
        ${activity.id}, ${seen}, ${runner.id}, ${runner.session},
        ${ended.id}, ${ended.fence}, ${report.exitCode}, ${report.resultSeq},
        ${begun.id}, ${parent})
    ),
    recorded as (${parts.recording(events, sql`exists (select from claimed)`)})
    select ${activity.id}::uuid as activity_id, pg_current_xact_id()::xid::text as seen,
           ${beside(sql`${activity.id}::uuid`, sql`${given}::text`)} as beside,
           claimed.id, claimed.attempt, claimed.fence, claimed.definition, claimed.tree_order,
           ${foresight.known.after.has(begun.id) ? raw('null::json') : siblingsAfter()} as younger
      from claimed`
}
