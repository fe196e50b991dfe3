import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useDocument } from '../../api/queries.ts'
import type { Event, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Select } from '../../components/field/field.tsx'
import { TextFilter, TimeFilter } from '../../components/filter/filter-fields.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { eventSources, audit as texts } from '../../messages/audit.ts'
import styles from './audit-page.module.css'
import { type AuditChanges, type AuditSearch, countFilters } from './search.ts'

interface AuditFiltersProps {
  readonly search: AuditSearch
  /** Events that are shown, whose types, users and nodes complete what is typed. */
  readonly events: readonly Resource<Event>[]
  readonly onChange: (more: AuditChanges) => void
}

/** Filters of the audit history. In narrow windows they open with a button. */
export function AuditFilters({ search, events, onChange }: AuditFiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  const types = useDocument<{ data: readonly Resource[] }>('/api/event_types')
  const count = countFilters(search)
  const distinct = (of: (attributes: Event) => string | null | undefined) =>
    [...new Set(events.flatMap(({ attributes }) => of(attributes) ?? []))].toSorted()
  return (
    <div className={styles['filters']}>
      <Button className={styles['toggle']} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ListFilter size={16} aria-hidden />
        {texts.filtersOf(count)}
      </Button>
      <div className={styles['fields']} data-open={isOpen} role="group" aria-label={texts.filters}>
        <TextFilter
          label={texts.type}
          value={search.type}
          completions={types.data?.data.map(({ id }) => id) ?? distinct(({ type }) => type)}
          onChange={type => onChange({ type })}
        />
        <TextFilter
          label={texts.user}
          value={search.user}
          completions={distinct(({ username }) => username)}
          onChange={user => onChange({ user })}
        />
        <TextFilter
          label={texts.node}
          value={search.node}
          placeholder={texts.nodeHint}
          completions={distinct(({ node_path }) => node_path)}
          onChange={node => onChange({ node })}
        />
        <TextFilter label={texts.name} value={search.name} onChange={name => onChange({ name })} />
        <Select
          label={texts.source}
          value={search.source ?? ''}
          onChange={source => onChange({ source })}
          options={[['', texts.anySource], ...eventSources]}
        />
        <TimeFilter label={texts.from} value={search.from} onChange={from => onChange({ from })} />
        <TimeFilter label={texts.to} value={search.to} onChange={to => onChange({ to })} />
      </div>
      {(search.from ?? search.to) !== undefined && <p className={styles['foot']}>{texts.zone(userTimeZone())}</p>}
    </div>
  )
}
