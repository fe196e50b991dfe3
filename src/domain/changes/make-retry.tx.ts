import type { Context } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { rightMissing } from '#platform/required-rights.ts'
import { findNodeById } from '../nodes/index.ts'
import { findChange } from './change.store.ts'
import { actionPath } from './change.ts'
import type { CreateChangeParts } from './parts.port.ts'
import { retryChange } from './retry-change.tx.ts'

/**
 * Creates a retry of a change in the name of the context's actor, like a request of theirs, and records it. Without
 * `propertyOverrides` it has those of the change; it does not start before `runAt`.
 *
 * @returns `over` for a successful change: nothing is created
 * @throws Failure like the response to the request
 */
export type MakeRetry = (
  context: Context,
  changeId: string,
  by: { readonly workflowStepId: string; readonly runAt: string | null; readonly propertyOverrides?: JsonObject },
) => Promise<'made' | 'over'>

export const retryMaker =
  (parts: CreateChangeParts): MakeRetry =>
  async (context, changeId, by) => {
    const { tx, actor, record } = context
    const change = await findChange(tx, changeId)
    const node = change && (await findNodeById(tx, change.node_id))
    if (!change || !node) throw failure('missing', `The change ${changeId} is gone: it cannot be tried again.`)
    if (change.status === 'success') return 'over'
    const path = actionPath(node.path, change.action)
    if (!actor.rights.may('execute', path)) throw rightMissing(actor, { right: 'execute', path })
    const asked = { retry: true, ...(by.propertyOverrides && { property_overrides: by.propertyOverrides }) } as const
    const made = await retryChange(parts, context, { change, node }, asked, by)
    if (made.outcome !== 'done') throw new Error(`a retry was not made but ${made.outcome}`)
    await record({ type: 'api:changes:create', actor, ...made.event })
    return 'made'
  }
