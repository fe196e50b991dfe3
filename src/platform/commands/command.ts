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
  /** Records a further event in addition to the command's own. */
  record(event: NewEvent): Promise<void>
  /** Enqueues a background job in this transaction (graphile-worker). `key` makes a second one replace the first. */
  enqueue(job: string, payload: object, options?: EnqueueOptions): Promise<void>
  /**
   * Checks If-Match again once a record is locked that was found without a lock: two callers who saw the same version
   * both pass the first check. @throws Failure
   */
  requireMatch(rowVersion: number): void
  /** Attributes of the request for the command's own event, if that is recorded later. Absent without a request. */
  about?(): Readonly<Record<string, unknown>>
}

/** A request as a command receives it: path parameters, the body's validated attributes, and everything else. */
export interface Request<Attributes> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly attributes: Attributes
  /** data.relationships: name → id. */
  readonly relationships: Readonly<Record<string, string>>
  /** data.meta and the body's own meta, merged. */
  readonly meta: Readonly<Record<string, unknown>>
  /** A body that is a patch of a document, where the command takes one (`patches`). */
  readonly patch?: { readonly kind: 'merge' | 'json'; readonly value: unknown }
}

/** Record that a command is about. Found in one statement, before any right is checked. */
export interface Target {
  /**
   * Path whose readers may know that the record exists; other callers get 404. Absent on fixed endpoints (always 403).
   */
  readonly readPath?: string
  /**
   * Version that If-Match is compared with. If the record is not locked yet, it is checked again:
   * `Context.requireMatch`.
   */
  readonly rowVersion?: number
  /** Whether nothing is at the path yet: a PUT would create the record. */
  readonly isAbsent?: boolean
}

/** Result of a command that has written its state and its event. */
export interface Done {
  readonly outcome: 'done'
  /** Id of the record that the response shows; absent if the response has no body. */
  readonly id?: string
  /** Attributes of its own event; the type is the command's, unless one route creates records of several types. */
  readonly event: Omit<NewEvent, 'type' | 'actor'> & { readonly type?: NewEvent['type'] }
  /** Shown once in the response's meta (a token's secret). */
  readonly meta?: Record<string, unknown>
  /**
   * Slow work that writes nothing, done once everything is committed and no lock is held. Its result becomes the
   * response's `meta`; a replayed response has none.
   */
  readonly afterwards?: () => Promise<Record<string, unknown> | undefined>
  /** Status of the response if it differs from the command's: 201 of a PUT that created the record. */
  readonly status?: 200 | 201 | 204
  /** Further headers of the response (a cookie that is deleted). */
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
   * Writes that are kept in the same transaction although the command fails: a count of attempts must not be rolled
   * back with the attempt.
   */
  readonly lasting?: (tx: Tx) => Promise<unknown>
}

/**
 * Result of a command whose response is this document. A plan or a preview has written nothing and records no event; a
 * command that wrote something, or must be audited (a secret that was shown), returns an event.
 */
