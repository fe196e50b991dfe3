import { theService } from '#platform/actor.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { Failure, messageOf } from '#platform/failure.ts'
import {
  type CleanupRun,
  claimRun,
  countRemoved,
  doesAnyRunWait,
  endRun,
  lockRun,
  noteFailed,
  noteSeen,
  placeOf,
  releaseRun,
} from './cleanup-run.store.ts'
import { conditionOf } from './definition-filters.sql.ts'
import { endOfStretch, type Place, type Removable, type Removables, removableIn } from './removable.store.ts'

const cleanJobName = 'data_cleaning.clean'

export const enqueueCleaning = ({ enqueue }: Pick<Runtime, 'enqueue'>, tx: Tx): Promise<void> =>
  enqueue(tx, cleanJobName, {}, { key: cleanJobName })

/** Maximum duration of one turn; then other jobs, and the runs of other definitions, have their turn. */
const turnMilliseconds = 5_000

/** lost: another process has taken over the run. later: there is more to do, and this turn is over. */
type Outcome = 'ended' | 'lost' | 'later'

/**
 * Advances one run for a while, in batches that are a short transaction each: the number of removed records is stored
 * with the batch, so that after a killed process another one continues from there.
 */
export const cleanJob = (kinds: Removables): Job => ({
  name: cleanJobName,
  run: async (_: object, runtime) => {
    const { database } = runtime
    const run = await claimRun(database)
    if (!run) return
    const outcome = await workOn(kinds[run.kind], runtime, run)
    if (outcome === 'lost') return
    await database.transaction(async tx => {
      await releaseRun(tx, run)
      if (await doesAnyRunWait(tx)) await enqueueCleaning(runtime, tx)
    })
  },
})

interface Turn {
  readonly kind: Removable
  readonly runtime: Runtime
  readonly run: CleanupRun
  /** End of the turn, in milliseconds of `performance.now()`. */
  readonly until: number
  /** Number of records that may still be removed. */
  room: number
}

async function workOn(kind: Removable, runtime: Runtime, run: CleanupRun): Promise<Outcome> {
  const room = (run.maximum_per_run ?? Number.POSITIVE_INFINITY) - run.removed_count
  const turn = { kind, runtime, run, until: performance.now() + turnMilliseconds, room }
  try {
    // Also if nothing is old: an expression for another release is reported at once.
    conditionOf(kind.resource, run.filters)
    return await carryOn(turn)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    if (runtime.stopping.aborted) {
      // The next run of the job continues it.
      await releaseRun(runtime.database, run)
      throw error
    }
    runtime.log.error({ err: error, definition: run.definition_id }, 'cleanup run failed')
    return endHere(turn, error)
  }
}

/** Gathers until there is a batch: if few of many records match, a transaction for each read would be wasted. */
async function carryOn(turn: Turn): Promise<Outcome> {
  const { kind, runtime, run } = turn
  const { database } = runtime
  let place = placeOf(run)
  let gathered: NonNullable<Place>[] = []
  for (;;) {
    const next: Place = isOver(turn) ? undefined : await endOfStretch(database, kind, run.cutoff, place)
    if (next) {
      const found = await database.rows(removableIn(kind, run, place, next), { plannedAnew: true })
      gathered.push(...found)
      place = next
      if (gathered.length < kind.together) continue
    }
    const came = await removeAll(turn, gathered)
    if (came !== 'done') return came
    if (place) await noteSeen(database, run, place)
    if (!next) return isOver(turn) ? 'later' : endHere(turn)
    gathered = []
  }
}

/** Whether the time of a turn is over. Throws at a stop, so that the queue runs the job again. */
const isOver = ({ runtime, until }: Turn): boolean => {
  runtime.stopping.throwIfAborted()
  return performance.now() > until
}

async function removeAll(turn: Turn, places: readonly NonNullable<Place>[]): Promise<Outcome | 'done'> {
  for (let at = 0; at < places.length; ) {
    if (at > 0 && isOver(turn)) return 'later'
    const batch = places.slice(at, at + Math.min(turn.kind.together, turn.room))
    const came = await removeBatch(turn, batch)
    if (came !== 'done') return came
    at += batch.length
  }
  return 'done'
}

/**
 * Removes a batch. A record that cannot be removed does not block others: it is recorded when the run ends. A record
 * that must stay after all, because it is used again, stays. Both count as visited: neither a process that takes over
 * nor the next turn tries them again.
 */
async function removeBatch(turn: Turn, batch: readonly NonNullable<Place>[]): Promise<Outcome | 'done'> {
  const { runtime, run } = turn
  const seen = batch.at(-1)!
  try {
    const came = await runtime.database.transaction(tx => removeSome(turn, tx, batch))
    failpoint('data-cleaning-batch')
    if (typeof came === 'string') return came
    turn.room -= came.removed
  } catch (error) {
    if (error instanceof Failure) {
      await noteSeen(runtime.database, run, seen)
      return 'done'
    }
    if (isDatabaseAway(error) || runtime.stopping.aborted) throw error
    const ids = batch.slice(0, 10).map(({ id }) => id)
    runtime.log.error({ err: error, definition: run.definition_id, ids }, 'cleanup failed')
    await runtime.database.transaction(async tx => {
      await noteFailed(tx, run, batch.length, messageOf(error))
      await noteSeen(tx, run, seen)
    })
  }
  return 'done'
}

async function removeSome(
  { kind, runtime, run }: Turn,
  tx: Tx,
  batch: readonly NonNullable<Place>[],
): Promise<Outcome | { readonly removed: number }> {
  const held = await lockRun(tx, run)
  if (!held) return 'lost'
  if (!held.wanted) return end(kind, runtime, tx, held)
  const ids = batch.map(({ id }) => id)
  const { count, told } = await kind.remove({ tx, enqueue: runtime.enqueue }, ids)
  if (told && count > 0) await recordCleanupEvent(runtime, tx, held, kind.removed, { removed_count: count, ...told })
  const removed_count = held.removed_count + count
  if (removed_count === held.maximum_per_run) return end(kind, runtime, tx, { ...held, removed_count })
  await countRemoved(tx, run, count, batch.at(-1)!)
  return { removed: count }
}

/** @param error why it ends early, if it does */
const endHere = ({ kind, runtime, run }: Turn, error?: unknown): Promise<Outcome> =>
  runtime.database.transaction(async tx => {
    if (error !== undefined) await noteFailed(tx, run, 1, messageOf(error))
    const held = await lockRun(tx, run)
    return held ? end(kind, runtime, tx, held) : 'lost'
  })

/** Ends the run and records its result, unless each batch was recorded. */
async function end(kind: Removable, runtime: Runtime, tx: Tx, run: CleanupRun): Promise<'ended'> {
  const { removed_count, failed_count, last_error } = run
  await endRun(tx, run)
  if (removed_count > 0 && !kind.recordsEachBatch)
    await recordCleanupEvent(runtime, tx, run, kind.removed, { removed_count })
  if (failed_count > 0)
    await recordCleanupEvent(runtime, tx, run, kind.failed, { removed_count, failed_count, error: last_error })
  return 'ended'
}

function recordCleanupEvent(
  { record }: Runtime,
  tx: Tx,
  run: CleanupRun,
  type: string,
  attributes: object,
): Promise<void> {
  const { definition_id: id, name, filters, node_paths, older_than } = run
  return record(tx, {
    type,
    actor: theService,
    source: { type: 'data_cleanup_definition', id },
    attributes: { name, filters, node_paths, older_than, ...attributes },
  })
}
