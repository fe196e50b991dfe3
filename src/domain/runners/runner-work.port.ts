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

/**
 * A step on its way to its runner: the parts that are the same for all steps of a change, perhaps a megabyte, are
 * serialized once.
 */
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
  /** Whether steps of its activity are queued. */
  readonly queued: boolean
  /** Attempts that it must stop. */
  readonly cancel: readonly (Attempt & { reason: string })[]
}

/** Dependencies of a loop that advances one activity after the other. */
interface OneByOne {
  readonly backoff: RetryBackoff
  readonly doing: string
  readonly log: Log
}

/**
 * Dependencies of runners on the folders to the right of this one, built once in main. Every function with a `tx` is
 * called in a transaction in which the runner's session is known to hold.
 */
export interface RunnerWork {
  /** The commit of the runner's working copy. */
  commit(queries: Queries, runner: LiveRunner): Promise<string>
  /** The commit's tree as tar. */
  archive(runner: LiveRunner, commit: string): Promise<Readable>
  /** News for these runners. One statement for all of them: it runs each second. */
  news(queries: Queries, runners: readonly Pick<LiveRunner | SpareRunner, 'id' | 'of'>[]): Promise<News[]>
  /** Claims queued steps for it, up to the allowed number. */
  claim(tx: Tx, runner: LiveRunner): Promise<StepMessage[]>
  /** The attempts that it is running according to the database. */
  running(queries: Queries, runnerId: string): Promise<Attempt[]>
  /** Messages for attempts that never reached the runner. */
  again(tx: Tx, runner: LiveRunner, attempts: readonly Attempt[]): Promise<StepMessage[]>
  /**
   * Applies at most 100 results of its activity; returns the verdicts in their order, and, if it accepts `more`, the
   * steps to continue with.
   */
  applyResults(
    tx: Tx,
    runner: LiveRunner,
    results: readonly Result[],
    more: boolean,
  ): Promise<{ verdicts: Verdict[]; run: StepMessage[] }>
  /** Predicts, once a runner was given steps, what the ends of all its steps will do in the activity. */
  lookAhead(runner: LiveRunner, attempts: readonly Attempt[]): void
  /**
   * Applies results, and claims the next steps, in one round trip, if that was predicted and nothing has intervened.
   * Undefined: nothing was changed, and `applyResults` has to apply them. Not in a transaction; it checks itself that
   * the runner's session holds. `again`: these were claimed, and their messages have to be read.
   */
  succeed(
    runner: LiveRunner,
    results: readonly Result[],
  ): Promise<{ run: readonly StepMessage[]; again: readonly Attempt[] } | undefined>
  /** Records in the audit trail that applying failed and is retried. */
  retrying(runner: LiveRunner, error: unknown): Promise<void>
  /**
   * Handles a result that could not be applied after many attempts. Records it; and if it `isLost`, because of the time
   * of the attempts, the activity ends with the reason. A cancelled activity ends as well: no other outcome is
   * possible.
   *
   * @returns whether the activity is over, and the result with it; otherwise it is retried
   */
  cannotApply(runner: LiveRunner, stepId: string, failure: { error: unknown; isLost: boolean }): Promise<boolean>
  /**
   * Handles lines of its log that could not be stored after many attempts, while its results wait behind them. Once
   * they are `lost`, because of the time of the attempts, it is recorded that they are dropped. After a cancel they are
   * dropped at once.
   *
   * @returns whether they are dropped; otherwise they are retried
   */
  cannotStore(runner: LiveRunner, lines: UnstoredLines, failure: { error: unknown; isLost: boolean }): Promise<boolean>
  /**
   * Defers an activity that could not be advanced: the others continue, and this one is retried after a pause; the
   * failure is recorded and, after a long time without success, ends it.
   *
   * @throws an error that means that the database is unavailable
   */
  deferred(runner: Pick<LiveRunner, 'of' | 'activityId'>, error: unknown, around: OneByOne): Promise<void>
  /**
   * Resolves the steps of a runner that is gone with everything that it ran; it is marked so in this transaction.
   * `stepId`: it was that step's alone.
   */
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
