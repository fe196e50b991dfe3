import { verifyAuditTrail } from '../../src/domain/events/index.ts'
import { inconsistencies } from '../../src/domain/steps/index.ts'
import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { outOfOrder, type Placed } from './order.ts'
import { brokenRuns } from './runs.ts'
import { transitionsWithoutEvent } from './transitions.ts'
import { failsOnce, linesOf, type Seen, usualLines, withAddedSteps } from './witness.ts'

/** Promises about a change. */
export interface Expected {
  /** Possible final states of the change. */
  readonly ends: readonly string[]
  /** Only the service or its database died: each step ran exactly once. */
  readonly undisturbed: boolean
}

export interface Step {
  readonly id: string
  readonly activity_id: string
  readonly full_path: string
  readonly step_name: string
  readonly status: string
  readonly body: string
  readonly children: number
  readonly attempt: number
  /** The step that ran, if a retry has taken it over. */
  readonly ran_as: string | null
  /** Whether a retry has taken over its finished body, and runs its descendants. */
  readonly body_ran_before: boolean
  readonly error_message: string | null
}

/**
 * Checks everything that docs/failure.md promises, once all changes have ended; returns a sentence for each violation.
 * The witness is trusted, the tables are checked.
 */
export async function broken(
  queries: Queries,
  expected: ReadonlyMap<string, Expected>,
  witness: readonly Seen[],
): Promise<string[]> {
  const ids = [...expected.keys()]
  const steps = await queries.rows(sql<Step>`
    select id, activity_id, full_path, step_name, status, body, children, attempt, ran_as, error_message,
           retry_of is not null and body = 'done' and attempt = 0 as body_ran_before
      from steps
     where activity_id = any(${ids}::uuid[]) and definition is not null
     order by activity_id, tree_order`)
  const placed = await queries.rows(sql<Placed>`
    select s.id, s.activity_id, s.full_path, s.parent_id, s.position, s.child_execution_strategy, m.id as made_id
      from steps s
      left join activities m on m.workflow_step_id = s.id`)
  const seen = Map.groupBy(witness, ({ step }) => step)
  const activities = await queries.rows(sql<{ id: string; status: string; why: string }>`
    select id, status, concat_ws('; ', error_message,
             (select string_agg(concat(s.full_path, ': ', s.error_message), '; ' order by s.tree_order)
                from steps s where s.activity_id = a.id and s.error_message is not null)) as why
      from activities a where id = any(${ids}::uuid[])`)
  const endings = activities.flatMap(({ id, status, why }) => {
    const { ends } = expected.get(id)!
    return ends.includes(status) ? [] : [`change ${id} ended as ${status} (${why}), not as ${ends.join(' or ')}`]
  })
  const counters = await inconsistencies(queries)
  const events = await transitionsWithoutEvent(queries)
  const { faults } = await verifyAuditTrail(queries)
  const printed = await printedLines(queries, steps)
  return [
    ...(activities.length === ids.length ? [] : [`of ${ids.length} changes there are ${activities.length}`]),
    ...endings,
    ...steps.flatMap(step => brokenStep(step, expected.get(step.activity_id)!, seen.get(step.id) ?? [])),
    ...outOfOrder(placed, witness),
    ...(await brokenRuns(queries)),
    ...steps.flatMap(step =>
      brokenLog(step, seen.get(step.id) ?? [], attempt => printed.get(`${step.id}/${attempt}`) ?? []),
    ),
    ...counters.map(({ what, id, found }) => `counters: ${what} ${id}: ${found}`),
    ...events.map(({ what, type, expected, found }) => `events: ${what} has ${type} ${found} times, not ${expected}`),
    ...faults.map(({ what }) => `audit trail: ${what}`),
    ...(await leftBehind(queries)),
  ]
}

