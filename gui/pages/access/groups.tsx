import { Link } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import type { Group, Resource } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { ListFrame } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { aboveRowLink, type Column, type FewColumns, rowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { access as texts } from '../../messages/access.ts'
import { isSuperuser } from '../../shell/rights.ts'
import styles from './access.module.css'
import { filterWords } from './filter-words.ts'
import { type NamedAssignment, usePolicyAssignments } from './policy-assignments.ts'
import { PolicyLinks } from './policy-links.tsx'
import { groupQuery } from './queries.ts'
import type { ViewProps } from './search.ts'
import { RefreshDirectory } from './users.tsx'

/** Groups of the directory with the policies that are assigned to them. */
export function Groups({ search, onChange }: ViewProps) {
  const me = useMe()
  const [text, setText] = useDebounced(search.find ?? '', find => onChange({ find }))
  const { assignments } = usePolicyAssignments()
  const query = groupQuery(search)
  const list = useList<'group'>('/api/groups', query)
  return (
    <ListFrame
      filters={
        <div className={styles['bar']}>
          <SearchField label={texts.findGroup} value={text} onChange={setText} />
          <RefreshDirectory disabledReason={isSuperuser(me) ? undefined : texts.onlySuperusers} />
        </div>
      }
      row={
        <FilterRow
          list={list}
          path="/api/groups"
          query={query}
          noun={texts.nouns.groups}
          search={search}
          words={filterWords}
          onChange={onChange}
          onClear={() => onChange({ find: undefined })}
        />
      }
    >
      <ListTable
        list={list}
        label={texts.groupsLabel}
        columns={columnsWith(assignments)}
        skeleton={6}
        empty={
          <EmptyState title={search.find ? texts.nothingMatches : texts.noGroupsTitle}>
            {search.find ? undefined : texts.noGroupsDetail}
          </EmptyState>
        }
      />
    </ListFrame>
  )
}

const columnsWith = (assignments: readonly NamedAssignment[]): FewColumns<Column<Resource<Group>>> => [
  {
    id: 'name',
    title: texts.groupColumns.name,
    width: 'minmax(160px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes: { groupname } }) => (
      <Link to="/access" search={{ view: 'users', group: groupname }} className={rowLink}>
        {groupname}
      </Link>
    ),
  },
  {
    id: 'policies',
    title: texts.groupColumns.policies,
    width: 'minmax(160px, 2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes: { groupname } }) => (
      <span className={aboveRowLink}>
        <PolicyLinks
          policies={assignments
            .filter(each => each.groupname?.toLowerCase() === groupname.toLowerCase())
            .map(({ policyId, policy }) => ({ id: policyId, name: policy }))}
        />
      </span>
    ),
  },
  {
    id: 'updated',
    title: texts.groupColumns.updated,
    width: '132px',
    cell: ({ attributes }) => (
      <span className={styles['soft']}>
        <Time at={attributes.updated_at} />
      </span>
    ),
  },
]
