import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fromJson } from '../json/from-json.ts'

/** Where the service is, and what a step is let in by, until its attempt ends. */
export interface ServiceAccess {
  readonly url: string
  readonly token: string
}

/** A service that is being started anew is waited for so long. */
const patience = 120_000

/**
 * Asks the service for what a step needs of it. One that cannot be reached, or says that it cannot answer now, is asked
 * again for two minutes: it may be restarted while a step runs. (By `node:http`, which gives up no answer that takes its
 * time: a fetch of a large repository.)
 *
 * @throws what the service says when it refuses
 */
export async function ask(
  access: ServiceAccess,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(path, access.url)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const began = performance.now()
  for (let wait = 100; ; wait = Math.min(2 * wait, 2_000)) {
    const outcome = await once(url, access.token, signal)
    if ('answer' in outcome) return outcome.answer
    if (!outcome.again || performance.now() - began > patience) throw outcome.failed
    await pause(wait, undefined, { signal })
  }
}

type Outcome = { readonly answer: IncomingMessage } | { readonly failed: Error; readonly again: boolean }

async function once(url: URL, token: string, signal: AbortSignal): Promise<Outcome> {
  try {
    const answer = await asked(url, token, signal)
    const status = answer.statusCode ?? 500
    if (status === 200) return { answer }
    return { failed: new Error(reasonIn(await text(answer), status)), again: status === 429 || status === 503 }
  } catch (error) {
    return { failed: error as Error, again: !signal.aborted }
  }
}

function asked(url: URL, token: string, signal: AbortSignal): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getSecure : getPlain
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` }, signal }, resolve).once('error', reject)
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
