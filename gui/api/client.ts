import type { AnswerOf, CallArguments } from '#client/call.ts'
import type { Operations } from '#client/generated/api.ts'
import {
  type BrowserSession,
  connect,
  type Document,
  defaultRetries,
  KnownDocuments,
  type Resource,
  type Sent,
  type Sluice,
} from '#client/sluice.ts'

/** Client of the service that serves this page; requests carry the browser's session cookie by themselves. */

/** Pages read their lists and records again and again; another session begins with none. */
const newClient = (session?: BrowserSession): Sluice =>
  connect(location.origin, session, defaultRetries, new KnownDocuments())

let client = newClient()

/** Operations that change an existing record as a whole or in part; pages perform them by `write`. */
type Write = `PATCH ${string}` | `PUT ${string}`

/** The client as pages use it: what changes a record is left to `write`, which asks for what it replaces. */
export interface PageClient extends Omit<Sluice, 'update' | 'put' | 'send' | 'call'> {
  call<Name extends Exclude<keyof Operations, Write>>(name: Name, given: CallArguments<Name>): Promise<AnswerOf<Name>>
  send(method: 'GET' | 'POST' | 'DELETE', path: string, more?: Sent): Promise<Document | undefined>
}

/** The client of the current session. Read at each use: signing in replaces it. */
export const sluice = (): PageClient => client

/** Adds the CSRF token that changing requests of a session need; undefined after signing out. */
export function setCsrfToken(csrfToken: string | undefined): void {
  client = newClient(csrfToken === undefined ? undefined : { csrfToken })
}

/**
 * For a write that overwrites nothing which somebody else may have entered: a switch, a choice, a password, one value of
 * a merge patch.
 */
export const anyVersion = Symbol('any version')

/** For a PUT that creates a record, and must not replace one that is there already. */
export const nothing = Symbol('nothing')

/**
 * State of a record that a write replaces: its ETag as it was read (`readVersioned`), the version of a document, or
 * nothing at all.
 */
export type Replaced = { readonly etag: string } | { readonly version: number } | typeof anyVersion | typeof nothing

/** Body of a write. */
export interface Written {
  readonly attributes: object
  readonly meta?: Record<string, unknown>
}

/**
 * Changes a record: the only way in which pages do. Each write says what it replaces, so that no form overwrites what
 * somebody else has saved since it was opened.
 *
 * @throws Refused with status 412, or 409 for a version, if the record has changed since or is there already
 */
export async function write<Attributes>(
  method: 'PATCH' | 'PUT',
  path: string,
  { attributes, meta }: Written,
  replaced: Replaced,
): Promise<Document<Resource<Attributes>>> {
  const known: { readonly etag?: string; readonly version?: number } = typeof replaced === 'symbol' ? {} : replaced
  // A record with its ETag may have a version of its own.
  const { etag } = known
  const version = etag === undefined ? known.version : undefined
  const answer = await client.send(method, path, {
    data: { attributes: { ...attributes, ...(version !== undefined && { version }) }, ...(meta && { meta }) },
    ifMatch: etag,
    ...(replaced === nothing && { ifNoneMatch: '*' }),
  })
  return answer as unknown as Document<Resource<Attributes>>
}
