import type { Actor } from '../actor.ts'
import type { Tx } from '../db/database.ts'
import type { NewEvent } from '../events.ts'
import { failpoint } from '../failpoints.ts'
import { Failure, type Fault, failure, missing } from '../failure.ts'
import type { Body } from '../jsonapi/body.ts'
import { matches } from '../jsonapi/etag.ts'
import { readWritten } from '../jsonapi/read.ts'
import type { Registry } from '../jsonapi/registry.ts'
import type { Shape } from '../jsonapi/shape.ts'
import { isTypeOf } from '../jsonapi/type-names.ts'
import type { Answer } from './answer.ts'
import { answerOfDocument, failureAnswer } from './answer-of.ts'
import type {
  AnyCommand,
  Context,
  Done,
  DoneOutside,
  Outcome,
  Refused,
  Request,
  Surroundings,
  Target,
  Unchanged,
} from './command.ts'
import { doneOutside } from './done-outside.ts'
import { eventAttributes, requestAttributes } from './event-attributes.ts'
import { claim, claimOf, keyReused, storeResponse } from './idempotency.ts'
import type { Incoming } from './incoming.ts'
import { checkRights, type Needed, replayed } from './replay.ts'

/**
 * One transaction in which a command is found, authorized, executed, recorded and shown. Failures are checked in the
 * order 404, 403, 412, 409, 422. A refusal rolls back the command's work and keeps its events.
 *
 * @throws Failure for every fault of the request
 */
export async function runCommand(
  surroundings: Surroundings & { readonly registry: Registry },
  command: AnyCommand,
  actor: Actor,
  incoming: Incoming,
): Promise<Answer> {
  const claimed = claimOf(incoming.idempotencyKey, actor, `${incoming.method} ${incoming.path}`)
  let afterwards: Done['afterwards']
  let outside: DoneOutside | undefined
  const work = async (tx: Tx): Promise<Answer | Failure> => {
    const first = claimed && (await claim(tx, claimed, incoming.bodyBytes, surroundings.keyring))
    if (first) {
      const context = contextOf(surroundings, command, actor, tx, incoming)
      const { registry } = surroundings
      const answer = await replayed({ command, context, registry }, requestOf(incoming), first.answer)
      if (!first.isSame) throw keyReused()
      return answer
    }
    const basis: Basis = {}
    const answer = await attempt(surroundings, command, actor, incoming, tx, { keeps: Boolean(claimed), basis })
    const isFailure = answer instanceof Failure
    // "Try again later" (429) must not be stored for repetitions.
    const lasting = isFailure ? answer.status < 500 && answer.status !== 429 : !command.secret
    if (claimed && lasting) {
      await storeResponse(
        tx,
        claimed,
        { ...(isFailure ? failureAnswer(answer) : answer.answer), ...basis },
        surroundings.keyring,
      )
    }
    if (!isFailure) ({ afterwards, outside } = answer)
    return isFailure ? answer : answer.answer
  }
  const answer = await surroundings.database.transaction(work)
  failpoint('command-committed')
  if (answer instanceof Failure) throw answer
  if (outside) return doneOutside(surroundings, claimed, outside)
  return withMeta(answer, await afterwards?.())
}

function withMeta(answer: Answer, more: Record<string, unknown> | undefined): Answer {
  if (!more || !answer.body) return answer
  const { meta } = answer.body as { meta?: object }
  return { ...answer, body: { ...answer.body, meta: { ...meta, ...more } } }
}

interface Success {
  readonly answer: Answer
  readonly afterwards?: Done['afterwards']
  readonly outside?: DoneOutside
}

type Attempt = Failure | Success

/** The rights that allowed the request, once they have been checked. */
interface Basis {
  needed?: Needed
}

/**
 * A failure is returned if the transaction must continue (events of a refusal, a response that is stored), and thrown
 * otherwise.
 */
