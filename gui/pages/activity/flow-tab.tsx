import { Link, useSearch } from '@tanstack/react-router'
import { Tag } from '../../components/chip/chip.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import { Duration } from '../../components/time/time.tsx'
import { activity as texts } from '../../messages/activity.ts'
import { type FlowStep, flowOf } from './flow.ts'
import styles from './flow-tab.module.css'
import { stepName } from './steps.ts'
import type { PartProps } from './use-activity.ts'

/** Steps as boxes in each other: those in series follow one another, those in parallel are side by side. */
export function FlowTab({ live: { steps } }: PartProps) {
  if (steps.size === 0) return <EmptyState title={texts.noSteps} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
    <div className={styles['flow']} tabIndex={0}>
      <ol className={styles['series']}>
        {flowOf(steps).map(each => (
          <FlowItem key={each.step.id} {...each} />
        ))}
      </ol>
    </div>
  )
}

function FlowItem({ step, children, hidden }: FlowStep) {
  const { step: selected } = useSearch({ from: '/activities/$id' })
  const { attributes } = step
  const isParallel = attributes.child_execution_strategy === 'parallel'
  const hasChildren = children.length > 0 || hidden !== undefined
  return (
    <li className={hasChildren ? styles['group'] : styles['step']} data-status={attributes.status_code}>
      <div className={styles['header']}>
        <Link
          to="."
          search={before => ({ ...before, step: step.id, tab: undefined, line: undefined })}
          className={styles['name']}
          aria-current={step.id === selected ? 'step' : undefined}
          title={attributes.full_path}
        >
          <StatusIcon status={attributes.status_code} />
          <span>{stepName(step)}</span>
          {attributes.started_at && (
            <span className={styles['duration']}>
              <Duration from={attributes.started_at} to={attributes.finished_at} />
            </span>
          )}
        </Link>
        {hasChildren && isParallel && <Tag>{texts.parallel}</Tag>}
      </div>
      {hasChildren && (
        <ol className={isParallel ? styles['parallel'] : styles['series']}>
          {children.map(each => (
            <FlowItem key={each.step.id} {...each} />
          ))}
          {hidden && (
            <li className={styles['hidden']}>
              {[...hidden].map(([status, count]) => (
                <span key={status}>
                  <StatusIcon status={status} size={14} labelled />
                  {texts.hiddenSteps(count, statusWord(status))}
                </span>
              ))}
            </li>
          )}
        </ol>
      )}
    </li>
  )
}
