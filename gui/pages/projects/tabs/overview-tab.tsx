import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isFinal } from '#client/sluice.ts'
import { useList } from '../../../api/queries.ts'
import type { Activity, Resource } from '../../../api/records.ts'
import { activityFields } from '../../../components/activity-table/fields.ts'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { Unread } from '../../../components/state/query-states.tsx'
import { StatusBadge, StatusIcon, statusWord } from '../../../components/status/status.tsx'
import { Duration, Time } from '../../../components/time/time.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { AgentStatusPanel } from '../../agents/agent-status-panel.tsx'
import { actionsOf } from '../action.ts'
import { canHaveChanges, hasTemplate, nodeType } from '../node.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { ActionList } from './actions-tab.tsx'
import { BookmarkPanel } from './bookmark-panel.tsx'
import { ChildrenPanel } from './children-panel.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { Health } from './health.tsx'
import styles from './tabs.module.css'
import { TemplatePanel } from './template-panel.tsx'

/** Actions that the overview lists. */
const mostActions = 6

/** What happens on a node at a glance. */
export default function OverviewTab({ node, path }: NodeTabProps) {
  const actions = actionsOf(node)
  const isAgent = nodeType(node) === 'agent'
  const isLeaf = nodeType(node) === 'asset' || isAgent
  return (
    <div className={styles['columns']}>
      <div>
        {isAgent ? <AgentStatusPanel path={path} /> : <ActivityPanels node={node} path={path} isLeaf={isLeaf} />}
        {actions.length > 0 && canHaveChanges(node) && (
          <Panel
            title={texts.actions}
            flush
            actions={
              actions.length > mostActions && (
                <Link to="." search={(before: Record<string, unknown>) => ({ ...before, tab: 'actions' })}>
                  {texts.allActions(actions.length)}
                </Link>
              )
            }
          >
            <ActionList node={node} actions={actions.slice(0, mostActions)} />
          </Panel>
        )}
        {!isLeaf && <ChildrenPanel path={path} />}
      </div>
      <div>
        {hasTemplate(node) && <TemplatePanel node={node} path={path} />}
        <BookmarkPanel node={node} path={path} />
        <DetailsPanel node={node} path={path} />
      </div>
    </div>
  )
}

function ActivityPanels({ node, path, isLeaf }: NodeTabProps & { isLeaf: boolean }) {
  const { records, query } = useList<'activity'>('/api/activities', {
    limit: 25,
    'filter[under]': path,
    'filter[sorts]': 'created_at desc',
    'fields[activity]': activityFields,
  })
  if (records.length === 0 && !query.isSuccess) return <Unread query={query} skeleton={4} />
  const running = records.filter(({ attributes }) => !isFinal(attributes.status_code))
  const ended = records.filter(({ attributes }) => isFinal(attributes.status_code))
  return (
    <>
      {running.length > 0 && (
        <Panel title={texts.now} flush>
          <ul className={styles['rows']}>
            {running.map(each => (
              <Running key={each.id} activity={each} withPath={!isLeaf} />
            ))}
          </ul>
        </Panel>
      )}
      <Panel
        title={texts.recent}
        flush
        actions={
          <Link to="." search={(before: Record<string, unknown>) => ({ ...before, tab: 'activities' })}>
            {texts.allActivities}
          </Link>
        }
      >
        <Ended
          activities={ended}
          isQuiet={running.length === 0}
          health={<Health node={node} path={path} hasRun={ended.length > 0} />}
        />
      </Panel>
    </>
  )
}

const nameOf = ({ attributes }: Resource<Activity>): string => attributes.action ?? attributes.workflow_code ?? ''

function Running({ activity, withPath }: { activity: Resource<Activity>; withPath: boolean }) {
  const { status_code: status, path, created_by: user, started_at: started } = activity.attributes
  return (
    <li>
      <div className={styles['main']}>
        <Link to="/activities/$id" params={{ id: activity.id }} className={styles['name']}>
          {nameOf(activity)}
        </Link>
        <span className={styles['line']}>
          {withPath && <NodePath path={path} links />}
          <span>
            {texts.by} {user}
          </span>
          {started && <Duration from={started} />}
        </span>
      </div>
      <StatusBadge status={status} />
    </li>
  )
}

/** One icon for each activity that has ended, the newest first. */
interface EndedProps {
  readonly activities: readonly Resource<Activity>[]
  readonly isQuiet: boolean
  /** Sentence parts beside the last one. */
  readonly health: ReactNode
}

function Ended({ activities, isQuiet, health }: EndedProps) {
  const [newest] = activities
  if (!newest)
    return (
      <div className={styles['padded']}>
        <p className={styles['sentence']}>
          <span>{texts.noActivities}</span>
          {health}
        </p>
      </div>
    )
  return (
    <div className={styles['padded']}>
      <ul className={styles['icons']}>
        {activities.map(each => {
          const text = texts.recentItem(nameOf(each), statusWord(each.attributes.status_code))
          return (
            <li key={each.id}>
              <Link to="/activities/$id" params={{ id: each.id }} aria-label={text} title={text}>
                <StatusIcon status={each.attributes.status_code} labelled />
              </Link>
            </li>
          )
        })}
      </ul>
      <p className={styles['sentence']}>
        {isQuiet && <span>{texts.nothingRunsNow}</span>}
        <span>
          {texts.lastEnded} <Time at={newest.attributes.finished_at} />:
        </span>
        <Link to="/activities/$id" params={{ id: newest.id }}>
          {texts.recentItem(nameOf(newest), statusWord(newest.attributes.status_code))}
        </Link>
        {health}
      </p>
    </div>
  )
}
