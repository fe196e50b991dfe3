import type { TSchema } from 'typebox'
import type { Actor, Need } from '../actor.ts'
import type { Keyring } from '../crypto/index.ts'
import type { Database, Tx } from '../db/database.ts'
import type { NewEvent } from '../events.ts'
import type { Failure } from '../failure.ts'
import type { EnqueueOptions } from '../jobs/enqueue-options.ts'
import type { Resource } from '../jsonapi/resource.ts'

/** Dependencies and request of a command, and nothing else: no container, no module state. */
export interface Context {
  readonly tx: Tx
  readonly actor: Actor
  /** Records a further event beside the command's own. */
  record(event: NewEvent): Promise<void>
  /** Enqueues a background job in this transaction (graphile-worker). `key` makes a second one replace the first. */
  enqueue(job: string, payload: object, options?: EnqueueOptions): Promise<void>
  /**
   * Asks If-Match again, of a record that was found without being locked, once it is: of two who saw the same version both
   * have been let through until here. @throws Failure
   */
  requireMatch(rowVersion: number): void
  /**
   * Attributes of the request for the command's own event, for one that is recorded later. Absent without a request.
   */
  about?(): Readonly<Record<string, unknown>>
}

/** A request as it reaches a command: path parameters, the body's attributes after validation, and the rest of it. */
export interface Request<Attributes> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly attributes: Attributes
  /** data.relationships: name → id. */
  readonly relationships: Readonly<Record<string, string>>
  /** data.meta and the body's own meta, in one. */
  readonly meta: Readonly<Record<string, unknown>>
  /** A body that is a patch of a document, where the command takes one (`patches`). */
  readonly patch?: { readonly kind: 'merge' | 'json'; readonly value: unknown }
}

/** Record that a command is about. Found in one statement, before any right is checked. */
export interface Target {
  /** Path whose readers may know of the record; other callers get 404. Absent on fixed endpoints (always 403). */
  readonly readPath?: string
  /**
   * Version that If-Match is compared with. For a record that is not locked yet it is checked again:
   * `Context.requireMatch`.
   */
  readonly rowVersion?: number
}

/** Result of a command that has written its state and its event. */
export interface Done {
  readonly outcome: 'done'
  /** Id of the record that the answer shows; absent where the answer has no body. */
  readonly id?: string
  /** Attributes of its own event; the type is the command's, unless one route creates records of several types. */
  readonly event: Omit<NewEvent, 'type' | 'actor'> & { readonly type?: NewEvent['type'] }
  /** Shown once in the answer's meta (a token's secret). */
  readonly meta?: Record<string, unknown>
  /**
   * Slow work that writes nothing, done once everything is committed and no lock is held. Its result becomes the
   * response's `meta`; a replayed response is without it.
   */
  readonly afterwards?: () => Promise<Record<string, unknown> | undefined>
  /** Status of the response if it is not the command's: a PUT that found nothing and created the record, 201. */
  readonly status?: 200 | 201 | 204
  /** Headers of the answer beside those that every answer has (a cookie that is taken back). */
  readonly headers?: Readonly<Record<string, string>>
}

/** Result of a command that had nothing to change: no version, no event. */
export interface Unchanged {
  readonly outcome: 'unchanged'
  readonly id?: string
  readonly meta?: Record<string, unknown>
}

/** Result of a command that was refused after reading records: its writes are rolled back, these events are kept. */
export interface Refused {
  readonly outcome: 'refused'
  readonly failure: Failure
  readonly events: readonly NewEvent[]
  /**
   * Writes that stay in the same transaction although the command fails: a count of attempts must not be rolled back
   * with the attempt.
   */
  readonly lasting?: (tx: Tx) => Promise<unknown>
}

/**
 * Result of a command whose response is this document. A plan or a preview has written nothing and records no event;
 * one that wrote something, or has to be accounted for (a secret that was shown), brings an event.
 */
