import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { isFinal, type LiveMessage } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Resource } from '../../api/records.ts'
import type { PartProps } from './use-activity.ts'

type Tree = Resource<{ readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }>

interface LineCounts {
  /** Number of lines of a step; undefined until the numbers have been read. */
  readonly of: ((id: string) => number) | undefined
  readonly error: unknown
  readonly retry: () => void
  /** Number of changes so far. */
  readonly version: number
}

/**
 * Numbers of lines that the steps of an activity have logged: those of the tree of steps, and those that the stream reports
 * from then on.
 *
 * @param onLines called with the messages of log lines
 */
export function useLineCounts(
  { kind, record, live }: PartProps,
  onLines: (messages: readonly LiveMessage[]) => void,
): LineCounts {
  const path = `${kind.path(record.id)}/tree`
  const isLive = !isFinal(record.attributes.status_code)
  const [streamed] = useState(() => new Map<string, number>())
  const [version, setVersion] = useState(0)
  const { data, error, refetch } = useQuery({
    // Read again once the activity has ended.
    queryKey: recordKey(path, { live: String(isLive) }),
    queryFn: async () => {
      const { columns, rows } = (await sluice().show<Tree['attributes']>(path)).attributes
      const [id, lines] = [columns.indexOf('id'), columns.indexOf('log_line_count')]
      return new Map(rows.map(row => [String(row[id]), Number(row[lines])]))
    },
    placeholderData: before => before,
    staleTime: 0,
  })
  const onMessages = useEffectEvent((messages: readonly LiveMessage[]) => {
    // The stream has begun in the middle.
    if (messages.length === 0) void refetch()
    for (const { data: lines, meta } of messages) {
      const step = (lines as readonly Resource<{ step_id?: string | null }>[])[0]?.attributes.step_id
      const first = meta?.['step_line']
      if (!step || typeof first !== 'number') continue
      streamed.set(step, Math.max(streamed.get(step) ?? 0, first + (lines as readonly unknown[]).length))
    }
    onLines(messages)
    setVersion(before => before + 1)
  })
  const { logNews } = live
  useEffect(() => (isLive ? logNews.listen(messages => onMessages(messages)) : undefined), [isLive, logNews])
  return {
    of: data && (id => Math.max(data.get(id) ?? 0, streamed.get(id) ?? 0)),
    error,
    retry: () => void refetch(),
    version: version + (data ? 1 : 0),
  }
}
