import { useNavigate, useSearch } from '@tanstack/react-router'
import { useList } from '../../../api/queries.ts'
import { Chip } from '../../../components/chip/chip.tsx'
import { ColumnsButton } from '../../../components/columns/columns-button.tsx'
import { useColumns } from '../../../components/columns/use-columns.ts'
import { FilterRow } from '../../../components/filter/filter-row.tsx'
import type { WordsOfFilters } from '../../../components/filter/filters-in-force.ts'
import { FilterBar, NothingMatches } from '../../../components/list/list-frame.tsx'
import { ListTable } from '../../../components/list/list-table.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { jobs as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import styles from '../part.module.css'
import { type AdminSearch, jobQuery, jobStatuses, readAdminSearch } from '../search.ts'
import { jobColumns } from './job-columns.tsx'
import { JobSheet } from './job-sheet.tsx'

const path = '/api/admin/jobs'

/** Background jobs, the newest first; a job's row opens its details with the error of its last attempt. */
export default function JobsPart() {
  const search = useSearch({ from: '/admin/$part' })
  const { status, show } = search
  const navigate = useNavigate({ from: '/admin/$part' })
  const query = jobQuery(search)
  const list = useList<'job'>(path, query, { every })
  const counts = useList<'job'>(path, { count_by: 'status', limit: 1 }, { every }).meta['counts']
  const columns = useColumns('jobs', jobColumns)
  const choose = (next: typeof status) =>
    void navigate({
      search: ({ columns: kept }) => ({ ...readAdminSearch({ status: next, columns: kept }) }),
      replace: true,
    })

  return (
    <div className={styles['stack']}>
      <FilterBar label={texts.filter} end={<ColumnsButton columns={columns} />}>
        <Chip pressed={status === undefined} onPress={() => choose(undefined)}>
          {texts.all}
        </Chip>
        {jobStatuses.map(each => (
          <Chip
            key={each}
            pressed={status === each}
            count={countOf(counts, each)}
            onPress={() => choose(status === each ? undefined : each)}
          >
            {texts.statuses[each]}
          </Chip>
        ))}
      </FilterBar>
      <FilterRow
        list={list}
        path={path}
        query={query}
        noun={texts.noun}
        search={status === undefined ? {} : { status }}
        words={filterWords}
        onChange={more => choose(more.status)}
        onClear={() => choose(undefined)}
      />
      <ListTable
        list={list}
        label={texts.label}
        columns={columns}
        narrowLines={2}
        empty={
          status ? (
            <NothingMatches title={texts.noneMatches} clear={texts.all} onClear={() => choose(undefined)} />
          ) : (
            <EmptyState title={texts.none}>{texts.noneDetail}</EmptyState>
          )
        }
      >
        {table => <div className={styles['tall']}>{table}</div>}
      </ListTable>
      {show !== undefined && (
        <JobSheet id={show} onClose={() => void navigate({ search: ({ show: _, ...rest }) => rest, replace: true })} />
      )}
    </div>
  )
}

const filterWords: WordsOfFilters<AdminSearch> = {
  status: {
    label: texts.columns.status,
    value: status => (texts.statuses as Readonly<Record<string, string>>)[status] ?? status,
  },
}

const countOf = (counts: unknown, status: string): number | undefined =>
  typeof counts === 'object' && counts !== null ? ((counts as Record<string, number>)[status] ?? 0) : undefined
