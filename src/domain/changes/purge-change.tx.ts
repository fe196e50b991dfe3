import { type Context, done, type Outcome } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import type { Vaults } from '../secrets/index.ts'
import { detachRetries, findChange, retriesOf, type StoredChange } from './change.store.ts'
import { aboutChange, type ChangeTarget } from './change-target.tx.ts'
import { purgeEnded } from './purge-ended.tx.ts'
import { lockUsedInputs, pathOfInputs, unusedInputs } from './used-inputs.store.ts'

/**
 * Deletes a change that has ended for good: its steps, log and artefacts, and the secrets that its input steps were
 * given. Its events remain. Retries keep the artefacts that they have taken over; their logs lose the lines that were
 * written in it.
 */
export async function purgeChange(
  vaults: Pick<Vaults, 'removeBelow'>,
  { tx, actor, enqueue, record }: Context,
  { change, node }: ChangeTarget,
): Promise<Outcome> {
  await remove(vaults, { tx, enqueue }, change)
  const { attributes, ...about } = aboutChange(change.id, node, change.action)
  await record({ type: 'api:changes:destroy', actor, ...about, attributes: { ...attributes, purged: true } })
  return done({ event: {} })
}

/**
 * Removes an old change without an event: the cleanup records one event for all that it removes.
 *
 * @returns whether there is such a change
 */
export async function removeOldChange(
  vaults: Pick<Vaults, 'removeBelow'>,
  context: Pick<Context, 'tx' | 'enqueue'>,
  id: string,
): Promise<boolean> {
  const change = await findChange(context.tx, id)
  if (change) await remove(vaults, context, change)
  return change !== undefined
}

async function remove(
  vaults: Pick<Vaults, 'removeBelow'>,
  { tx, enqueue }: Pick<Context, 'tx' | 'enqueue'>,
  change: Pick<StoredChange, 'id' | 'status' | 'path'>,
): Promise<void> {
  const { id } = change
  const inputs = await lockUsedInputs(tx, id)
  await purgeEnded({ tx, enqueue }, change, 'change')
  const retries = await retriesOf(tx, id)
  const under = retries.find(each => !each.final)
  if (under) throw failure('wrong-state', `The change is being retried, by the change ${under.id}, which needs it.`)
  await detachRetries(tx, id)
  // A retry refers to the secrets of its original; they are deleted with the last change that refers to them.
  for (const unused of await unusedInputs(tx, inputs))
    await vaults.removeBelow({ tx, enqueue }, pathOfInputs(change, unused))
}