async function attempt(
  surroundings: Surroundings & { readonly registry: Registry },
  command: AnyCommand,
  actor: Actor,
  incoming: Incoming,
  tx: Tx,
  { keeps, basis }: { readonly keeps: boolean; readonly basis: Basis },
): Promise<Attempt> {
  const request = requestOf(incoming)
  const context = contextOf(surroundings, command, actor, tx, incoming)
  try {
    return await tx.savepoint(async () => {
      const found = await allowed(command, context, request, incoming, surroundings.registry, basis)
      const outcome: Outcome = await command.run(context, found, request)
      if (outcome.outcome === 'refused') throw new RefusedHere(outcome)
      checkWrittenId(incoming.body, outcome)
      return await answerOf(surroundings, command, context, incoming, outcome)
    })
  } catch (error) {
    if (error instanceof RefusedHere) {
      const about = eventAttributes(command, incoming, actor.remoteAddress)
      for (const event of error.refused.events) await context.record(withAttributes(event, about))
      await error.refused.lasting?.(tx)
      return error.refused.failure
    }
    if (keeps && error instanceof Failure) return error
    throw error
  }
}

/** Passes a refusal out of the savepoint, whose work is rolled back. */
class RefusedHere extends Error {
  readonly refused: Refused
  constructor(refused: Refused) {
    super('refused')
    this.refused = refused
  }
}

const requestOf = ({ params, query, body }: Incoming): Request<unknown> => ({
  params,
  query,
  attributes: body.attributes,
  relationships: body.relationships,
  meta: body.meta,
  ...(body.patch && { patch: body.patch }),
})

const contextOf = (
  surroundings: Surroundings,
  command: AnyCommand,
  actor: Actor,
  tx: Tx,
  incoming: Incoming,
): Context => ({
  tx,
  actor,
  record: event => surroundings.record(tx, withAttributes(event, requestAttributes(incoming, actor.remoteAddress))),
  enqueue: (job, payload, options) => surroundings.enqueue(tx, job, payload, options),
  requireMatch: rowVersion => requireMatch(incoming.ifMatch, rowVersion),
  about: () => eventAttributes(command, incoming, actor.remoteAddress),
})

/** Checks the preconditions of a request against what is at its path: the record as it is, or nothing yet. */
function requireState(
  { isAbsent, rowVersion }: Target,
  { ifMatch, ifNoneMatch }: Pick<Incoming, 'ifMatch' | 'ifNoneMatch'>,
): void {
  if (isAbsent && ifMatch !== undefined)
    throw failure('precondition-failed', 'There is no such record yet: If-Match does not hold.', {
      source: { header: 'if-match' },
    })
  requireMatch(ifMatch, rowVersion)
  if (isAbsent || ifNoneMatch === undefined || !matches(ifNoneMatch, rowVersion)) return
  throw failure('precondition-failed', 'There is such a record already: If-None-Match does not hold.', {
    source: { header: 'if-none-match' },
  })
}

function requireMatch(ifMatch: string | undefined, rowVersion: number | undefined): void {
  if (ifMatch === undefined || matches(ifMatch, rowVersion)) return
  throw failure('precondition-failed', 'The record was changed meanwhile: If-Match no longer holds.', {
    source: { header: 'if-match' },
  })
}

/**
 * Target of the command, once the caller may execute it, the state of the record allows it and the values are valid.
 */
async function allowed(
  command: AnyCommand,
  context: Context,
  request: Request<unknown>,
  { body, ifMatch, ifNoneMatch, params }: Incoming,
  registry: Registry,
  basis: Basis,
): Promise<Target> {
  const found: Target | undefined = await command.find(context, request)
  // Without path parameters only the body can have named the missing record, and then its own fault is more precise.
  if (!found && body.invalid.length && !Object.keys(params).length) throw new Failure(atLeastOne(body.invalid))
  const source = namedInBody(params, request)
  if (!found) throw missing(source)
  const denied = command.denied?.(context, found, request)
  if (denied) throw new RefusedHere(denied)
  basis.needed = checkRights(context.actor, found, () => command.needs(found, request, context.actor), source)
  requireState(found, { ifMatch, ifNoneMatch })
  checkIdentity(command, body, params, registry)
  const refusal = command.refuse?.(found, request)
  if (refusal) throw refusal
  if (body.invalid.length)
    throw (await command.collides?.(context, found, request as never)) ?? new Failure(atLeastOne(body.invalid))
  return found
}

