import type { Context, Outcome } from '#platform/commands/command.ts'
import type { Node } from '../nodes/index.ts'
import { approvedSteps, findChange, retainedSteps, type StoredChange } from './change.store.ts'
import { resolvedSettings } from './change-context.tx.ts'
import { onlyPlanned } from './only-planned.tx.ts'
import { originOfChange } from './origin.tx.ts'
import type { CreateChangeParts } from './parts.port.ts'
import { documentOf, notKnown, refuseMoved } from './plan.view.ts'
import { planOfPlanted } from './plant-tree.tx.ts'
import { plantRetry, type RetryRequest } from './retry-change.tx.ts'

/**
 * The plan of a retry that is requested instead of the retry.
 *
 * @throws Failure as the retry itself would, also for an outdated `plan_sha`, and `wrong-state` (409) if a job would
 *   have to find out what it runs
 */
export const planRetry = (
  parts: CreateChangeParts,
  { tx, actor, record }: Context,
  what: { change: StoredChange; node: Node },
  given: RetryRequest,
): Promise<Outcome> =>
  onlyPlanned({ tx }, async () => {
    const { id, planted } = await plantRetry(parts, { tx, actor, record }, what, given, { asKnown: true })
    if (!planted) throw notKnown(what.change.action)
    const plan = await planOfPlanted(parts, tx, planted)
    if (given.plan_sha !== undefined) refuseMoved(given.plan_sha, plan)
    const change = (await findChange(tx, id))!
    const planned = {
      ...planted,
      site: parts.site,
      action: change.action,
      origin: originOfChange(change),
      settings: resolvedSettings(parts.keyring, change),
      retry: { id, kept: await retainedSteps(tx, id), approved: await approvedSteps(tx, id) },
    }
    return documentOf(tx, actor, planned, plan)
  })
