import type { Sql } from './db/sql.ts'

export type Right = 'read' | 'update' | 'execute' | 'delete'

/** A right that something needs, on a path such as `/projects/bank/environments/live/assets/web/actions/deploy`. */
export interface Need {
  right: Right
  path: string
}

/** Rule as given for its path: each right allowed, denied, or neither. `*` is one segment. */
type GivenRule = { readonly path: string } & Readonly<Record<Right, boolean | null>>

/**
 * Rights of one caller, compiled once for each request from the rules in force. Pure: no clock, no database. `may`
 * decides for one path; `visible` is the same decision as a condition for lists, so that a list for someone who sees
 * one project of 10,000 costs about what it costs a superuser.
 */
export interface Rights {
  readonly superuser: boolean
  /** Whether the policy `blocked` denies every right, also on the caller's own records. */
  readonly blocked?: true
  may(right: Right, path: string): boolean
  /** Whether a rule grants the right on its path, whichever that is. Absent: only a superuser has it so. */
  readonly somewhere?: (right: Right) => boolean
  /**
   * `may` for several paths below one, such as `/settings` below a node's, with one walk. `/actions/*` asks for the
   * right to at least one of the actions. Absent: use `may`.
   */
  readonly mayBelow?: (path: string) => (right: Right, below: string) => boolean
  /** A right that the given rules grant, and a place where the caller lacks it. Absent: there is none. */
  readonly lacking?: (given: readonly GivenRule[]) => Need | undefined
  /** The condition "the caller may read it" over the columns of a record's project id and path. */
  visible(record: { projectId: Sql; path: Sql }): Sql<boolean>
  /**
   * The condition "no rule that names this first segment denies reading it", over a path that begins with it: for
   * records that need no permission but may be denied. Absent, or undefined: there is no such rule.
   */
  readonly undenied?: (first: string) => ((path: Sql) => Sql<boolean>) | undefined
  /** The condition "the caller may execute it", over the path of that right. Absent: nothing. */
  readonly executable?: (record: { projectId: Sql; path: Sql }) => Sql<boolean>
  /**
   * Whether that condition looks paths up in long lists: a statement with it is planned for its values, so that
   * PostgreSQL hashes them.
   */
  readonly inSets?: boolean
  /** Selects the ids of the projects outside of which the caller may read nothing, where these are a few. */
  readonly projects?: Sql<{ id: string }> | undefined
  /**
   * Whether the caller may be able to read records of any project: no project is known to be entirely closed to them.
   */
  readonly anywhere?: boolean
}

/** Caller: a signed-in user, a token that acts for one, or the service itself (`system`). */
export interface Actor {
  readonly userId: string | null
  readonly username: string
  readonly rights: Rights
  /** Kind of credentials. A token of an attempt can do less than its user. */
  readonly via: 'basic' | 'personal' | 'session' | 'attempt' | 'agent' | 'system'
  readonly remoteAddress: string | null
  /** Version of the password that the caller signed in with; each new password increments it. */
  readonly passwordVersion?: number
  /** Browser or program that is beginning a session, as it calls itself. */
  readonly userAgent?: string
  /** Id of the step that a token of an attempt belongs to. */
  readonly stepId?: string
  /**
   * The project that the rights are limited to: those of a step's token, and of later work for records that such a
   * token created. Work that is stored for later stores the limit too: the user's id alone would restore all rights of
   * the user.
   */
  readonly scopeProjectId?: string
  /** Groups of the user at the last refresh of the directory; absent: none. */
  readonly groupnames?: readonly string[]
  /** Session of the caller's browser, and the token that its writing requests carry in addition to the cookie. */
  readonly session?: { readonly id: string; readonly csrfToken: string }
}

const everything: Rights = {
  superuser: true,
  may: () => true,
  visible: () => {
    throw new Error('the service itself lists nothing on behalf of a caller')
  },
}

/** The service acting by itself: an admission, a timer, a fetch. Its events have the reserved name `system`. */
export const theService: Actor = {
  userId: null,
  username: 'system',
  rights: everything,
  via: 'system',
  remoteAddress: null,
}