export interface Answered {
  readonly outcome: 'answered'
  readonly body: object
  readonly status?: number
  readonly event?: Done['event']
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Result of a command that makes another machine do something that cannot be repeated (send a mail), after everything
 * is committed and no lock is held. The result of that call becomes the response, also for repetitions with the same
 * Idempotency-Key. Until then, and forever if the process died during the call, repetitions get `meanwhile`, and the
 * call is not repeated.
 */
export interface DoneOutside {
  readonly outcome: 'outside'
  readonly meanwhile: Failure
  readonly work: () => Promise<ExternalOutcome>
}

/** Outcome of such a call: the final response, and the event recorded with it. */
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
 * A command that callers may execute: its route, the rights it needs, its audit event, the body fields that the event
 * may carry, its input and its work, in one value, so that none can be forgotten. `run-command` does the rest:
 * transaction, 404 before 403 before 412 before 409 before 422, idempotency, ETag, event, response.
 */
export interface Command<Attributes = never, Found extends Target = Target> {
  /** Unique, for OpenAPI's operationId: `projects.create`. */
  readonly name: string
  /** One sentence for the documentation. */
  readonly summary: string
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /**
   * Paths below /api, with `:param`s; several if a record can be addressed in several ways (an asset under two
   * parents).
   */
  readonly paths: readonly string[]
  /** Status of the response on success. 201 has a Location, 204 no body. */
  readonly status: 200 | 201 | 204
  /** The event of a success; null if the event is recorded elsewhere. */
  readonly event: `${string}:${string}:${string}` | null
  /** Names of attributes whose values the event may contain as request_body_<name>. Never documents or secrets. */
  readonly eventBody: readonly string[]
  /** Schema of data.attributes; absent: the request has no body. */
  readonly attributes?: TSchema
  readonly relationships?: readonly string[]
  readonly meta?: TSchema
  /**
   * Whether the command is a PATCH of a document: bodies of `application/merge-patch+json` and
   * `application/json-patch+json` arrive as `request.patch`.
   */
  readonly patches?: true
  /**
   * Whether the command begins a session: it accepts user name and password even if other requests do not, and no
   * cookie.
   */
  readonly signsIn?: true
  /**
   * Whether the response contains a secret: it is never stored for repetitions, nor cached. A repetition with the same
   * Idempotency-Key executes the command again.
   */
  readonly secret?: true
  /** Query parameters that it accepts. */
  readonly parameters?: Readonly<Record<string, { schema: TSchema; describe: string }>>
  /** Type of the record in the response; shown by its resource, as a GET would. Absent with 204. */
  readonly answers?: string
  /** Schema of the document of an `answered` result, if the response is no record. */
  readonly answer?: TSchema
  /** Schema of the response with 200 to a dry run, besides `answers`. */
  readonly dryRunAnswer?: TSchema
  /** Maximum size of the body in bytes; default 1 MiB. */
  readonly bodyLimit?: number
  /**
   * Finds the record that the command is about; undefined if there is none. Invalid values of the body are absent here
   * and in `needs`: they are reported after 404, 403, 412 and 409.
   */
  readonly find: (context: Context, request: Request<Attributes>) => Promise<Found | undefined>
  readonly needs: (found: Found, request: Request<Attributes>, actor: Actor) => readonly Need[]
  /**
   * Check that runs first, if permission depends on more than rights: a 404 or 403 that keeps its events, for attempts
   * that must be audited.
   */
  readonly denied?: (context: Context, found: Found, request: Request<Attributes>) => Refused | undefined
  /**
   * Refuses with a 409 that depends only on the record, before the values of the body are checked (an archived record).
   */
  readonly refuse?: (found: Found, request: Request<Attributes>) => Failure | undefined
  /**
   * 409 for a conflict of a value with existing records: a code that is taken, a version that is not the newest. Called
   * if other values are invalid (these are absent), because 409 comes before 422; if all are valid, `run` detects the
   * conflict under its locks.
   *
   * @returns the conflict, or throws it
   */
  readonly collides?: (
    context: Context,
    found: Found,
    request: Request<Partial<Attributes>>,
  ) => Promise<Failure | undefined>
  readonly run: (context: Context, found: Found, request: Request<Attributes>) => Promise<Outcome>
}

/** Declares a command so that its type arguments are inferred together: `command<Attributes, Found>({…})`. */
export const command = <Attributes, Found extends Target = Target>(value: Command<Attributes, Found>): AnyCommand =>
  value as unknown as AnyCommand

// biome-ignore lint/suspicious/noExplicitAny: a list of commands holds commands of every input
export type AnyCommand = Command<any, any>

/** Dependencies of run-command, built in main/service.ts. */
export interface Surroundings {
  readonly database: Database
  readonly record: (tx: Tx, event: NewEvent) => Promise<void>
  readonly enqueue: (tx: Tx, job: string, payload: object, options?: { key?: string; runAt?: string }) => Promise<void>
  /** Seals the responses stored for Idempotency-Keys, and signs cursors. */
  readonly keyring: Pick<Keyring, 'seal' | 'open' | 'mac'>
  /** Resources of all types including extensions (`extendResources`), which show the responses. */
  readonly resources: readonly Resource[]
}
