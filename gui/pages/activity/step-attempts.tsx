import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../components/state/state.tsx'
import { StatusBadge } from '../../components/status/status.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import { relatedIds } from './related.ts'
import styles from './step-attempts.module.css'
import type { StepRecord } from './steps.ts'
import type { PartProps } from './use-activity.ts'
import { type Attempt, useAttempts } from './use-attempts.ts'

/** Attempts of a step that ran more than once, also in the changes that this one retries; nothing for any other step. */
export function StepAttempts({ kind, record, step }: PartProps & { step: StepRecord }) {
  const isRetry = relatedIds(record, 'retry_of').length > 0
  const ranAgain = (step.attributes.attempt ?? 0) > 1
  const { data, error, refetch } = useAttempts({ kind }, step, kind.type === 'change' && (isRetry || ranAgain))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || data.length < 2) return null
  return (
    <section className={styles['section']}>
      <h3>{texts.attempts}</h3>
      <ol className={styles['attempts']}>
        {data.map((attempt, i) => (
          <li key={attempt.id}>
            <AttemptOf attempt={attempt} number={i + 1} all={data.length} changeId={record.id} />
          </li>
        ))}
      </ol>
    </section>
  )
}

interface AttemptProps {
  readonly attempt: Attempt
  /** Its number among all attempts, from 1. */
  readonly number: number
  readonly all: number
  /** Change that the page shows. */
  readonly changeId: string
}

function AttemptOf({ attempt: { attributes }, number, all, changeId }: AttemptProps) {
  const { status_code: status, started_at: started, finished_at: finished, retried_by: user } = attributes
  const { exit_code: exitCode, error_message: error, outcome_reason: reason, change_id: change } = attributes
  return (
    <>
      <p className={styles['header']}>
        <strong>{texts.attemptOf(number, all)}</strong>
        <StatusBadge status={status} />
        <span>
          <Time at={started} absolute /> · <Duration from={started} to={finished} />
        </span>
        {typeof exitCode === 'number' && <span>{texts.exited(exitCode)}</span>}
        {user && <span>{texts.retriedBy(user)}</span>}
        {change !== changeId && (
          <Link to="/activities/$id" params={{ id: change }} search={{ step: attributes.step_id, tab: 'details' }}>
            {texts.earlierChange}
          </Link>
        )}
      </p>
      {[error, reason].filter(Boolean).map(text => (
        <p key={text} className={styles['reason']}>
          {text}
        </p>
      ))}
    </>
  )
}
