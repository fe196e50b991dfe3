import { useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useList } from '../../api/queries.ts'
import type { Artefact, Resource } from '../../api/records.ts'
import { useColumns } from '../../components/columns/use-columns.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { ListWithColumns } from '../../components/list/list-with-columns.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { type Column, rowLink } from '../../components/table/table.tsx'
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
  const list = useList<'artefact'>(`${path}/artefacts`, { limit: 100 })
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
  const columns = useColumns('artefacts', [...artefactColumns, writer])
  return (
    <ListTable
      list={list}
      label={texts.tabs.artefacts}
      columns={columns}
      skeleton={4}
      empty={<EmptyState title={texts.noArtefacts}>{texts.noArtefactsDetail}</EmptyState>}
    >
      {table => (
        <ListWithColumns columns={columns} className={styles['listed']}>
          <div className={styles['table']}>{table}</div>
        </ListWithColumns>
      )}
    </ListTable>
  )
}

const artefactColumns: readonly Column<Resource<Artefact>>[] = [
  {
    id: 'name',
    isFixed: true,
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
