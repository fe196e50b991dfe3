import { Link } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import type { Event, Resource } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { ListWithColumns } from '../../components/list/list-with-columns.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { type Column, rowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { approvals as texts } from '../../messages/approvals.ts'
import { general } from '../../messages/general.ts'

/** Milliseconds between reads, for decisions that the user makes elsewhere: no stream reports them. */
const every = 5_000

/** What the user has decided, from the audit trail; the newest first. */
export function Decided() {
  const { username } = useMe().attributes
  const list = useList<'event'>(
    '/api/events',
    {
      'filter[type_start]': 'audit:steps:',
      'filter[username_eq]': username,
      // Without it, the newest are listed last.
      'filter[sorts]': 'created_at desc',
      limit: 100,
    },
    { every },
  )
  const columns = useColumns('decisions', decisionColumns)
  return (
    <ListTable
      list={list}
      label={texts.views.decided}
      columns={columns}
      empty={<EmptyState title={texts.nothingDecided} />}
    >
      {table => <ListWithColumns columns={columns}>{table}</ListWithColumns>}
    </ListTable>
  )
}

type Row = Resource<Event>

const decisionOf = (type: string): string => {
  const decision = type.replace('audit:steps:', '')
  return (texts.decisions as Readonly<Record<string, string>>)[decision] ?? decision
}

const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : general.none)

const decisionColumns: readonly Column<Row>[] = [
  {
    id: 'step',
    isFixed: true,
    title: texts.columns.step,
    width: 'minmax(120px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes }) => {
      const name = textOf(attributes['full_path'] ?? attributes.name)
      const activity = attributes['change_id'] ?? attributes['workflow_run_id']
      return typeof activity === 'string' ? (
        <Link to="/activities/$id" params={{ id: activity }} className={rowLink}>
          {name}
        </Link>
      ) : (
        name
      )
    },
  },
  {
    id: 'decision',
    title: texts.columns.decision,
    width: '180px',
    narrow: '96px',
    cell: ({ attributes }) => decisionOf(attributes.type),
  },
  {
    id: 'target',
    title: texts.columns.target,
    width: 'minmax(140px, 1fr)',
    cell: ({ attributes }) => <NodePath path={attributes.node_path} line />,
  },
  {
    id: 'message',
    title: texts.columns.message,
    width: 'minmax(120px, 1fr)',
    cell: ({ attributes }) => textOf(attributes['reason'] ?? attributes['request_body_message']),
  },
  {
    id: 'time',
    title: texts.columns.time,
    width: '140px',
    narrow: '104px',
    cell: ({ attributes }) => <Time at={attributes.created_at} />,
  },
]
