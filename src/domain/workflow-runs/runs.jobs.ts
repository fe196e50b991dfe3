import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { Failure, isUnavailable } from '#platform/failure.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { addToLog } from '../logs/index.ts'
import {
  endCreatingStep,
  findStepWithChild,
  lockQueuedStep,
  type News,
  runsWithQueuedSteps,
  settleRunPause,
  startCreatingStep,
  takeNews,
  toCancelWithTheirRuns,
} from '../steps/for-workflow-runs.ts'
import {
  type AdvanceParts,
  type CarryingOn,
  type LateTreeParts,
  lockActivity,
  requestCancel,
  retryOrGiveUp,
} from '../steps/index.ts'
import { childOutcome } from './child-outcome.ts'
import type { RunParts } from './parts.port.ts'
import { findRun } from './run.store.ts'
import { creatorAsActor } from './run-as.tx.ts'
import { startChild } from './start-child.tx.ts'

/** Maximum number of runs, or of child news, between two checks for a stop. */
const together = 50

/**
 * Advances workflow runs: an ended child ends its step, steps that may start create their children, and a cancel is
 * passed on to children. Everything is derived from the tables, so a killed process leaves no work that is not found
 * again.
 */
export function runsLoop(parts: RunParts, engine: LateTreeParts): Loop {
  const backoff = new RetryBackoff()
  return {
    name: 'workflow-runs',
    every: 1_000,
    hints: ['workflows'],
    run: async all => {
      const runtime = { ...all, backoff }
      const told = await applyAllNews(engine, { ...runtime, doing: 'tell' })
      const runs = await runsWithQueuedSteps(all.database, { limit: together, postponed: backoff.postponed() })
      for (const id of runs) await makeQueued(parts, engine, { ...runtime, doing: 'make' }, id)
      const cancelled = await cancelMade(engine, { ...runtime, doing: 'cancel' })
      return told || runs.length === together || cancelled
    },
  }
}

type Carrying = Runtime & CarryingOn

/** Ends the steps whose change or run has ended; returns whether there may be more. */
async function applyAllNews(engine: LateTreeParts, runtime: Carrying): Promise<boolean> {
  const { database, backoff, doing, stopping } = runtime
  for (let count = 0; count < together && !stopping.aborted; count += 1) {
    const taken: { news?: News | undefined } = {}
    try {
      await database.transaction(async tx => {
        taken.news = await takeNews(tx, { postponed: backoff.postponed() })
        if (taken.news) await applyNews(engine, tx, taken.news)
      })
      if (taken.news) backoff.succeeded(taken.news.run_id, doing)
    } catch (error) {
      if (!taken.news) throw error
      await retryOrGiveUp(engine, runtime, taken.news.run_id, error)
    }
    if (!taken.news) return false
  }
  return true
}

async function applyNews(engine: LateTreeParts, tx: Tx, news: News): Promise<void> {
  if (news.run_final) return cancelLeft(engine, tx, news)
  const run = await lockActivity(tx, news.run_id)
  // The state under the lock; an end cannot be undone.
  const made = run && (await findStepWithChild(tx, news.step_id))
  if (!made) return
  const after =
    made.open && made.made_final ? await endCreatingStep(engine, tx, run, made.step_id, childOutcome(made, run)) : run
  await settleRunPause(tx, after)
  failpoint('workflow-news-before-commit')
}

/** Cancels the children of a run that the service could not advance: nothing waits for them any more. */
async function cancelLeft(engine: LateTreeParts, tx: Tx, { step_id }: News): Promise<void> {
  const made = await findStepWithChild(tx, step_id)
  if (made && !made.made_final) await requestCancel(engine, tx, made.made_id, theService)
}

/** Creates the children of the queued steps of a run: each in a transaction of its own, in which the step begins. */
async function makeQueued(parts: RunParts, engine: LateTreeParts, runtime: Carrying, runId: string): Promise<void> {
  const { database, backoff, doing, stopping } = runtime
  try {
    while (!stopping.aborted && (await database.transaction(tx => makeNext(parts, engine, runtime, tx, runId)))) {
      backoff.succeeded(runId, doing)
      failpoint('workflow-step-made')
    }
  } catch (error) {
    await retryOrGiveUp(engine, runtime, runId, error)
  }
}

async function makeNext(
  parts: RunParts,
  engine: AdvanceParts,
  runtime: Runtime,
  tx: Tx,
  runId: string,
): Promise<boolean> {
  const held = await lockQueuedStep(tx, runId)
  const run = held && (await findRun(tx, runId))
  if (!held || !run) return false
  const { step } = held
  const context = {
    tx,
    record: (event: Parameters<Runtime['record']>[1]) => runtime.record(tx, event),
    enqueue: (job: string, payload: object, options?: Parameters<Runtime['enqueue']>[3]) =>
      runtime.enqueue(tx, job, payload, options),
    requireMatch: () => {},
  }
  const made = await childOrReason(async () => {
    const actor = await creatorAsActor(tx, run)
    return tx.savepoint(() => startChild(parts, { ...context, actor }, run, step))
  })
  const begun = await startCreatingStep(engine, tx, held.run, step)
  if (made === 'over') await endCreatingStep(engine, tx, begun, step.id, { outcome: 'done' })
  else if (made !== 'made') {
    await addToLog(tx, { activityId: runId, attempt: { stepId: step.id, attempt: 1 }, message: made.why })
    await endCreatingStep(engine, tx, begun, step.id, {
      outcome: 'failed',
      errorMessage: made.why,
      failure: 'error:workflow_step:run_failure',
    })
  }
  failpoint('workflow-step-before-commit')
  return true
}

/** Why it cannot be created; temporary failures are retried. */
async function childOrReason<T>(work: () => Promise<T>): Promise<T | { readonly why: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && !isUnavailable(error)) return { why: error.message }
    throw error
  }
}

/** Cancels the children of a cancelled run; each in a transaction of its own, because it is another activity. */
async function cancelMade(engine: LateTreeParts, runtime: Carrying): Promise<boolean> {
  const { database, backoff } = runtime
  const made = await toCancelWithTheirRuns(database, { limit: together, postponed: backoff.postponed() })
  for (const { id, ...by } of made) {
    try {
      await database.transaction(tx => requestCancel(engine, tx, id, by))
      failpoint('workflow-cancel-passed-on')
    } catch (error) {
      await retryOrGiveUp(engine, runtime, id, error)
    }
  }
  return made.length > 0
}
