import { useList } from '../../api/queries.ts'
import type { Event, Resource } from '../../api/records.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Column, FewColumns } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import type { PartProps } from './use-activity.ts'

/** Events of the activity and of its steps, the newest first. */
export function EventsTab({ kind, record }: PartProps) {
  const list = useList<'event'>('/api/events', {
    [kind.eventFilter]: record.id,
    'filter[sorts]': 'created_at desc',
    limit: 100,
  })
  return (
    <ListTable
      list={list}
      label={texts.tabs.events}
      columns={columns}
      empty={<EmptyState title={texts.noEvents}>{texts.noEventsDetail}</EmptyState>}
    >
      {table => <div className={styles['table']}>{table}</div>}
    </ListTable>
  )
}

const columns: FewColumns<Column<Resource<Event>>> = [
  {
    id: 'time',
    title: texts.eventColumns.time,
    width: '172px',
    narrow: '112px',
    cell: ({ attributes }) => <Time at={attributes.created_at} absolute />,
  },
  {
    id: 'event',
    title: texts.eventColumns.event,
    width: 'minmax(160px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes }) => <code>{attributes.type}</code>,
  },
  {
    id: 'subject',
    title: texts.eventColumns.subject,
    width: 'minmax(140px, 1.2fr)',
    cell: ({ attributes: { name, source_type: type } }) => (typeof name === 'string' ? name : type),
  },
  {
    id: 'user',
    title: texts.eventColumns.user,
    width: 'minmax(80px, 0.5fr)',
    cell: ({ attributes }) => attributes.username,
  },
]
