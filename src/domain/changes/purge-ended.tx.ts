import type { Context, Request } from '#platform/commands/command.ts'
import type { Job } from '#platform/domain.ts'
import { failure, missing } from '#platform/failure.ts'
import { deletePurgedData } from '../runners/index.ts'
import { purgeActivity } from '../steps/for-changes.ts'

export const isPurge = (query: Request<unknown>['query']): boolean => query['purge'] === 'true'

const deletePurgedDataName = 'changes.forget_purged'

/** Deletes, in batches, the large parts of a change or run that was deleted. */
export const deletePurgedDataJob: Job = {
  name: deletePurgedDataName,
  run: (payload: { id: string; contents: readonly string[] }, runtime) => deletePurgedData(runtime, payload),
}

/**
 * Deletes a change or a run that has ended, with its steps; its large parts are deleted afterwards.
 *
 * @param what the kind in words: "change"
 * @throws Failure `wrong-state` while it or its runner is running, or the run that created it has not processed its end
 */
export async function purgeEnded(
  { tx, enqueue }: Pick<Context, 'tx' | 'enqueue'>,
  { id, status }: { readonly id: string; readonly status: string },
  what: 'change' | 'run',
): Promise<void> {
  const answer = await purgeActivity(tx, id)
  if (answer === 'missing') throw missing()
  if (answer === 'unfinished')
    throw failure('wrong-state', `The ${what} has not ended: it is ${status}. Cancel it first, or wait for its end.`)
  if (answer === 'runner')
    throw failure('wrong-state', `The ${what} has ended, and its runner is still ending: try again in a moment.`)
  if (answer === 'unrecorded')
    throw failure(
      'wrong-state',
      `The ${what} has ended, and the run that made it is yet to hear of it: try again in a moment.`,
    )
  await enqueue(deletePurgedDataName, { id, contents: answer.contents })
}
