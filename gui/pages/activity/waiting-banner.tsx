import { Link } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { useDocument } from '../../api/queries.ts'
import type { Resource } from '../../api/records.ts'
import { ApprovalProgress } from '../../components/decision/approval-progress.tsx'
import { DecisionButtons } from '../../components/decision/decision-buttons.tsx'
import { type DecisionSubject, SubjectFacts } from '../../components/decision/decision-subject.tsx'
import { PropertyChanges } from '../../components/decision/property-changes.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import type { ActivityRecord } from './activity-kind.ts'
import styles from './activity-page.module.css'
import { type StepRecord, stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'

interface WaitingReason {
  readonly kind: string
  readonly by: string | null
  readonly since: string
  readonly estimated_until?: string
}

/** Reasons that are about a step, which has a line of its own. */
const ofSteps = new Set(['approval', 'input'])

/** Steps whose decisions are shown; further ones are counted. */
const most = 5

interface WaitingBannerProps extends PartProps {
  readonly waiting: readonly StepRecord[]
  /** Number of all steps. */
  readonly stepCount: number
}

/** Properties that the dialog of a decision lists. */
const mostProperties = 20

/** Why the activity waits, and the decisions that the user may make on its waiting steps. */
export function WaitingBanner({ kind, record, waiting, stepCount }: WaitingBannerProps) {
  const { status_code: status, pause_state: pauseState } = record.attributes
  const mayWait = status !== 'running' || waiting.length > 0 || pauseState !== 'none'
  const { data } = useDocument<{ data: Resource<WaitingReason> | null }>(
    `${kind.path(record.id)}/waiting_reason`,
    undefined,
    { enabled: mayWait, every: 15_000 },
  )
  const reason = mayWait ? data?.data?.attributes : undefined
  const isOwnLine = reason !== undefined && !(ofSteps.has(reason.kind) && waiting.length > 0)
  if (!isOwnLine && waiting.length === 0) return null
  return (
    <div className={styles['waiting']}>
      {isOwnLine && <Reason reason={reason} />}
      {waiting.slice(0, most).map(step => (
        <div key={step.id} className={styles['wait']}>
          <Hourglass size={16} aria-hidden />
          <div className={styles['waitText']}>
            <p>
              {texts.waits} <strong>{texts.waitsStep(stepName(step))}</strong> {texts.waitsForDecision[waitsFor(step)]}{' '}
              · {texts.waitingFor} <Duration from={step.attributes.started_at ?? step.attributes.updated_at} />
            </p>
            <ApprovalProgress step={step.attributes} />
          </div>
          <div className={styles['decisions']}>
            <DecisionButtons
              type={kind.stepType}
              step={step}
              about={
                <>
                  <SubjectFacts subject={subjectOf(record, stepCount)} />
                  {kind.type === 'change' && <PropertyChanges changeId={record.id} most={mostProperties} inDialog />}
                </>
              }
            />
          </div>
        </div>
      ))}
      {waiting.length > most && <p>{texts.otherWaitingSteps(waiting.length - most)}</p>}
    </div>
  )
}

function subjectOf({ attributes: facts }: ActivityRecord, stepCount: number): DecisionSubject {
  const { template_version: version = null, version: ofWorkflow, commit_sha = null, plan_sha = null } = facts
  return {
    stepCount,
    version: version ?? (ofWorkflow === undefined ? null : String(ofWorkflow)),
    commit: commit_sha,
    planSha: plan_sha,
  }
}

function Reason({ reason }: { reason: WaitingReason }) {
  const { kind, by, since, estimated_until: until } = reason
  const isChange = kind === 'same_name' || kind === 'parallel_not_allowed'
  return (
    <div className={styles['wait']}>
      <Hourglass size={16} aria-hidden />
      <p className={styles['waitText']}>
        <span>
          {texts.waits} {texts.waitReasons[kind]?.(by ?? '') ?? kind.replaceAll('_', ' ')} · {texts.waitingFor}{' '}
          <Duration from={since} />
          {until && (
            <>
              , {texts.until} <Time at={until} absolute />
            </>
          )}
        </span>
        {isChange && by && (
          <Link to="/activities/$id" params={{ id: by }}>
            {texts.olderChange}
          </Link>
        )}
      </p>
    </div>
  )
}

function waitsFor({ attributes: step }: StepRecord): keyof typeof texts.waitsForDecision {
  if (step.status_code === 'waiting_for_approval') return 'approval'
  return step.step_type === 'input' ? 'input' : 'continue'
}
