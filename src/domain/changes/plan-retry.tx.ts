import { answered, type Context, type Outcome } from '#platform/commands/command.ts'
import type { Node } from '../nodes/index.ts'
import { approvedSteps, findChange, retainedSteps, type StoredChange } from './change.store.ts'
import { resolvedSettings } from './change-context.tx.ts'
import { originOfChange } from './origin.tx.ts'
import type { CreateChangeParts } from './parts.port.ts'
import { documentOf, notKnown, refuseMoved } from './plan.view.ts'
import { planOfPlanted } from './plant-tree.tx.ts'
import { plantRetry, type RetryRequest } from './retry-change.tx.ts'

/**
 * The plan of a retry that is requested instead of the retry. Which steps it takes over, and which approvals count, is
 * decided while the retry is stored: so the retry is created and rolled back, and the plan describes that retry.
 *
 * @throws Failure as the retry itself would, also for an outdated `plan_sha`, and `wrong-state` (409) if a job would
 *   have to find out what it runs
 */
export async function planRetry(
  parts: CreateChangeParts,
  { tx, actor, record }: Context,
  what: { change: StoredChange; node: Node },
  given: RetryRequest,
): Promise<Outcome> {
  try {
    await tx.savepoint(async () => {
      const { id, planted } = await plantRetry(parts, { tx, actor, record }, what, given, { asKnown: true })
      if (!planted) throw notKnown(what.change.action)
      const plan = await planOfPlanted(parts, tx, planted)
      if (given.plan_sha !== undefined) refuseMoved(given.plan_sha, plan)
      const change = (await findChange(tx, id))!
      const told = {
        ...planted,
        site: parts.site,
        action: change.action,
        origin: originOfChange(change),
        settings: resolvedSettings(parts.keyring, change),
        retry: { id, kept: await retainedSteps(tx, id), approved: await approvedSteps(tx, id) },
      }
      throw new Undone(await documentOf(tx, actor, told, plan))
    })
  } catch (error) {
    if (error instanceof Undone) return answered({ data: error.told })
    throw error
  }
  throw new Error('a plan was neither told nor refused')
}

/** Error that rolls the plan back; not a failure. */
class Undone extends Error {
  readonly told: object

  constructor(told: object) {
    super('a retry that was only planned')
    this.told = told
  }
}