/** Failure for a missing node named in the body, where the path names no record. */
function namedInBody(params: Readonly<Record<string, string>>, { attributes }: Request<unknown>) {
  if (Object.keys(params).length > 0) return undefined
  const named = typeof (attributes as Record<string, unknown>)['parent_path'] === 'string'
  return named ? { pointer: '/data/attributes/parent_path' } : undefined
}

const atLeastOne = (faults: readonly Fault[]) => faults as readonly [Fault, ...Fault[]]

/** Checks that `type` and `id` in a body are the record's own, or absent. */
function checkIdentity(command: AnyCommand, { type, id }: Body, params: Incoming['params'], registry: Registry): void {
  const creates = command.method === 'POST' && command.status === 201
  if (id !== undefined && creates) {
    throw failure('client-id', 'Ids are given by the service: leave it out.', { source: { pointer: '/data/id' } })
  }
  const answered = command.answers === undefined ? undefined : registry.get(command.answers)
  if (type !== undefined && answered && !isTypeOf(answered, type)) {
    throw failure('wrong-type', `The record is of type ${command.answers}, not ${type}.`, {
      source: { pointer: '/data/type' },
    })
  }
  if (id !== undefined && params['id'] !== undefined) checkId(id, params['id'])
}

/** Checks the id in the body once the record was found, if the path names the record differently (by its code). */
function checkWrittenId({ id }: Body, outcome: Written): void {
  if (id !== undefined && 'id' in outcome && outcome.id !== undefined) checkId(id, outcome.id)
}

function checkId(given: string, id: string): void {
  if (given.toLowerCase() === id.toLowerCase()) return
  throw failure('wrong-type', 'The id in the body is not that of the record.', { source: { pointer: '/data/id' } })
}

type Written = Exclude<Outcome, Refused>

async function answerOf(
  surroundings: Surroundings & { readonly registry: Registry },
  command: AnyCommand,
  context: Context,
  incoming: Incoming,
  outcome: Written,
): Promise<Success> {
  if (outcome.outcome === 'outside') return { answer: failureAnswer(outcome.meanwhile), outside: outcome }
  if (outcome.outcome === 'answered') {
    const { event } = outcome
    if (event && command.event) await recordOwn(command, context, incoming, event)
    return { answer: answerOfDocument(outcome, command) }
  }
  if (outcome.outcome === 'done' && command.event) await recordOwn(command, context, incoming, outcome.event)
  const answer = await shownAnswer(surroundings.registry, command, context, outcome, incoming.shape)
  return { answer, ...(outcome.outcome === 'done' && { afterwards: outcome.afterwards }) }
}

async function recordOwn(
  command: AnyCommand,
  context: Context,
  incoming: Incoming,
  event: Done['event'],
): Promise<void> {
  const about = eventAttributes(command, incoming, context.actor.remoteAddress)
  await context.record(withAttributes({ ...event, type: event.type ?? command.event!, actor: context.actor }, about))
}

const withAttributes = (event: NewEvent, about: Record<string, unknown>): NewEvent => ({
  ...event,
  attributes: { ...about, ...event.attributes },
})

/** The record as this transaction sees it, under the command's status. */
async function shownAnswer(
  registry: Registry,
  command: AnyCommand,
  { actor, tx }: Context,
  outcome: Done | Unchanged,
  shape: Shape | undefined,
): Promise<Answer> {
  const status = outcome.outcome === 'done' ? (outcome.status ?? command.status) : command.status === 204 ? 204 : 200
  const resource = command.answers === undefined ? undefined : registry.get(command.answers)
  const headers = outcome.outcome === 'done' ? outcome.headers : undefined
  if (status === 204 || !resource || outcome.id === undefined) {
    return { status: status === 200 ? 204 : status, headers: { ...headers } }
  }
  const { document, etag } = await readWritten(registry, resource, outcome.id, { actor, database: tx }, shape)
  const self = Array.isArray(document.data) ? undefined : document.data.links['self']
  return {
    status,
    headers: { ...headers, etag, ...(status === 201 && self && { location: self }) },
    body: { ...document, ...(outcome.meta && { meta: outcome.meta }) },
  }
}
