import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { NewEvent } from '#platform/events.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { askForNameCheck } from '../admission/name-queue.store.ts'
import { releaseSlot } from '../admission/slot.store.ts'
import { releaseSlotsOfSteps } from '../admission/step-slot.store.ts'
import { giveBackSlots, leavingSlots, wantedRunner } from '../admission/step-slots.tx.ts'
import type { AdvanceParts, ClaimedStep, Claimer, RunnerParts, StepAbove } from '../engine.port.ts'
import { type ActivityMoveName, activityLife } from '../rules/activity.lifecycle.ts'
import { activityMoves, wayTo } from '../rules/activity-moves.ts'
import type { Happened, Sweep } from '../rules/next-moves.ts'
import type { StepState } from '../rules/step.lifecycle.ts'
import { type Activity, requestOfCancel, transitionActivity } from '../store/activity.store.ts'
import { firstFailure } from '../store/first-failure.store.ts'
import { decide, type Neighbourhood, type StoredStep } from '../store/neighbourhood.store.ts'
import { settlePause } from '../store/pause.store.ts'
import { type MovedStep, type StepChange, transitionMany } from '../store/step-transition.store.ts'
import { notifyRun } from '../store/workflow-news.store.ts'
import { claimChanges } from './claim.store.ts'
import { canRunSteps, type Report, withClaims } from './decided-changes.ts'
import { activityEvents, actorOf, type EventStep, failureEvent, stepEvents } from './step-events.ts'

/**
 * Advances a locked activity after something happened in it: decides on the neighbourhood, writes all moves in one
 * statement, gives what became queued to the runner that asks, rolls the activity's status up, and records the events.
 */
export async function advance(
  parts: AdvanceParts,
  tx: Tx,
  activity: Activity,
  known: Neighbourhood,
  happened: readonly Happened[],
  options: { reports?: ReadonlyMap<string, Report>; claimer?: Claimer } = {},
): Promise<{ activity: Activity; claimed: ClaimedStep[] }> {
  const decision = await decide(tx, known, activity.stopping, happened)
  const changes = withClaims(activity, known, decision, options)
  const knownEvents = eventsOfKnownChanges(activity, known, changes, decision.sweeps, options.reports)
  const after = await carryOut(parts, tx, activity, changes, decision.sweeps, { ...options, ...knownEvents })
  const seen = new Map([...known.steps, ...(known.queued ?? []).map(step => [step.id, step] as const)])
  return { ...after, claimed: after.claimed.map(step => withAbove(step, seen)) }
}

/**
 * The events of changes whose attributes are all known: they are recorded in the statement that moves the steps, and
 * rolled back with it. Swept steps are known only to that statement, and so is the reason of a failure.
 */
export function eventsOfKnownChanges(
  activity: Activity,
  known: Neighbourhood,
  changes: readonly StepChange[],
  sweeps: readonly Sweep[],
  reports: ReadonlyMap<string, Report> | undefined,
): { knownEvents?: NewEvent[] } {
  const failed = changes.some(({ id, path }) => path.includes('break') || reports?.get(id)?.failure !== undefined)
  if (sweeps.length > 0 || failed) return {}
  const queued = new Map(known.queued?.map(step => [step.id, step]))
  const told = changes.map(({ id, to }) => ({
    ...(known.steps.get(id) ?? queued.get(id)!),
    status: to,
    error_message: null,
    swept: false,
  }))
  return { knownEvents: eventsOf(activity, changes, told, undefined) }
}

/**
 * Claimed step with the steps above it. A step claimed at the end of another usually has the same ancestors, which were
 * read for that one.
 */
export function withAbove(step: ClaimedStep, steps: ReadonlyMap<string, StoredStep>): ClaimedStep {
  const own = steps.get(step.id)
  if (!own) return step
  const above: StepAbove[] = []
  for (let each = own; each.parent_id !== null; ) {
    const parent = steps.get(each.parent_id)
    if (!parent) return step
    const { id, step_name, full_path, action } = parent
    above.unshift({ id, step_name, full_path, action })
    each = parent
  }
  return { ...step, above }
}

/** Writes decided changes, and their effects on the activity. */
export async function carryOut(
  parts: AdvanceParts,
  tx: Tx,
  before: Activity,
  changes: readonly StepChange[],
  sweeps: readonly Sweep[],
  options: { reports?: ReadonlyMap<string, Report>; claimer?: Claimer; knownEvents?: readonly NewEvent[] } = {},
): Promise<{ activity: Activity; claimed: ClaimedStep[] }> {
  const { knownEvents } = options
  const [{ moved, counters }] = await Promise.all([
    changes.length > 0 ? transitionMany(tx, before.id, changes, sweeps) : { moved: [], counters: before },
    knownEvents && knownEvents.length > 0 ? parts.record(tx, knownEvents) : undefined,
  ])
  const events = knownEvents ? [] : eventsOf(before, changes, moved, options.reports)
  const root = moved.find(step => step.id === before.root_step_id)?.status
  const rolledUp = await rollUp(parts, tx, { ...before, ...counters }, root, events)
  const claims = new Set(changes.filter(change => change.claimedBy !== undefined).map(change => change.id))
  const claimed = moved.filter(step => claims.has(step.id))
  const late = options.claimer && (await claimOlder(tx, rolledUp, claimed.length, options.claimer))
  if (late) events.push(...late.moved.flatMap(step => stepEvents(rolledUp, step, ['claim'], theService)))
  if (events.length > 0) await parts.record(tx, events)
  const activity = { ...rolledUp, ...late?.counters }
  if (before.per_step) return { activity: await settleSlots(parts, tx, activity, changes), claimed: claimsOf(claimed) }
  if (activity.n_queued > 0 && activity.status === 'running' && activity.n_running < activity.parallel_steps)
    tx.hint(activity.kind === 'change' ? 'steps' : 'workflows')
  return { activity, claimed: claimsOf([...claimed, ...(late?.moved ?? [])]) }

  function claimsOf(steps: readonly MovedStep[]): ClaimedStep[] {
    return steps.map(step => ({ ...claimOf(step), activity_id: before.id }))
  }
}

