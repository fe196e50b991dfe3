import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../api/queries.ts'
import type { Resource, Workflow } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Chip, Tag } from '../../components/chip/chip.tsx'
import { ColumnsButton } from '../../components/columns/columns-button.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { FilterBar, ListFrame, NothingMatches } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { aboveRowLink, type Column, rowLink } from '../../components/table/table.tsx'
import { useLiveActivities } from '../../live/live-activities.ts'
import { workflows as texts } from '../../messages/workflows.ts'
import { useWhyNotCreate } from '../projects/use-why-not-create.ts'
import { CreateWorkflow } from './create-workflow.tsx'
import { filterWords } from './filter-words.ts'
import { LastRun } from './last-run.tsx'
import {
  hasWorkflowFilters,
  readWorkflowListSearch,
  type WorkflowListSearch,
  workflowListPath,
  workflowQuery,
} from './search.ts'
import { projectCode } from './workflow-path.ts'
import styles from './workflows-page.module.css'

type Changes = { readonly [Name in keyof WorkflowListSearch]?: WorkflowListSearch[Name] | undefined }

/** Table of all workflows that the user may read. */
export function WorkflowsPage() {
  const search = useSearch({ from: '/workflows' })
  const navigate = useNavigate({ from: '/workflows' })
  const [isCreating, setCreating] = useState(false)
  const whyNotCreate = useWhyNotCreate('workflows', texts.noProject)
  const list = useList<'workflow'>(workflowListPath(search), workflowQuery(search))
  useLiveActivities()
  const columns = useColumns('workflows', workflowColumns)
  const change = (more: Changes) =>
    void navigate({ search: { ...readWorkflowListSearch({ ...search, ...more }) }, replace: true })
  const clear = () =>
    void navigate({ search: { ...readWorkflowListSearch({ columns: search.columns }) }, replace: true })

  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <ColumnsButton columns={columns} />
          <Button variant="primary" disabledReason={whyNotCreate} onClick={() => setCreating(true)}>
            <Plus size={16} aria-hidden />
            {texts.create}
          </Button>
        </>
      }
      commands={[
        listCommand(
          'workflows',
          workflowQuery(search),
          search.project === undefined ? undefined : `/projects/${search.project}`,
        ),
      ]}
      fill
    >
      <ListFrame
        filters={<Filters search={search} onChange={change} />}
        row={
          <FilterRow
            list={list}
            path={workflowListPath(search)}
            query={workflowQuery(search)}
            noun={texts.noun}
            search={search}
            words={filterWords}
            onChange={change}
            onClear={clear}
          />
        }
      >
        <ListTable
          list={list}
          label={texts.tableLabel}
          columns={columns}
          narrowLines={2}
          empty={
            hasWorkflowFilters(search) ? (
              <NothingMatches title={texts.nothingMatches} clear={texts.clearFilters} onClear={clear} />
            ) : (
              <EmptyState title={texts.emptyTitle} command={texts.emptyCommand}>
                {texts.emptyDetail}
              </EmptyState>
            )
          }
        />
      </ListFrame>
      {isCreating && <CreateWorkflow project={search.project} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function Filters({ search, onChange }: { search: WorkflowListSearch; onChange: (more: Changes) => void }) {
  const [text, setText] = useDebounced(search.text ?? '', value => onChange({ text: value }))
  return (
    <FilterBar>
      <SearchField label={texts.filter} value={text} onChange={setText} />
      <Chip
        pressed={search.archived === true}
        onPress={() => onChange({ archived: search.archived ? undefined : true })}
      >
        {texts.archived}
      </Chip>
    </FilterBar>
  )
}

type Row = Resource<Workflow>

const workflowColumns: readonly Column<Row>[] = [
  {
    id: 'name',
    isFixed: true,
    title: texts.columns.name,
    width: 'minmax(180px, 1.6fr)',
    narrow: 'minmax(0, 1fr)',
    cell: row => (
      <span className={styles['name']}>
        <Link
          to="/workflows/$project/$code"
          params={{ project: projectCode(row), code: row.attributes.code }}
          className={rowLink}
        >
          {row.attributes.name}
        </Link>
        <span className={styles['code']}>{row.attributes.code}</span>
        {row.attributes.archived && <Tag>{texts.archivedTag}</Tag>}
        <span className={`only-narrow ${styles['below']}`}>{projectCode(row)}</span>
      </span>
    ),
  },
  {
    id: 'project',
    title: texts.columns.project,
    width: 'minmax(100px, 0.8fr)',
    cell: row => (
      <Link to="/projects/$" params={{ _splat: projectCode(row) }} className={aboveRowLink}>
        {projectCode(row)}
      </Link>
    ),
  },
  {
    id: 'published',
    title: texts.columns.published,
    width: '110px',
    cell: ({ attributes: { latest_published_version: version } }) =>
      version === null ? <span className={styles['soft']}>{texts.unpublishedTag}</span> : texts.version(version),
  },
  {
    id: 'draft',
    title: texts.columns.draft,
    width: '110px',
    cell: ({ attributes: { draft, latest_version: version } }) => draft && <Tag>{texts.draftVersion(version)}</Tag>,
  },
  {
    id: 'lastRun',
    title: texts.columns.lastRun,
    width: '190px',
    narrow: '132px',
    cell: row => <LastRun project={projectCode(row)} code={row.attributes.code} />,
  },
]
