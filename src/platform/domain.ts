import type { TSchema } from 'typebox'
import type { Need } from './actor.ts'
import type { AnyCommand, Context, Target } from './commands/command.ts'
import type { SealedTable } from './crypto/index.ts'
import type { Database, Queries, Tx } from './db/database.ts'
import type { Sql } from './db/sql.ts'
import type { NewEvent } from './events.ts'
import type { EnqueueOptions } from './jobs/enqueue-options.ts'
import type { Extension, Resource } from './jsonapi/resource.ts'
import type { Shape } from './jsonapi/shape.ts'
import type { AnyLive } from './live/live.ts'
import type { ViewContext } from './view-context.ts'

/**
 * A GET that is neither a list nor a show of stored records (a converged document, a waiting reason), or a POST that
 * changes nothing (compare, validate). Returns one JSON:API document, or a stream for `raw`.
 */
export interface View<Found extends Target = Target> {
  readonly name: string
  readonly summary: string
  /** Description for the documentation, if the summary is not enough. */
  readonly describe?: string
  readonly method: 'GET' | 'POST'
  readonly paths: readonly string[]
  readonly parameters?: Readonly<Record<string, { schema: TSchema; describe: string; required?: true }>>
  readonly attributes?: TSchema
  /** Maximum size of the body in bytes, if it contains documents. */
  readonly bodyLimit?: number
  /** Schema of the response's body. */
  readonly answer: TSchema
  /** Media type of the response, if it is no JSON:API document. */
  readonly mediaType?: string
  /**
   * Media types of a response that has several forms: `Accept` chooses, and the first is the default. The view gets the
   * chosen one as `mediaType`; `answer` describes all of them.
   */
  readonly mediaTypes?: readonly string[]
  /** Whether `Content-Range` says which part of the whole the response has. */
  readonly ranged?: true
  /** Statuses besides 200 with such a body (readiness: 503). */
  readonly statuses?: readonly number[]
  /**
   * Whether it runs in a reserved place, however busy the user's other places are: for requests by which an operator
   * finds out why.
   */
  readonly reserved?: true
  /** Whether callers need not sign in (readiness). Such a view gets an actor without rights. */
  readonly public?: true
  /**
   * Whether its responses are never compressed, because they contain a secret: a listener who can make the client repeat
   * values beside it would learn it from the length (BREACH).
   */
  readonly uncompressed?: true
  /** Finds the target, as for commands: undefined, or a `readPath` that the caller may not read, is 404. */
  readonly find: (context: ViewContext) => Promise<Found | undefined>
  readonly needs: (found: Found, context: ViewContext) => readonly Need[]
  readonly run: (found: Found, context: ViewContext) => Promise<ViewAnswer>
}

