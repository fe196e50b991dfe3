import { raw, type Sql, sql } from '#platform/db/sql.ts'
import type { EngineParts } from './engine.ts'
import type { StepChange } from './step-transition.ts'
import { type Beside, type SuccessionRow, siblingsAfter, type ToSucceed } from './succession.ts'

/** What a sequence is made of: a step succeeds, and the sibling after it begins on the same runner. */
interface StepForStep {
  readonly ended: StepChange & { readonly resultSeq: number }
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
  const { resultSeq } = ended
  const ends = ended.from === 'running' && ended.to === 'success' && ended.before.body === 'open'
  const begins = begun.from === 'pending' && begun.to === 'running' && begun.claimedBy === runner.id
  const opens = begun.before.body === 'open' && begun.body === 'open' && !begun.before.needs_approval
  return ends && begins && opens && resultSeq !== undefined
    ? { ended: { ...ended, resultSeq }, begun, parent }
    : undefined
}

/** The events of a succession that may go by itself, to be made while its step runs: that takes longer than all the rest. */
export const eventsOfOne = (parts: Pick<EngineParts, 'recording'>, { events }: Pick<ToSucceed, 'events'>): Sql =>
  parts.recording(events, sql`exists (select from claimed)`)

/**
 * The statement of `succeedAll` for a single activity in which one step follows another: the same answer for less.
 * Undefined where something else is asked.
 */
export function statementOfOne(
  parts: Pick<EngineParts, 'recording'>,
  [asked, ...others]: readonly ToSucceed[],
  beside: Beside,
): Sql<SuccessionRow> | undefined {
  const one = asked && others.length === 0 ? stepForStep(asked) : undefined
  if (!asked || !one) return undefined
  const { foresight, runner, beside: given, recorded = eventsOfOne(parts, asked) } = asked
  const { activity, seen } = foresight
  const { ended, begun, parent } = one
  return sql<SuccessionRow>`
    with claimed as materialized (
      select * from sluice_succeed(
        ${activity.id}, ${seen}, ${runner.id}, ${runner.session},
        ${ended.id}, ${ended.fence}, ${ended.exitCode ?? null}, ${ended.resultSeq},
        ${begun.id}, ${parent})
    ),
    recorded as (${recorded})
    select ${activity.id}::uuid as activity_id, pg_current_xact_id()::xid::text as seen,
           ${beside(sql`${activity.id}::uuid`, sql`${given}::text`)} as beside,
           claimed.id, claimed.attempt, claimed.fence, claimed.definition, claimed.tree_order,
           ${foresight.known.after.has(begun.id) ? raw('null::json') : siblingsAfter()} as younger
      from claimed`
}
