import { clockOf } from '#platform/db/clock.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Database } from '#platform/db/database.ts'
import { asOneLine } from '#platform/display-name.ts'
import type { Log } from '#platform/domain.ts'
import { messageOf } from '#platform/failure.ts'
import type { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { LogChunk, LogRun } from '#protocol/runner-protocol.ts'
import type { LogWriter } from './log-writer.tx.ts'

/** Number of failures from which lines may be replaced by a notice: `cannotStore` decides. */
const triesBeforeReplacement = 5

const storing = 'store a log'

/** Lines of the log of one attempt. */
export interface UnstoredLines {
  readonly stepId: string
  readonly first: number
  readonly count: number
}

/** Runner that sends log lines. */
interface Sender {
  readonly id: string
}

export interface StoringParts<Runner extends Sender> {
  readonly database: Database
  readonly writer: LogWriter
  /** Failures by runner. */
  readonly backoff: RetryBackoff
  readonly log: Log
  readonly work: {
    /** Whether lines that cannot be stored are dropped: recorded as an event, and replaced by a marker in the log. */
    cannotStore(runner: Runner, lines: UnstoredLines, failure: { error: unknown; isLost: boolean }): Promise<boolean>
  }
}

/** Stores a runner's log lines; its results are stored after them. */
export async function storeLines(
  parts: Pick<StoringParts<Sender>, 'writer' | 'backoff'>,
  runner: Sender,
  chunks: readonly LogChunk[],
): Promise<void> {
  await parts.writer.add(chunks.map(chunk => ({ runnerId: runner.id, chunk })))
  parts.backoff.succeeded(runner.id, storing)
}

/**
 * Stores chunks one by one after storing them together has failed, because one of them may be the cause. Lines that
 * could not be stored for an hour while others were are dropped, and a marker in the log says so: the runner's results
 * are worth more than a line.
 *
 * @throws the error of the first chunk that is to be retried
 */
export async function storeLinesOneByOne<Runner extends Sender>(
  parts: StoringParts<Runner>,
  runner: Runner,
  chunks: readonly LogChunk[],
): Promise<void> {
  const { database, writer, backoff } = parts
  const failed: { chunk: LogChunk; error: unknown }[] = []
  for (const chunk of chunks) {
    try {
      await writer.add([{ runnerId: runner.id, chunk }])
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      failed.push({ chunk, error })
    }
  }
  if (failed.length === 0) return backoff.succeeded(runner.id, storing)
  const { tries, isLost } = backoff.failed(runner.id, await clockOf(database), storing)
  if (tries < triesBeforeReplacement) throw failed[0]!.error
  for (const { chunk, error } of failed) {
    const lines = { stepId: chunk.stepId, first: chunk.firstSeq, count: linesOf(chunk) }
    if (!(await parts.work.cannotStore(runner, lines, { error, isLost }))) throw error
    await storeInItsPlace(parts, runner, chunk, error)
  }
}

/**
 * The lines around it keep their numbers, and it keeps its times, which determine the order of lists: the current time
 * is used only if its own times cannot be stored.
 */
async function storeInItsPlace(
  { writer, log }: Pick<StoringParts<Sender>, 'writer' | 'log'>,
  runner: Sender,
  chunk: LogChunk,
  error: unknown,
) {
  const count = linesOf(chunk)
  const words = `this line could not be stored and is left out: ${asOneLine(messageOf(error))}`
  const text = Array.from({ length: count }, () => words).join('\n')
  const now = `${new Date().toISOString().slice(0, -1)}000Z`
  const store = (runs: LogRun[]) => writer.add([{ runnerId: runner.id, chunk: { ...chunk, runs, text } }])
  try {
    await store(chunk.runs.map(([lines, at]) => [lines, at, 'runner'])).catch(failed => {
      if (isDatabaseAway(failed)) throw failed
      return store([[count, now, 'runner']])
    })
  } catch (failed) {
    if (isDatabaseAway(failed)) throw failed
    log.error(
      { err: failed, runner: runner.id, first: chunk.firstSeq, count },
      'log lines could not be stored and were dropped; the log contains a marker',
    )
  }
}

const linesOf = ({ runs }: LogChunk): number => runs.reduce((sum, [lines]) => sum + lines, 0)
