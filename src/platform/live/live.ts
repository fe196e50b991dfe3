import type { Actor, Need } from '../actor.ts'
import type { Target } from '../commands/command.ts'
import type { Queries } from '../db/database.ts'
import type { Parameters } from '../jsonapi/parameters.ts'
import type { Listed, Picked } from '../jsonapi/read.ts'
import type { ViewContext } from '../view-context.ts'

/** Streaming GET: server-sent events about something that changes. */
export interface Live<Found extends Target = Target> {
  readonly name: string
  readonly summary: string
  readonly path: string
  readonly parameters?: Parameters
  /** Kinds of message → when one comes and what is in it. `end` is every stream's own. */
  readonly messages: Readonly<Record<string, string>>
  /** Finds the target as for views, and again every 10 s: a caller who may not read it any more is sent no more. */
  readonly find: (context: ViewContext) => Promise<Found | undefined>
  readonly needs: (found: Found, context: ViewContext) => readonly Need[]
  /** `position`: that of the last message which the client has; none when it begins. */
  readonly open: (found: Found, context: ViewContext, position: string | undefined) => Feed | Promise<Feed>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of streams holds streams of every target
export type AnyLive = Live<any>
export const live = <Found extends Target>(value: Live<Found>): AnyLive => value

/** Content of one stream. It holds nothing but its position: the process's one reader reads for all of them. */
export interface Feed {
  /** The next of what is new, a page at most. Never called twice at once. */
  read(context: FeedContext): Promise<Batch>
}

export interface FeedContext {
  readonly actor: Actor
  readonly database: Queries
  /** `pg_snapshot` as text, taken before this read: whatever it shows, every statement of the read sees. */
  readonly snapshot: string
  /** Records of a type as a list would show them to this caller. */
  readonly listed: (type: string, picked: Picked) => Promise<Listed[]>
}

export interface Batch {
  readonly messages: readonly Message[]
  /** Position of the stream after them: a text that `open` takes. */
  readonly position: string
  /** Whether there may be more right away. */
  readonly more?: boolean
  /** Everything was sent, and nothing more will come. */
  readonly ended?: boolean
}

export interface Message {
  readonly kind: string
  readonly data: object
  /** Position behind this message, given where the stream can resume there. */
  readonly position?: string
}
