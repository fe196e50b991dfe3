import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useDocument, useList } from '../../api/queries.ts'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { apiCommand } from '../../components/command/api-command.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { useLiveActivities } from '../../live/live-activities.ts'
import { dashboard as texts } from '../../messages/dashboard.ts'
import styles from './dashboard-page.module.css'
import { ListPanel } from './list-panel.tsx'
import { RecentNodes, StarredNodes } from './node-panels.tsx'
import { ActivityRow, DueRow, WaitingRow } from './rows.tsx'
import type { SummaryDocument } from './summary.ts'
import { Week } from './week.tsx'

const RunChooser = lazy(() => import('./run-chooser.tsx'))

/** Number of rows in each panel. */
const rows = 6

const failedQuery = { 'filter[status_code_in][]': ['error', 'system_error'], 'filter[finished]': true }

/** What waits for the user, what is in progress, what failed and what is due; live. */
export function DashboardPage() {
  const { username, display_name: name } = useMe().attributes
  const zone = userTimeZone()
  const [isChoosing, setIsChoosing] = useState(false)
  useLiveActivities()
  const summary = useDocument<SummaryDocument>('/api/summary', { time_zone: zone }, { every: 60_000 })
  const waiting = useList<'waiting_step'>('/api/waiting_steps', { 'filter[waiting_for_me]': true, limit: rows })
  const running = useList<'activity'>('/api/activities', { 'filter[active]': true, limit: rows })
  const failed = useList<'activity'>('/api/activities', { ...failedQuery, limit: rows })
  const projects = useList<'project'>('/api/projects', { limit: 1 })
  const hasProjects = projects.records.length > 0
  const counts = summary.data?.data.attributes
  const recent = failed.records.slice(0, counts?.failed_count ?? 0)

  if (summary.isError && !counts) return <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
  return (
    <Page
      title={texts.greeting(new Date().getHours(), name || username)}
      documentTitle={texts.title}
      subtitle={texts.timeZone(zone)}
      commands={[
        apiCommand('/api/summary', { time_zone: zone }),
        listCommand('waiting_steps', { 'filter[waiting_for_me]': true }),
        listCommand('activities', { 'filter[active]': true }),
        listCommand('activities', failedQuery),
      ]}
      actions={
        hasProjects && (
          <Button variant="primary" onClick={() => setIsChoosing(true)}>
            <Play size={15} aria-hidden />
            {texts.run}
          </Button>
        )
      }
    >
      {!counts || waiting.query.isPending || running.query.isPending ? (
        <Skeleton rows={10} />
      ) : projects.query.isSuccess && !hasProjects ? (
        <FirstSteps />
      ) : (
        <div className={styles['grid']}>
          <div className={styles['column']}>
            <ListPanel
              title={texts.waiting}
              count={counts.waiting_for_me_count}
              none={texts.waitingNone}
              all={<Link to="/approvals">{texts.showAll}</Link>}
            >
              {waiting.records.map(step => (
                <WaitingRow key={step.id} step={step} />
              ))}
            </ListPanel>
            <ListPanel
              title={texts.failed}
              count={counts.failed_count}
              none={texts.failedNone}
              all={
                <Link to="/activities" search={{ status: ['error', 'system_error'] }}>
                  {texts.showAll}
                </Link>
              }
            >
              {recent.map(activity => (
                <ActivityRow key={activity.id} activity={activity} />
              ))}
            </ListPanel>
            <RecentNodes />
          </div>
          <div className={styles['column']}>
            <ListPanel
              title={texts.running}
              count={counts.active_count}
              none={texts.runningNone}
              all={
                <Link to="/activities" search={{ active: true }}>
                  {texts.showAll}
                </Link>
              }
            >
              {running.records.map(activity => (
                <ActivityRow key={activity.id} activity={activity} />
              ))}
            </ListPanel>
            <StarredNodes />
            <ListPanel title={texts.due} none={texts.dueNone} all={<Link to="/schedules">{texts.showAll}</Link>}>
              {counts.due_next.map(schedule => (
                <DueRow key={schedule.id} schedule={schedule} />
              ))}
            </ListPanel>
            <Week days={counts.days} />
          </div>
        </div>
      )}
      {isChoosing && (
        <Suspense>
          <RunChooser onClose={() => setIsChoosing(false)} />
        </Suspense>
      )}
    </Page>
  )
}

function FirstSteps() {
  return (
    <EmptyState title={texts.firstSteps}>
      <p>{texts.firstStepsDetail}</p>
      <ol className={styles['steps']}>
        {texts.steps.map(([step, command]) => (
          <li key={command}>
            {step}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls sideways, also by keyboard. */}
            <pre tabIndex={0}>
              <code>{command}</code>
            </pre>
          </li>
        ))}
      </ol>
      <p>{texts.guide}</p>
    </EmptyState>
  )
}
