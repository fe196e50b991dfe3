import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Resource, WaitingStep } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { ApprovalProgress } from '../../components/decision/approval-progress.tsx'
import { DecisionButtons } from '../../components/decision/decision-buttons.tsx'
import { type DecisionSubject, SubjectFacts } from '../../components/decision/decision-subject.tsx'
import { PropertyChanges } from '../../components/decision/property-changes.tsx'
import { useInSight } from '../../components/decision/use-in-sight.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { approvals as texts } from '../../messages/approvals.ts'
import styles from './approvals-page.module.css'

/** Properties that a card lists, and that its dialog does. */
const mostInCard = 3
const mostInDialog = 20

/** Waiting step with all that a decision needs, and its buttons. What changes is read once the card is in sight. */
export function WaitingCard({ step }: { step: Resource<WaitingStep> }) {
  const { attributes } = step
  const { step_name, action, workflow_code, node_path, created_by, description, wakes_at, activity_id: id } = attributes
  const isChange = attributes.activity_type === 'change'
  const card = useRef<HTMLLIElement>(null)
  const isInSight = useInSight(card)
  const facts = <SubjectFacts subject={subjectOf(attributes)} />
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['head']}>
        <StatusIcon status={attributes.status_code} size={18} />
        <Link to="/activities/$id" params={{ id }} className={styles['step']}>
          {step_name}
        </Link>
        <span className={styles['soft']} title={texts.waiting}>
          <Duration from={attributes.waiting_since} />
        </span>
      </div>
      <div>
        <div className={styles['facts']}>
          <strong>{action ?? workflow_code}</strong>
          <NodePath path={node_path} links />
        </div>
        <div className={`${styles['facts']} ${styles['soft']}`}>
          <span>{texts.createdBy(created_by)}</span>
          <Time at={attributes.created_at} />
          {metadataTags(attributes.metadata).map(each => (
            <Tag key={each}>{each}</Tag>
          ))}
        </div>
      </div>
      <div className={styles['what']}>
        {facts}
        {isChange && <PropertyChanges changeId={id} most={mostInCard} enabled={isInSight} />}
        {description && <p className={styles['description']}>{description}</p>}
        <ApprovalProgress step={attributes} />
        {wakes_at && (
          <p className={styles['soft']}>
            {texts.continuesAt} <Time at={wakes_at} />
          </p>
        )}
      </div>
      <div className={styles['buttons']}>
        <DecisionButtons
          type={isChange ? 'step' : 'workflow_step'}
          step={step}
          about={
            <>
              {facts}
              {isChange && <PropertyChanges changeId={id} most={mostInDialog} inDialog />}
            </>
          }
        />
      </div>
    </li>
  )
}

const subjectOf = (step: WaitingStep): DecisionSubject => ({
  stepCount: step.step_count,
  version: step.template_version ?? (step.workflow_version === null ? null : String(step.workflow_version)),
  commit: step.commit_sha,
  planSha: step.plan_sha,
})

/** Metadata as `ticket: CHG-2041`. */
function metadataTags(metadata: unknown): string[] {
  if (typeof metadata !== 'object' || metadata === null) return []
  return Object.entries(metadata)
    .filter((entry): entry is [string, string | number | boolean] => typeof entry[1] !== 'object')
    .map(([name, value]) => `${name}: ${value}`)
}
