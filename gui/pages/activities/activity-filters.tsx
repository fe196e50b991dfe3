import { ListFilter } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { Chip } from '../../components/chip/chip.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { TextFilter, TimeFilter } from '../../components/filter/filter-fields.tsx'
import { FilterBar } from '../../components/list/list-frame.tsx'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { activities as texts } from '../../messages/activities.ts'
import { statusWords } from '../../messages/general.ts'
import styles from './activities-page.module.css'
import type { Row } from './bulk-action.ts'
import { metadataCompletions } from './metadata-completions.ts'
import { type ActivityChanges, type ActivitySearch, countMoreFilters } from './search.ts'

interface ActivityFiltersProps {
  readonly search: ActivitySearch
  /** Activities that are shown, whose users, actions and nodes complete what is typed. */
  readonly rows: readonly Row[]
  readonly onChange: (more: ActivityChanges) => void
}

const narrow = '(max-width: 720px)'
const usualStatuses = ['running', 'waiting_for_approval', 'success', 'error']

/** Filters of the activities: the usual ones, and further fields that open with a button. */
export function ActivityFilters({ search, rows, onChange }: ActivityFiltersProps) {
  const chosen = search.status ?? []
  const [showsAll, setShowsAll] = useState(chosen.some(each => !usualStatuses.includes(each)))
  // In a narrow window the fields would hide the list; the button says how many filters are in force.
  const [isOpen, setOpen] = useState(() => countMoreFilters(search) > 0 && !matchMedia(narrow).matches)
  const moreId = useId()
  const [path, setPath] = useDebounced(search.path ?? '', value => onChange({ path: value }))
  const toggle = (status: string) => {
    onChange({ status: chosen.includes(status) ? chosen.filter(each => each !== status) : [...chosen, status] })
  }
  const count = countMoreFilters(search)
  return (
    <div className={styles['allFilters']}>
      <FilterBar>
        <SearchField label={texts.pathFilter} value={path} onChange={setPath} />
        <Chip pressed={search.active === true} onPress={() => onChange({ active: search.active ? undefined : true })}>
          {texts.active}
        </Chip>
        <Chip pressed={search.mine === true} onPress={() => onChange({ mine: search.mine ? undefined : true })}>
          {texts.mine}
        </Chip>
        <Chip
          pressed={search.waiting === true}
          onPress={() => onChange({ waiting: search.waiting ? undefined : true })}
        >
          {texts.waitingForMe}
        </Chip>
        <span className={styles['divider']} aria-hidden />
        {(showsAll ? Object.keys(statusWords) : usualStatuses).map(status => (
          <Chip key={status} pressed={chosen.includes(status)} onPress={() => toggle(status)}>
            <StatusIcon status={status} size={14} labelled />
            {statusWord(status)}
          </Chip>
        ))}
        <Button variant="quiet" size="small" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? texts.fewerStatuses : texts.moreStatuses}
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={moreId}
          onClick={() => setOpen(!isOpen)}
        >
          <ListFilter size={14} aria-hidden />
          {texts.moreFilters(count)}
        </Button>
      </FilterBar>
      <div id={moreId} className={styles['moreFilters']} hidden={!isOpen}>
        <MoreFilters search={search} rows={rows} onChange={onChange} />
        {(search.from ?? search.to) !== undefined && <p className={styles['zone']}>{texts.zone(userTimeZone())}</p>}
      </div>
    </div>
  )
}

function MoreFilters({ search, rows, onChange }: ActivityFiltersProps) {
  const distinct = (of: (attributes: Row['attributes']) => string | null | undefined) =>
    [...new Set(rows.flatMap(({ attributes }) => of(attributes) ?? []))].toSorted()
  return (
    <div className={styles['fields']} role="group" aria-label={texts.moreFilters(0)}>
      <TextFilter
        label={texts.fields.name}
        value={search.name}
        completions={distinct(({ action, workflow_code: workflow }) => action ?? workflow)}
        onChange={name => onChange({ name })}
      />
      <TextFilter
        label={texts.fields.by}
        value={search.by}
        completions={distinct(({ created_by: by }) => by)}
        onChange={by => onChange({ by })}
      />
      <TextFilter
        label={texts.fields.under}
        value={search.under}
        placeholder={texts.fields.underHint}
        completions={distinct(({ node_path: path }) => path)}
        onChange={under => onChange({ under })}
      />
      <TextFilter
        label={texts.fields.metadata}
        value={search.metadata}
        placeholder={texts.fields.metadataHint}
        completions={metadataCompletions(rows.map(({ attributes }) => attributes.metadata))}
        onChange={metadata => onChange({ metadata })}
      />
      <TimeFilter label={texts.fields.from} value={search.from} onChange={from => onChange({ from })} />
      <TimeFilter label={texts.fields.to} value={search.to} onChange={to => onChange({ to })} />
    </div>
  )
}