export function brokenStep(step: Step, { undisturbed }: Expected, seen: readonly Seen[]): string[] {
  const about = `step ${step.full_path} of change ${step.activity_id} (${step.status}, attempt ${step.attempt})`
  const count = (attempt: number, what: Seen['what']) =>
    seen.filter(each => each.attempt === attempt && each.what === what).length
  const wrong: string[] = []
  const newest = Math.max(0, ...seen.map(({ attempt }) => attempt))
  if (newest > step.attempt) wrong.push(`attempt ${newest} ran, which the tables do not know`)
  for (let attempt = 1; attempt <= newest; attempt++) {
    if (count(attempt, 'start') > 1 || count(attempt, 'end') > 1) wrong.push(`attempt ${attempt} ran twice`)
  }
  for (const [at, { attempt }] of seen.entries()) {
    if (seen.slice(0, at).some(earlier => earlier.attempt > attempt)) {
      wrong.push(`attempt ${attempt} still lived when a later one had begun`)
      break
    }
  }
  if (step.ran_as !== null || step.body_ran_before)
    return seen.length > 0 ? [`${about}: it was taken over, and ran again`] : []
  if (step.status === 'success' && count(step.attempt, 'end') !== 1)
    wrong.push('a success that the witness did not see')
  const expected = withAddedSteps[step.step_name]
  if (expected !== undefined && step.body === 'done' && step.children !== expected)
    wrong.push(`it has ${step.children} steps below it, not ${expected}`)
  if (step.status === 'aborted' && seen.length > 0) wrong.push('it was aborted and ran')
  if (undisturbed && step.status === 'success' && step.attempt !== 1) wrong.push('nothing of its runner died')
  const lost = /The runner was lost|the runner's executor ended/.test(step.error_message ?? '')
  const meant = step.step_name === failsOnce || step.body === 'done'
  if (step.status === 'error' && !lost && !meant) wrong.push(`it failed: ${step.error_message}`)
  return wrong.map(what => `${about}: ${what}`)
}

/** Logged output of attempts, by `step/attempt`. */
async function printedLines(queries: Queries, steps: readonly Step[]): Promise<Map<string, string[]>> {
  const logs = await queries.rows(sql<{ step_id: string; attempt: number; messages: string[] }>`
    select step_id, attempt, array_agg(message order by seq) as messages
      from log_lines
     where step_id = any(${steps.map(({ id }) => id)}::uuid[]) and category = 'stdout'
     group by step_id, attempt`)
  return new Map(logs.map(({ step_id, attempt, messages }) => [`${step_id}/${attempt}`, messages]))
}

/** Lines are there once and without a gap from the first on; all of them, for an attempt that ran to its end. */
export function brokenLog(
  step: Step,
  seen: readonly Seen[],
  printed: (attempt: number) => readonly string[],
): string[] {
  const attempts = Array.from({ length: step.ran_as === null ? step.attempt : 0 }, (_, n) => n + 1)
  return attempts.flatMap(attempt => {
    const lines = printed(attempt)
    const all = linesOf[step.step_name] ?? usualLines
    const gap = lines.findIndex((line, n) => line !== `line ${n + 1}`)
    const about = `log of ${step.full_path} of change ${step.activity_id}, attempt ${attempt}`
    if (gap >= 0) return [`${about}: line ${gap + 1} is "${lines[gap]}"`]
    const whole = attempt === step.attempt && step.status === 'success'
    const ended = seen.some(each => each.attempt === attempt && each.what === 'end')
    return whole && ended && lines.length !== all ? [`${about}: ${lines.length} lines of ${all}`] : []
  })
}

/** Checks that nothing is held or waiting once everything has ended. */
async function leftBehind(queries: Queries): Promise<string[]> {
  const rows = await queries.rows(sql<{ what: string }>`
    select 'slot ' || slot || ' of ' || pool || ' is still claimed' as what from slot_claims
    union all
    select 'a runner of an ended change is still ' || r.status
      from runners r join activities a on a.id = r.activity_id
     where r.status <> 'gone' and a.final
    union all
    select 'a step of a run was not told of what it made' from workflow_step_news
    union all
    select a.kind || ' ' || a.id || ' has not ended' from activities a where not a.final`)
  return rows.map(({ what }) => what)
}
