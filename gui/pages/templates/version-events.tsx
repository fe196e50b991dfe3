import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useList } from '../../api/queries.ts'
import type { Event, Resource } from '../../api/records.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Column, FewColumns } from '../../components/table/table.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { eventOfActivityColumn, timeColumn, userColumn } from '../audit/event-columns.tsx'
import { EventSheet } from '../audit/event-sheet.tsx'

const from = '/templates/$project/$code/$version'

const columns: FewColumns<Column<Resource<Event>>> = [eventOfActivityColumn, userColumn, timeColumn]

interface VersionEventsProps {
  readonly versionId: string
  /** Milliseconds between reads. */
  readonly every: number
}

/** Events of a version, the newest first; a row opens its event. */
export default function VersionEvents({ versionId, every }: VersionEventsProps) {
  const { event } = useSearch({ from })
  const navigate = useNavigate({ from })
  const close = useCallback(() => void navigate({ search: {}, replace: true, resetScroll: false }), [navigate])
  const list = useList<'event'>(
    '/api/events',
    { 'filter[source_id_eq]': versionId, 'filter[sorts]': 'created_at desc', limit: 50 },
    { every },
  )
  return (
    <>
      <ListTable
        list={list}
        label={texts.events}
        columns={columns}
        narrowLines={2}
        empty={<EmptyState title={texts.noEvents}>{texts.noEventsDetail}</EmptyState>}
      />
      {event !== undefined && <EventSheet id={event} onClose={close} />}
    </>
  )
}
