import { useDocument } from '../../../api/queries.ts'
import type { Resource } from '../../../api/records.ts'
import { useColumns } from '../../../components/columns/use-columns.ts'
import { ListWithColumns } from '../../../components/list/list-with-columns.tsx'
import { Loaded } from '../../../components/state/query-states.tsx'
import { useNow } from '../../../components/time/clock.ts'
import { duration } from '../../../components/time/format.ts'
import { Time } from '../../../components/time/time.tsx'
import { general } from '../../../messages/general.ts'
import { workers as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import { type FactColumn, FactTable } from '../fact-table.tsx'
import styles from '../part.module.css'

interface FailingLoop {
  readonly loop: string
  readonly failures: number
  readonly failing_seconds: number
  readonly error: string
}

type Worker = Resource<{
  readonly role: string
  readonly site: string
  readonly host: string
  readonly pid: number
  readonly release: string
  readonly schema_version: number | null
  readonly started_at: string
  readonly heartbeat_at: string
  readonly failing_loops: readonly FailingLoop[]
}>

/** Processes of the service with their failing background work. */
export default function WorkersPart() {
  const query = useDocument<{ data: readonly Worker[] }>('/api/admin/workers', undefined, { every })
  const columns = useColumns('workers', workerColumns)
  return (
    <Loaded query={query}>
      {({ data }) => (
        <ListWithColumns columns={columns} className={styles['stack']}>
          <FactTable label={texts.label} columns={columns} rows={data} keyOf={({ id }) => id} />
        </ListWithColumns>
      )}
    </Loaded>
  )
}

/** Milliseconds without a heartbeat after which a process counts as ended; a poll may be as old as its pause. */
const silentAfter = 30_000 + every

/** Time of the last heartbeat; one that is too old stands out. */
function Heartbeat({ at }: { at: string }) {
  const isSilent = useNow() - Date.parse(at) > silentAfter
  return (
    <span className={isSilent ? styles['warning'] : undefined}>
      <Time at={at} /> {isSilent && texts.silent}
    </span>
  )
}

function Loops({ loops }: { loops: readonly FailingLoop[] }) {
  if (loops.length === 0) return texts.fine
  return (
    <ul className={styles['stack']}>
      {loops.map(({ loop, failures, failing_seconds: seconds, error }) => (
        <li key={loop}>
          <strong className={styles['failed']}>{texts.failing(loop, failures)}</strong>{' '}
          {texts.failingFor(duration(seconds * 1_000))}
          <p className={styles['soft']}>{error}</p>
        </li>
      ))}
    </ul>
  )
}

const workerColumns: readonly FactColumn<Worker>[] = [
  {
    id: 'process',
    isFixed: true,
    title: texts.columns.process,
    about: texts.about.process,
    cell: ({ attributes: { host, pid } }) => <code>{`${host}:${pid}`}</code>,
  },
  { id: 'role', title: texts.columns.role, about: texts.about.role, cell: ({ attributes }) => attributes.role },
  { id: 'site', title: texts.columns.site, cell: ({ attributes }) => attributes.site },
  { id: 'release', title: texts.columns.release, cell: ({ attributes }) => attributes.release },
  {
    id: 'schema',
    title: texts.columns.schema,
    about: texts.about.schema,
    cell: ({ attributes }) => attributes.schema_version ?? general.none,
  },
  { id: 'started', title: texts.columns.started, cell: ({ attributes }) => <Time at={attributes.started_at} /> },
  {
    id: 'heartbeat',
    title: texts.columns.heartbeat,
    about: texts.about.heartbeat,
    cell: ({ attributes }) => <Heartbeat at={attributes.heartbeat_at} />,
  },
  {
    id: 'loops',
    title: texts.columns.loops,
    about: texts.about.loops,
    cell: ({ attributes }) => <Loops loops={attributes.failing_loops} />,
  },
]