/** Settles slots if each step has its own: those that are free now are given back, and queued steps wait for one. */
async function settleSlots(
  parts: RunnerParts,
  tx: Tx,
  activity: Activity,
  changes: readonly StepChange[],
): Promise<Activity> {
  if (isFinal(activityLife, activity.status)) return activity
  if (activity.n_queued > 0) tx.hint('admission')
  return giveBackSlots(parts, tx, activity, leavingSlots(changes))
}

export const claimOf = ({
  id,
  attempt,
  fence,
  action,
  step_name,
  full_path,
  definition,
}: Omit<ClaimedStep, 'activity_id' | 'above'>) => ({
  id,
  attempt,
  fence,
  action,
  step_name,
  full_path,
  definition,
})

async function claimOlder(tx: Tx, activity: Activity, already: number, claimer: Claimer) {
  if (activity.n_queued === 0 || activity.per_step || !canRunSteps(activity)) return undefined
  const limit = Math.min(claimer.limit - already, activity.parallel_steps - activity.n_running)
  const changes = await claimChanges(tx, activity, { ...claimer, limit })
  return changes.length > 0 ? await transitionMany(tx, activity.id, changes) : undefined
}

async function rollUp(
  parts: RunnerParts,
  tx: Tx,
  activity: Activity,
  root: StepState | undefined,
  events: NewEvent[],
): Promise<Activity> {
  const path = activityMoves(activity, root)
  return settlePause(tx, path.length === 0 ? activity : await moveActivity(parts, tx, activity, path, events))
}

/** An activity's moves with all of their effects: slot, runner, the next of its name, and the events to record. */
async function moveActivity(
  parts: RunnerParts,
  tx: Tx,
  before: Activity,
  path: readonly ActivityMoveName[],
  events: NewEvent[],
  why?: string,
): Promise<Activity> {
  const hasFailed = path.at(-1) === 'fail' || path.at(-1) === 'break'
  const errorMessage = why ?? (hasFailed ? await firstFailure(tx, before.root_step_id) : undefined)
  const activity = await transitionActivity(tx, before, path, errorMessage === undefined ? {} : { errorMessage })
  const request = path.at(-1) === 'cancel' ? await requestOfCancel(tx, activity.id) : {}
  events.push(...activityEvents(activity, path, actorOf(activity), errorMessage, request))
  if (activity.status === 'queued') tx.hint('admission')
  if (path.at(-1) === 'go_on') await wantRunner(parts, tx, activity)
  if (!isFinal(activityLife, activity.status)) return activity
  tx.hint('admission')
  // Sent in this order and at once: the pool, which others wait for, is locked last and for one round trip less.
  await Promise.all([
    askForNameCheck(tx, activity),
    notifyRun(tx, activity),
    parts.runners.letGo(tx, activity.id),
    activity.per_step ? releaseSlotsOfSteps(tx, activity.id) : undefined,
    activity.holds_slot ? releaseSlot(tx, activity) : undefined,
  ])
  return { ...activity, holds_slot: false }
}

/** A move without steps, with its events recorded. */
export async function moveWithoutSteps(
  parts: AdvanceParts,
  tx: Tx,
  activity: Activity,
  path: readonly ActivityMoveName[],
  errorMessage?: string,
): Promise<void> {
  const events: NewEvent[] = []
  await moveActivity(parts, tx, activity, path, events, errorMessage)
  await parts.record(tx, events)
}

/** Ends an activity that cannot be advanced, whatever the status of its root. */
export async function endBroken(
  parts: AdvanceParts,
  tx: Tx,
  activity: Activity,
  changes: readonly StepChange[],
  reason: string,
): Promise<void> {
  const { moved, counters } =
    changes.length > 0 ? await transitionMany(tx, activity.id, changes) : { moved: [], counters: activity }
  const events = eventsOf(activity, changes, moved, undefined)
  const path: ActivityMoveName[] =
    activity.stopping === 'cancelled' ? ['cancel'] : [...wayTo('break', activity.status), 'break']
  await moveActivity(parts, tx, { ...activity, ...counters }, path, events, reason)
  await parts.record(tx, events)
}

/** Runs of workflows run nothing themselves, and steps with slots of their own get their runners with these. */
export async function wantRunner(parts: RunnerParts, tx: Tx, activity: Activity): Promise<void> {
  if (activity.kind === 'change' && !activity.per_step) await parts.runners.want(tx, wantedRunner(activity, null))
}

function eventsOf(
  activity: Activity,
  changes: readonly StepChange[],
  moved: readonly EventStep[],
  reports: ReadonlyMap<string, Report> | undefined,
): NewEvent[] {
  const actor = actorOf(activity)
  const movedOf = new Map(moved.map(step => [step.id, step]))
  // In the order of the decision: a step before the group that ends with it.
  const asked = changes.flatMap(change => {
    const step = movedOf.get(change.id)!
    const failure = reports?.get(step.id)?.failure
    return [
      ...(failure ? [failureEvent(activity, step, failure)] : []),
      ...stepEvents(activity, step, change.path, actor),
    ]
  })
  const swept = moved.filter(step => step.swept)
  return [
    ...asked,
    ...swept.flatMap(step => stepEvents(activity, step, [step.status === 'aborted' ? 'abort' : 'skip'], actor)),
  ]
}
