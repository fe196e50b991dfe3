import { fromJson } from '../json/from-json.ts'
import type { AnswerOf, AnyGiven, Given } from './call.ts'
import { answered, exchangeWith, jsonApi } from './exchange.ts'
import type { Change, Operations } from './generated/api.ts'
import { type LiveMessage, liveMessages } from './live.ts'
import { type Patience, usualPatience } from './patience.ts'
import { Refused } from './refused.ts'

/** A client of Sluice's API over fetch: signs in, unwraps JSON:API, and says in words what was refused. */

export type { Change } from './generated/api.ts'
export type { LiveMessage } from './live.ts'
export { noPatience, type Patience } from './patience.ts'
export { type Fault, Refused, Unreachable } from './refused.ts'

export interface Resource<Attributes = Record<string, unknown>> {
  id: string
  type: string
  attributes: Attributes
  relationships?: Record<string, { data?: Reference | Reference[] | null; links?: { related?: string } }>
  links?: Record<string, string>
  meta?: Record<string, unknown>
}
export interface Reference {
  id: string
  type: string
}

export type Query = Record<string, string | number | boolean | readonly string[]>

/** What may stand beside the attributes of a request. */
export interface Beside {
  relationships?: Record<string, Reference>
  meta?: Record<string, unknown>
}

/** An answer as it comes. */
export interface Document<Data = Resource | Resource[]> {
  data: Data
  included?: Resource[]
  links?: { self?: string; next?: string }
  meta?: Record<string, unknown>
}

/** A user's name and password, or what was made once with them. Without one only the health endpoints answer. */
export type Login = Credentials | { token: string } | Session
export interface Credentials {
  user: string
  password: string
}

/** Taken also where name and password are not taken with each request. */
export interface Session {
  cookie: string
  csrfToken: string
}

/** What a request carries besides its path: `data` in its envelope, or `patch` as it stands (RFC 7396). */
export interface Sent {
  query?: Query | undefined
  data?: unknown
  patch?: unknown
}

export interface Sluice {
  readonly url: string
  /**
   * Any operation of the interface, by method and path: what it takes and answers is checked where it is written.
   *
   *     await sluice.call('POST /api/projects', { attributes: { code: 'bank', name: 'Bank' } })
   */
  call<Name extends keyof Operations>(name: Name, given: Given<Name>): Promise<AnswerOf<Name>>
  /** Any request, for programs that learn at run time what there is. Undefined when the answer has no body. */
  send(method: string, path: string, more?: Sent): Promise<Document | undefined>
  /** The answer to a GET of anything, unread: bytes, CSV, a stream. Refusals are thrown. */
  raw(path: string): Promise<Response>
  /** The pages of a list, each a document, until the last. */
  pages(path: string, query?: Query): AsyncGenerator<Document<Resource[]>>
  /**
   * What a live stream sends, in batches as they come, until its end; over connections that break. `patient` waits for a
   * service that is away when it is first asked for, as whoever has just been answered does.
   */
  live(path: string, query?: Query, stop?: AbortSignal, patient?: boolean): AsyncGenerator<LiveMessage[]>
  /** A GET of anything, as it comes: the whole document. */
  document<Whole>(path: string, query?: Query): Promise<Whole>
  show<Attributes>(path: string, query?: Query): Promise<Resource<Attributes>>
  /** The record, or undefined when there is none that this caller may read. */
  find<Attributes>(path: string, query?: Query): Promise<Resource<Attributes> | undefined>
  /** One page of a list; at most its limit, also when there is more. */
  list<Attributes>(path: string, query?: Query): Promise<Resource<Attributes>[]>
  create<Attributes>(path: string, attributes?: object, beside?: Beside): Promise<Resource<Attributes>>
  update<Attributes>(path: string, attributes: object, beside?: Beside): Promise<Resource<Attributes>>
  put<Attributes>(path: string, attributes: object, beside?: Beside): Promise<Resource<Attributes>>
  remove(path: string, query?: Query): Promise<void>
}

/**
 * @param patience with a service that goes away under a request, which is sent again where that does no harm. One that is
 *   not there at first is told at once. What gets no answer ends as `Unreachable`, which says whether it may have been done.
 */
export function connect(url: string, login?: Login, patience: Patience = usualPatience): Sluice {
  const signedIn = login ? headersOf(login) : {}
  const exchange = exchangeWith(url, patience)

  async function request(method: string, path: string, { query = {}, data, patch }: Sent = {}): Promise<unknown> {
    const [type, body] = patch === undefined ? [jsonApi, data && { data }] : ['application/merge-patch+json', patch]
    const target = `${path}${queryString(query)}`
    const headers = { ...signedIn, ...(body !== undefined && { 'content-type': type }) }
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
    raw: path => exchange('GET', path, { ...signedIn, accept: '*/*' }, undefined, async answer => answer),
    async *pages(path, query) {
      for (let next: string | undefined = `${path}${queryString(query ?? {})}`; next; ) {
        const page = (await request('GET', next)) as Document<Resource[]>
        yield page
        next = page.links?.next
      }
    },
    live: (path, query = {}, stop, patient) =>
      liveMessages(
        lastId => {
          const resumed = lastId === undefined ? {} : { 'last-event-id': lastId }
          const headers = { ...signedIn, ...resumed, accept: 'text/event-stream' }
          return answered(url, 'GET', `${path}${queryString(query)}`, { headers, signal: stop ?? null })
        },
        stop,
        patient,
      ),
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

/** Signs in once; `DELETE /api/tokens/session` ends it. */
export async function beginSession(url: string, login: Credentials): Promise<Session> {
  const { text, headers } = await exchangeWith(url)('POST', '/api/tokens/session', headersOf(login))
  const { meta } = fromJson(text) as Document
  return { cookie: headers.get('set-cookie')!.split(';')[0]!, csrfToken: String(meta!['csrf_token']) }
}

function headersOf(login: Login): Record<string, string> {
  if ('token' in login) return { authorization: `Bearer ${login.token}` }
  if ('cookie' in login) return { cookie: login.cookie, 'x-csrf-token': login.csrfToken }
  return { authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}` }
}

function queryString(query: Query): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map(each => [name, each] as const) : [[name, String(value)] as const],
  )
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts as [string, string][])}`
}

const finalStatuses = new Set(['success', 'skipped', 'error', 'cancelled', 'aborted', 'rejected', 'system_error'])

export const isFinal = (statusCode: string): boolean => finalStatuses.has(statusCode)

/**
 * Asks again and again, until the answer is what is waited for.
 *
 * @param what said in the error when `seconds` have passed without it.
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
      // A change names all of its steps.
      const last = (JSON.stringify(answer) ?? '').slice(0, 2_000)
      throw new Error(`${what}: not after ${seconds} s; last: ${last}`)
    }
    // A busy service takes long to answer, and who asks it all the while keeps it from what is waited for.
    await new Promise(resolve => setTimeout(resolve, Math.max(pause, Math.min(2 * took, 1_000))))
  }
}

/** The change when it has ended, however it did. */
export const waitForChange = (sluice: Sluice, id: string, options?: { seconds?: number }): Promise<Resource<Change>> =>
  until(
    `change ${id} ends`,
    () => sluice.show<Change>(`/api/changes/${id}`),
    change => isFinal(change.attributes.status_code),
    options,
  )
