import { fromJson } from '../json/from-json.ts'
import type { AnswerOf, AnyGiven, CallArguments } from './call.ts'
import { answered, exchangeWith, jsonApi } from './exchange.ts'
import type { Change, Operations } from './generated/api.ts'
import { type LiveMessage, type LiveOptions, liveMessages } from './live.ts'
import type { ExtraMembers, Query, Resource } from './record.ts'
import { Refused } from './refused.ts'
import { defaultRetries, type Retries } from './retries.ts'
import type { KnownDocuments } from './revalidation.ts'

/** Client of the Sluice API over fetch, for browsers and Node; `node.ts` adds what only Node can do. */

export type { Change } from './generated/api.ts'
export type { LiveMessage } from './live.ts'
export type { ExtraMembers, Query, Resource } from './record.ts'
export { type Fault, Refused, Unreachable } from './refused.ts'
export { defaultRetries, noRetries, type Retries } from './retries.ts'
export { KnownDocuments } from './revalidation.ts'

/** JSON:API document of a response. */
export interface Document<Data = Resource | Resource[]> {
  data: Data
  included?: Resource[]
  links?: { self?: string; next?: string }
  meta?: Record<string, unknown>
}

/** Credentials of requests. Without them, only public endpoints such as health checks respond. */
export type Login = Credentials | { token: string } | Session | BrowserSession
export interface Credentials {
  user: string
  password: string
}

/** Session of a program, which sends the cookie itself. */
export interface Session {
  cookie: string
  csrfToken: string
}

/** Session of a browser, which keeps the cookie out of reach of scripts and sends it by itself. */
export interface BrowserSession {
  csrfToken: string
}

/** Query and body of a request: `data` of a JSON:API document, or a merge `patch` (RFC 7396). */
export interface Sent {
  query?: Query | undefined
  data?: unknown
  patch?: unknown
  /** ETag of the record as the caller read it: the request fails with 412 if the record has changed since. */
  ifMatch?: string | undefined
  /** `*` of a PUT that only creates: the request fails with 412 if there is such a record already. */
  ifNoneMatch?: '*' | undefined
}

export interface RawOptions {
  /** Media type of the response, where the operation has several. */
  accept?: string
  stop?: AbortSignal
}

export interface Sluice {
  readonly url: string
  /**
   * Any operation of the API by method and path; arguments and result are type-checked.
   *
   *     await sluice.call('POST /api/projects', { attributes: { code: 'bank', name: 'Bank' } })
   */
  call<Name extends keyof Operations>(name: Name, given: CallArguments<Name>): Promise<AnswerOf<Name>>
  /** Any request, for operations that are only known at run time. Undefined if the response has no body. */
  send(method: string, path: string, more?: Sent): Promise<Document | undefined>
  /** Response to any GET with its body unread: a file, CSV, a stream. Error responses are thrown. */
  raw(path: string, options?: RawOptions): Promise<Response>
  /** Yields all pages of a list, each a document. */
  pages(path: string, query?: Query): AsyncGenerator<Document<Resource[]>>
  /** Messages of a live stream in batches, until its end; reconnects after a lost connection. */
  live(path: string, query?: Query, options?: LiveOptions): AsyncGenerator<LiveMessage[]>
  /** Document of any GET. */
  document<Whole>(path: string, query?: Query): Promise<Whole>
  show<Attributes>(path: string, query?: Query): Promise<Resource<Attributes>>
  /** The record, or undefined if there is none or the caller may not read it. */
  find<Attributes>(path: string, query?: Query): Promise<Resource<Attributes> | undefined>
  /** First page of a list. */
  list<Attributes>(path: string, query?: Query): Promise<Resource<Attributes>[]>
  create<Attributes>(path: string, attributes?: object, beside?: ExtraMembers): Promise<Resource<Attributes>>
  update<Attributes>(path: string, attributes: object, beside?: ExtraMembers): Promise<Resource<Attributes>>
  put<Attributes>(path: string, attributes: object, beside?: ExtraMembers): Promise<Resource<Attributes>>
  remove(path: string, query?: Query): Promise<void>
}

/**
 * Creates a client.
 *
 * @param url base URL of the service; in its own pages `location.origin`
 * @param retries of idempotent requests whose connection is lost. A service that never responded fails at once.
 *   A request without a response fails as `Unreachable`, which says whether it may have been processed.
 * @param known documents that are read again and again: a client with them asks only whether they have changed
 */
