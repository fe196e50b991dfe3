import { theService } from '#platform/actor.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure } from '#platform/failure.ts'
import type { Result, StepToRun } from '#platform/runner-protocol.ts'
import type { LiveRunner, RunnerWork } from '../runners/index.ts'
import { UnresolvedSecrets } from '../secrets/index.ts'
import {
  applyResults,
  attemptsOf,
  breakActivity,
  type ClaimedStep,
  type Claimer,
  claimedSteps,
  claimQueuedSteps,
  type EngineParts,
  newsOf,
  placeOfAttempt,
  resolveLostRunner,
  stepsAbove,
} from '../steps/index.ts'
import { issueAttemptTokens } from '../users/index.ts'
import { findChange, type StoredChange } from './change.store.ts'
import { readChangeContext, resolvedSettings } from './change-context.ts'
import type { ChangeParts } from './parts.ts'
import { type ChangeContext, type StepPlace, stepMessage, type Unrunnable } from './step-message.ts'

/** No limit of the runner's own: the engine lets run as many at once as the change's settings say. */
const asManyAsMay = Number.MAX_SAFE_INTEGER

/**
 * What runners are told and what becomes of what they say, for changes: between the connection, which knows no step, and
 * the engine, which knows no script.
 */
export function runnerWork(parts: ChangeParts, engine: EngineParts, database: Database): RunnerWork {
  return {
    commit: async (queries, runner) => {
      const change = await findChange(queries, runner.activityId)
      if (!change?.commit_sha) throw new Error(`the change of runner ${runner.id} has no commit`)
      return change.commit_sha
    },
    archive: async (runner, commit) => {
      const change = (await findChange(database, runner.activityId))!
      return parts.git.archive(change.git_remote_id, commit)
    },
    news: newsOf,
    running: attemptsOf,
    stepOf: placeOfAttempt,
    claim: async (tx, runner) => {
      const claimer = claimerOf(runner)
      const claimed = await claimQueuedSteps(engine, tx, { activityId: runner.activityId, ...claimer })
      return messagesFor(parts, engine, tx, runner, claimed)
    },
    again: async (tx, runner, attempts) => messagesFor(parts, engine, tx, runner, await claimedSteps(tx, attempts)),
    applyResults: async (tx, runner, results, more) => {
      const { verdicts, claimed } = await applyResults(engine, tx, {
        activityId: runner.activityId,
        results,
        ...(more && { claimer: claimerOf(runner) }),
      })
      return { verdicts, run: await messagesFor(parts, engine, tx, runner, claimed) }
    },
    retrying: async (runner, error) => {
      await database.transaction(tx =>
        parts.record(tx, {
          type: 'error:steps:transient_error',
          actor: theService,
          source: { type: 'change', id: runner.activityId },
          activityId: runner.activityId,
          attributes: { error: error instanceof Error ? error.message : String(error) },
        }),
      )
    },
    resolveLost: (tx, lost) => resolveLostRunner(engine, tx, lost),
    giveUp: (tx, activityId, reason) => breakActivity(engine, tx, activityId, reason),
  }
}

const claimerOf = (runner: LiveRunner): Claimer => ({ runnerId: runner.id, limit: asManyAsMay })

/**
 * The messages that make a runner run what it has claimed. A step that cannot run as it is written ends here, in the same
 * transaction, as any step ends; what becomes queued by that is claimed in its turn.
 */
async function messagesFor(
  parts: ChangeParts,
  engine: EngineParts,
  tx: Tx,
  runner: LiveRunner,
  claimed: readonly ClaimedStep[],
): Promise<StepToRun[]> {
  const messages: StepToRun[] = []
  let waiting = claimed
  while (waiting.length > 0) {
    const change = (await findChange(tx, runner.activityId))!
    const context = await contextOrWhyNot(parts, tx, change)
    const places = await placesOf(parts, tx, change, waiting)
    const refused: Result[] = []
    for (const step of waiting) {
      const message = 'why' in context ? context : stepMessage(step, context, places.get(step.id)!)
      if ('why' in message) refused.push(failed(step, message.why, change.created_at))
      else messages.push(message)
    }
    if (refused.length === 0) break
    const applied = await applyResults(engine, tx, {
      activityId: runner.activityId,
      results: refused,
      claimer: claimerOf(runner),
    })
    waiting = applied.claimed
  }
  return messages
}

/** A broken property file, or a secret that is not there: the steps fail with that, and nothing is tried for ever. */
async function contextOrWhyNot(parts: ChangeParts, tx: Tx, change: StoredChange): Promise<ChangeContext | Unrunnable> {
  try {
    return await readChangeContext(parts, tx, change)
  } catch (error) {
    if (error instanceof Failure || error instanceof UnresolvedSecrets) return { why: error.message }
    throw error
  }
}

async function placesOf(
  parts: ChangeParts,
  tx: Tx,
  change: StoredChange,
  steps: readonly ClaimedStep[],
): Promise<Map<string, StepPlace>> {
  const above = await stepsAbove(
    tx,
    steps.map(({ id }) => id),
  )
  const minutes = Number(resolvedSettings(parts, change)['token.access_expiry_minutes'] ?? 240)
  const tokens = await issueAttemptTokens(
    tx,
    steps.map(step => ({
      userId: change.user_id,
      activityId: change.id,
      stepId: step.id,
      fence: step.fence,
      projectId: change.project_id,
      expiresInMinutes: minutes,
    })),
  )
  return new Map(
    steps.map((step, at) => [
      step.id,
      {
        apiToken: tokens[at]!,
        parents: above
          .filter(({ below }) => below === step.id)
          .map(({ id, step_name, full_path, action }): JsonObject => ({ id, name: step_name, full_path, action })),
      },
    ]),
  )
}

/** What a runner would report of a step that failed before it began. */
const failed = (step: ClaimedStep, why: string, at: string): Result => ({
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
