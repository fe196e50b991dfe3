import { fromJson } from '../json/from-json.ts'
import { Refused, Unreachable } from './refused.ts'
import { type Retries, withRetries } from './retries.ts'

/** Message of a live stream: its kind and one or several records. */
export interface LiveMessage {
  readonly kind: string
  readonly data: unknown
  /** Metadata of the records, such as the place of log lines in their log. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Opens the stream after the message with this id; without an id, from its beginning. */
export type Dial = (lastId: string | undefined) => Promise<Response>

export interface LiveOptions {
  readonly stop?: AbortSignal | undefined
  /** Whether the first connection is retried as well, for callers that know that the service exists. */
  readonly retryFirst?: boolean | undefined
  /**
   * Called with true when the stream is connected, and with false when its connection is lost or cannot be made. A new
   * stream is connected once the service has said where it begins: what is read then misses nothing before its messages.
   */
  readonly onConnection?: ((connected: boolean) => void) | undefined
}

/** Reconnects for a minute, within which a service restarts. */
const reconnecting: Retries = { initial: 250, maximum: 5_000, total: 60_000 }

/**
 * Reads a stream of server-sent events to its end, in batches as they arrive. A lost connection is resumed after the
 * last message, so that each message arrives exactly once; reconnecting is given up after a minute without a response.
 *
 * @throws the error of the first connection; of later ones after a minute, or at once if the service refuses
 */
export async function* liveMessages(
  dial: Dial,
  { stop, retryFirst = false, onConnection }: LiveOptions = {},
): AsyncGenerator<LiveMessage[]> {
  let lastId: string | undefined
  const connect = () =>
    dial(lastId).catch(error => {
      if (!stop?.aborted && isTransient(error)) onConnection?.(false)
      throw error
    })
  let answer = retryFirst ? await dialWithRetries(connect, isUnavailable, stop) : await connect()
  while (answer) {
    // 204: the stream is complete.
    if (answer.status === 204) return
    let isConnected = lastId !== undefined
    if (isConnected) onConnection?.(true)
    try {
      for await (const { id, messages } of batchesOf(answer)) {
        lastId = id ?? lastId
        if (!isConnected && lastId !== undefined) {
          isConnected = true
          onConnection?.(true)
        }
        if (messages.length > 0) yield messages
      }
    } catch (error) {
      if (stop?.aborted) return
      // fetch throws a TypeError, possibly of another realm, if the connection is lost.
      if ((error as Error).name !== 'TypeError') throw error
      onConnection?.(false)
    }
    answer = await dialWithRetries(connect, isTransient, stop)
  }
}

/** Connects with retries; returns undefined once `stop` is aborted. */
async function dialWithRetries(
  dial: () => Promise<Response>,
  isTransient: (error: unknown) => boolean,
  stop?: AbortSignal,
): Promise<Response | undefined> {
  if (stop?.aborted) return undefined
  return withRetries(dial, error => !stop?.aborted && isTransient(error), reconnecting, stop).catch(error => {
    if (stop?.aborted) return undefined
    throw error
  })
}

/** Whether the service is stopping or starting, or a proxy cannot reach it. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Refused && [502, 503, 504].includes(error.status))

/**
 * Whether a later attempt may succeed; includes the limit of streams, which only the first connection reports at once.
 */
const isTransient = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof Refused && error.status === 429)

async function* batchesOf(answer: Response): AsyncGenerator<{ id: string | undefined; messages: LiveMessage[] }> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of chunksOf(answer)) {
    const text = decoder.decode(bytes, { stream: true })
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
          : [{ kind: event, ...fromJson<Omit<LiveMessage, 'kind'>>(data) }],
      ),
    }
  }
}

/** Chunks of a body. By a reader, because Safari cannot iterate over streams. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value as Uint8Array
    }
  } finally {
    // Closes the connection if the consumer stops early.
    await reader.cancel().catch(() => {})
  }
}

function fieldsOf(block: string): { id?: string; event?: string; data?: string } {
  return Object.fromEntries(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
}
