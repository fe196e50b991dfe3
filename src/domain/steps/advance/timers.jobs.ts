import { theService } from '#platform/actor.ts'
import type { Database, TransactionOptions } from '#platform/db/database.ts'
import { needsExternalCall } from '#platform/db/external-call.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import type { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { AdvanceParts, EngineParts, LateTreeParts } from '../engine.port.ts'
import { lockActivity } from '../store/activity.store.ts'
import { activitiesToWake, dueSteps, setTimer } from '../store/waiting-step.store.ts'
import { goOn } from './decisions.tx.ts'
import { type CarryingOn, retryOrGiveUp } from './retry-or-give-up.tx.ts'
import { decisionEvent } from './step-events.ts'

type TimerParts = LateTreeParts & Pick<EngineParts, 'continued'>

/** Activities whose steps are due, and that need an external call first. */
export type Asking = Set<string>

const someAsk = 'timers that ask'
/** Name of the work for back-off, shared by both loops. */
const doing = 'wake'

/**
 * Loops that continue wait steps when their time has come, by the database's clock. Steps that need a vault have a loop
 * of their own: a vault that hangs would block all others.
 */
export function timersLoops(parts: TimerParts, backoff: RetryBackoff): Loop[] {
  const asking: Asking = new Set()
  return [
    {
      name: 'timers',
      every: 1_000,
      hints: ['timers'],
      run: ({ database, log }) => fireTimers(parts, { database, log, backoff }, asking),
    },
    {
      name: someAsk,
      every: 1_000,
      hints: [someAsk],
      run: runtime => fireAsking(parts, { ...runtime, backoff, doing }, asking),
    },
  ]
}

const together = 100

/** Returns true when there may be more. Timers of paused or stopping activities do not fire. */
export async function fireTimers(
  parts: TimerParts,
  carrying: CarryingOn,
  asking: Asking = new Set(),
): Promise<boolean> {
  const runtime = { ...carrying, doing }
  const { database, backoff } = runtime
  const due = await activitiesToWake(database, [...backoff.postponed(), ...asking], together)
  for (const id of due) {
    try {
      await wake(parts, database, id, { forbidExternalCalls: true })
      backoff.succeeded(id, doing)
    } catch (error) {
      if (needsExternalCall(error)) asking.add(id)
      else await retryOrGiveUp(parts, runtime, id, error)
    }
  }
  if (asking.size > 0) database.hints.emit(someAsk)
  return due.length === together
}

/** Maximum number of concurrent external calls: one that hangs times out after some seconds. */
const askingAtOnce = 8

async function fireAsking(
  parts: TimerParts,
  runtime: CarryingOn & Pick<Runtime, 'stopping'>,
  asking: Asking,
): Promise<boolean> {
  const left = [...asking]
  const fireNext = async () => {
    for (let id = left.shift(); id !== undefined && !runtime.stopping.aborted; id = left.shift()) {
      try {
        await wake(parts, runtime.database, id, {})
        runtime.backoff.succeeded(id, doing)
      } catch (error) {
        await retryOrGiveUp(parts, runtime, id, error)
      } finally {
        asking.delete(id)
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: askingAtOnce }, fireNext))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return asking.size > 0
}

async function wake(
  parts: AdvanceParts & Pick<EngineParts, 'continued'>,
  database: Database,
  activityId: string,
  how: Pick<TransactionOptions, 'forbidExternalCalls'>,
): Promise<void> {
  await database.transaction(async tx => {
    const activity = await lockActivity(tx, activityId)
    if (activity?.pause_state !== 'none' || activity.stopping) return
    const due = await dueSteps(tx, activityId)
    if (due.length === 0) return
    const { going, later } = await parts.continued(tx, activity, due)
    const others = due.filter(step => !going.includes(step) && !later.includes(step))
    if (later.length > 0) await setTimer(tx, activityId, later, '30 s')
    if (others.length > 0) await setTimer(tx, activityId, others, null)
    if (going.length === 0) return
    await parts.record(
      tx,
      going.map(step => decisionEvent(activity, step, 'continue', theService)),
    )
    await goOn(
      parts,
      tx,
      activity,
      going.map(({ id }) => id),
    )
    failpoint('timer-before-commit')
  }, how)
}
