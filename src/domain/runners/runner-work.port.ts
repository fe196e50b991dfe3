import type { Readable } from 'node:stream'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { Log } from '#platform/domain.ts'
import type { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { Attempt, Result } from '#protocol/runner-protocol.ts'
import type { UnstoredLines } from '../logs/index.ts'
import type { LiveRunner, SpareRunner } from './runner.ts'

/**
 * Outcome of a reported result: applied now, applied before, or refused because that attempt is over. All three are
 * acknowledged.
 */
export type Verdict = 'applied' | 'repeated' | 'stale'

/** A step on its way to its runner: what of a megabyte is the same for all steps of a change was made text once. */
export interface StepMessage extends Attempt {
  /** JSON of a `StepToRun`. */
  readonly text: string
}

interface LostRunner {
  readonly runnerId: string
  readonly activityId: string
  readonly stepId: string | null
  readonly reason: string
}

/** News for a runner. */
export interface News {
  readonly runnerId: string
  /** Steps of its activity are queued. */
  readonly queued: boolean
  /** Attempts that it is to stop. */
  readonly cancel: readonly (Attempt & { reason: string })[]
}

/** Dependencies of a loop that advances one activity after the other. */
interface OneByOne {
  readonly backoff: RetryBackoff
  readonly doing: string
  readonly log: Log
}

/**
 * Dependencies of runners on the folders to the right of this one, put together once in main. Every function with a
 * `tx` is called in a transaction in which the runner's session is known to hold.
 */
export interface RunnerWork {
  /** The commit that the runner's working copy is made of. */
  commit(queries: Queries, runner: LiveRunner): Promise<string>
  /** The commit's tree as tar. */
  archive(runner: LiveRunner, commit: string): Promise<Readable>
  /** News for these runners. One statement for all of them: it runs each second. */
  news(queries: Queries, runners: readonly Pick<LiveRunner | SpareRunner, 'id' | 'of'>[]): Promise<News[]>
  /** Takes queued steps for it, as many as may run. */
  claim(tx: Tx, runner: LiveRunner): Promise<StepMessage[]>
  /** The attempts that, as the database has it, it is running. */
  running(queries: Queries, runnerId: string): Promise<Attempt[]>
  /** Messages for attempts that never reached the runner. */
  again(tx: Tx, runner: LiveRunner, attempts: readonly Attempt[]): Promise<StepMessage[]>
  /**
   * Applies at most 100 results of its activity; the verdicts in their order, and, when it takes `more`, the steps to
   * continue with.
   */
  applyResults(
    tx: Tx,
    runner: LiveRunner,
    results: readonly Result[],
    more: boolean,
  ): Promise<{ verdicts: Verdict[]; run: StepMessage[] }>
  /**
   * Looks up meanwhile, once a runner was given steps, what the ends of these, all that it holds, make of the activity.
   */
  lookAhead(runner: LiveRunner, attempts: readonly Attempt[]): void
  /**
   * Applies results, and takes what comes next, in one round trip, if that was predicted and nothing has intervened.
   * Undefined: nothing happened, and they are to be applied by `applyResults`. In no transaction; it sees itself that
   * the runner's session holds. `again`: these were claimed, and their messages have to be read.
   */
  succeed(
    runner: LiveRunner,
    results: readonly Result[],
  ): Promise<{ run: readonly StepMessage[]; again: readonly Attempt[] } | undefined>
  /** Records for the audit trail that applying failed and is tried again. */
  retrying(runner: LiveRunner, error: unknown): Promise<void>
  /**
   * Handles a result that cannot be applied, though it was tried many times. Records it; and if it `isLost`, having
   * been tried for so long, the activity ends with the reason. A cancelled activity ends as well: nothing else is to
   * come of it.
   *
   * @returns whether the activity is over, and the result with it; otherwise it is to be tried again
   */
  cannotApply(runner: LiveRunner, stepId: string, failure: { error: unknown; isLost: boolean }): Promise<boolean>
  /**
   * Handles lines of its log that cannot be stored, though it was tried many times, while its results wait behind them.
   * Once they are `lost`, having been tried for so long, it is recorded that they are left out. After a cancel they are
   * left out at once.
   *
   * @returns whether they are to be left out; otherwise they are to be tried again
   */
  cannotStore(runner: LiveRunner, lines: UnstoredLines, failure: { error: unknown; isLost: boolean }): Promise<boolean>
  /**
   * Defers an activity that could not be advanced: the others continue, and this one is tried again after a pause; the
   * failure is recorded and, after a long time without success, ends it.
   *
   * @throws an error that says that the database is unavailable
   */
  deferred(runner: Pick<LiveRunner, 'of' | 'activityId'>, error: unknown, around: OneByOne): Promise<void>
  /** The runner and everything that it ran is gone; it is marked so in this transaction. `stepId`: it was that step's alone. */
  resolveLost(tx: Tx, lost: LostRunner): Promise<void>
  /**
   * Records that something in the folder of an ended runner cannot be removed; again after a restart of the service.
   */
  cleanupFailed(tx: Tx, runner: { readonly id: string; readonly activityId: string }, why: string): Promise<void>
  /** Owner of an artefact of this attempt; undefined when the attempt is not the newest. */
  stepOf(
    queries: Queries,
    attempt: Attempt,
  ): Promise<{ activityId: string; projectId: string; path: string } | undefined>
}
