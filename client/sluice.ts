/** A client of Sluice's API over fetch: signs in, unwraps JSON:API, and says in words what was refused. */

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

interface Fault {
  status?: string
  code?: string
  title?: string
  detail?: string
  source?: { pointer?: string; parameter?: string; header?: string }
}

/** An answer of 400 or more: its status, and each fault that the service named. */
export class Refused extends Error {
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(request: string, status: number, faults: readonly Fault[]) {
    super([`${request} was answered ${status}`, ...faults.map(inWords)].join('\n  '))
    this.status = status
    this.faults = faults
  }
}

const inWords = ({ code, title, detail, source }: Fault) =>
  [source?.pointer ?? source?.parameter ?? source?.header, detail ?? title ?? code].filter(Boolean).join(': ')

export type Query = Record<string, string | number | boolean | readonly string[]>

/** What may stand beside the attributes of a request. */
export interface Beside {
  relationships?: Record<string, Reference>
  meta?: Record<string, unknown>
}

export interface Sluice {
  readonly url: string
  /** A GET of anything, as it comes: the whole document. */
  document<Document>(path: string, query?: Query): Promise<Document>
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

/** @param login without one, requests are anonymous: only the health endpoints answer them. */
export function connect(url: string, login?: { user: string; password: string }): Sluice {
  const basic = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

  async function request(method: string, path: string, query: Query = {}, data?: object): Promise<unknown> {
    const target = `${path}${queryString(query)}`
    const answer = await fetch(new URL(target, url), {
      method,
      headers: {
        accept: 'application/vnd.api+json',
        ...(basic && { authorization: basic }),
        ...(data && { 'content-type': 'application/vnd.api+json' }),
      },
      body: data ? JSON.stringify({ data }) : null,
    })
    const text = await answer.text()
    if (answer.status >= 400) throw new Refused(`${method} ${target}`, answer.status, faultsIn(text))
    return text === '' ? undefined : JSON.parse(text)
  }
  const data = async (method: string, path: string, query?: Query, body?: object) =>
    ((await request(method, path, query, body)) as { data?: never } | undefined)?.data as never

  return {
    url,
    document: (path, query) => request('GET', path, query) as never,
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
    remove: async (path, query) => void (await request('DELETE', path, query)),
  }
}

function queryString(query: Query): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map(each => [name, each] as const) : [[name, String(value)] as const],
  )
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts as [string, string][])}`
}

function faultsIn(text: string): Fault[] {
  try {
    return (JSON.parse(text) as { errors?: Fault[] }).errors ?? [{ detail: text.slice(0, 500) }]
  } catch {
    // Not from the service itself: a proxy's page, most often.
    return [{ detail: text.slice(0, 500) }]
  }
}

export interface Change {
  action: string
  status_code: string
  error_message: string | null
  commit_sha: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
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
    const answer = await ask()
    if (isThere(answer)) return answer
    if (performance.now() > end) throw new Error(`${what}: not after ${seconds} s; last: ${JSON.stringify(answer)}`)
    await new Promise(resolve => setTimeout(resolve, pause))
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
