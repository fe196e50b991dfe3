import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isFinal, type LiveMessage } from '#client/sluice.ts'
import { stepTreeOptions } from './step-tree-query.ts'
import type { PartProps } from './use-activity.ts'

/** Numbers of lines in the sections of a log. */
export interface LineCounts {
  /** Number of lines of a step; undefined until the numbers have been read. */
  readonly of: ((id: string) => number) | undefined
  readonly error: unknown
  readonly retry: () => void
  /** Number of changes so far. */
  readonly version: number
}

/** Tree of an activity as the page has read it; read again once the activity has ended. */
export function useStepTree({ kind, record }: PartProps) {
  const reading = useQuery(stepTreeOptions(kind, record.id))
  const { refetch } = reading
  const isLive = !isFinal(record.attributes.status_code)
  const wasLive = useRef(isLive)
  useEffect(() => {
    if (wasLive.current && !isLive) void refetch()
    wasLive.current = isLive
  }, [isLive, refetch])
  return reading
}

/**
 * Numbers of lines that the steps of a change have logged: those of the tree of steps, and those that the stream has
 * reported since.
 *
 * @param onLines called with the messages of log lines
 */
export function useLineCounts(part: PartProps, onLines: (messages: readonly LiveMessage[]) => void): LineCounts {
  const { live, record } = part
  const { logNews, streamedLines } = live
  const isLive = !isFinal(record.attributes.status_code)
  const { data, dataUpdatedAt, error, refetch } = useStepTree(part)
  const [version, setVersion] = useState(0)
  const onMessages = useEffectEvent((messages: readonly LiveMessage[]) => {
    onLines(messages)
    setVersion(before => before + 1)
  })
  useEffect(() => (isLive ? logNews.listen(messages => onMessages(messages)) : undefined), [isLive, logNews])
  return {
    of: data && (id => Math.max(data.lines.get(id) ?? 0, streamedLines.get(id) ?? 0)),
    error,
    retry: () => void refetch(),
    version: version + dataUpdatedAt,
  }
}
