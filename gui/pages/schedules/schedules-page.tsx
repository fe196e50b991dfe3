import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Chip } from '../../components/chip/chip.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { ListControls } from '../../components/list/list-controls.tsx'
import { FilterBar, ListFrame } from '../../components/list/list-frame.tsx'
import { Page } from '../../components/page/page.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { maySomewhere } from '../../shell/rights.ts'
import { Calendar } from './calendar.tsx'
import { monthOf } from './month.ts'
import { allScheduleColumns } from './schedule-columns.tsx'
import { ScheduleList } from './schedule-list.tsx'
import {
  readScheduleSearch,
  type ScheduleChanges,
  type ScheduleSearch,
  scheduleQuery,
  scheduleState,
} from './search.ts'

const OpenSchedule = lazy(async () => ({ default: (await import('./open-schedule.tsx')).OpenSchedule }))

const views = Object.entries(texts.views)

/** Schedules as a table, or what they run in a month as a calendar. */
export function SchedulesPage() {
  const search = useSearch({ from: '/schedules' })
  const navigate = useNavigate({ from: '/schedules' })
  const change = (more: ScheduleChanges, replace = true) =>
    void navigate({ search: { ...readScheduleSearch({ ...search, ...more }) }, replace })
  const columns = useColumns('scheduled_activities', allScheduleColumns)
  const clear = () => void navigate({ search: { ...readScheduleSearch({ columns: search.columns }) }, replace: true })
  const me = useMe()
  const isNowhere = !maySomewhere(me, 'update') || !maySomewhere(me, 'execute')
  const whyNotCreate = isNowhere ? texts.needsSomewhere : undefined
  const open = (schedule: string | undefined) => change({ schedule }, false)
  const filters = (
    <FilterBar>
      <Tabs label={texts.viewsLabel} tabs={views} current={search.view ?? 'list'} parameter="view" />
      {search.view === undefined && <Filters search={search} onChange={change} />}
    </FilterBar>
  )

  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          {search.view === undefined && (
            <ListControls
              list="scheduled_activities"
              columns={columns}
              state={scheduleState(search)}
              read={state => scheduleState(readScheduleSearch(state))}
              saved={search.saved}
              onOpen={(state, saved) => void navigate({ search: { ...readScheduleSearch({ ...state, saved }) } })}
            />
          )}
          <Button variant="primary" disabledReason={whyNotCreate} onClick={() => open('new')}>
            <Plus size={16} aria-hidden />
            {texts.create}
          </Button>
        </>
      }
      commands={[listCommand('scheduled_changes', scheduleQuery(search))]}
      fill={search.view === undefined}
    >
      {search.view === 'calendar' ? (
        <ListFrame filters={filters}>
          <Calendar
            month={search.month ?? monthOf(Date.now(), userTimeZone())}
            onMonth={month => change({ month })}
            search={search}
          />
        </ListFrame>
      ) : (
        <ScheduleList search={search} filters={filters} columns={columns} onChange={change} onClear={clear} />
      )}
      {search.schedule !== undefined && (
        <Suspense>
          <OpenSchedule
            key={search.schedule}
            schedule={search.schedule}
            given={givenIn(search)}
            onClose={() => change({ schedule: undefined })}
          />
        </Suspense>
      )}
    </Page>
  )
}

/** Values of the address for a new schedule. */
const givenIn = (search: ScheduleSearch) => ({
  node: search.under ?? '',
  ...(search.workflow !== undefined && {
    kind: 'workflow' as const,
    workflow: search.workflow,
    version: search.version === undefined ? null : Number(search.version),
  }),
  action: search.action ?? '',
  gitRemote: search.remote ?? '',
  gitRev: search.rev ?? '',
  templateVersion: search.workflow === undefined ? (search.version ?? '') : '',
  startingStep: search.start ?? '',
  skipSteps: search.skip ?? '',
  metadata: search.metadata ?? '',
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
    </>
  )
}