export function connect(url: string, login?: Login, retries: Retries = defaultRetries, known?: KnownDocuments): Sluice {
  const signedIn = login ? headersOf(login) : {}
  const exchange = exchangeWith(url, retries)

  async function request(
    method: string,
    path: string,
    { query = {}, data, patch, ifMatch, ifNoneMatch }: Sent = {},
  ): Promise<unknown> {
    const [type, body] = patch === undefined ? [jsonApi, data && { data }] : ['application/merge-patch+json', patch]
    const target = `${path}${queryString(query)}`
    const headers = {
      ...signedIn,
      ...(body !== undefined && { 'content-type': type }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    }
    if (known && method === 'GET')
      return known.read(target, validators => exchange(method, target, { ...headers, ...validators }, body))
    const { text } = await exchange(method, target, headers, body)
    return text === '' ? undefined : fromJson(text)
  }
  const data = async (method: string, path: string, query: Query = {}, body?: object) =>
    ((await request(method, path, { query, data: body })) as { data?: never } | undefined)?.data as never

  return {
    url,
    call: (name, given) => {
      const { path = {}, query, attributes, ...beside } = given as AnyGiven
      const [method = '', template = ''] = name.split(' ')
      const filled = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(path[part])))
      return data(method, filled, query, attributes && { attributes, ...beside })
    },
    send: (method, path, more) => request(method, path, more) as never,
    raw: (path, { accept = '*/*', stop } = {}) =>
      exchange('GET', path, { ...signedIn, accept }, undefined, async answer => answer, stop),
    async *pages(path, query) {
      for (let next: string | undefined = `${path}${queryString(query ?? {})}`; next; ) {
        const page = (await request('GET', next)) as Document<Resource[]>
        yield page
        next = page.links?.next
      }
    },
    live: (path, query = {}, options = {}) =>
      liveMessages(lastId => {
        const resumed = lastId === undefined ? {} : { 'last-event-id': lastId }
        const headers = { ...signedIn, ...resumed, accept: 'text/event-stream' }
        return answered(url, 'GET', `${path}${queryString(query)}`, { headers, signal: options.stop ?? null })
      }, options),
    document: (path, query) => request('GET', path, { query }) as never,
    show: (path, query) => data('GET', path, query),
    find: async (path, query) => {
      try {
        return await data('GET', path, query)
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined
        throw error
      }
    },
    list: (path, query) => data('GET', path, query),
    create: (path, attributes = {}, beside) => data('POST', path, {}, { attributes, ...beside }),
    update: (path, attributes, beside) => data('PATCH', path, {}, { attributes, ...beside }),
    put: (path, attributes, beside) => data('PUT', path, {}, { attributes, ...beside }),
    remove: async (path, query) => void (await request('DELETE', path, { query })),
  }
}

/**
 * Signs in and starts a session in the browser, which receives the cookie. `DELETE /api/tokens/session` ends it.
 *
 * @throws Refused with status 401 if the credentials are wrong
 */
export async function signIn(url: string, credentials: Credentials): Promise<BrowserSession> {
  const { text } = await startSession(url, credentials)
  return { csrfToken: csrfTokenIn(text) }
}

/**
 * Resumes the session whose cookie the browser holds, after a page is loaded.
 *
 * @returns undefined if there is no session or it has expired
 */
export async function resumeSession(url: string): Promise<BrowserSession | undefined> {
  try {
    const { text } = await exchangeWith(url)('GET', '/api/me', {})
    const { meta } = (fromJson(text) as Document<Resource>).data
    // Absent if the browser signed in by other credentials that it remembers.
    return typeof meta?.['csrf_token'] === 'string' ? { csrfToken: meta['csrf_token'] } : undefined
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return undefined
    throw error
  }
}

/** Response to the start of a session: its document and its headers. */
export const startSession = (url: string, credentials: Credentials): Promise<{ text: string; headers: Headers }> =>
  exchangeWith(url)('POST', '/api/tokens/session', headersOf(credentials))

export const csrfTokenIn = (text: string): string => String((fromJson(text) as Document).meta!['csrf_token'])

function headersOf(login: Login): Record<string, string> {
  if ('token' in login) return { authorization: `Bearer ${login.token}` }
  if ('csrfToken' in login)
    return { 'x-csrf-token': login.csrfToken, ...('cookie' in login && { cookie: login.cookie }) }
  return { authorization: `Basic ${base64(`${login.user}:${login.password}`)}` }
}

/** Base64 of the text in UTF-8. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''))

function queryString(query: Query): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map(each => [name, each] as const) : [[name, String(value)] as const],
  )
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts as [string, string][])}`
}

const finalStatuses = new Set(['success', 'skipped', 'error', 'cancelled', 'aborted', 'rejected', 'system_error'])

export const isFinal = (statusCode: string): boolean => finalStatuses.has(statusCode)

/**
 * Polls until a condition holds.
 *
 * @param what the condition, for the error after `seconds` without it
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  isThere: (answer: T) => boolean,
  { seconds = 60, pause = 100 } = {},
): Promise<T> {
  const end = performance.now() + seconds * 1_000
  for (;;) {
    const asked = performance.now()
    const answer = await ask()
    if (isThere(answer)) return answer
    const took = performance.now() - asked
    if (performance.now() > end) {
      // A change lists all of its steps.
      const last = (JSON.stringify(answer) ?? '').slice(0, 2_000)
      throw new Error(`${what}: not after ${seconds} s; last: ${last}`)
    }
    // Slow responses mean a busy service; polling it at full rate would delay what is waited for.
    await new Promise(resolve => setTimeout(resolve, Math.max(pause, Math.min(2 * took, 1_000))))
  }
}

/** Waits until a change has ended, with any result. */
export const waitForChange = (sluice: Sluice, id: string, options?: { seconds?: number }): Promise<Resource<Change>> =>
  until(
    `change ${id} ends`,
    () => sluice.show<Change>(`/api/changes/${id}`),
    change => isFinal(change.attributes.status_code),
    options,
  )
