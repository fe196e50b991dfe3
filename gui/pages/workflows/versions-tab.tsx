import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isPermitted } from '../../api/permitted.ts'
import { useList, useRecord } from '../../api/queries.ts'
import type { Resource, Workflow, WorkflowVersion } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { Diff } from '../../components/diff/diff.tsx'
import { Select } from '../../components/field/field.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { ListWithColumns } from '../../components/list/list-with-columns.tsx'
import { Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import type { Column } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { workflowVersions as texts, workflows } from '../../messages/workflows.ts'
import { ReuseDialog } from './reuse-dialog.tsx'
import { comparedVersions } from './versions.ts'
import styles from './workflow-page.module.css'

type Row = Resource<WorkflowVersion>

interface VersionsTabProps {
  /** Path of the workflow in the API. */
  readonly path: string
  readonly workflow: Resource<Workflow>
}

/** Versions of a workflow, and the differences between any two of them. */
export function VersionsTab({ path, workflow }: VersionsTabProps) {
  const search = useSearch({ from: '/workflows/$project/$code' })
  const navigate = useNavigate({ from: '/workflows/$project/$code' })
  const list = useList<'workflow_version'>(`${path}/versions`, { limit: 200 })
  const { records, query } = list
  const [reused, setReused] = useState<number>()
  const columns = useColumns('workflow_versions', columnsOf(workflow, setReused))
  const compared = comparedVersions(
    records.map(({ attributes }) => attributes),
    search,
  )
  const compare = (from: number, to: number) =>
    void navigate({ search: { tab: 'versions', version: to, against: from }, replace: true })

  if (records.length === 0 && !query.isSuccess) return <Unread query={query} skeleton={6} />
  const options = records.map(
    ({ attributes: { version, draft } }) => [String(version), texts.versionLabel(version, draft)] as const,
  )
  return (
    <div className={styles['versions']}>
      <ListWithColumns columns={columns}>
        <div className={styles['versionTable']}>
          <ListTable list={list} label={texts.tableLabel} columns={columns} narrowLines={2} empty={null} />
        </div>
      </ListWithColumns>
      <Panel title={texts.compare}>
        {compared ? (
          <>
            <div className={styles['choice']}>
              <Select
                label={texts.from}
                value={String(compared.from)}
                onChange={from => compare(Number(from), compared.to)}
                options={options}
              />
              <Select
                label={texts.to}
                value={String(compared.to)}
                onChange={to => compare(compared.from, Number(to))}
                options={options}
              />
            </div>
            <Comparison path={path} from={compared.from} to={compared.to} />
          </>
        ) : (
          <p className={styles['soft']}>{texts.single}</p>
        )}
      </Panel>
      {reused !== undefined && <ReuseDialog path={path} version={reused} onClose={() => setReused(undefined)} />}
    </div>
  )
}

const columnsOf = (workflow: Resource<Workflow>, onReuse: (version: number) => void): readonly Column<Row>[] => {
  const { latest_published_version: current, latest_version: newest, archived } = workflow.attributes
  const path = workflow.links?.['self']?.replace(/^\/api/, '') ?? ''
  const whyNot = archived
    ? workflows.isArchived
    : isPermitted(workflow, 'update')
      ? undefined
      : workflows.needsUpdate(path)
  return [
    {
      id: 'version',
      isFixed: true,
      title: texts.columns.version,
      width: 'minmax(180px, 1fr)',
      narrow: 'minmax(0, 1fr)',
      cell: ({ attributes: { version, draft } }) => (
        <span className={styles['version']}>
          <strong>{workflows.version(version)}</strong>
          <Tag>{draft ? texts.draft : version === current ? texts.current : texts.published}</Tag>
        </span>
      ),
    },
    {
      id: 'user',
      title: texts.columns.createdBy,
      width: 'minmax(90px, 0.8fr)',
      cell: ({ attributes }) => attributes.created_by,
    },
    {
      id: 'created',
      title: texts.columns.created,
      width: '140px',
      cell: ({ attributes }) => <Time at={attributes.created_at} />,
    },
    {
      id: 'published',
      title: texts.columns.published,
      width: '140px',
      cell: ({ attributes }) => <Time at={attributes.published_at} />,
    },
    {
      id: 'reuse',
      isFixed: true,
      name: texts.reuse,
      title: <span className="visually-hidden">{texts.reuse}</span>,
      width: '140px',
      narrow: '132px',
      align: 'end',
      cell: ({ attributes: { version } }) =>
        version !== newest && (
          <Button size="small" variant="quiet" disabledReason={whyNot} onClick={() => onReuse(version)}>
            {texts.reuse}
          </Button>
        ),
    },
  ]
}

function Comparison({ path, from, to }: { path: string; from: number; to: number }) {
  const [before, after] = [
    useRecord<'workflow_version'>(`${path}/versions/${from}`),
    useRecord<'workflow_version'>(`${path}/versions/${to}`),
  ]
  if (before.data === undefined) return <Unread query={before} />
  if (after.data === undefined) return <Unread query={after} />
  const [one, other] = [before.data.attributes, after.data.attributes]
  if (one.source_yaml === other.source_yaml) return <p className={styles['soft']}>{texts.same}</p>
  return (
    <Diff
      before={one.source_yaml}
      after={other.source_yaml}
      beforeLabel={texts.versionLabel(one.version, one.draft)}
      afterLabel={texts.versionLabel(other.version, other.draft)}
      language="yaml"
    />
  )
}
