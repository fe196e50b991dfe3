import { useEffect, useEffectEvent } from 'react'
import type { LiveMessage, Query } from '#client/sluice.ts'
import { noteLost } from './lost.ts'
import type { StreamNews } from './stream-hub.ts'
import { watchStream } from './streams.ts'

export interface StreamHandlers {
  /** Messages in batches, at most one a frame. */
  readonly onMessages: (messages: LiveMessage[]) => void
  /** The stream begins in the middle: read the state again. */
  readonly onRestart?: () => void
  /** The stream is complete. */
  readonly onEnd?: () => void
}

/**
 * Watches a live stream while the component is mounted; nothing if `path` is undefined. The frame of the page says when
 * it is not connected.
 */
export function useStream(path: string | undefined, handlers: StreamHandlers, query?: Query): void {
  const onMessages = useEffectEvent(handlers.onMessages)
  const onRestart = useEffectEvent(() => handlers.onRestart?.())
  const onEnd = useEffectEvent(() => handlers.onEnd?.())
  const queryKey = query && JSON.stringify(query)

  useEffect(() => {
    if (path === undefined) return
    let waiting: LiveMessage[] = []
    let frame = 0
    const stream = Symbol(path)
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
      noteLost(stream, news.kind === 'disconnected' ? news.since : undefined)
      if (news.kind === 'connected' && !news.resumed) onRestart()
      if (news.kind === 'ended') {
        flush()
        onEnd()
      }
    }
    const stop = watchStream({ path, ...(queryKey && { query: JSON.parse(queryKey) as Query }) }, onNews)
    return () => {
      stop()
      noteLost(stream, undefined)
      cancelAnimationFrame(frame)
    }
  }, [path, queryKey])
}