export interface Answered {
  readonly outcome: 'answered'
  readonly body: object
  readonly status?: number
  readonly event?: Done['event']
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Result of a command that has another machine do something that can be done only once (a mail), after everything is
 * committed and no lock is held. The result of that call becomes the response, also for repetitions with the same
 * Idempotency-Key. Until then, and forever if the process died during the call, repetitions get `meanwhile`, and the
 * call is not repeated.
 */
export interface DoneOutside {
  readonly outcome: 'outside'
  readonly meanwhile: Failure
  readonly work: () => Promise<ExternalOutcome>
}

/** Outcome of such a call: the response from then on, and the event recorded with it. */
export interface ExternalOutcome {
  readonly answer: Answered | Failure
  readonly events: readonly NewEvent[]
}

export type Outcome = Done | Unchanged | Refused | Answered | DoneOutside

export const done = (what: Omit<Done, 'outcome'>): Done => ({ outcome: 'done', ...what })
export const unchanged = (id?: string): Unchanged => ({ outcome: 'unchanged', ...(id && { id }) })
export const refused = (
  failure: Failure,
  events: readonly NewEvent[],
  lasting?: (tx: Tx) => Promise<unknown>,
): Refused => ({ outcome: 'refused', failure, events, ...(lasting && { lasting }) })
export const answered = (body: object, status = 200): Answered => ({ outcome: 'answered', body, status })

/**
 * One thing that a caller may do: its route, the rights it needs, its audit event, the body fields that the event may
 * carry, its input and its work, in one value, so that none can be forgotten. `run-command` does the rest:
 * transaction, 404 before 403 before 412 before 409 before 422, idempotency, ETag, event, answer.
 */
export interface Command<Attributes = never, Found extends Target = Target> {
  /** Unique, for OpenAPI's operationId: `projects.create`. */
  readonly name: string
  /** One sentence for the documentation. */
  readonly summary: string
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /**
   * Paths below /api, with `:param`s; several if one thing can be addressed in several ways (an asset under two
   * parents).
   */
  readonly paths: readonly string[]
  /** Status of the answer when done. 201 carries Location, 204 no body. */
  readonly status: 200 | 201 | 204
  /** The event of a success. Null only for what is recorded otherwise. */
  readonly event: `${string}:${string}:${string}` | null
  /** Names of attributes whose values the event may carry as request_body_<name>. Documents and secrets never. */
  readonly eventBody: readonly string[]
  /** Schema of data.attributes; absent: the request has no body. */
  readonly attributes?: TSchema
  readonly relationships?: readonly string[]
  readonly meta?: TSchema
  /** PATCH of a document: bodies of `application/merge-patch+json` and `application/json-patch+json` come as `request.patch`. */
  readonly patches?: true
  /** Begins a session: takes user name and password even where they are not taken with other requests, and no cookie. */
  readonly signsIn?: true
  /** Answers a secret: never kept for replay, nor in any cache. Asked for twice under one Idempotency-Key it is done twice. */
  readonly secret?: true
  /** Query parameters that it takes. */
  readonly parameters?: Readonly<Record<string, { schema: TSchema; describe: string }>>
  /** Type of the record in the answer; shown by its resource, as a GET would. Absent with 204. */
  readonly answers?: string
  /** Schema of the document that `answered` brings, where it is no record. */
  readonly answer?: TSchema
  /** Schema of the response with 200 to a dry run, besides `answers`. */
  readonly dryRunAnswer?: TSchema
  /** Bytes that the body may have; default 1 MiB. */
  readonly bodyLimit?: number
  /**
   * The record it is about, or undefined when there is none. Values of the body that are not valid are absent here and in
   * `needs`: what is wrong with them is said after 404, 403, 412 and 409.
   */
  readonly find: (context: Context, request: Request<Attributes>) => Promise<Found | undefined>
  readonly needs: (found: Found, request: Request<Attributes>, actor: Actor) => readonly Need[]
  /**
   * Check that runs first, where permission depends on more than rights: a 404 or 403 that keeps its events, for an
   * attempt that has to be audited.
   */
  readonly denied?: (context: Context, found: Found, request: Request<Attributes>) => Refused | undefined
  /** Refuses with a 409 that depends only on the record, before the body's values are judged (an archived record). */
  readonly refuse?: (found: Found, request: Request<Attributes>) => Failure | undefined
  /**
   * 409 that a value meets in what there is: a code that is taken, a version that is not the newest. Asked where other values
   * are not valid, which are left out, for 409 goes before 422; where all are, `run` finds it out under its locks.
   *
   * @returns what it meets, or throws it
   */
  readonly collides?: (
    context: Context,
    found: Found,
    request: Request<Partial<Attributes>>,
  ) => Promise<Failure | undefined>
  readonly run: (context: Context, found: Found, request: Request<Attributes>) => Promise<Outcome>
}

/** States a command, so that its types meet: `command<Attributes, Found>({…})`. */
export const command = <Attributes, Found extends Target = Target>(value: Command<Attributes, Found>): AnyCommand =>
  value as unknown as AnyCommand

// biome-ignore lint/suspicious/noExplicitAny: a list of commands holds commands of every input
export type AnyCommand = Command<any, any>

/** Dependencies of run-command, put together in main/service.ts. */
export interface Surroundings {
  readonly database: Database
  readonly record: (tx: Tx, event: NewEvent) => Promise<void>
  readonly enqueue: (tx: Tx, job: string, payload: object, options?: { key?: string; runAt?: string }) => Promise<void>
  /** Seals the answers kept for Idempotency-Key, and signs cursors. */
  readonly keyring: Pick<Keyring, 'seal' | 'open' | 'mac'>
  /** Resources of all types, with their extensions joined (`extendResources`), by which responses are shown. */
  readonly resources: readonly Resource[]
}
