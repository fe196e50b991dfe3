import type { OfferFault, RequestedAction } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import type { Written } from './schedule.store.ts'
import { originAttributes } from './schedule-kinds.ts'

/** Whether each of these changes could be created now (`offeredActions`). */
export type Offered = (asked: readonly RequestedAction[]) => Promise<readonly (OfferFault | undefined)[]>

interface Warning {
  readonly attribute: OfferFault['about']
  readonly detail: string
}

/** Maximum time to query Git for a caller whose request does not depend on it. */
const defaultMaxWait = 5_000

/**
 * Warning about a schedule whose action its node does not offer now. The schedule is stored all the same: the
 * repository may get the action before it is due. A mistyped action is reported now, and not in the night.
 *
 * @returns `{warnings: [{attribute, detail}]}` for the response's meta, or nothing
 */
export async function notOffered(
  offered: Offered,
  node: Node,
  written: Written,
  maxWait = defaultMaxWait,
): Promise<{ warnings: Warning[] } | undefined> {
  const { action } = written
  if (action === null) return undefined
  const asked = { node, action, ...originAttributes(written) }
  const late: OfferFault = { about: 'action', message: `Git did not say in time whether ${node.path} offers it.` }
  const [fault] = await within(maxWait, offered([asked]), [late])
  if (!fault) return undefined
  const detail = `${fault.message} As long as that is so, the schedule makes no change when it is due.`
  return { warnings: [{ attribute: fault.about, detail }] }
}

async function within<T>(milliseconds: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(otherwise), milliseconds)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}
