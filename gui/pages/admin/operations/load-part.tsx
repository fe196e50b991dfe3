import { useDocument } from '../../../api/queries.ts'
import type { Resource } from '../../../api/records.ts'
import { Tag } from '../../../components/chip/chip.tsx'
import { Loaded } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import type { FewColumns } from '../../../components/table/table.tsx'
import { duration } from '../../../components/time/format.ts'
import { load as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import { type FactColumn, FactTable } from '../fact-table.tsx'
import styles from '../part.module.css'

type Load = Resource<{
  readonly host: string
  readonly pid: number
  readonly username: string | null
  readonly of_steps: boolean
  readonly database_seconds: number
  readonly slow_lane: boolean
}>

/** Users who take most of the database's time. */
export default function LoadPart() {
  const query = useDocument<{ data: readonly Load[] }>('/api/admin/load', undefined, { every })
  return (
    <Loaded query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={texts.none}>{texts.noneDetail}</EmptyState>
        ) : (
          <FactTable label={texts.label} columns={columns} rows={data} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  )
}

const columns: FewColumns<FactColumn<Load>> = [
  {
    id: 'user',
    title: texts.columns.user,
    about: texts.about.user,
    cell: ({ attributes }) => (
      <span>
        <strong>{attributes.username ?? texts.deleted}</strong> {attributes.of_steps && <Tag>{texts.ofSteps}</Tag>}
      </span>
    ),
  },
  {
    id: 'process',
    title: texts.columns.process,
    about: texts.about.process,
    cell: ({ attributes: { host, pid } }) => <code>{`${host}:${pid}`}</code>,
  },
  {
    id: 'lane',
    title: texts.columns.lane,
    about: texts.about.lane,
    cell: ({ attributes }) =>
      attributes.slow_lane ? <span className={styles['warning']}>{texts.slow}</span> : texts.normal,
  },
  {
    id: 'seconds',
    title: texts.columns.seconds,
    about: texts.about.seconds,
    end: true,
    cell: ({ attributes }) => duration(attributes.database_seconds * 1_000),
  },
]
