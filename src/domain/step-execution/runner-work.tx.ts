import type { Database, Tx } from '#platform/db/database.ts'
import { Failure } from '#platform/failure.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { type ChangeNow, findChange } from '../changes/index.ts'
import { addToLog } from '../logs/index.ts'
import type { LiveRunner, RunnerWork, StepMessage } from '../runners/index.ts'
import { UnresolvedSecrets } from '../secrets/index.ts'
import {
  applyResults,
  attemptsOf,
  type ClaimedStep,
  claimedSteps,
  claimQueuedSteps,
  newsOf,
  placeOfAttempt,
  readForResults,
  resolveLostRunner,
  type StepAbove,
  stepsAbove,
} from '../steps/for-step-execution.ts'
import { type LateTreeParts, retryOrGiveUp } from '../steps/index.ts'
import { type ChangeWork, claimerOf, messageOf, type SeenChange } from './claimed-steps.ts'
import { recordCleanupFailedEvent } from './cleanup-failed-event.ts'
import type { StepExecutionParts } from './parts.port.ts'
import { predictedSteps } from './predicted-steps.tx.ts'
import type { Unrunnable } from './step-message.ts'
import { unappliedResults } from './unapplicable-results.tx.ts'

interface WorkParts extends ChangeWork, Pick<StepExecutionParts, 'git' | 'record' | 'recordEvent'> {
  readonly engine: ChangeWork['engine'] & LateTreeParts
}

/**
 * Implements the work of runners for changes: builds messages for runners and handles theirs; it connects the
 * connection, which knows no step, with the engine, which knows no script.
 */
export function changeWork({ git, record, recordEvent, ...given }: WorkParts, database: Database): RunnerWork {
  const { engine } = given
  return {
    ...predictedSteps(given, database),
    commit: async (queries, runner) => {
      const change = await findChange(queries, runner.activityId)
      if (!change?.commit_sha) throw new Error(`the change of runner ${runner.id} has no commit`)
      return change.commit_sha
    },
    archive: async (runner, commit) => {
      const change = (await findChange(database, runner.activityId))!
      return git.archive(change.git_remote_id, commit)
    },
    news: (queries, runners) =>
      newsOf(
        queries,
        runners.map(({ id }) => id),
      ),
    running: attemptsOf,
    stepOf: placeOfAttempt,
    claim: async (tx, runner) => {
      const { activityId } = runner
      const claiming = claimQueuedSteps(engine, tx, { activityId, ...claimerOf(runner) })
      // Usually there is one, and the versions of its documents are read in the same round trip, behind the lock.
      const now = given.changes.read(tx, activityId)
      return messagesFor(given, tx, runner, await settled(claiming, now), now)
    },
    again: async (tx, runner, attempts) => messagesFor(given, tx, runner, await claimedSteps(tx, attempts)),
    applyResults: async (tx, runner, results, more) => {
      const { activityId } = runner
      // The documents that the next step sees are read in the same round trip, unless these results may write to them.
      const asks = more && runner.stepId === null && !results.some(writes)
      const versions = asks ? given.changes.versionsOf(activityId) : undefined
      const read = readForResults(tx, { activityId, results, beside: versions })
      const seen = versions && read.then(({ known }) => known.beside)
      const now = asks ? readChange(given, tx, activityId, seen) : undefined
      const claimer = more && { claimer: claimerOf(runner) }
      const applied = await settled(applyResults(engine, tx, { activityId, results, read, ...claimer }), now)
      return { verdicts: applied.verdicts, run: await messagesFor(given, tx, runner, applied.claimed, now) }
    },
    ...unappliedResults(recordEvent, engine, database),
    deferred: ({ activityId }, error, around) => retryOrGiveUp(engine, { database, ...around }, activityId, error),
    resolveLost: (tx, lost) => resolveLostRunner(engine, tx, lost),
    cleanupFailed: recordCleanupFailedEvent(record),
  }
}

const readChange = async (
  { changes }: ChangeWork,
  tx: Tx,
  id: string,
  versions: Promise<string | undefined> | undefined,
) => changes.read(tx, id, await versions)

/** Waits for both, so that nothing is sent in a transaction that has ended. */
async function settled<T>(work: Promise<T>, beside: Promise<unknown> | undefined): Promise<T> {
  const [done] = await Promise.allSettled([work, beside])
  if (done.status === 'rejected') throw done.reason
  return done.value
}

const writes = ({ propertiesDiffs }: Result) => Object.values(propertiesDiffs).some(patch => patch.length > 0)

/**
 * The messages that make a runner run its claimed steps. A step that cannot run ends here, in the same transaction,
 * like any other step; steps that become queued by that are claimed in turn.
 */
async function messagesFor(
  given: ChangeWork,
  tx: Tx,
  runner: LiveRunner,
  claimed: readonly ClaimedStep[],
  now?: Promise<ChangeNow>,
): Promise<StepMessage[]> {
  const messages: StepMessage[] = []
  let waiting = claimed
  while (waiting.length > 0) {
    const refused: Result[] = []
    const [context, above] = await Promise.all([
      contextOrWhyNot(given, tx, runner.activityId, now),
      allAbove(tx, waiting),
    ])
    if ('why' in context) refused.push(...waiting.map(step => failed(step, context.why)))
    else {
      for (const step of waiting) {
        const message = messageOf(given.keyring, step, context, above.get(step.id)!)
        if ('why' in message) refused.push(failed(step, message.why))
        else messages.push(message)
      }
    }
    if (refused.length === 0) break
    for (const result of refused)
      await addToLog(tx, { activityId: runner.activityId, attempt: result, message: result.errorMessage! })
    const applied = await applyResults(given.engine, tx, {
      activityId: runner.activityId,
      results: refused,
      claimer: claimerOf(runner),
    })
    waiting = applied.claimed
  }
  return messages
}

/** Step → its ancestors: from the cache, or else read. */
async function allAbove(tx: Tx, steps: readonly ClaimedStep[]): Promise<Map<string, readonly StepAbove[]>> {
  const unseen = steps.filter(({ above }) => above === undefined).map(({ id }) => id)
  const read = unseen.length > 0 ? Map.groupBy(await stepsAbove(tx, unseen), ({ below }) => below) : undefined
  return new Map(steps.map(({ id, above }) => [id, above ?? read?.get(id) ?? []]))
}

/** A broken property file, or a missing secret: the steps fail with that, and nothing is retried forever. */
async function contextOrWhyNot(
  { changes, contexts }: ChangeWork,
  tx: Tx,
  activityId: string,
  read?: Promise<ChangeNow>,
): Promise<SeenChange | Unrunnable> {
  try {
    const now = await (read ?? changes.read(tx, activityId))
    return { now, seen: await contexts.read(tx, now) }
  } catch (error) {
    if (error instanceof Failure || error instanceof UnresolvedSecrets) return { why: error.message }
    throw error
  }
}

/** Result that a runner would report for a step that failed before it began. */
const failed = (step: ClaimedStep, why: string, at = new Date().toISOString()): Result => ({
  type: 'result',
  seq: 0,
  stepId: step.id,
  attempt: step.attempt,
  fence: step.fence,
  outcome: 'error',
  exitCode: null,
  errorMessage: why,
  startedAt: at,
  finishedAt: at,
  propertiesDiffs: {},
  artefacts: [],
})
