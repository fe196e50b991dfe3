import { randomUUID } from 'node:crypto'
import { fromJson } from '../json/from-json.ts'
import { failureOf, fateOf, fateOfConnection, isSentAgain } from './fate.ts'
import { operations } from './generated/api.ts'
import { matches } from './operation.ts'
import { patiently, usualPatience } from './patience.ts'
import { type Fault, Refused, Unreachable } from './refused.ts'

export const jsonApi = 'application/vnd.api+json'

interface ReadAnswer {
  readonly text: string
  readonly headers: Headers
}

/** One request, and its answer unless that is a refusal: read to its end, or as `read` takes it. */
export interface Exchange {
  (method: string, target: string, headers: Record<string, string>, body?: unknown): Promise<ReadAnswer>
  <T>(
    method: string,
    target: string,
    headers: Record<string, string>,
    body: unknown,
    read: (answer: Response) => Promise<T>,
  ): Promise<T>
}

/**
 * Requests of one service. One that gets no answer is sent again where that does no harm (`isSentAgain`): a POST carries a
 * key by which the service does it once.
 *
 * @throws Refused when the answer is no; Unreachable when there is none, which says whether it may have been done
 */
export function exchangeWith(url: string, patience = usualPatience): Exchange {
  let hasAnswered = false
  const wholeText = async (answer: Response): Promise<ReadAnswer> => ({
    text: await unlessBroken(url, answer.text()),
    headers: answer.headers,
  })
  const exchange = async <T>(
    method: string,
    target: string,
    headers: Record<string, string>,
    body: unknown,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> => {
    const path = target.replace(/\?.*$/s, '')
    const isHarmless = patience.inAll > 0 && (method === 'GET' || isDoneOnce(method, path))
    const key = isHarmless && method !== 'GET' ? { 'idempotency-key': randomUUID() } : {}
    const sent = {
      headers: { accept: jsonApi, ...key, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    }
    const failedAt: number[] = []
    let hasBroken = false
    const passes = (error: unknown) => {
      failedAt.push(performance.now())
      const fate = fateOf(error)
      hasAnswered ||= error instanceof Refused
      hasBroken ||= fate === 'broken'
      return isSentAgain(fate, { isHarmless, hasAnswered, hasBroken })
    }
    try {
      const answer = await patiently(async () => read(await answered(url, method, target, sent)), passes, patience)
      hasAnswered = true
      return answer
    } catch (error) {
      throw lastWord(error, { name: `${method} ${path}`, failedAt, mayBeDone: hasBroken && method !== 'GET' })
    }
  }
  return <T>(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: unknown,
    read?: (answer: Response) => Promise<T>,
  ) => exchange<T | ReadAnswer>(method, target, headers, body, read ?? wholeText) as never
}

/** Of a path that this client does not know it is not known. */
const isDoneOnce = (method: string, path: string): boolean =>
  operations.some(each => each.once && each.method === method && matches(each.path, path))

interface Ended {
  /** `POST /api/changes` */
  readonly name: string
  readonly failedAt: readonly number[]
  readonly mayBeDone: boolean
}

/** What went wrong last, for how long it was tried, and that it may have been done all the same. */
function lastWord(error: unknown, { name, failedAt, mayBeDone }: Ended): unknown {
  const saysNothing = error instanceof Unreachable || (mayBeDone && fateOf(error) !== 'decided')
  if (!saysNothing) return error
  const seconds = Math.ceil((failedAt.at(-1)! - failedAt[0]!) / 1_000)
  const howLong = failedAt.length > 1 ? ` (tried for ${seconds} s)` : ''
  const look = mayBeDone ? `. Whether ${name} was done is not known: look before you ask again.` : ''
  return new Unreachable(`${(error as Error).message.replace(/\.$/, '')}${howLong}${look}`, { cause: error })
}

/** Sends a request once, and answers what comes before the body. */
export async function answered(url: string, method: string, target: string, sent: RequestInit): Promise<Response> {
  const answer = await unlessBroken(url, fetch(new URL(target, url), { method, ...sent }))
  if (answer.status < 400) return answer
  throw new Refused(method, target, answer.status, faultsIn(await unlessBroken(url, answer.text())))
}

const unlessBroken = <T>(url: string, heard: Promise<T>): Promise<T> =>
  heard.catch(error => {
    const { message, code } = failureOf(error)
    const what = fateOfConnection(error) === 'broken' ? `The connection to ${url} broke` : `${url} cannot be reached`
    throw new Unreachable(`${what}: ${message || code}`, { cause: error })
  })

function faultsIn(text: string): Fault[] {
  try {
    return (fromJson(text) as { errors?: Fault[] }).errors ?? [{ detail: text.slice(0, 500) }]
  } catch {
    // Not from the service itself: a proxy's page, most often.
    return [{ detail: text.slice(0, 500) }]
  }
}
