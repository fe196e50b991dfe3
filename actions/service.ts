import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fromJson } from '../json/from-json.ts'

/** Address of the service, and the step's credentials, valid until its attempt ends. */
export interface ServiceAccess {
  readonly url: string
  readonly token: string
}

/** Options of a request. With a body it is a POST, which must be harmless when it is sent twice. */
export interface Asked {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Idempotency-Key, for requests that the service may carry out only once however often they are sent. */
  readonly once?: string
}

/** Time in milliseconds to wait for a service that is being restarted. */
const maxWaitMilliseconds = 120_000
/** Maximum number of incomplete responses: if each one breaks off, the cause is not a restart of the service. */
const mostBrokenOff = 5
/** Statuses that pass with time: too many requests, and a proxy's responses for an unavailable service. */
const passing = new Set([429, 502, 503, 504])

/**
 * Sends a request of a step to the service. If the service cannot be reached, responds that it is unavailable, or
 * breaks off its response, the request is retried for two minutes: the service may be restarted while a step runs. (By
 * `node:http`, which does not time out on slow responses, such as a fetch of a large repository.)
 *
 * @param read reads the response, again from its beginning if the last one broke off
 * @throws the error of a refusal, and errors of `read` for a complete response
 */
export async function ask<Read>(
  access: ServiceAccess,
  path: string,
  { query = {}, body, once: key }: Asked,
  read: (answer: IncomingMessage) => Promise<Read>,
  signal: AbortSignal,
): Promise<Read> {
  const url = new URL(path, access.url)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  let heard = performance.now()
  let brokenOff = 0
  for (let wait = 100; ; wait = Math.min(2 * wait, 2_000)) {
    const outcome = await once(url, access.token, { body, key }, read, signal)
    if ('said' in outcome) return outcome.said
    if (outcome.again === 'broken off') {
      heard = performance.now()
      brokenOff += 1
    }
    if (!outcome.again || brokenOff > mostBrokenOff || performance.now() - heard > maxWaitMilliseconds)
      throw outcome.failed
    await pause(wait, undefined, { signal })
  }
}

type Outcome<Read> = { readonly said: Read } | { readonly failed: Error; readonly again: boolean | 'broken off' }

interface Sent {
  readonly body: object | undefined
  readonly key: string | undefined
}

async function once<Read>(
  url: URL,
  token: string,
  sent: Sent,
  read: (answer: IncomingMessage) => Promise<Read>,
  signal: AbortSignal,
): Promise<Outcome<Read>> {
  try {
    const answer = await asked(url, token, sent, signal)
    const status = answer.statusCode ?? 500
    if (status >= 200 && status < 300) return await answered(answer, read, signal)
    const said = await text(answer)
    const again = passing.has(status) || said.includes('"key-in-flight"')
    return { failed: new Error(reasonIn(said, status)), again }
  } catch (error) {
    return { failed: error as Error, again: !signal.aborted }
  }
}

async function answered<Read>(
  answer: IncomingMessage,
  read: (answer: IncomingMessage) => Promise<Read>,
  signal: AbortSignal,
): Promise<Outcome<Read>> {
  try {
    return { said: await read(answer) }
  } catch (error) {
    const isBrokenOff = answer.errored !== null && !signal.aborted
    answer.destroy()
    return { failed: error as Error, again: isBrokenOff && 'broken off' }
  }
}

function asked(url: URL, token: string, { body, key }: Sent, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
  }
  return new Promise((resolve, reject) => {
    const method = sent === undefined ? 'GET' : 'POST'
    request(url, { method, headers, signal }, resolve).once('error', reject).end(sent)
  })
}

function reasonIn(body: string, status: number): string {
  try {
    const { errors } = fromJson(body) as { errors: { detail?: string; title: string }[] }
    return errors.map(({ detail, title }) => detail ?? title).join('; ')
  } catch {
    return `The service answered ${status}: ${body.slice(0, 500)}`
  }
}
