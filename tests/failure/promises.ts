import { verifyAuditTrail } from '../../src/domain/events/index.ts'
import { inconsistencies } from '../../src/domain/steps/index.ts'
import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transitionsWithoutEvent } from './transitions.ts'
import { linesOf, type Seen, usualLines } from './witness.ts'

/** What is promised of a change. */
export interface Expected {
  /** The states that it may end in. */
  readonly ends: readonly string[]
  /** Only the service or its database died: each step ran once, whatever else happened. */
  readonly undisturbed: boolean
}

interface Step {
  id: string
  activity_id: string
  change_status: string
  full_path: string
  step_name: string
  status: string
  attempt: number
  error_message: string | null
}

/**
 * Everything that docs/failure.md promises, asked of what is left when all changes have ended; a sentence for each thing
 * that does not hold. The witness is believed, the tables are checked.
 */
export async function broken(
  queries: Queries,
  expected: ReadonlyMap<string, Expected>,
  witness: readonly Seen[],
): Promise<string[]> {
  const ids = [...expected.keys()]
  const steps = await queries.rows(sql<Step>`
    select s.id, s.activity_id, a.status as change_status, s.full_path, s.step_name, s.status, s.attempt, s.error_message
      from steps s
      join activities a on a.id = s.activity_id
     where a.id = any(${ids}::uuid[]) and s.definition is not null
     order by s.activity_id, s.tree_order`)
  const activities = await queries.rows(sql<{ id: string; status: string; error_message: string | null }>`
    select id, status, error_message from activities where id = any(${ids}::uuid[])`)
  const endings = activities.flatMap(({ id, status, error_message }) => {
    const { ends } = expected.get(id)!
    return ends.includes(status)
      ? []
      : [`change ${id} ended as ${status} (${error_message ?? ''}), not as ${ends.join(' or ')}`]
  })
  const counters = await inconsistencies(queries)
  const events = await transitionsWithoutEvent(queries)
  const { faults } = await verifyAuditTrail(queries)
  return [
    ...(activities.length === ids.length ? [] : [`of ${ids.length} changes there are ${activities.length}`]),
    ...endings,
    ...steps.flatMap(step => brokenStep(step, expected.get(step.activity_id)!, seenOf(witness, step.id))),
    ...outOfOrder(steps, witness),
    ...(await brokenLogs(queries, steps, witness)),
    ...counters.map(({ what, id, found }) => `counters: ${what} ${id}: ${found}`),
    ...events.map(({ what, type, expected, found }) => `events: ${what} has ${type} ${found} times, not ${expected}`),
    ...faults.map(({ what }) => `audit trail: ${what}`),
    ...(await leftBehind(queries)),
  ]
}

const seenOf = (witness: readonly Seen[], step: string) => witness.filter(seen => seen.step === step)

function brokenStep(step: Step, { undisturbed }: Expected, seen: readonly Seen[]): string[] {
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
  if (step.status === 'success' && count(step.attempt, 'end') !== 1)
    wrong.push('a success that the witness did not see')
  if (step.status === 'aborted' && seen.length > 0) wrong.push('it was aborted and ran')
  if (undisturbed && step.status === 'success' && step.attempt !== 1) wrong.push('nothing of its runner died')
  const lost = /The runner was lost|the runner's executor ended/.test(step.error_message ?? '')
  if (step.status === 'error' && !lost) wrong.push(`it failed: ${step.error_message}`)
  return wrong.map(what => `${about}: ${what}`)
}

/** In a sequence nothing begins before what stands before it has ended. */
function outOfOrder(steps: readonly Step[], witness: readonly Seen[]): string[] {
  const turns: Record<string, number> = { one: 0, file: 0, left: 1, right: 1, talk: 1, program: 2, last: 3 }
  const ofStep = new Map(steps.map(step => [step.id, step]))
  const reached = new Map<string, number>()
  return witness.flatMap(({ step: id, what }) => {
    const step = ofStep.get(id)
    const turn = step && turns[step.step_name]
    if (!step || turn === undefined) return []
    const before = reached.get(step.activity_id) ?? 0
    reached.set(step.activity_id, Math.max(before, turn))
    return turn < before ? [`${what} of ${step.full_path} of change ${step.activity_id} came after a later step's`] : []
  })
}

/** Lines are there once and without a gap from the first on; all of them, of an attempt that went on to its end. */
async function brokenLogs(queries: Queries, steps: readonly Step[], witness: readonly Seen[]): Promise<string[]> {
  const logs = await queries.rows(sql<{ step_id: string; attempt: number; messages: string[] }>`
    select step_id, attempt, array_agg(message order by seq) as messages
      from log_lines
     where step_id = any(${steps.map(({ id }) => id)}::uuid[]) and category = 'stdout'
     group by step_id, attempt`)
  const printed = new Map(logs.map(({ step_id, attempt, messages }) => [`${step_id}/${attempt}`, messages]))
  return steps.flatMap(step =>
    Array.from({ length: step.attempt }, (_, n) => n + 1).flatMap(attempt => {
      const lines = printed.get(`${step.id}/${attempt}`) ?? []
      const all = linesOf[step.step_name] ?? usualLines
      const gap = lines.findIndex((line, n) => line !== `line ${n + 1}`)
      const about = `log of ${step.full_path} of change ${step.activity_id}, attempt ${attempt}`
      if (gap >= 0) return [`${about}: line ${gap + 1} is "${lines[gap]}"`]
      const whole = attempt === step.attempt && step.status === 'success'
      const ended = witness.some(seen => seen.step === step.id && seen.attempt === attempt && seen.what === 'end')
      return whole && ended && lines.length !== all ? [`${about}: ${lines.length} lines of ${all}`] : []
    }),
  )
}

/** Once all has ended, nothing is held and nobody waits. */
async function leftBehind(queries: Queries): Promise<string[]> {
  const rows = await queries.rows(sql<{ what: string }>`
    select 'slot ' || slot || ' of ' || pool || ' is still claimed' as what from slot_claims
    union all
    select 'a runner of an ended change is still ' || r.status
      from runners r join activities a on a.id = r.activity_id
     where r.status <> 'gone' and a.final`)
  return rows.map(({ what }) => what)
}
