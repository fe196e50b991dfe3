import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Event, Resource } from '../../api/records.ts'
import { useStream } from '../../live/use-stream.ts'
import { type LiveEvents, noLiveEvents, withArrivals } from './merge-live.ts'
import { type AuditSearch, auditFilters, countFilters } from './search.ts'

type Row = Resource<Event>

/** Milliseconds between additions to the list while events arrive. */
const pause = 400
/** Ids that one request filters by. */
const most = 100
/** Arrivals after which the list is read anew, so that it does not grow without limit. */
const enough = 500

interface LiveList {
  readonly live: LiveEvents<Row>
  /** Tells whether the list is at its top, where arrivals are shown at once. */
  readonly setAtTop: (isAtTop: boolean) => void
}

/**
 * Events that are sealed while the list is open and match its filters, which the service evaluates.
 *
 * @param onRestart reads the list anew after a lost connection
 */
export function useLiveEvents(search: AuditSearch, onRestart: () => void): LiveList {
  const cache = useQueryClient()
  const [live, setLive] = useState<LiveEvents<Row>>(noLiveEvents)
  const filters = JSON.stringify(auditFilters(search))
  const [known, setKnown] = useState(filters)
  if (known !== filters) {
    setKnown(filters)
    setLive(noLiveEvents)
  }
  const current = useRef(filters)
  current.current = filters
  const isAtTop = useRef(true)
  const pending = useRef<Row[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const restart = () => {
    pending.current = []
    setLive(noLiveEvents)
    onRestart()
  }
  const add = async () => {
    timer.current = undefined
    const arrived = pending.current
    pending.current = []
    try {
      const matching = countFilters(search) === 0 ? arrived : await matchingOf(arrived, search)
      if (current.current === filters) setLive(before => withArrivals(before, matching, isAtTop.current))
    } catch {
      // The stream itself reports that the connection is lost; the list is complete again once it is read anew.
      restart()
    }
  }
  useStream('/api/events/live', {
    onMessages: messages => {
      const events = messages.map(({ data }) => data as Row)
      pending.current.push(...events)
      for (const { id } of events) void cache.invalidateQueries({ queryKey: recordKey(`/api/events/${id}`) })
      if (live.arrived.length > enough && isAtTop.current) restart()
      else timer.current ??= setTimeout(() => void add(), pause)
    },
    onRestart: restart,
  })
  const setAtTop = useCallback((now: boolean) => {
    isAtTop.current = now
    if (now) setLive(before => (before.held === 0 ? before : withArrivals(before, [], true)))
  }, [])
  return { live, setAtTop }
}

async function matchingOf(events: readonly Row[], search: AuditSearch): Promise<Row[]> {
  const found: Row[] = []
  for (let at = 0; at < events.length; at += most) {
    const ids = events.slice(at, at + most).map(({ id }) => id)
    const query = { ...auditFilters(search), 'filter[id_in][]': ids, limit: most }
    found.push(...(await sluice().list<Event>('/api/events', query)))
  }
  return found
}
