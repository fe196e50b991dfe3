import { type Context, done, type Outcome } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { purgeEnded } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import { aboutRun } from './create-run.tx.ts'
import { detachRetries, findRun, type StoredRun, unfinishedChild, unfinishedRetry } from './run.store.ts'

/**
 * Deletes a run that has ended for good, with its steps. Its events remain, and so do the changes and runs that it
 * created: they are records of their own, which have no creating step from now on, also for retries that had taken such
 * a step over.
 *
 * @throws Failure `wrong-state` while it, a retry of it, or one of its children is running
 */
export async function purgeRun(
  { tx, actor, enqueue, record }: Context,
  { run, project }: { readonly run: StoredRun; readonly project: Node },
): Promise<Outcome> {
  const { id, workflow_code: code } = run
  await remove({ tx, enqueue }, run)
  const { attributes, ...about } = aboutRun(id, project, code)
  await record({ type: 'api:workflow_runs:destroy', actor, ...about, attributes: { ...attributes, purged: true } })
  return done({ event: {} })
}

/**
 * Removes an old run without an event: the cleanup records one event for all that it removes.
 *
 * @returns whether there is such a run
 */
export async function removeOldRun(context: Pick<Context, 'tx' | 'enqueue'>, id: string): Promise<boolean> {
  const run = await findRun(context.tx, id)
  if (run) await remove(context, run)
  return run !== undefined
}

async function remove(
  { tx, enqueue }: Pick<Context, 'tx' | 'enqueue'>,
  run: Pick<StoredRun, 'id' | 'status'>,
): Promise<void> {
  const { id } = run
  const goesOn = await failureIfUnfinished(tx, id)
  await purgeEnded({ tx, enqueue }, run, 'run')
  if (goesOn) throw goesOn
  const under = await unfinishedRetry(tx, id)
  if (under) throw failure('wrong-state', `The run is being retried, by the run ${under.id}, which needs it.`)
  await detachRetries(tx, id)
}

/**
 * 409 for a run that has ended while a child has not: the service could not advance the run to the end of its children.
 */
export async function failureIfUnfinished(tx: Tx, id: string): Promise<Failure | undefined> {
  const unfinished = await unfinishedChild(tx, id)
  if (!unfinished) return undefined
  const made = `the ${kinds[unfinished.kind]} ${unfinished.id} that it made`
  return failure('wrong-state', `The run has ended, and ${made} has not: cancel that, or wait for its end.`)
}

const kinds: Readonly<Record<string, string>> = { change: 'change', workflow_run: 'run' }
