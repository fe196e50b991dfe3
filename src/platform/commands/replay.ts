import type { Actor, Need } from '../actor.ts'
import type { Queries } from '../db/database.ts'
import { Failure, type FailureSource, missing } from '../failure.ts'
import { isHidden } from '../jsonapi/read.ts'
import type { Registry } from '../jsonapi/registry.ts'
import { requireRights } from '../required-rights.ts'
import type { Answer } from './answer.ts'
import type { AnyCommand, Context, Request, Target } from './command.ts'

/** The rights that a request was allowed by, kept with its answer: what it was about may be gone when it is repeated. */
export interface Needed {
  readonly readPath?: string
  readonly needs: readonly Need[]
}

/** 404 for what the caller may not read, then 403 with every right that is missing, or what else `needs` has to say. */
export function checkRights(
  actor: Actor,
  found: Target,
  needs: () => ReturnType<AnyCommand['needs']>,
  source?: FailureSource,
): Needed {
  const { readPath } = found
  if (readPath !== undefined && !actor.rights.may('read', readPath)) throw missing(source)
  const needed = needs()
  requireRights(actor, needed)
  return { ...(readPath !== undefined && { readPath }), needs: needed }
}

/**
 * The kept answer of a request that is repeated, for a caller who may still make that request and read what it answered.
 * Rights that were taken away meanwhile are gone for a repeated request too.
 *
 * @throws Failure 404 or 403, as the request would be answered if it were new
 */
export async function replayed(
  { command, context, registry }: { command: AnyCommand; context: Context; registry: Registry },
  request: Request<unknown>,
  kept: Answer & { readonly needed?: Needed },
): Promise<Answer> {
  const { needed, ...answer } = kept
  if (needed) checkRights(context.actor, needed, () => needed.needs)
  const found: Target | undefined = await command.find(context, request).catch(asGone)
  if (found) checkRights(context.actor, found, () => command.needs(found, request, context.actor))
  return shownTo({ actor: context.actor, database: context.tx }, registry, answer)
}

/**
 * Treats a record that cannot be found any more as absent: it was found when the request was new, and what prevents
 * finding it now concerns only new requests.
 */
function asGone(error: unknown): undefined {
  if (error instanceof Failure && error.status !== 403 && error.status !== 404) return undefined
  throw error
}

type Records = { readonly type: string; readonly id: string }

async function shownTo(
  reader: { actor: Actor; database: Queries },
  registry: Registry,
  answer: Answer,
): Promise<Answer> {
  const { data, included } = (answer.body ?? {}) as { data?: Records; included?: readonly Records[] }
  const isHiddenNow = async ({ type, id }: Records) => {
    const resource = registry.get(type)
    return resource !== undefined && id !== undefined && (await isHidden(resource, id, reader))
  }
  if (data && (await isHiddenNow(data))) throw missing()
  if (!included) return answer
  const left: Records[] = []
  for (const each of included) if (!(await isHiddenNow(each))) left.push(each)
  return { ...answer, body: { ...answer.body, included: left } }
}
