import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useList } from '../../api/queries.ts'
import type { Event, Resource } from '../../api/records.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Column, FewColumns } from '../../components/table/table.tsx'
import { activity as texts } from '../../messages/activity.ts'
import { eventOfActivityColumn, recordColumn, timeColumn, userColumn } from '../audit/event-columns.tsx'
import { EventSheet } from '../audit/event-sheet.tsx'
import styles from './activity-page.module.css'
import type { PartProps } from './use-activity.ts'

/** Events of the activity and of its steps, the newest first; a row opens its event. */
export function EventsTab({ kind, record }: PartProps) {
  const { event } = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const close = useCallback(
    () => void navigate({ search: ({ event: _, ...rest }) => rest, replace: true, resetScroll: false }),
    [navigate],
  )
  const list = useList<'event'>('/api/events', {
    [kind.eventFilter]: record.id,
    'filter[sorts]': 'created_at desc',
    limit: 100,
  })
  return (
    <>
      <ListTable
        list={list}
        label={texts.tabs.events}
        columns={columns}
        narrowLines={2}
        empty={<EmptyState title={texts.noEvents}>{texts.noEventsDetail}</EmptyState>}
      >
        {table => <div className={styles['table']}>{table}</div>}
      </ListTable>
      {event !== undefined && <EventSheet id={event} onClose={close} />}
    </>
  )
}

const columns: FewColumns<Column<Resource<Event>>> = [eventOfActivityColumn, userColumn, recordColumn, timeColumn]
