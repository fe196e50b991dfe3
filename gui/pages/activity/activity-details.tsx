import { Link } from '@tanstack/react-router'
import { useRecord } from '../../api/queries.ts'
import { PropertyChanges } from '../../components/decision/property-changes.tsx'
import { Facts } from '../../components/facts/facts.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { StatusBadge } from '../../components/status/status.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import { ChangeSettings } from './change-settings.tsx'
import { DocumentText } from './document-text.tsx'
import { isEmptyDocument, relatedIds } from './related.ts'
import type { PartProps } from './use-activity.ts'

/** Properties that are listed. */
const mostProperties = 50

/** Facts about the activity: ids, versions, where it comes from, and its documents. */
export function ActivityDetails({ kind, record, stepCount }: PartProps & { stepCount: number }) {
  const { id, attributes: facts } = record
  const [retryOf] = relatedIds(record, 'retry_of')
  const [schedule] = relatedIds(record, 'scheduled_activity')
  const [stepOfRun] = [...relatedIds(record, 'workflow_step'), ...relatedIds(record, 'parent_step')]
  const skipped = Array.isArray(facts.skip_steps) ? facts.skip_steps.join(', ') : ''
  const documents = [
    [texts.metadata, facts.metadata],
    [texts.propertyOverrides, facts.property_overrides],
    [texts.settingsOverrides, facts.settings_overrides],
  ] as const
  return (
    <section className={styles['detail']}>
      <h2>{texts.detailsOfActivity}</h2>
      <Facts
        facts={[
          [texts.status, <StatusBadge key="" status={facts.status_code} />],
          [texts.action, facts.action],
          [texts.workflow, facts.workflow_code],
          [texts.node, <NodePath key="" path={facts.node_path} links />],
          [texts.id, <code key="">{id}</code>],
          [texts.user, facts.created_by],
          [texts.created, <Time key="" at={facts.created_at} absolute />],
          [texts.started, facts.started_at && <Time at={facts.started_at} absolute />],
          [texts.finished, facts.finished_at && <Time at={facts.finished_at} absolute />],
          [texts.duration, facts.started_at && <Duration from={facts.started_at} to={facts.finished_at} />],
          [texts.stepCount, stepCount > 0 && stepCount.toLocaleString('en')],
          [texts.templateVersion, facts.template_version],
          [texts.workflowVersion, facts.version],
          [texts.gitRemote, facts.git_remote_name],
          [texts.gitRevision, facts.git_rev],
          [texts.commit, facts.commit_sha && <code>{facts.commit_sha}</code>],
          [texts.planSha, facts.plan_sha && <code>{facts.plan_sha}</code>],
          [texts.startingStep, facts.starting_step],
          [texts.skipSteps, skipped],
          [texts.autoContinue, facts.auto_continue_wait_steps && texts.autoContinues],
          [texts.buildWithoutCache, facts.build_without_cache && texts.rebuilt],
          [
            texts.retryOf,
            retryOf !== undefined && (
              <Link to="/activities/$id" params={{ id: retryOf }}>
                {texts.showOriginal}
              </Link>
            ),
          ],
          [texts.schedule, schedule !== undefined && <code>{schedule}</code>],
          [texts.fromWorkflow, stepOfRun !== undefined && <RunLink step={stepOfRun} />],
          [texts.pausedBy, facts.paused_by],
          [texts.cancelledBy, facts.cancelled_by],
          [texts.error, facts.error_message],
        ]}
      />
      {kind.type === 'change' && facts.commit_sha && (
        <section className={styles['document']} aria-label={texts.propertyChanges}>
          <h3>{texts.propertyChanges}</h3>
          <PropertyChanges changeId={id} most={mostProperties} />
        </section>
      )}
      {documents.map(
        ([label, value]) => !isEmptyDocument(value) && <DocumentText key={label} label={label} value={value} />,
      )}
      {record.type === 'change' && <ChangeSettings id={id} />}
    </section>
  )
}

/** Link to the workflow run of a step; the activity names only the step. */
function RunLink({ step }: { step: string }) {
  const { data } = useRecord<'workflow_step'>(`/api/workflow_steps/${step}`)
  if (!data) return <code>{step}</code>
  return (
    <Link to="/activities/$id" params={{ id: data.attributes.workflow_run_id }} search={{ step }}>
      {texts.showRun}
    </Link>
  )
}
