import { decision as texts } from '../../messages/decision.ts'
import styles from './decision.module.css'

/** What a decision is about: the size of an activity, the version that it runs, and its plan. */
export interface DecisionSubject {
  readonly stepCount: number
  /** Template version of a change; number of the version of the workflow of a run. */
  readonly version: string | null
  readonly commit: string | null
  readonly planSha: string | null
}

/** Line about the activity that a decision is about: plan, steps, version and commit. */
export function SubjectFacts({ subject: { stepCount, version, commit, planSha } }: { subject: DecisionSubject }) {
  return (
    <ul className={styles['subject']} aria-label={texts.subject}>
      {planSha !== null && (
        <li>
          {texts.plan} <code title={texts.planTitle(planSha)}>{planSha.slice(0, 8)}</code>
        </li>
      )}
      {stepCount > 0 && <li>{texts.steps(stepCount)}</li>}
      {version !== null && <li>{texts.version(version)}</li>}
      {commit !== null && (
        <li>
          <code title={texts.commitTitle(commit)}>{commit.slice(0, 8)}</code>
        </li>
      )}
    </ul>
  )
}
