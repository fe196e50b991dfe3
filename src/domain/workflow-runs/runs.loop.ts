import { theService } from '#platform/actor.ts'
import { isDatabaseAway, isPassing } from '#platform/db/away.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Around, Loop } from '#platform/domain.ts'
import { reached } from '#platform/failpoints.ts'
import { Failure } from '#platform/failure.ts'
import { addToLog } from '../runners/index.ts'
import {
  beginMaking,
  breakActivity,
  endMaking,
  findMadeBy,
  holdQueuedStep,
  lockActivity,
  type News,
  requestCancel,
  runsWithQueuedSteps,
  settleRunPause,
  takeNews,
  toCancelWithTheirRuns,
} from '../steps/index.ts'
import { creatorOf } from './creator.ts'
import { endOf } from './made-end.ts'
import { make } from './make.ts'
import type { RunParts } from './parts.ts'
import { findRun } from './run.store.ts'

/** At most so many runs, or so much news, before the loop looks whether it is to stop. */
const together = 50

/**
 * Carries workflow runs on: what has ended ends its step, steps whose turn it is make what they are there for, and a
 * cancel goes down to what was made. All of it is read from what stands in the tables, so that whoever is killed in the
 * middle leaves nothing behind that is not found again (execution.md 4, 6).
 */
export const runsLoop = (parts: RunParts): Loop => ({
  name: 'workflow-runs',
  every: 1_000,
  hints: ['workflows'],
  run: async around => {
    const told = await tellNews(parts, around)
    const runs = await runsWithQueuedSteps(around.database, together)
    for (const id of runs) await makeQueued(parts, around, id)
    const cancelled = await cancelMade(parts, around)
    return told || runs.length === together || cancelled
  },
})

/** Ends the steps whose change or run has ended; whether there may be more. */
async function tellNews(parts: RunParts, around: Around): Promise<boolean> {
  for (let count = 0; count < together && !around.stopping.aborted; count += 1) {
    let runId: string | undefined
    const some = await around.database
      .transaction(async tx => {
        const news = await takeNews(tx)
        runId = news?.run_id
        if (news) await tell(parts, tx, news)
        return news !== undefined
      })
      .catch(error => giveUp(parts, around, runId, error))
    if (!some) return false
  }
  return true
}

async function tell({ engine }: RunParts, tx: Tx, news: News): Promise<void> {
  const run = await lockActivity(tx, news.run_id)
  // As it stands under the lock; its end cannot be undone.
  const made = run && (await findMadeBy(tx, news.step_id))
  if (!made) return
  const after = made.open && made.made_final ? await endMaking(engine, tx, run, made.step_id, endOf(made, run)) : run
  await settleRunPause(tx, after)
  reached('workflow-news-before-commit')
}

/** Makes what the queued steps of a run are there for: each in a transaction of its own, with the step's beginning. */
async function makeQueued(parts: RunParts, around: Around, runId: string): Promise<void> {
  for (let more = true; more && !around.stopping.aborted; ) {
    more = await around.database
      .transaction(tx => makeNext(parts, around, tx, runId))
      .catch(error => giveUp(parts, around, runId, error))
    if (more) reached('workflow-step-made')
  }
}

async function makeNext(parts: RunParts, around: Around, tx: Tx, runId: string): Promise<boolean> {
  const held = await holdQueuedStep(tx, runId)
  const run = held && (await findRun(tx, runId))
  if (!held || !run) return false
  const { step } = held
  const context = {
    tx,
    record: (event: Parameters<Around['record']>[1]) => around.record(tx, event),
    enqueue: (job: string, payload: object, options?: Parameters<Around['enqueue']>[3]) =>
      around.enqueue(tx, job, payload, options),
  }
  const made = await madeOrWhy(async () => {
    const actor = await creatorOf(tx, run)
    return tx.savepoint(() => make(parts, { ...context, actor }, run, step))
  })
  const begun = await beginMaking(parts.engine, tx, held.run, step)
  if (made === 'over') await endMaking(parts.engine, tx, begun, step.id, { outcome: 'done' })
  else if (made !== 'made') {
    await addToLog(tx, { activityId: runId, attempt: { stepId: step.id, attempt: 1 }, message: made.why })
    await endMaking(parts.engine, tx, begun, step.id, {
      outcome: 'failed',
      errorMessage: made.why,
      failure: 'error:workflow_step:run_failure',
    })
  }
  reached('workflow-step-before-commit')
  return true
}

/** Why it cannot be made; what is only away for now is tried again. */
async function madeOrWhy<T>(work: () => Promise<T>): Promise<T | { readonly why: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && !error.faults.some(({ code }) => code === 'unavailable'))
      return { why: error.message }
    throw error
  }
}

/** A run that is cancelled takes what it made with it; each in a transaction of its own, for it is another activity. */
async function cancelMade({ engine }: RunParts, { database }: Around): Promise<boolean> {
  const made = await toCancelWithTheirRuns(database, together)
  for (const { id, ...by } of made) {
    await database.transaction(tx => requestCancel(engine, tx, id, by))
    reached('workflow-cancel-passed-on')
  }
  return made.length > 0
}

/** What passes is tried again. A bug: the run ends with it, so that it is neither stuck nor holds up the others. */
async function giveUp(parts: RunParts, around: Around, runId: string | undefined, error: unknown): Promise<boolean> {
  if (runId === undefined || isDatabaseAway(error)) throw error
  const run = await findRun(around.database, runId)
  if (!run) throw error
  const reason = error instanceof Error ? error.message : String(error)
  const about = {
    actor: theService,
    source: { type: 'workflow_run', id: runId },
    node: { id: run.node_id, path: run.path, projectId: run.project_id },
    activityId: runId,
    attributes: { name: run.name, error: reason },
  }
  if (isPassing(error)) {
    await around.database.transaction(tx => around.record(tx, { type: 'error:steps:transient_error', ...about }))
    throw error
  }
  around.log.error({ err: error, workflow_run: runId }, 'a workflow run could not be carried on')
  const message = `The service could not carry it on: ${reason}`
  await around.database.transaction(async tx => {
    await parts.engine.record(tx, [{ type: 'error:workflow_step:aasm_failure', ...about }])
    await addToLog(tx, { activityId: runId, attempt: null, message })
    await breakActivity(parts.engine, tx, runId, message)
  })
  return true
}
