import { useNavigate, useSearch } from '@tanstack/react-router'
import { Chip, Tag } from '../../components/chip/chip.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Duration } from '../../components/time/time.tsx'
import { Tree } from '../../components/tree/tree.tsx'
import { activity as texts } from '../../messages/activity.ts'
import styles from './activity-page.module.css'
import { type Progress, type StepRecord, stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'
import { useStepRows } from './use-step-rows.ts'

/** Panel with the tree of steps, its filter, and the switch that hides what is done. */
export function StepPanel({ live, progress }: PartProps & { progress: Progress }) {
  const { steps } = live
  const search = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const [filter, setFilter] = useDebounced(
    search.filter ?? '',
    value =>
      void navigate({
        search: ({ filter: _, ...rest }) => ({ ...rest, ...(value !== '' && { filter: value }) }),
        replace: true,
        resetScroll: false,
      }),
  )
  const isUnfinishedOnly = search.only === 'unfinished'
  const { rows, toggle } = useStepRows(steps, { filter, isUnfinishedOnly, selected: search.step })
  const [failed] = progress.failed
  const root = steps.roots[0]

  const select = (id: string) =>
    void navigate({
      search: ({ tab, line: _, step: __, ...rest }) => ({
        ...rest,
        ...(tab && tab !== 'steps' && { tab }),
        ...(id !== root && { step: id }),
      }),
      replace: true,
      // The log goes to the section of the step.
      resetScroll: false,
    })

  return (
    <section className={styles['steps']} aria-label={texts.stepsTitle}>
      <div className={styles['stepsHeader']}>
        <SearchField label={texts.filterSteps} value={filter} onChange={setFilter} />
        <Chip
          pressed={isUnfinishedOnly}
          onPress={() =>
            void navigate({
              search: ({ only, ...rest }) => ({ ...rest, ...(!only && { only: 'unfinished' as const }) }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          {texts.onlyUnfinished}
        </Chip>
      </div>
      {live.isReadingSteps ? (
        <Skeleton rows={8} />
      ) : live.stepsError && steps.size === 0 ? (
        <ErrorState error={live.stepsError} onRetry={live.retrySteps} />
      ) : steps.size === 0 ? (
        <EmptyState title={texts.noSteps}>{texts.noStepsDetail}</EmptyState>
      ) : rows.length === 0 ? (
        <EmptyState title={filter === '' ? texts.allDone : texts.noStepMatches} />
      ) : (
        <Tree
          label={texts.stepTree}
          rows={rows}
          current={search.step ?? root}
          inView={search.step ?? failed?.id}
          onSelect={({ id }) => select(id)}
          onToggle={({ id }, isOpen) => toggle(id, isOpen)}
        >
          {({ id }) => <StepRow step={steps.get(id)!} />}
        </Tree>
      )}
    </section>
  )
}

function StepRow({ step }: { step: StepRecord }) {
  const { attributes } = step
  const { status_code: status, child_execution_strategy: order, attempt = 0, ignore_failure: ignored } = attributes
  return (
    <>
      <StatusIcon status={status} />
      <span className={styles['stepName']} title={attributes.full_path}>
        {stepName(step)}
      </span>
      {order === 'parallel' && <Tag>{texts.parallel}</Tag>}
      {attempt > 1 && <Tag>{texts.attempt(attempt)}</Tag>}
      {ignored && status === 'error' && <Tag>{texts.ignoreFailure}</Tag>}
      <span className={styles['stepDuration']}>
        <Duration from={attributes.started_at} to={attributes.finished_at} />
      </span>
    </>
  )
}
