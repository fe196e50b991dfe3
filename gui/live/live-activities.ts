import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listKey, recordKey } from '../api/keys.ts'
import type { Resource } from '../api/records.ts'
import { useStream } from './use-stream.ts'

/** Milliseconds between refreshes of lists while activities change. */
const pause = 400

/** Lists and reports that change when an activity does. */
const affectedLists = ['/api/activities', '/api/waiting_steps', '/api/summary']

/**
 * Keeps records and lists of activities current while the component is mounted: records are replaced at once, lists that
 * are shown are fetched again at most every 400 ms.
 */
export function useLiveActivities(): void {
  const cache = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      // A tab that was hidden meanwhile reads them once when it is shown again: its stream begins anew then.
      if (document.visibilityState === 'hidden') return
      for (const path of affectedLists) {
        void cache.invalidateQueries({ queryKey: listKey(path) })
        void cache.invalidateQueries({ queryKey: recordKey(path) })
      }
    }, pause)
  }
  useStream('/api/activities/live', {
    onMessages: messages => {
      for (const { data } of messages) {
        const record = data as Resource<{ updated_at: string }>
        const path = record.links?.['self']
        if (!path) continue
        cache.setQueriesData<Resource<{ updated_at: string }>>({ queryKey: recordKey(path) }, known =>
          known && known.attributes.updated_at > record.attributes.updated_at
            ? known
            : known && { ...known, ...record },
        )
      }
      refresh()
    },
    onRestart: refresh,
  })
}
