import type { Actor, Need } from '../actor.ts'
import type { Target } from '../commands/command.ts'
import type { Queries } from '../db/database.ts'
import type { Parameters } from '../jsonapi/parameters.ts'
import type { Listed, Picked } from '../jsonapi/read.ts'
import type { ViewContext } from '../view-context.ts'

/** Endpoint for a stream of server-sent events about changes of a record or list. */
export interface Live<Found extends Target = Target> {
  readonly name: string
  readonly summary: string
  readonly path: string
  readonly parameters?: Parameters
  /**
   * Kinds of message, each with a description of when it is sent and what it contains. `end` is part of every stream.
   */
  readonly messages: Readonly<Record<string, string>>
  /** Finds the target as for views, and again every 10 s: a caller who may no longer read it is sent nothing more. */
  readonly find: (context: ViewContext) => Promise<Found | undefined>
  readonly needs: (found: Found, context: ViewContext) => readonly Need[]
  /** `position`: position of the last message that the client has received; absent at the start. */
  readonly open: (found: Found, context: ViewContext, position: string | undefined) => Feed | Promise<Feed>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of streams holds streams of every target
export type AnyLive = Live<any>
export const live = <Found extends Target>(value: Live<Found>): AnyLive => value

/** Content of one stream. It holds only its position: the one reader of the process reads for all streams. */
export interface Feed {
  /** Reads the next page of changes. Never called twice at once. */
  read(context: FeedContext): Promise<Batch>
}

export interface FeedContext {
  readonly actor: Actor
  readonly database: Queries
  /** `pg_snapshot` as text, taken before this read: every statement of the read sees at least that snapshot. */
  readonly snapshot: string
  /** Records of a type as a list would show them to this caller. */
  readonly listed: (type: string, picked: Picked) => Promise<Listed[]>
}

export interface Batch {
  readonly messages: readonly Message[]
  /** Position of the stream after these messages: a text that `open` accepts. */
  readonly position: string
  /** Whether there may be more right away. */
  readonly more?: boolean
  /** Whether everything was sent, and nothing more will follow. */
  readonly ended?: boolean
}

export interface Message {
  readonly kind: string
  readonly data: object
  /** Position behind this message, if the stream can resume there. */
  readonly position?: string
}
