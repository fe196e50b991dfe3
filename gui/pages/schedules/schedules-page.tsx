import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { Chip } from '../../components/chip/chip.tsx'
import { listCommand } from '../../components/command/list-command.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { Page } from '../../components/page/page.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { Calendar } from './calendar.tsx'
import { monthOf } from './month.ts'
import { OpenSchedule } from './open-schedule.tsx'
import { ScheduleList } from './schedule-list.tsx'
import styles from './schedules-page.module.css'
import { readScheduleSearch, type ScheduleChanges, type ScheduleSearch, scheduleQuery } from './search.ts'

const views = Object.entries(texts.views)

/** Schedules as a table, or what they run in a month as a calendar. */
export function SchedulesPage() {
  const search = useSearch({ from: '/schedules' })
  const navigate = useNavigate({ from: '/schedules' })
  const change = (more: ScheduleChanges, replace = true) =>
    void navigate({ search: { ...readScheduleSearch({ ...search, ...more }) }, replace })
  const open = (schedule: string | undefined) => change({ schedule }, false)

  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      actions={
        <Button variant="primary" onClick={() => open('new')}>
          <Plus size={16} aria-hidden />
          {texts.create}
        </Button>
      }
      commands={[listCommand('scheduled_changes', scheduleQuery(search))]}
      fill={search.view === undefined}
    >
      <div className={styles['content']}>
        <div className={styles['bar']}>
          <Tabs label={texts.viewsLabel} tabs={views} current={search.view ?? 'list'} parameter="view" />
          {search.view === undefined && <Filters search={search} onChange={change} />}
        </div>
        {search.view === 'calendar' ? (
          <Calendar
            month={search.month ?? monthOf(Date.now(), userTimeZone())}
            onMonth={month => change({ month })}
            search={search}
          />
        ) : (
          <ScheduleList search={search} onClear={() => void navigate({ search: {}, replace: true })} />
        )}
      </div>
      {search.schedule !== undefined && (
        <OpenSchedule
          key={search.schedule}
          schedule={search.schedule}
          given={givenIn(search)}
          onClose={() => change({ schedule: undefined })}
        />
      )}
    </Page>
  )
}

/** Values of the address for a new schedule. */
const givenIn = ({ under: node = '', action = '', remote: gitRemote = '', rev: gitRev = '' }: ScheduleSearch) => ({
  node,
  action,
  gitRemote,
  gitRev,
})

function Filters({ search, onChange }: { search: ScheduleSearch; onChange: (more: ScheduleChanges) => void }) {
  const [text, setText] = useDebounced(search.text ?? '', value => onChange({ text: value }))
  return (
    <>
      <SearchField label={texts.filter} value={text} onChange={setText} />
      <Chip
        pressed={search.disabled === true}
        onPress={() => onChange({ disabled: search.disabled ? undefined : true })}
      >
        {texts.disabledOnly}
      </Chip>
      {search.under !== undefined && (
        <Chip pressed onPress={() => onChange({ under: undefined })}>
          {texts.under(search.under)}
        </Chip>
      )}
    </>
  )
}
