import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { LiveMessage } from '#client/sluice.ts'
import { listKey } from '../../api/keys.ts'
import type { Document, NodeSummary, Resource } from '../../api/records.ts'
import { useStream } from '../../live/use-stream.ts'
import { type NodeNews, withNews } from './merge-nodes.ts'
import { nodesPath, nodesQuery } from './nodes.ts'

type Pages = InfiniteData<Document<Resource<NodeSummary>[]>>

/** Milliseconds between updates of the tree while many nodes change: a large one takes a while to be drawn. */
const pause = 200

/**
 * Keeps the tree of nodes current while the component is mounted: records of the stream take their places in the list
 * that was read once. It is read again only where messages may have been missed, or rights have changed.
 *
 * @param isFetching whether the list is being read: messages that arrive meanwhile may be newer than the answer
 */
export function useLiveNodes(isFetching: boolean): void {
  const cache = useQueryClient()
  const waiting = useRef(new Map<string, Resource<NodeSummary> | undefined>())
  const early = useRef(new Map<string, Resource<NodeSummary> | undefined>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const apply = (news: NodeNews) => {
    if (news.size === 0) return
    for (const withArchived of [false, true])
      cache.setQueryData<Pages>(
        listKey(nodesPath, nodesQuery(withArchived)),
        list => list && withNews(list, news, withArchived),
      )
  }
  const flush = () => {
    timer.current = undefined
    const news = waiting.current
    waiting.current = new Map()
    apply(news)
  }
  useEffect(() => {
    if (isFetching) return
    const news = early.current
    early.current = new Map()
    apply(news)
  })
  const readAgain = () => void cache.invalidateQueries({ queryKey: listKey(nodesPath) })
  useStream(`${nodesPath}/live`, {
    onMessages: messages => {
      if (messages.some(({ kind }) => kind === 'reset')) return readAgain()
      for (const [id, record] of newsOf(messages)) {
        waiting.current.set(id, record)
        if (isFetching) early.current.set(id, record)
      }
      timer.current ??= setTimeout(flush, pause)
    },
    onRestart: readAgain,
  })
}

/** The newest message of each node. */
function newsOf(messages: readonly LiveMessage[]): NodeNews {
  return new Map(
    messages.map(({ kind, data }) => {
      const record = data as Resource<NodeSummary>
      return [record.id, kind === 'gone' ? undefined : record]
    }),
  )
}
