import { Link } from '@tanstack/react-router'
import type { Resource, WaitingStep } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { ApprovalProgress } from '../../components/decision/approval-progress.tsx'
import { DecisionButtons } from '../../components/decision/decision-buttons.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { approvals as texts } from '../../messages/approvals.ts'
import styles from './approvals-page.module.css'

/** Waiting step with all that a decision needs, and its buttons. */
export function WaitingCard({ step }: { step: Resource<WaitingStep> }) {
  const { attributes } = step
  const { step_name, action, workflow_code, node_path, created_by, description, plan_sha, wakes_at } = attributes
  return (
    <li className={styles['card']}>
      <div className={styles['head']}>
        <StatusIcon status={attributes.status_code} size={18} />
        <Link to="/activities/$id" params={{ id: attributes.activity_id }} className={styles['step']}>
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
          {plan_sha && <code title={texts.planTitle(plan_sha)}>{texts.plan(plan_sha)}</code>}
          {metadataTags(attributes.metadata).map(each => (
            <Tag key={each}>{each}</Tag>
          ))}
        </div>
      </div>
      <div>
        {description && <p className={styles['description']}>{description}</p>}
        <ApprovalProgress step={attributes} />
        {wakes_at && (
          <p className={styles['soft']}>
            {texts.continuesAt} <Time at={wakes_at} />
          </p>
        )}
      </div>
      <div className={styles['buttons']}>
        <DecisionButtons type={attributes.activity_type === 'change' ? 'step' : 'workflow_step'} step={step} />
      </div>
    </li>
  )
}

/** Metadata as `ticket: CHG-2041`. */
function metadataTags(metadata: unknown): string[] {
  if (typeof metadata !== 'object' || metadata === null) return []
  return Object.entries(metadata)
    .filter((entry): entry is [string, string | number | boolean] => typeof entry[1] !== 'object')
    .map(([name, value]) => `${name}: ${value}`)
}
