import { Link } from '@tanstack/react-router'
import { isFinal } from '#client/sluice.ts'
import { useDocument } from '../../api/queries.ts'
import type { Activity, Resource, WaitingStep } from '../../api/records.ts'
import { approvalProgress } from '../../components/decision/approvals.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { activity as activityTexts } from '../../messages/activity.ts'
import { dashboard as texts } from '../../messages/dashboard.ts'
import styles from './dashboard-page.module.css'
import type { DueSchedule } from './summary.ts'

/** Activity in progress or ended: how far it is and why it waits, or why it failed. */
export function ActivityRow({ activity: { id, attributes } }: { activity: Resource<Activity> }) {
  const { status_code: status, action, workflow_code, path, error_message: error, started_at, finished_at } = attributes
  const mayWait = !isFinal(status) && (status !== 'running' || attributes.pause_state !== 'none')
  return (
    <li className={styles['row']}>
      <StatusIcon status={status} />
      <div className={styles['what']}>
        <Link to="/activities/$id" params={{ id }} className={styles['link']}>
          {action ?? workflow_code}
        </Link>
        <NodePath path={path} line />
        {mayWait && <WaitReason path={`/api/${attributes.type}s/${id}/waiting_reason`} />}
        {error && (
          <span className={`${styles['soft']} ${styles['error']}`} title={error}>
            {error}
          </span>
        )}
      </div>
      <div className={styles['aside']}>
        <span>{finished_at ? <Time at={finished_at} /> : <Duration from={started_at} />}</span>
        {attributes.progress && <Progress progress={attributes.progress} />}
      </div>
    </li>
  )
}

interface ProgressProps {
  readonly progress: { readonly step_count: number; readonly ended_step_count: number }
}

/** Steps that have ended, as a bar and in numbers; nothing before the steps are known. */
function Progress({ progress: { step_count: all, ended_step_count: ended } }: ProgressProps) {
  if (all === 0) return null
  return (
    <span className={styles['progress']}>
      <span className={styles['track']} aria-hidden>
        <span className={styles['done']} style={{ inlineSize: `${(100 * ended) / all}%` }} />
      </span>
      {activityTexts.steps(ended, all)}
    </span>
  )
}

/** Why an activity does not go on; no live stream tells that. */
function WaitReason({ path }: { path: string }) {
  const { data } = useDocument<{ data: Resource<{ kind: string; by: string | null }> | null }>(path, undefined, {
    every: 15_000,
  })
  const reason = data?.data?.attributes
  if (!reason) return null
  const { kind, by } = reason
  const text = texts.waits(activityTexts.waitReasons[kind]?.(by ?? '') ?? kind.replaceAll('_', ' '))
  return <span className={`${styles['soft']} ${styles['reason']}`}>{text}</span>
}

/** Step that waits for the user, with the plan that an approval signs. */
export function WaitingRow({ step: { attributes } }: { step: Resource<WaitingStep> }) {
  const rules = approvalProgress(attributes.requires_approval_from, attributes.approved_by)
  const sum = (count: 'given' | 'required') => rules.reduce((total, rule) => total + rule[count], 0)
  const { plan_sha: plan } = attributes
  return (
    <li className={styles['row']}>
      <StatusIcon status={attributes.status_code} />
      <div className={styles['what']}>
        <Link to="/activities/$id" params={{ id: attributes.activity_id }} className={styles['link']}>
          {attributes.step_name}
        </Link>
        <NodePath path={attributes.node_path} line />
        {(plan !== null || rules.length > 0) && (
          <span className={styles['soft']}>
            {[
              ...(plan === null ? [] : [texts.plan(plan)]),
              ...(rules.length > 0 ? [texts.approvals(sum('given'), sum('required'))] : []),
            ].join(' · ')}
          </span>
        )}
      </div>
      <div className={styles['aside']}>
        <span>
          <Duration from={attributes.waiting_since} />
        </span>
      </div>
    </li>
  )
}

/** Schedule that is due next. */
export function DueRow({ schedule }: { schedule: DueSchedule }) {
  return (
    <li className={styles['row']}>
      <StatusIcon status="queued" labelled />
      <div className={styles['what']}>
        <Link to="/schedules" search={{ schedule: schedule.id }} className={styles['link']}>
          {schedule.action ?? schedule.workflow_code}
        </Link>
        <NodePath path={schedule.node_path} line />
      </div>
      <div className={styles['aside']}>
        <span>
          <Time at={schedule.next_run_at} />
        </span>
        <span>{schedule.time_zone}</span>
      </div>
    </li>
  )
}
