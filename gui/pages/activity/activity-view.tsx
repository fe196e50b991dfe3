import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isFinal } from '#client/sluice.ts'
import { DecisionScope } from '../../components/decision/decision-scope.tsx'
import { withoutColumns } from '../../components/list/list-parameters.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { nodeCode } from '../../components/node-path/nodes-in-path.ts'
import { Page } from '../../components/page/page.tsx'
import { Skeleton } from '../../components/state/state.tsx'
import { StatusBadge, statusWord } from '../../components/status/status.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { activity as texts } from '../../messages/activity.ts'
import { ActivityActions } from './activity-actions.tsx'
import { ActivityFacts } from './activity-facts.tsx'
import { type ActivityKind, type ActivityRecord, activityName } from './activity-kind.ts'
import styles from './activity-page.module.css'
import { LogTab } from './log-tab.tsx'
import { ProgressAnnouncement } from './progress-announcement.tsx'
import { type ActivityTab, activityTabs } from './search.ts'
import { StepPanel } from './step-panel.tsx'
import { progressOf } from './steps.ts'
import { type PartProps, useLiveActivity, useStepsVersion } from './use-activity.ts'
import { WaitingBanner } from './waiting-banner.tsx'

// Most people look at steps and log only.
const TimelineTab = lazy(async () => ({ default: (await import('./timeline-tab.tsx')).TimelineTab }))
const FlowTab = lazy(async () => ({ default: (await import('./flow-tab.tsx')).FlowTab }))
const DetailsTab = lazy(async () => ({ default: (await import('./details-tab.tsx')).DetailsTab }))
const EventsTab = lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab }))
const ArtefactsTab = lazy(async () => ({ default: (await import('./artefacts-tab.tsx')).ArtefactsTab }))

/** View of an activity: facts and actions, why it waits, its steps, and tabs for everything about them. */
export function ActivityView({ found }: { found: { kind: ActivityKind; record: ActivityRecord } }) {
  const { kind, record } = found
  const live = useLiveActivity(found)
  useStepsVersion(live.steps)
  const progress = progressOf(live.steps)
  const { tab = 'log' } = useSearch({ from: '/activities/$id' })
  const { status_code: status, node_path: path } = record.attributes
  const name = activityName(record)
  const part = { kind, record, live }

  return (
    <Page
      above={<NodePath path={path} links />}
      title={
        <>
          <h1>{name}</h1>
          <StatusBadge status={status} />
        </>
      }
      documentTitle={texts.documentTitle(name, statusWord(status), nodeCode(path))}
      subtitle={<ActivityFacts {...part} progress={progress} />}
      commands={kind.commands(record.id)}
      actions={<ActivityActions kind={kind} record={record} running={progress.running} />}
      fill
    >
      <div className={styles['content']}>
        <ProgressAnnouncement name={name} status={status} progress={progress} />
        <DecisionScope>
          {!isFinal(status) && <WaitingBanner {...part} waiting={progress.waiting} stepCount={progress.all} />}
        </DecisionScope>
        <div className={styles['split']} data-tab={tab}>
          <StepPanel {...part} progress={progress} />
          <section className={styles['part']} aria-label={texts.tabs[tab === 'steps' ? 'log' : tab]}>
            <header className={styles['partHeader']}>
              <Tabs
                label={texts.tabsLabel}
                tabs={kind.type === 'change' ? tabs : tabsOfRuns}
                current={tab}
                keep={withoutColumns}
              />
            </header>
            <Suspense fallback={<Skeleton rows={8} />}>
              <Part tab={tab} stepCount={progress.all} {...part} />
            </Suspense>
          </section>
        </div>
      </div>
    </Page>
  )
}

const stepsTab = <span className={styles['onlyNarrow']}>{texts.tabs.steps}</span>
const tabs = activityTabs.map(tab => [tab, tab === 'steps' ? stepsTab : texts.tabs[tab]] as const)

// Artefacts belong to changes.
const tabsOfRuns = tabs.filter(([tab]) => tab !== 'artefacts')

/** The chosen part. In wide windows the steps are always there, and their tab shows the log beside them. */
function Part({ tab, stepCount, ...part }: PartProps & { tab: ActivityTab; stepCount: number }) {
  switch (tab) {
    case 'timeline':
      return <TimelineTab {...part} />
    case 'flow':
      return <FlowTab {...part} />
    case 'details':
      return <DetailsTab {...part} stepCount={stepCount} />
    case 'events':
      return <EventsTab {...part} />
    case 'artefacts':
      return <ArtefactsTab {...part} />
    default:
      return <LogTab {...part} />
  }
}
