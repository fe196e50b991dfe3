import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../api/queries.ts'
import type { AuthorisationPolicy, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { ColumnsButton } from '../../components/columns/columns-button.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { ListFrame } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { type Column, rowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import styles from './access.module.css'
import { filterWords } from './filter-words.ts'
import { NewPolicyDialog } from './new-policy.tsx'
import { policyQuery } from './queries.ts'
import type { ViewProps } from './search.ts'
import { useWhyNotWritePolicies } from './why-not.ts'

/** List of the policies that the user may read. */
export function Policies({ search, onChange }: ViewProps) {
  const [isCreating, setIsCreating] = useState(false)
  const whyNot = useWhyNotWritePolicies()
  const [text, setText] = useDebounced(search.find ?? '', find => onChange({ find }))
  const query = policyQuery(search)
  const list = useList<'authorisation_policy'>('/api/authorisation_policies', query)
  const columns = useColumns('authorisation_policies', policyColumns)
  return (
    <ListFrame
      filters={
        <div className={styles['bar']}>
          <SearchField label={texts.findPolicy} value={text} onChange={setText} />
          <div className={styles['barEnd']}>
            <ColumnsButton columns={columns} />
            <Button variant="primary" disabledReason={whyNot} onClick={() => setIsCreating(true)}>
              <Plus size={16} aria-hidden />
              {texts.newPolicy}
            </Button>
          </div>
        </div>
      }
      row={
        <FilterRow
          list={list}
          path="/api/authorisation_policies"
          query={query}
          noun={texts.nouns.policies}
          search={search}
          words={filterWords}
          onChange={onChange}
          onClear={() => onChange({ find: undefined })}
        />
      }
    >
      <ListTable
        list={list}
        label={texts.policiesLabel}
        columns={columns}
        narrowLines={2}
        skeleton={6}
        empty={
          search.find ? (
            <EmptyState title={texts.nothingMatches} />
          ) : (
            <EmptyState title={texts.noPolicies} command={texts.noPoliciesCommand}>
              {texts.noPoliciesDetail}
            </EmptyState>
          )
        }
      />
      {isCreating && <NewPolicyDialog onClose={() => setIsCreating(false)} />}
    </ListFrame>
  )
}

type Row = Resource<AuthorisationPolicy>

const countOf = ({ relationships }: Row, name: string): number => {
  const data: unknown = relationships?.[name]?.data
  return Array.isArray(data) ? data.length : 0
}

const policyColumns: readonly Column<Row>[] = [
  {
    id: 'name',
    isFixed: true,
    title: texts.policyColumns.name,
    width: 'minmax(160px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, attributes }) => (
      <span className={styles['name']}>
        <Link to="/access/policies/$id" params={{ id }} className={rowLink}>
          {attributes.name}
        </Link>
        {attributes.system && <Tag>{texts.systemPolicy}</Tag>}
        <span className={`only-narrow ${styles['below']}`}>{attributes.description}</span>
      </span>
    ),
  },
  {
    id: 'description',
    title: texts.policyColumns.description,
    width: 'minmax(160px, 2fr)',
    cell: ({ attributes }) => (
      <span className={styles['soft']} title={attributes.description ?? ''}>
        {attributes.description || general.none}
      </span>
    ),
  },
  {
    id: 'rules',
    title: texts.policyColumns.rules,
    width: '72px',
    narrow: '48px',
    align: 'end',
    cell: row => countOf(row, 'authorisation_rules'),
  },
  {
    id: 'assignments',
    title: texts.policyColumns.assignments,
    width: '108px',
    align: 'end',
    cell: row => countOf(row, 'policy_assignments'),
  },
  {
    id: 'updated',
    title: texts.policyColumns.updated,
    width: '132px',
    cell: ({ attributes }) => (
      <span className={styles['soft']}>
        <Time at={attributes.updated_at} />
      </span>
    ),
  },
]