export interface ViewAnswer {
  /**
   * A JSON:API document; a Buffer or a readable stream is sent as it is, under the view's media type. Expensive
   * documents are a function, which is not called if the caller has the version that the `etag` in `headers` names. It
   * receives the requested fields (`narrow`); bytes have to be narrowed already.
   */
  readonly body: object | ((fields: Shape['fields']) => Promise<object>)
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of views holds views of every target
export type AnyView = View<any>
export const view = <Found extends Target>(value: View<Found>): AnyView => value

/** Background work on the job queue: named, given its payload, run again by the queue when it throws. */
export interface Job {
  readonly name: string
  readonly run: (payload: never, runtime: Runtime) => Promise<void>
  /** Recurring: a cron line in UTC. */
  readonly cron?: string
  /**
   * Whether it waits for other machines, possibly for a minute: such jobs take turns among themselves and do not delay
   * others.
   */
  readonly outside?: true
  /**
   * Whether no person waits for the job, and there may be thousands: such jobs run a few at a time, beside all others.
   */
  readonly unattended?: true
}

/**
 * A loop that polls at least each `every` milliseconds (at most 1,000), and at once on a hint. Returns whether there
 * may be more to do right away. Runs in processes with the role `worker`.
 */
export interface Loop {
  readonly name: string
  readonly every: number
  readonly hints: readonly string[]
  readonly run: (runtime: Runtime) => Promise<boolean>
}

/** Dependencies of the service's jobs, loops and views. Put together in main/service.ts. */
export interface Runtime {
  readonly database: Database
  readonly record: (tx: Tx, event: NewEvent) => Promise<void>
  readonly enqueue: (tx: Tx, job: string, payload: object, options?: EnqueueOptions) => Promise<void>
  readonly log: Log
  /** Ends long waits when the process stops. */
  readonly stopping: AbortSignal
}

export interface Log {
  info(about: object, line: string): void
  warn(about: object, line: string): void
  error(about: object, line: string): void
}

/** Extensions that a later domain adds to nodes and templates of an earlier one. */
export interface Extends extends Extension {
  /** Attributes for creating such a record in addition to its own (`Type.Optional` if it may be missing). */
  readonly createAttributes?: Readonly<Record<string, TSchema>>
  /** Attributes for updating such a record in addition to its own, all optional. */
  readonly updateAttributes?: Readonly<Record<string, TSchema>>
  /** Users of these records: rows {id, what, path}; archiving is refused while there is one. */
  readonly inUse?: (ids: readonly string[]) => Sql<{ id: string; what: string; path: string | null }>
  /** Called in the transaction that creates the record, with all attributes of the request. */
  readonly onCreate?: (
    context: Context,
    record: CreatedRecord,
    attributes: Readonly<Record<string, unknown>>,
  ) => Promise<void>
  /**
   * Called in the transaction that updates the record, which is locked. Returns whether it changed any of its own
   * values.
   */
  readonly onUpdate?: (
    context: Context,
    record: CreatedRecord,
    attributes: Readonly<Record<string, unknown>>,
  ) => Promise<boolean>
  /** Called in the transaction that destroys the records. */
  readonly onDestroy?: (context: Context, ids: readonly string[]) => Promise<void>
}

export interface CreatedRecord {
  readonly id: string
  /** The resource's type: asset, template_version. */
  readonly type: string
  readonly projectId: string
  /** Path on which rights to it are checked. */
  readonly path: string
  readonly code: string
  /**
   * Time from which everything that begins with the record (version 1 of its properties, its first template version) is
   * in force.
   */
  readonly createdAt: string
}

/** One folder of src/domain: everything that main needs to know about a noun. */
export interface Domain {
  readonly name: string
  readonly resources?: readonly Resource[]
  readonly commands?: readonly AnyCommand[]
  readonly views?: readonly AnyView[]
  readonly live?: readonly AnyLive[]
  readonly jobs?: readonly Job[]
  readonly loops?: readonly Loop[]
  /** Encrypted columns of its tables, for re-encryption (ADR 12, a test compares). */
  readonly sealed?: readonly SealedTable[]
  /**
   * Replaces ids by codes or names in the parameters of a path. Called first for each request whose path has a UUID in
   * the place of a record. @throws Failure `missing`
   */
  readonly namedByIds?: (
    queries: Queries,
    params: Readonly<Record<string, string>>,
  ) => Promise<Readonly<Record<string, string>>>
  /** Resource type → extensions of this domain. */
  readonly extends?: Readonly<Record<string, Extends>>
  /**
   * Deletes its rows of destroyed nodes of one type, which have no children any more: in batches, each a transaction of
   * its own, so that it can be resumed anywhere. Later domains have done so before. Returns the nodes of which
   * something has to be kept for now.
   */
  readonly deleteNodeData?: (runtime: Runtime, nodes: readonly string[]) => Promise<readonly string[]>
}

/** Extensions that the given domains add to one type of record, in their order. */
export const extensionsOf = (domains: readonly Domain[], type: string): readonly Extends[] =>
  domains.flatMap(domain => domain.extends?.[type] ?? [])
