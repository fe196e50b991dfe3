import type { TSchema } from 'typebox'
import type { Actor, Need } from '../actor.ts'
import type { Database, Tx } from '../db/database.ts'
import type { NewEvent } from '../events.ts'
import type { Failure } from '../failure.ts'

/** What the rest of the product gives to a command, and nothing else: no container, no module state. */
export interface Context {
  readonly tx: Tx
  readonly actor: Actor
  /** Records a further event beside the command's own. */
  record(event: NewEvent): Promise<void>
  /** Enqueues a background job in this transaction (graphile-worker). `key` makes a second one replace the first. */
  enqueue(job: string, payload: object, options?: { key?: string; runAt?: string }): Promise<void>
}

/** A request as it reaches a command: path parameters, the body's attributes after validation, and the rest of it. */
export interface Request<Attributes> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly attributes: Attributes
  /** data.relationships: name → id. */
  readonly relationships: Readonly<Record<string, string>>
  /** data.meta. */
  readonly meta: Readonly<Record<string, unknown>>
}

/** What a command is about. Found in one statement, before any right is asked. */
export interface Target {
  /** Whoever may not read this path is told that there is no such record. Absent on fixed endpoints (always 403). */
  readonly readPath?: string
  /** For If-Match. */
  readonly rowVersion?: number
}

/** What happened: the state is written and the event with it. */
export interface Done {
  readonly outcome: 'done'
  /** Id of the record that the answer shows; absent where the answer has no body. */
  readonly id?: string
  /** Its own event's particulars; the type is the command's. */
  readonly event: Omit<NewEvent, 'type' | 'actor'>
  /** Shown once in the answer's meta (a token's secret). Answers with `secret: true` are never kept for replay. */
  readonly meta?: Record<string, unknown>
  readonly secret?: boolean
}

/** Nothing was to be changed: no version, no event. */
export interface Unchanged {
  readonly outcome: 'unchanged'
  readonly id?: string
  readonly meta?: Record<string, unknown>
}

/** Refused after looking: the work is undone, these events are kept. */
export interface Refused {
  readonly outcome: 'refused'
  readonly failure: Failure
  readonly events: readonly NewEvent[]
}

export type Outcome = Done | Unchanged | Refused

export const done = (what: Omit<Done, 'outcome'>): Done => ({ outcome: 'done', ...what })
export const unchanged = (id?: string): Unchanged => ({ outcome: 'unchanged', ...(id && { id }) })
export const refused = (failure: Failure, events: readonly NewEvent[]): Refused => ({
  outcome: 'refused',
  failure,
  events,
})

/**
 * One thing that a caller may do: its route, the rights it needs, its audit event, the body fields that the event may
 * carry, its input and its work, in one value, so that none can be forgotten. `run-command` does the rest:
 * transaction, 404 before 403 before 412 before 409 and 422, idempotency, ETag, event, answer.
 */
export interface Command<Attributes = never, Found extends Target = Target> {
  /** Unique, for OpenAPI's operationId: `projects.create`. */
  readonly name: string
  /** One sentence for the documentation. */
  readonly summary: string
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below /api, with `:param`s; several where one thing is reached in several ways (an asset under two parents). */
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
  /** Query parameters that it takes. */
  readonly parameters?: Readonly<Record<string, { schema: TSchema; describe: string }>>
  /** Type of the record in the answer; shown by its resource, as a GET would. Absent with 204. */
  readonly answers?: string
  /** Bytes that the body may have; default 1 MiB. */
  readonly bodyLimit?: number
  /** The record it is about, or undefined when there is none. */
  readonly find: (context: Context, request: Request<Attributes>) => Promise<Found | undefined>
  readonly needs: (found: Found, request: Request<Attributes>) => readonly Need[]
  readonly run: (context: Context, found: Found, request: Request<Attributes>) => Promise<Outcome>
}

/** States a command, so that its types meet: `command<Attributes, Found>({…})`. */
export const command = <Attributes, Found extends Target = Target>(value: Command<Attributes, Found>): AnyCommand =>
  value as unknown as AnyCommand

// biome-ignore lint/suspicious/noExplicitAny: a list of commands holds commands of every input
export type AnyCommand = Command<any, any>

/** What run-command works with, put together in main/surroundings.ts. */
export interface Surroundings {
  readonly database: Database
  readonly record: (tx: Tx, event: NewEvent) => Promise<void>
}
