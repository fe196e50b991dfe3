import { useNavigate, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { isFinal } from '#client/sluice.ts'
import { useHeight } from '../../components/density/density.ts'
import { EmptyState } from '../../components/state/state.tsx'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import { useNow } from '../../components/time/clock.ts'
import { duration } from '../../components/time/format.ts'
import { activity as texts } from '../../messages/activity.ts'
import { type StepRecord, stepName } from './steps.ts'
import { type Bar, barOf, type Period, periodOf, ticksOf } from './timeline.ts'
import styles from './timeline-tab.module.css'
import type { PartProps } from './use-activity.ts'
import { type Attempt, useSupersededAttempts } from './use-attempts.ts'
import { useStepRows } from './use-step-rows.ts'

/**
 * When each step ran: a bar for each row of the tree, on one axis. Waits are hatched, bars of what runs grow, and earlier
 * attempts are dimmed.
 */
export function TimelineTab(part: PartProps) {
  const { record, live } = part
  const { steps } = live
  const attempts = useSupersededAttempts(part)
  const { step: selected, only } = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const { rows } = useStepRows(steps, { filter: '', isUnfinishedOnly: only !== undefined, selected })
  const { attributes } = record
  const now = useNow(!isFinal(attributes.status_code))
  const period = periodOf(attributes, attributes.created_at, now)
  const ticks = ticksOf(period, 6)
  const rowHeight = useHeight('--row-bar')
  const scroll = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is the reason, not an input.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  if (rows.length === 0) return <EmptyState title={steps.size === 0 ? texts.noSteps : texts.allDone} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
    <div ref={scroll} className={styles['timeline']} tabIndex={0}>
      <div className={styles['axis']} aria-hidden>
        <span />
        <span className={styles['ticks']}>
          {ticks.map(({ place, text }) => (
            <span key={text} style={{ insetInlineStart: `${place * 100}%` }}>
              {text}
            </span>
          ))}
        </span>
      </div>
      <div className={styles['rows']} style={{ blockSize: virtualizer.getTotalSize() }}>
        <div className={styles['grid']} aria-hidden>
          <span />
          <span className={styles['lines']}>
            {ticks.map(({ place, text }) => (
              <span key={text} style={{ insetInlineStart: `${place * 100}%` }} />
            ))}
          </span>
        </div>
        <ul>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const { id, level, isExpanded } = rows[index]!
            const step = steps.get(id)!
            return (
              <li key={id} className={styles['row']} style={{ transform: `translateY(${start}px)` }}>
                <button
                  type="button"
                  className={styles['name']}
                  style={{ '--level': Math.min(level - 1, 10) } as CSSProperties}
                  title={step.attributes.full_path}
                  aria-current={id === selected || undefined}
                  onClick={() =>
                    void navigate({
                      search: before => ({ ...before, step: id, line: undefined }),
                      replace: true,
                      resetScroll: false,
                    })
                  }
                >
                  <StatusIcon status={step.attributes.status_code} size={14} />
                  <span>{stepName(step)}</span>
                  {(step.attributes.attempt ?? 0) > 1 && <AttemptNumber number={step.attributes.attempt!} />}
                </button>
                <span className={styles['track']}>
                  {attempts.get(id)?.map(attempt => (
                    <AttemptBar key={attempt.id} attempt={attempt} bar={barOf(attempt.attributes, period)} />
                  ))}
                  <StepBar
                    step={step}
                    bar={currentBar(step, attempts.get(id), period)}
                    isGroup={isExpanded !== undefined}
                    isLabelledBehind={attempts.has(id)}
                  />
                </span>
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}

/** Bar of the newest attempt; undefined while the step waits to run again. */
function currentBar({ attributes }: StepRecord, earlier: readonly Attempt[] = [], period: Period): Bar | undefined {
  const isAmongEarlier = earlier.some(({ attributes: { attempt } }) => attempt === attributes.attempt)
  return isAmongEarlier ? undefined : barOf(attributes, period)
}

const AttemptNumber = ({ number }: { number: number }) => (
  <small title={texts.attempt(number)}>
    <span aria-hidden>{texts.times(number)}</span>
    <span className="visually-hidden">{texts.attempt(number)}</span>
  </small>
)

/** Attempt that another one followed. */
function AttemptBar({ attempt: { attributes }, bar }: { attempt: Attempt; bar: Bar | undefined }) {
  if (!bar) return null
  const { attempt, status_code: status, error_message: reason } = attributes
  return (
    <span
      className={`${styles['bar']} ${styles['earlier']}`}
      data-attempt={attempt}
      title={texts.attemptBar(attempt, statusWord(status), duration(bar.milliseconds), reason ?? '')}
      style={placeOf(bar, status)}
    />
  )
}

const placeOf = (bar: Bar, status: string): CSSProperties =>
  ({
    insetInlineStart: `${bar.from * 100}%`,
    inlineSize: `${bar.width * 100}%`,
    '--bar': `var(--${status}-bar)`,
  }) as CSSProperties

interface StepBarProps {
  readonly step: StepRecord
  readonly bar: Bar | undefined
  readonly isGroup: boolean
  /** Whether there are bars of earlier attempts before it. */
  readonly isLabelledBehind: boolean
}

function StepBar({ step, bar, isGroup, isLabelledBehind }: StepBarProps) {
  const { status_code: status, step_type: type } = step.attributes
  if (!bar) return null
  const isWait = type === 'wait' || type === 'input'
  const took = duration(bar.milliseconds)
  return (
    <>
      <span
        className={[styles['bar'], isGroup && styles['group'], isWait && styles['hatched']].filter(Boolean).join(' ')}
        title={texts.barOf(stepName(step), statusWord(status), took)}
        style={placeOf(bar, status)}
      />
      <span
        className={styles['label']}
        style={
          bar.isLabelledBefore && !isLabelledBehind
            ? { insetInlineEnd: `${(1 - bar.from) * 100}%` }
            : { insetInlineStart: `${(bar.from + bar.width) * 100}%` }
        }
      >
        {took}
      </span>
    </>
  )
}
