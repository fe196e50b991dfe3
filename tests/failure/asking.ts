import { setTimeout as pause } from 'node:timers/promises'

/** Body and headers of a request. */
export interface Given {
  /** Idempotency-Key. */
  readonly key?: string
  readonly attributes?: object
  readonly relationships?: object
}

/** Refusal by the service. */
export class Refused extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The request timed out: the machine was suspended meanwhile. */
const tooSlow = 408
/** Response to the first attempt of the same request, if the service died before sending it. */
const underWay = 'key-in-flight'

/**
 * Sends a request until it gets a response; the service may be down meanwhile.
 *
 * @param at address of the service for each attempt, from 1
 * @throws Refused when the response is an error
 */
export async function askUntilAnswered(
  at: (tries: number) => string,
  password: string,
  { method, path, given }: { readonly method: string; readonly path: string; readonly given: Given },
): Promise<unknown> {
  const { key, ...data } = given
  const basic = Buffer.from(`admin:${password}`).toString('base64')
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${at(tries)}${path}`, {
      method,
      headers: {
        authorization: `Basic ${basic}`,
        ...(given.attributes && { 'content-type': 'application/vnd.api+json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(given.attributes && { body: JSON.stringify({ data }) }),
    }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    const answered = answer && answer.status < 500 && answer.status !== tooSlow && !text?.includes(underWay)
    if (answered && text !== undefined) {
      if (answer.status >= 400) throw new Refused(`${method} ${path}: ${answer.status} ${text}`, answer.status)
      return text === '' ? undefined : JSON.parse(text)
    }
    if (tries === 1_200) throw new Error(`${method} ${path} was not answered; last: ${answer?.status} ${text}`)
    await pause(100)
  }
}
