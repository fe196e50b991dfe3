import { Hand } from 'lucide-react'
import { decision as texts } from '../../messages/decision.ts'
import { approvalProgress, approvalsIn } from './approvals.ts'
import styles from './decision.module.css'

interface ApprovalProgressProps {
  readonly step: { readonly requires_approval_from: unknown; readonly approved_by: unknown }
}

/** Approvals that a step has and requires, one line for each rule; nothing for a step without approvers. */
export function ApprovalProgress({ step }: ApprovalProgressProps) {
  const rules = approvalProgress(step.requires_approval_from, step.approved_by)
  if (rules.length === 0) return null
  const approvals = approvalsIn(step.approved_by)
  return (
    <ul className={styles['progress']}>
      {rules.map(({ given, required, users, groups }, i) => {
        const by = approvals.filter(({ rules: counts }) => counts.includes(i)).map(({ username }) => username)
        const names = [...users, ...groups.map(texts.group)].join(', ')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules are identified by their places.
          <li key={i}>
            <Hand size={14} aria-hidden />
            <strong>{texts.approvals(given, required)}</strong>
            {by.length > 0 && <span>{texts.approvedBy(by.join(', '))}</span>}
            {names !== '' && <span className={styles['soft']}>{texts.approvers(names)}</span>}
          </li>
        )
      })}
    </ul>
  )
}
