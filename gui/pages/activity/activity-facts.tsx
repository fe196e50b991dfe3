import { GitCommitHorizontal } from 'lucide-react'
import { Tag } from '../../components/chip/chip.tsx'
import { Duration, Time } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import type { Progress } from './steps.ts'
import type { PartProps } from './use-activity.ts'

/** Line under the heading: who, when, how long, how far, which version. */
export function ActivityFacts({ kind, record, progress }: Pick<PartProps, 'kind' | 'record'> & { progress: Progress }) {
  const { attributes: facts } = record
  const version = facts.template_version ?? facts.git_rev ?? (facts.version && texts.versionNumber(facts.version))
  return (
    <>
      <div className={styles['facts']}>
        <span>
          {texts.by} <strong>{facts.created_by}</strong>
        </span>
        <Time at={facts.created_at} />
        {facts.started_at && (
          <span>
            {facts.finished_at && `${texts.took} `}
            <strong>
              <Duration from={facts.started_at} to={facts.finished_at} />
            </strong>
            {!facts.finished_at && ` ${texts.soFar}`}
          </span>
        )}
        {progress.all > 0 && <span>{texts.steps(progress.done, progress.all)}</span>}
        {version && (
          <span className={styles['revision']}>
            <GitCommitHorizontal size={15} aria-hidden />
            {texts.revision(version, facts.commit_sha?.slice(0, 8))}
          </span>
        )}
        {kind.type === 'workflow_run' && <Tag>{texts.workflowRun}</Tag>}
        {facts.scheduled && <Tag>{texts.scheduled}</Tag>}
        {facts.pause_state !== 'none' && <Tag>{facts.pause_state === 'pausing' ? texts.pausing : texts.paused}</Tag>}
      </div>
      {facts.error_message && <p className={styles['failure']}>{facts.error_message}</p>}
    </>
  )
}
