import { fromJson } from '../json/from-json.ts'
import { type Patience, patiently } from './patience.ts'
import { Refused, Unreachable } from './refused.ts'

/** One message of a live stream: its kind, and a record or several in the form of lists. */
export interface LiveMessage {
  readonly kind: string
  readonly data: unknown
}

/** Opens the stream behind the message with this id; behind none, from its beginning. */
export type Dial = (lastId: string | undefined) => Promise<Response>

/** Without any answer for so long nobody is waited for any more; a service starts again within it. */
const patience: Patience = { first: 250, longest: 5_000, inAll: 60_000 }

/**
 * Reads a stream of server-sent events to its end, in batches as they arrive. A stream that breaks is dialled again
 * behind its last message, so that each comes once; while nobody answers, for a minute.
 *
 * @param patient waits for the first answer as for later ones
 * @throws what the first dial throws at once; later ones after that minute, and at once where the answer is a refusal
 */
export async function* liveMessages(dial: Dial, stop?: AbortSignal, patient = false): AsyncGenerator<LiveMessage[]> {
  let lastId: string | undefined
  let answer = patient ? await dialledUntil(() => dial(undefined), isAway, stop) : await dial(undefined)
  while (answer) {
    // The service says so when there is nothing left to come.
    if (answer.status === 204) return
    try {
      for await (const { id, messages } of batchesOf(answer)) {
        lastId = id ?? lastId
        if (messages.length > 0) yield messages
      }
    } catch (error) {
      if (stop?.aborted) return
      if (!(error instanceof TypeError)) throw error
      // fetch says so of a connection that broke.
    }
    answer = await dialledUntil(() => dial(lastId), passes, stop)
  }
}

/** Undefined where nobody wants it any more. */
async function dialledUntil(
  dial: () => Promise<Response>,
  passes: (error: unknown) => boolean,
  stop?: AbortSignal,
): Promise<Response | undefined> {
  if (stop?.aborted) return undefined
  return patiently(dial, error => !stop?.aborted && passes(error), patience, stop).catch(error => {
    if (stop?.aborted) return undefined
    throw error
  })
}

/** A service that stops or starts, or a proxy before it. */
const isAway = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Refused && [502, 503, 504].includes(error.status))

/** Or too many streams at this moment, which whoever has none yet hears of at once. */
const passes = (error: unknown): boolean => isAway(error) || (error instanceof Refused && error.status === 429)

async function* batchesOf(answer: Response): AsyncGenerator<{ id: string | undefined; messages: LiveMessage[] }> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of answer.body ?? []) {
    const text = decoder.decode(bytes as Uint8Array, { stream: true })
    const end = text.includes('\n') ? (rest + text).lastIndexOf('\n\n') : -1
    if (end < 0) {
      rest += text
      continue
    }
    const blocks = (rest + text).slice(0, end).split('\n\n').map(fieldsOf)
    rest = (rest + text).slice(end + 2)
    yield {
      id: blocks.findLast(({ id }) => id !== undefined)?.id,
      messages: blocks.flatMap(({ event, data }) =>
        event === undefined || data === undefined
          ? []
          : [{ kind: event, data: fromJson<{ data: unknown }>(data).data }],
      ),
    }
  }
}

function fieldsOf(block: string): { id?: string; event?: string; data?: string } {
  return Object.fromEntries(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
}
