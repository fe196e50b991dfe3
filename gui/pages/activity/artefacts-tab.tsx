import { useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useList } from '../../api/queries.ts'
import type { Artefact, Resource } from '../../api/records.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { type Column, rowLink, Table } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import { byteSize } from './byte-size.ts'
import { relatedIds } from './related.ts'
import { stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'

/** Files that the steps of a change have kept, or those of the chosen step. */
export function ArtefactsTab({ kind, record, live }: PartProps) {
  const { step } = useSearch({ from: '/activities/$id' })
  const path = step === undefined ? kind.path(record.id) : kind.stepPath(step)
  const { records, query } = useList<'artefact'>(`${path}/artefacts`, { limit: 100 })
  if (query.isPending) return <Skeleton rows={4} />
  if (query.isError && records.length === 0)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (records.length === 0) return <EmptyState title={texts.noArtefacts}>{texts.noArtefactsDetail}</EmptyState>
  const writer: Column<Resource<Artefact>> = {
    id: 'step',
    title: texts.artefactColumns.step,
    width: 'minmax(100px, 0.8fr)',
    cell: artefact => {
      const [id = ''] = relatedIds(artefact, 'step')
      const by = live.steps.get(id)
      return by && stepName(by)
    },
  }
  return (
    <div className={styles['table']}>
      <Table
        label={texts.tabs.artefacts}
        columns={[...columns, writer]}
        rows={records}
        keyOf={({ id }) => id}
        hasMore={query.hasNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </div>
  )
}

const columns: readonly Column<Resource<Artefact>>[] = [
  {
    id: 'name',
    title: texts.artefactColumns.name,
    width: 'minmax(160px, 1.4fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes, links }) => (
      <a className={`${rowLink} ${styles['file']}`} href={links?.['content']} download>
        <Download size={15} aria-hidden />
        {attributes.name}
      </a>
    ),
  },
  {
    id: 'type',
    title: texts.artefactColumns.type,
    width: 'minmax(100px, 0.8fr)',
    cell: ({ attributes }) => attributes.content_type,
  },
  {
    id: 'size',
    title: texts.artefactColumns.size,
    width: '88px',
    narrow: '80px',
    align: 'end',
    cell: ({ attributes }) => byteSize(attributes.byte_size),
  },
  {
    id: 'created',
    title: texts.artefactColumns.created,
    width: '132px',
    cell: ({ attributes }) => <Time at={attributes.created_at} />,
  },
]
