import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/** A step of a workflow run that creates a child. */
interface CreatingStep {
  readonly id: string
  readonly full_path: string
  readonly status: string
  readonly error_message: string | null
  readonly ran_as: string | null
  readonly run: string
  readonly run_status: string
  readonly run_cancelled: boolean
  /** Whether the child of this step in the original run ended well after all. */
  readonly over: boolean
  /** All of its children. */
  readonly made: readonly { readonly id: string; readonly status: string; readonly late: boolean }[]
}

/** Violations in ended workflow runs: each step has created exactly one child, and ended with its outcome. */
export async function brokenRuns(queries: Queries): Promise<string[]> {
  const steps = await queries.rows(sql<CreatingStep>`
    select s.id, s.full_path, s.status, s.error_message, s.ran_as, r.id as run, r.status as run_status,
           r.cancel_requested_at is not null as run_cancelled, coalesce(before.status = 'success', false) as over,
           (select coalesce(json_agg(json_build_object(
                     'id', m.id, 'status', m.status,
                     'late', m.finished_at is null or m.finished_at > r.finished_at)), '[]')
              from activities m
             where m.workflow_step_id = s.id) as made
      from steps s
      join activities r on r.id = s.activity_id and r.kind = 'workflow_run'
      left join workflow_steps w on w.id = s.id
      left join activities before on before.id = w.retries
     where s.step_type in ('change', 'workflow') and s.definition is not null`)
  const ofRuns = Map.groupBy(steps, ({ run }) => run)
  return [...steps.flatMap(brokenStep), ...[...ofRuns].flatMap(([run, all]) => brokenRun(run, all))]
}

/** Outcome of a step by the outcome of its child. */
const ends: Readonly<Record<string, string>> = { success: 'success', error: 'error', cancelled: 'cancelled' }

function brokenStep(step: CreatingStep): string[] {
  const about = `step ${step.full_path} of run ${step.run} (${step.status})`
  const [made, ...more] = step.made
  if (more.length > 0) return [`${about} has made ${step.made.length} times`]
  if (!made) return madeNothing(step) ? [] : [`${about} has made nothing: ${step.error_message}`]
  const wrong: string[] = []
  if (step.ran_as !== null) wrong.push('it was taken over, and made something')
  if (made.late) wrong.push(`${made.id}, which it made, ended after the run, or has not`)
  if (ends[made.status] !== step.status) wrong.push(`what it made ended as ${made.status}`)
  if (made.status === 'cancelled' && !step.run_cancelled) wrong.push('nobody has cancelled the run')
  return wrong.map(what => `${about}: ${what}`)
}

/** Whether a step has no child: it did not begin, or there was nothing left to do. */
const madeNothing = ({ status, ran_as, over }: CreatingStep): boolean =>
  ran_as !== null || ['aborted', 'cancelled', 'skipped'].includes(status) || (status === 'success' && over)

/**
 * Faults of a run's outcome: it may be cancelled although all children ended otherwise; only a failed child fails it.
 */
function brokenRun(run: string, steps: readonly CreatingStep[]): string[] {
  const { run_status, run_cancelled } = steps[0]!
  const is = (status: string) => steps.some(step => step.status === status)
  const wanted = run_cancelled ? ['cancelled', 'error', 'success'] : is('error') ? ['error'] : ['success']
  return wanted.includes(run_status) ? [] : [`run ${run} ended as ${run_status}, not as ${wanted.join(' or ')}`]
}
