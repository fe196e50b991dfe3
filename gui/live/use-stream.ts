import { useEffect, useEffectEvent, useState } from 'react'
import type { LiveMessage, Query } from '#client/sluice.ts'
import type { StreamNews } from './stream-hub.ts'
import { watchStream } from './streams.ts'

/** State of the connection: undefined while connected or connecting for the first time. */
export type Connection = { readonly lostSince: number } | { readonly refused: number } | undefined

export interface StreamHandlers {
  /** Messages in batches, at most one a frame. */
  readonly onMessages: (messages: LiveMessage[]) => void
  /** The stream begins in the middle: read the state again. */
  readonly onRestart?: () => void
  /** The stream is complete. */
  readonly onEnd?: () => void
}

/** Watches a live stream while the component is mounted; nothing if `path` is undefined. */
export function useStream(path: string | undefined, handlers: StreamHandlers, query?: Query): Connection {
  const [connection, setConnection] = useState<Connection>()
  const onMessages = useEffectEvent(handlers.onMessages)
  const onRestart = useEffectEvent(() => handlers.onRestart?.())
  const onEnd = useEffectEvent(() => handlers.onEnd?.())
  const queryKey = query && JSON.stringify(query)

  useEffect(() => {
    if (path === undefined) return
    let waiting: LiveMessage[] = []
    let frame = 0
    const flush = () => {
      frame = 0
      const batch = waiting
      waiting = []
      if (batch.length > 0) onMessages(batch)
    }
    const onNews = (news: StreamNews) => {
      if (news.kind === 'messages') {
        waiting.push(...news.messages)
        frame ||= requestAnimationFrame(flush)
        return
      }
      if (news.kind === 'disconnected') setConnection({ lostSince: news.since })
      else setConnection(news.kind === 'refused' ? { refused: news.status } : undefined)
      if (news.kind === 'connected' && !news.resumed) onRestart()
      if (news.kind === 'ended') {
        flush()
        onEnd()
      }
    }
    const stop = watchStream({ path, ...(queryKey && { query: JSON.parse(queryKey) as Query }) }, onNews)
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [path, queryKey])
  return connection
}
