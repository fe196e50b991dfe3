import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useDocument } from '../../api/queries.ts'
import { Button, IconButton } from '../../components/button/button.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import styles from './calendar.module.css'
import { addMonths, type Day, type DueOnDay, datesOf, daysOf, type UpcomingSchedule } from './month.ts'
import { nameOf } from './schedule.ts'
import type { ScheduleSearch } from './search.ts'
import { instantOf, wallTime } from './zone-time.ts'

interface CalendarProps {
  /** `2027-03`. */
  readonly month: string
  readonly onMonth: (month: string | undefined) => void
  /** Search parameters of the page, which links keep. */
  readonly search: ScheduleSearch
}

interface Upcoming {
  readonly data: readonly UpcomingSchedule[]
  readonly meta: { readonly partial_response: boolean }
}

/** Month with what schedules run on each of its days; in narrow windows only the days on which something runs. */
export function Calendar({ month, onMonth, search }: CalendarProps) {
  const zone = userTimeZone()
  const dates = datesOf(month)
  const after = new Date(Date.parse(dates.at(-1) ?? '') + 86_400_000).toISOString().slice(0, 10)
  const now = Date.now()
  const [from, to] = [dates[0] ?? '', after].map(date => instantOf(`${date}T00:00`, zone) ?? '')
  const isPast = Date.parse(to ?? '') <= now
  const upcoming = useDocument<Upcoming>(
    '/api/scheduled_activities/upcoming',
    { from: from ?? '', to: to ?? '' },
    { every: 60_000, enabled: !isPast },
  )
  const title = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  )
  const days = daysOf(month, upcoming.data?.data ?? [], zone)
  const isEmpty = days.every(({ isInMonth, due }) => !isInMonth || due.length === 0)

  return (
    <section className={styles['calendar']} aria-labelledby="calendar-month">
      <header className={styles['header']}>
        <h2 id="calendar-month">{title}</h2>
        <span className={styles['buttons']}>
          <IconButton label={texts.previousMonth} onClick={() => onMonth(addMonths(month, -1))}>
            <ChevronLeft size={16} aria-hidden />
          </IconButton>
          <Button onClick={() => onMonth(undefined)}>{texts.today}</Button>
          <IconButton label={texts.nextMonth} onClick={() => onMonth(addMonths(month, 1))}>
            <ChevronRight size={16} aria-hidden />
          </IconButton>
        </span>
        <p className={styles['soft']}>
          {texts.timesIn(zone)} {upcoming.data?.meta.partial_response && texts.partial}
        </p>
      </header>
      {isPast ? (
        <EmptyState title={texts.past} />
      ) : (
        <Loaded query={upcoming} skeleton={8}>
          {() => (
            <>
              {isEmpty && <p className={styles['soft']}>{texts.noRuns}</p>}
              <ol className={styles['days']} aria-label={texts.calendarLabel(title)}>
                {days.map(day => (
                  <DayCell
                    key={day.date}
                    day={day}
                    today={wallTime(now, zone).slice(0, 10)}
                    zone={zone}
                    search={search}
                  />
                ))}
              </ol>
            </>
          )}
        </Loaded>
      )}
    </section>
  )
}

interface DayCellProps {
  readonly day: Day
  readonly today: string
  readonly zone: string
  readonly search: ScheduleSearch
}

function DayCell({ day: { date, isInMonth, due }, today, zone, search }: DayCellProps) {
  const name = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const count = due.reduce((sum, { times }) => sum + times.length, 0)
  const classes = [
    styles['day'],
    !isInMonth && styles['other'],
    date === today && styles['today'],
    due.length === 0 && styles['empty'],
  ]
  return (
    <li className={classes.filter(Boolean).join(' ')} aria-current={date === today ? 'date' : undefined}>
      <time dateTime={date} className={styles['date']} title={texts.runsOn(name.format(Date.parse(date)), count)}>
        {name.format(Date.parse(date))}
      </time>
      {due.length > 0 && (
        <ul className={styles['due']}>
          {due.map(each => (
            <li key={each.schedule.id}>
              <Link to="/schedules" search={{ ...search, schedule: each.schedule.id }}>
                <Due due={each} zone={zone} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Due({ due: { schedule, times }, zone }: { due: DueOnDay; zone: string }) {
  const { time_zone: own, node_path: path } = schedule.attributes
  const [first = ''] = times
  const [here, there] = [wallTime(first, zone).slice(11), wallTime(first, own).slice(11)]
  return (
    <span className={styles['run']} title={`${nameOf(schedule.attributes)} · ${path} · ${own}`}>
      <span className={styles['time']}>{here}</span>
      {here !== there && <span className={styles['soft']}>{`(${there})`}</span>}
      <span className={styles['name']}>{nameOf(schedule.attributes)}</span>
      <span className={styles['where']}>{path.slice(path.lastIndexOf('/') + 1)}</span>
      {times.length > 1 && <span className={styles['soft']}>{texts.times(times.length)}</span>}
    </span>
  )
}
