import type { Actor, Need } from '../actor.ts'
import type { Queries } from '../db/database.ts'
import { Failure, type FailureSource, missing } from '../failure.ts'
import { isHidden } from '../jsonapi/read.ts'
import type { Registry } from '../jsonapi/registry.ts'
import { requireRights } from '../required-rights.ts'
import type { Answer } from './answer.ts'
import type { AnyCommand, Context, Request, Target } from './command.ts'

/** The rights that allowed a request, stored with its response: its record may be gone when the request is repeated. */
export interface Needed {
  readonly readPath?: string
  readonly needs: readonly Need[]
}

/** 404 if the caller may not read it, then 403 with every missing right, or another failure of `needs`. */
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
 * The stored response of a repeated request, for a caller who may still make that request and read the response. Rights
 * that were revoked meanwhile are missing for a repeated request too.
 *
 * @throws Failure 404 or 403, as for a new request
 */
export async function replayed(
  { command, context, registry }: { command: AnyCommand; context: Context; registry: Registry },
  request: Request<unknown>,
  kept: Answer & { readonly needed?: Needed },
): Promise<Answer> {
  const { needed, ...answer } = kept
  if (needed) checkRights(context.actor, needed, () => needed.needs)
  const found: Target | undefined = await command.find(context, request).catch(undefinedIfMissing)
  if (found) checkRights(context.actor, found, () => command.needs(found, request, context.actor))
  return shownTo({ actor: context.actor, database: context.tx }, registry, answer)
}

/**
 * Treats a record that can no longer be found as absent: it was found when the request was new, and its absence only
 * concerns new requests.
 */
function undefinedIfMissing(error: unknown): undefined {
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
