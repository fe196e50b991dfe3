import { fromJson } from '../json/from-json.ts'
import { idempotentPosts } from './generated/idempotent-posts.ts'
import { matches } from './operation.ts'
import { failureOf, isRetried, outcomeOf, outcomeOfConnection } from './outcome.ts'
import { type Fault, Refused, Unreachable } from './refused.ts'
import { defaultRetries, withRetries } from './retries.ts'

export const jsonApi = 'application/vnd.api+json'

interface ReadAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** Sends a request and returns its response, read to the end or by `read`. */
export interface Exchange {
  (method: string, target: string, headers: Record<string, string>, body?: unknown): Promise<ReadAnswer>
  <T>(
    method: string,
    target: string,
    headers: Record<string, string>,
    body: unknown,
    read: (answer: Response) => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T>
}

/**
 * Creates the sender of requests to one service. Idempotent requests are retried after a lost connection (`isRetried`);
 * a POST is idempotent by an Idempotency-Key.
 *
 * @throws Refused on an error response; Unreachable without a response, which says whether it may have been processed;
 *   the reason of `stop` as soon as it is aborted
 */
export function exchangeWith(url: string, retries = defaultRetries): Exchange {
  let hasResponded = false
  const wholeText = async (answer: Response): Promise<ReadAnswer> => ({
    status: answer.status,
    text: await orUnreachable(url, answer.text()),
    headers: answer.headers,
  })
  const exchange = async <T>(
    method: string,
    target: string,
    headers: Record<string, string>,
    body: unknown,
    read: (answer: Response) => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T> => {
    const path = target.replace(/\?.*$/s, '')
    const isIdempotent = retries.total > 0 && (method === 'GET' || acceptsKey(method, path))
    const key = isIdempotent && method !== 'GET' ? { 'idempotency-key': newKey() } : {}
    const sent = {
      headers: { accept: jsonApi, ...key, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: stop ?? null,
    }
    const failedAt: number[] = []
    let hasLostConnection = false
    const isTransient = (error: unknown) => {
      if (stop?.aborted) return false
      failedAt.push(performance.now())
      const outcome = outcomeOf(error)
      hasResponded ||= error instanceof Refused
      hasLostConnection ||= outcome === 'connection-lost'
      return isRetried(outcome, { isIdempotent, hasResponded, hasLostConnection })
    }
    try {
      const answer = await withRetries(
        async () => read(await answered(url, method, target, sent)),
        isTransient,
        retries,
        stop,
      )
      hasResponded = true
      return answer
    } catch (error) {
      if (stop?.aborted) throw stop.reason
      throw finalError(error, {
        name: `${method} ${path}`,
        failedAt,
        mayBeProcessed: hasLostConnection && method !== 'GET',
      })
    }
  }
  return <T>(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: unknown,
    read?: (answer: Response) => Promise<T>,
    stop?: AbortSignal,
  ) => exchange<T | ReadAnswer>(method, target, headers, body, read ?? wholeText, stop) as never
}

/** Whether the operation accepts an Idempotency-Key; false for unknown paths. */
const acceptsKey = (method: string, path: string): boolean =>
  method === 'POST' && idempotentPosts.some(template => matches(template, path))

/** A random UUID. `crypto.randomUUID` is missing in browsers on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

interface Ended {
  /** `POST /api/changes` */
  readonly name: string
  readonly failedAt: readonly number[]
  readonly mayBeProcessed: boolean
}

/** Adds to the last error how long the request was retried and whether it may have been processed. */
function finalError(error: unknown, { name, failedAt, mayBeProcessed }: Ended): unknown {
  const isInconclusive = error instanceof Unreachable || (mayBeProcessed && outcomeOf(error) !== 'final')
  if (!isInconclusive) return error
  const seconds = Math.ceil((failedAt.at(-1)! - failedAt[0]!) / 1_000)
  const howLong = failedAt.length > 1 ? ` (tried for ${seconds} s)` : ''
  const warning = mayBeProcessed ? `. ${name} may have been processed: check before you retry.` : ''
  return new Unreachable(`${(error as Error).message.replace(/\.$/, '')}${howLong}${warning}`, { cause: error })
}

/** Sends a request once and returns the response before its body is read. */
export async function answered(url: string, method: string, target: string, sent: RequestInit): Promise<Response> {
  const answer = await orUnreachable(url, fetch(new URL(target, url), { method, ...sent }))
  if (answer.status < 400) return answer
  throw new Refused(method, target, answer.status, faultsIn(await orUnreachable(url, answer.text())))
}

const orUnreachable = <T>(url: string, response: Promise<T>): Promise<T> =>
  response.catch(error => {
    const { message, code } = failureOf(error)
    const what =
      outcomeOfConnection(error) === 'connection-lost' ? `The connection to ${url} was lost` : `Cannot reach ${url}`
    throw new Unreachable(`${what}: ${message || code}`, { cause: error })
  })

function faultsIn(text: string): Fault[] {
  try {
    return (fromJson(text) as { errors?: Fault[] }).errors ?? [{ detail: text.slice(0, 500) }]
  } catch {
    // Usually the error page of a proxy.
    return [{ detail: text.slice(0, 500) }]
  }
}
