import type { LiveMessage, Query, Sluice } from '#client/sluice.ts'

/** Live stream of the API: its path with the query. */
export interface StreamName {
  readonly path: string
  readonly query?: Query
}

/** What a watcher of a stream receives. */
export type StreamNews =
  /** Connected; `resumed` is false if messages may have been missed, so that the watcher reads the state again. */
  | { readonly kind: 'connected'; readonly resumed: boolean }
  /** The connection is lost since `since` (milliseconds of Date.now) and is being retried. */
  | { readonly kind: 'disconnected'; readonly since: number }
  | { readonly kind: 'messages'; readonly messages: LiveMessage[] }
  /** The stream is complete: the activity has ended. */
  | { readonly kind: 'ended' }
  /** The service refused the stream with this status, such as 401 or 404. */
  | { readonly kind: 'refused'; readonly status: number }

export type Watcher = (news: StreamNews) => void

interface Stream {
  readonly watchers: Set<Watcher>
  readonly stop: AbortController
  /** The last news about the connection, for watchers that join later. */
  state: StreamNews | undefined
}

/** Milliseconds before a stream that nobody watches any more is closed: a reload or a change of page keeps it. */
const grace = 3_000
/** Milliseconds between attempts once the client has given up reconnecting. */
const pause = 5_000

/**
 * Holds each live stream once for all of its watchers, because a browser opens at most six connections to a host over
 * HTTP/1.1. A watcher that joins a running stream gets what comes from then on; it reads the state itself.
 */
export class StreamHub {
  readonly #client: () => Pick<Sluice, 'live'>
  readonly #streams = new Map<string, Stream>()

  constructor(client: () => Pick<Sluice, 'live'>) {
    this.#client = client
  }

  /** Watches a stream; returns how to stop. */
  watch(name: StreamName, watcher: Watcher): () => void {
    const key = JSON.stringify([name.path, name.query])
    const stream = this.#streams.get(key) ?? this.#open(key, name)
    stream.watchers.add(watcher)
    if (stream.state) watcher(stream.state.kind === 'connected' ? { kind: 'connected', resumed: false } : stream.state)
    return () => {
      stream.watchers.delete(watcher)
      setTimeout(() => {
        if (stream.watchers.size === 0) stream.stop.abort()
      }, grace)
    }
  }

  #open(key: string, name: StreamName): Stream {
    const stream: Stream = { watchers: new Set(), stop: new AbortController(), state: undefined }
    this.#streams.set(key, stream)
    stream.stop.signal.addEventListener('abort', () => this.#forget(key, stream))
    void this.#run(name, stream).finally(() => this.#forget(key, stream))
    return stream
  }

  #forget(key: string, stream: Stream): void {
    if (this.#streams.get(key) === stream) this.#streams.delete(key)
  }

  async #run({ path, query }: StreamName, stream: Stream): Promise<void> {
    const { signal } = stream.stop
    const send = (news: StreamNews) => {
      if (news.kind !== 'messages') stream.state = news
      for (const watcher of stream.watchers) watcher(news)
    }
    let since: number | undefined
    const sendLost = () => {
      since ??= Date.now()
      send({ kind: 'disconnected', since })
    }
    while (!signal.aborted) {
      let resumed = false
      const onConnection = (connected: boolean) => {
        if (!connected) return sendLost()
        send({ kind: 'connected', resumed })
        since = undefined
        resumed = true
      }
      try {
        const options = { stop: signal, retryFirst: true, onConnection }
        for await (const messages of this.#client().live(path, query, options)) send({ kind: 'messages', messages })
        if (!signal.aborted) send({ kind: 'ended' })
        return
      } catch (error) {
        const status = statusOf(error)
        if (status !== undefined && status < 500 && status !== 429) return send({ kind: 'refused', status })
        sendLost()
        await new Promise(resolve => setTimeout(resolve, pause))
      }
    }
  }
}

const statusOf = (error: unknown): number | undefined => (error as { status?: number }).status
