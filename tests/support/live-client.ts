import assert from 'node:assert/strict'
import { basicOf } from './api.ts'
import { passwordOf } from './service.ts'

export interface LiveMessage {
  readonly kind: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read records of every type
  readonly data: any
}

export interface LiveClient {
  readonly status: number
  readonly headers: Headers
  /** All received messages, in order. */
  readonly messages: readonly LiveMessage[]
  /** Last id received: what a browser sends when it reconnects. */
  readonly lastId: string | undefined
  /** Waits until the received messages are as wanted; fails when the stream ends before, or after a minute. */
  until(isSo: (messages: readonly LiveMessage[]) => boolean): Promise<readonly LiveMessage[]>
  /** Waits until the service ends the stream. */
  ended(): Promise<readonly LiveMessage[]>
  close(): void
}

export interface LiveAsk {
  readonly username?: string
  readonly authorization?: string
  readonly lastEventId?: string | undefined
}

/** Follows a stream of server-sent events as a browser's EventSource does. */
export async function follow(address: string, path: string, asked: LiveAsk = {}): Promise<LiveClient> {
  const { username = 'admin', lastEventId } = asked
  const stop = new AbortController()
  const response = await fetch(`${address}${path}`, {
    signal: stop.signal,
    headers: {
      accept: 'text/event-stream',
      authorization: asked.authorization ?? basicOf(username, passwordOf(username)),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  })
  const messages: LiveMessage[] = []
  let lastId = lastEventId
  let over = false
  let heard = () => {}

  const take = (block: string) => {
    const fields = block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    const of = (name: string) => fields.find(([field]) => field === name)?.[1]
    const [id, kind, data] = [of('id'), of('event'), of('data')]
    lastId = id ?? lastId
    if (kind !== undefined && data !== undefined) messages.push({ kind, id, data: JSON.parse(data) })
  }
  const reading = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      const blocks = (text + decoder.decode(bytes, { stream: true })).split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) take(block)
      heard()
    }
  })()
    .catch((error: Error) => {
      // Closed by the test or the service: messages received until then count.
      if (!stop.signal.aborted && error.message !== 'terminated') throw error
    })
    .finally(() => {
      over = true
      heard()
    })

  const waitFor = async (isSo: () => boolean, what: string) => {
    const signal = AbortSignal.timeout(60_000)
    signal.addEventListener('abort', () => heard())
    while (!isSo() && !signal.aborted) await new Promise<void>(resolve => (heard = resolve))
    assert.ok(isSo(), `${what}: not within a minute; the last messages: ${JSON.stringify(messages.slice(-5))}`)
  }
  return {
    status: response.status,
    headers: response.headers,
    messages,
    get lastId() {
      return lastId
    },
    until: async isSo => {
      await waitFor(() => isSo(messages) || over, 'what was waited for')
      assert.ok(isSo(messages), `the stream ended before; the last messages: ${JSON.stringify(messages.slice(-5))}`)
      return messages
    },
    ended: async () => {
      await waitFor(() => over, 'the end')
      await reading
      return messages
    },
    close: () => stop.abort(),
  }
}

/** Records of a kind, in the order of arrival. */
export const recordsIn = (messages: readonly LiveMessage[], kind: string) =>
  messages.filter(message => message.kind === kind).map(({ data }) => data.data)

/** Full path and status of each received step. */
export const stepsIn = (messages: readonly LiveMessage[]): [string, string][] =>
  recordsIn(messages, 'step').map(({ attributes }) => [attributes.full_path, attributes.status_code])

/** Output of steps, in the order of arrival. */
export const linesIn = (messages: readonly LiveMessage[]) =>
  recordsIn(messages, 'log_lines')
    .flat()
    .filter(({ attributes }) => ['stdout', 'stderr'].includes(attributes.category))
