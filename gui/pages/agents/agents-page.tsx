import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useList } from '../../api/queries.ts'
import type { Agent, AgentStatus, Resource } from '../../api/records.ts'
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
import { Time } from '../../components/time/time.tsx'
import { agents as texts } from '../../messages/agents.ts'
import { AgentState } from './agent-state.tsx'
import styles from './agents.module.css'
import { filterWords } from './filter-words.ts'
import { NotStartedNotice } from './not-started-notice.tsx'
import { agentQuery, readAgentSearch } from './search.ts'

/** Agents of all projects that the user may read, with their status. */
export function AgentsPage() {
  const search = useSearch({ from: '/agents' })
  const navigate = useNavigate({ from: '/agents' })
  const { records, included, query } = useList<'agent'>('/api/agents', agentQuery(search))
  const rows = useMemo(() => rowsOf(records, included), [records, included])
  const [text, setText] = useDebounced(
    search.q ?? '',
    value => void navigate({ search: before => ({ ...before, q: value || undefined }), replace: true }),
  )
  const columns = useColumns('agents', agentColumns)
  const clear = () =>
    void navigate({ search: ({ columns: kept }) => (kept === undefined ? {} : { columns: kept }), replace: true })
  const hasFilters = search.q !== undefined
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      commands={[listCommand('agents', agentQuery(search))]}
      actions={<ColumnsButton columns={columns} />}
      fill
    >
      <ListFrame
        filters={
          <div className={styles['head']}>
            <FilterBar>
              <SearchField label={texts.filter} value={text} onChange={setText} />
              <Chip
                pressed={search.archived === true}
                onPress={() =>
                  void navigate({ search: before => ({ ...before, archived: before.archived ? undefined : true }) })
                }
              >
                {texts.showArchived}
              </Chip>
            </FilterBar>
            {rows.length > 0 && <NotStartedNotice />}
          </div>
        }
        row={
          <FilterRow
            list={{ records: rows, query }}
            path="/api/agents"
            query={agentQuery(search)}
            noun={texts.noun}
            search={search}
            words={filterWords}
            onChange={more => void navigate({ search: { ...readAgentSearch({ ...search, ...more }) }, replace: true })}
            onClear={clear}
          />
        }
      >
        <ListTable
          list={{ records: rows, query }}
          label={texts.title}
          columns={columns}
          empty={
            hasFilters ? (
              <NothingMatches title={texts.nothingMatches} clear={texts.clear} onClear={clear} />
            ) : (
              <EmptyState title={texts.empty} command={texts.emptyCommand}>
                {texts.emptyDetail}
              </EmptyState>
            )
          }
        />
      </ListFrame>
    </Page>
  )
}

/** An agent with its status; null where the answer does not include it. */
interface Row {
  readonly id: string
  readonly agent: Resource<Agent>
  readonly status: AgentStatus | null
}

function rowsOf(agents: readonly Resource<Agent>[], included: readonly Resource[]): Row[] {
  const statuses = new Map(included.map(({ id, attributes }) => [id, attributes as unknown as AgentStatus]))
  return agents.map(agent => {
    const statusId = (agent.relationships?.['agent_status']?.data as { readonly id: string } | null | undefined)?.id
    return { id: agent.id, agent, status: (statusId !== undefined && statuses.get(statusId)) || null }
  })
}

/** Path of the project and of the agent, from its own link. */
const splatOf = ({ links }: Resource<Agent>): string => (links?.['self'] ?? '').replace(/^\/api\/projects\//, '')
const projectOf = (agent: Resource<Agent>): string => splatOf(agent).split('/')[0] ?? ''

const agentColumns: readonly Column<Row>[] = [
  {
    id: 'name',
    isFixed: true,
    title: texts.columns.name,
    width: 'minmax(160px, 1.5fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ agent }) => (
      <span className={styles['name']}>
        <Link to="/projects/$" params={{ _splat: splatOf(agent) }} className={rowLink}>
          {agent.attributes.name}
        </Link>
        <code className={styles['soft']}>{agent.attributes.code}</code>
        {agent.attributes.archived && <Tag>{texts.archived}</Tag>}
      </span>
    ),
  },
  {
    id: 'status',
    title: texts.columns.status,
    width: '140px',
    narrow: '110px',
    cell: ({ status }) => status && <AgentState state={status.status} />,
  },
  {
    id: 'project',
    title: texts.columns.project,
    width: 'minmax(100px, 1fr)',
    cell: ({ agent }) => (
      <Link to="/projects/$" params={{ _splat: projectOf(agent) }} className={aboveRowLink}>
        {projectOf(agent)}
      </Link>
    ),
  },
  {
    id: 'template',
    title: texts.columns.template,
    width: 'minmax(120px, 1fr)',
    cell: ({ agent: { attributes } }) => `${attributes.template_code ?? ''} ${attributes.template_version ?? ''}`,
  },
  {
    id: 'image',
    title: texts.columns.image,
    width: '120px',
    cell: ({ status }) => status && <AgentState state={status.image_build_status} />,
  },
  {
    id: 'updated',
    title: texts.columns.updated,
    width: '130px',
    cell: ({ agent }) => <Time at={agent.attributes.updated_at} />,
  },
]
