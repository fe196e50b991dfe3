import { Panel } from '../../components/page/page.tsx'
import { dashboard as texts } from '../../messages/dashboard.ts'
import styles from './dashboard-page.module.css'
import { barsOf, type SummaryDay, weekOf } from './summary.ts'

/** Bars of the last seven days: what succeeded and what failed on each. */
export function Week({ days }: { days: readonly SummaryDay[] }) {
  const week = weekOf(days)
  if (!week)
    return (
      <Panel title={texts.week}>
        <p className={styles['soft']}>{texts.weekNone}</p>
      </Panel>
    )
  const bars = barsOf(days)
  return (
    <Panel
      title={texts.week}
      actions={<span className={styles['soft']}>{texts.weekSummary(week.percent, week.total)}</span>}
    >
      <ul className={styles['days']}>
        {days.map((day, i) => (
          <li
            key={day.date}
            className={styles['day']}
            title={texts.day(dayName(day.date, 'long'), day.succeeded_count, day.failed_count)}
          >
            <Bar className={styles['failed']!} part={bars[i]!.failed} />
            <Bar className={styles['succeeded']!} part={bars[i]!.succeeded} />
            <span className={styles['weekday']} aria-hidden>
              {dayName(day.date, 'short')}
            </span>
            <span className="visually-hidden">
              {texts.day(dayName(day.date, 'long'), day.succeeded_count, day.failed_count)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Height in pixels of a full bar. */
const full = 48

function Bar({ className, part }: { className: string; part: number }) {
  return part > 0 ? <span className={className} style={{ blockSize: Math.max(3, part * full) }} /> : null
}

/** Weekday of a date without a time; the date is taken as it is, in no time zone. */
const dayName = (date: string, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat('en-GB', { weekday, timeZone: 'UTC' }).format(new Date(date))
