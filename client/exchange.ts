import { fromJson } from '../json/from-json.ts'
import { type Fault, Refused, Unreachable } from './refused.ts'

export const jsonApi = 'application/vnd.api+json'

/** One request, and its answer unless that is a refusal. */
export async function exchange(
  url: string,
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<{ text: string; headers: Headers }> {
  const answer = await answered(url, method, target, {
    headers: { accept: jsonApi, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { text: await answer.text(), headers: answer.headers }
}

/** The same, of which the body has yet to come. */
export async function answered(url: string, method: string, target: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(new URL(target, url), { method, ...init }).catch(error => {
    throw new Unreachable(`${url} cannot be reached: ${reasonOf(error)}`, { cause: error })
  })
  if (answer.status >= 400) throw new Refused(method, target, answer.status, faultsIn(await answer.text()))
  return answer
}

/** fetch says "fetch failed"; what failed stands in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.message || cause?.code || message
}

function faultsIn(text: string): Fault[] {
  try {
    return (fromJson(text) as { errors?: Fault[] }).errors ?? [{ detail: text.slice(0, 500) }]
  } catch {
    // Not from the service itself: a proxy's page, most often.
    return [{ detail: text.slice(0, 500) }]
  }
}
