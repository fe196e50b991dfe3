import { setImmediate } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import type { Attempt } from '#protocol/runner-protocol.ts'
import type { LiveRunner, RunnerWork, StepMessage } from '../runners/index.ts'
import {
  type Prediction,
  predictNextSteps,
  predictSuccess,
  reachesBeyond,
  type Succeeded,
  SuccessBatches,
} from '../steps/for-step-execution.ts'
import { type ChangeWork, claimerOf, messageOf } from './claimed-steps.ts'

/**
 * Work of runners for steps that follow each other as predicted (docs/adr/0042): everything needed is read while steps
 * run, and their ends need one statement.
 */
export function predictedSteps(
  { keyring, engine, changes, contexts }: ChangeWork,
  database: Database,
): Pick<RunnerWork, 'lookAhead' | 'succeed'> {
  const successBatches = new SuccessBatches(database, engine, changes.versions)
  // Per connection: a prediction is of no use to the next connection, which may be in another process.
  const predictions = new WeakMap<LiveRunner, Promise<Prediction | undefined>>()
  // Without a prediction the end of a step is applied like any other.
  const read = (runner: LiveRunner, stepIds: readonly string[]): Promise<Prediction | undefined> =>
    predictNextSteps(database, runner.activityId, stepIds).catch(() => undefined)
  const goOn = async (runner: LiveRunner, done: Succeeded): Promise<Prediction | undefined> => {
    // The message with the next step is sent first.
    await setImmediate()
    const { prediction, running } = done.lookFurther()
    return prediction && reachesBeyond(prediction) ? prediction : read(runner, running)
  }
  const lookAhead = (runner: LiveRunner, ahead: Promise<Prediction | undefined>) => {
    // `succeed` gets the error.
    ahead.catch(() => {})
    predictions.set(runner, ahead)
  }
  const take = (runner: LiveRunner): Promise<Prediction | undefined> | undefined => {
    const ahead = predictions.get(runner)
    predictions.delete(runner)
    return ahead
  }
  return {
    // The runner of a single step has no next one.
    lookAhead: (runner, attempts) => {
      if (runner.stepId !== null) return
      const stepIds = attempts.map(({ stepId }) => stepId)
      lookAhead(runner, read(runner, stepIds))
    },
    succeed: async (runner, results) => {
      const prediction = await take(runner)
      const beside = changes.ownersOf(runner.activityId)
      if (!prediction || beside === undefined) return undefined
      const follows = predictSuccess(prediction, results, claimerOf(runner))
      const done = follows && (await successBatches.succeed({ ...follows, runner, beside }))
      if (!done) return undefined
      lookAhead(runner, goOn(runner, done))
      return messagesFromCache(runner, done)
    },
  }

  /**
   * Builds the messages at once from cached documents; steps whose documents have changed are read later, in a
   * transaction.
   */
  function messagesFromCache(
    runner: LiveRunner,
    { claimed, beside }: Succeeded,
  ): { run: StepMessage[]; again: Attempt[] } {
    const now = changes.ifStill(runner.activityId, beside)
    const seen = now && contexts.ifNoSecrets(now)
    const run: StepMessage[] = []
    const again: Attempt[] = []
    for (const step of claimed) {
      const message = seen && step.above && messageOf(keyring, step, { now, seen }, step.above)
      if (message && !('why' in message)) run.push(message)
      else again.push({ stepId: step.id, attempt: step.attempt, fence: step.fence })
    }
    return { run, again }
  }
}
