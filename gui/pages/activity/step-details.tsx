import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { Step, WorkflowStep } from '../../api/records.ts'
import { Facts } from '../../components/facts/facts.tsx'
import { ErrorState, Skeleton } from '../../components/state/state.tsx'
import { StatusBadge } from '../../components/status/status.tsx'
import { duration } from '../../components/time/format.ts'
import { Duration, Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import { DocumentText } from './document-text.tsx'
import { decisionsIn, isEmptyDocument, type MadeDecision, relatedIds } from './related.ts'
import { StepAttempts } from './step-attempts.tsx'
import { stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'

/** Facts about the chosen step: how it ended, who decided, what it printed and returned. */
export function StepDetails({ id, ...part }: PartProps & { id: string }) {
  const { kind, live } = part
  const known = live.steps.get(id)
  const { data, error, refetch } = useQuery({
    // With the time, so that a step that has moved is read again.
    queryKey: recordKey(kind.stepPath(id), { updated_at: known?.attributes.updated_at ?? '' }),
    queryFn: () => sluice().show<Partial<Step> & Partial<WorkflowStep>>(kind.stepPath(id)),
    enabled: known !== undefined,
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || !known) return <Skeleton rows={4} />
  const { attributes: facts } = data
  const { status_code: status, started_at: started, finished_at: finished } = known.attributes
  const created = [
    [texts.createdChanges, relatedIds(data, 'changes')],
    [texts.createdRuns, relatedIds(data, 'workflow_runs')],
  ] as const
  return (
    <section className={styles['detail']}>
      <h2>{texts.detailsOf(stepName(known))}</h2>
      <Facts
        facts={[
          [texts.status, <StatusBadge key="" status={status} />],
          [texts.description, facts.description],
          [texts.path, known.attributes.full_path],
          [texts.type, facts.step_type],
          [texts.action, facts.action],
          [texts.workflow, facts.workflow_code],
          [texts.targets, Array.isArray(facts.targets) && facts.targets.join(', ')],
          [texts.id, <code key="">{id}</code>],
          [texts.outcome, facts.outcome_reason],
          [texts.error, facts.error_message],
          [texts.exitCode, facts.exit_code === null ? undefined : facts.exit_code?.toString()],
          [texts.attempts, facts.attempt ? String(facts.attempt) : undefined],
          [texts.ignoresFailure, facts.ignore_failure && texts.ignored],
          [texts.started, started && <Time at={started} absolute />],
          [texts.finished, finished && <Time at={finished} absolute />],
          [texts.duration, started && <Took from={started} to={finished} usual={facts.expected_seconds} />],
          [texts.logLines, lineCounts(facts)],
          [texts.approvedBy, decided(decisionsIn(facts.approved_by))],
          [texts.rejectedBy, decided(decisionsIn(facts.rejected_by))],
          [texts.continuedBy, facts.continued_by],
          ...created.map(([name, ids]) => [name, ids.length > 0 && <ActivityLinks ids={ids} />] as const),
        ]}
      />
      <StepAttempts {...part} step={known} />
      {!isEmptyDocument(facts.outputs) && <DocumentText label={texts.outputs} value={facts.outputs} />}
    </section>
  )
}

/** Duration of a step beside the usual one, in seconds, if that is known. */
function Took({ from, to, usual }: { from: string; to: string | null; usual: number | null | undefined }) {
  return (
    <>
      <Duration from={from} to={to} />
      {typeof usual === 'number' && `, ${texts.usually(duration(usual * 1_000))}`}
    </>
  )
}

function lineCounts({ log_line_count: lines = 0, error_line_count: errors = 0 }: Partial<Step>): string {
  const all = lines.toLocaleString('en')
  return errors === 0 ? all : `${all}, ${texts.errorLines(errors)}`
}

const decided = (decisions: readonly MadeDecision[]): string =>
  decisions.map(({ username, message }) => texts.decided(username, message)).join(', ')

/** Activities that are linked; a step may have started a thousand. */
const mostLinks = 50

const ActivityLinks = ({ ids }: { ids: readonly string[] }) => (
  <ul>
    {ids.slice(0, mostLinks).map((id, i) => (
      <li key={id}>
        <Link to="/activities/$id" params={{ id }}>
          {texts.showActivity(i + 1)}
        </Link>
      </li>
    ))}
  </ul>
)
