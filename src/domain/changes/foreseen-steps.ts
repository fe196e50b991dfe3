import type { Database } from '#platform/db/database.ts'
import type { Attempt } from '#platform/runner-protocol.ts'
import type { LiveRunner, RunnerWork, StepMessage } from '../runners/index.ts'
import { type Foresight, foresee, reachesBeyond, type Succeeded, Successions, succession } from '../steps/index.ts'
import { type ChangeWork, claimerOf, messageOf } from './claimed-steps.ts'

/**
 * The steps of a change that follow each other as foreseen (docs/adr/0042): what there is to know is read while steps
 * run, and their ends need one statement.
 */
export function foreseenSteps(
  { parts, engine, changes, contexts }: ChangeWork,
  database: Database,
): Pick<RunnerWork, 'lookAhead' | 'succeed'> {
  const successions = new Successions(database, engine, changes.versions)
  // By the connection: what one foresaw is of no use to the next, which may be in another process.
  const foreseen = new WeakMap<LiveRunner, Promise<Foresight | undefined>>()
  const lookAhead = (runner: LiveRunner, stepIds: readonly string[]) => {
    // Without foresight the end of a step is applied as any other.
    foreseen.set(
      runner,
      foresee(database, runner.activityId, stepIds).catch(() => undefined),
    )
  }
  return {
    // The runner of one step goes on with nothing.
    lookAhead: (runner, attempts) => {
      if (runner.stepId !== null) return
      lookAhead(
        runner,
        attempts.map(({ stepId }) => stepId),
      )
    },
    succeed: async (runner, results) => {
      const foresight = await foreseen.get(runner)
      foreseen.delete(runner)
      const beside = changes.ownersOf(runner.activityId)
      const planned = foresight && succession(foresight, results, claimerOf(runner))
      if (!planned || beside === undefined) return undefined
      const done = await successions.succeed({ ...planned, runner, beside })
      if (!done) return undefined
      const { foresight: ahead, running } = done
      if (ahead && reachesBeyond(ahead)) foreseen.set(runner, Promise.resolve(ahead))
      else lookAhead(runner, running)
      return tellable(runner, done)
    },
  }

  /** What stands as it was opened is told at once; else it is read, in a transaction. */
  function tellable(runner: LiveRunner, { claimed, beside }: Succeeded): { run: StepMessage[]; again: Attempt[] } {
    const now = changes.ifStill(runner.activityId, beside)
    const seen = now && contexts.ifNoSecrets(now)
    const run: StepMessage[] = []
    const again: Attempt[] = []
    for (const step of claimed) {
      const message = seen && step.above && messageOf(parts, step, { now, seen }, step.above)
      if (message && !('why' in message)) run.push(message)
      else again.push({ stepId: step.id, attempt: step.attempt, fence: step.fence })
    }
    return { run, again }
  }
}
