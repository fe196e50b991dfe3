import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight, Download, SquareArrowOutUpRight } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { buttonClass } from '../../components/button/button.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Duration } from '../../components/time/time.tsx'
import { type Act, actOf, pressedKey } from '../../keyboard/keys.ts'
import { log as texts } from '../../messages/log.ts'
import { relatedIds } from './related.ts'
import styles from './section-header.module.css'
import { type StepRecord, stepName } from './steps.ts'

/** How the keys of a header move: to the next header, the one before, the first or the last one. */
export type HeaderMove = 1 | -1 | 'first' | 'last'

interface SectionHeaderProps {
  readonly step: StepRecord
  /** Names of the steps whose runs it belongs to, from the outermost. */
  readonly path: readonly string[]
  readonly lines: number
  readonly isOpen: boolean
  readonly download: string
  readonly onToggle: (isOpen: boolean) => void
  readonly onMove: (move: HeaderMove) => void
  /** Id of the step whose header has the keyboard focus, also while it is drawn anew at another place. */
  readonly focused: RefObject<string | undefined>
}

const moves: Readonly<Partial<Record<Act<'sections'>, HeaderMove>>> = {
  next: 1,
  previous: -1,
  first: 'first',
  last: 'last',
}

/** Header of the section of a step in the log: opens and closes it. */
export function SectionHeader({ step, path, lines, isOpen, download, onToggle, onMove, focused }: SectionHeaderProps) {
  const { id, attributes } = step
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (focused.current === id) button.current?.focus({ preventScroll: true })
  }, [id, focused])
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actOf('sections', pressedKey(event))
    if (act === undefined) return
    const move = moves[act]
    if (move === undefined) onToggle(act === 'open')
    else onMove(move)
    event.preventDefault()
    // The log itself would scroll.
    event.stopPropagation()
  }
  const name = stepName(step)
  // Of a workflow run: what the step has started, and whose log it is.
  const [made] = [...relatedIds(step, 'changes'), ...relatedIds(step, 'workflow_runs')]
  return (
    <div
      className={styles['header']}
      data-section={id}
      data-keys="sections"
      style={{ '--depth': path.length } as CSSProperties}
    >
      <h2>
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          title={attributes.full_path}
          onClick={() => onToggle(!isOpen)}
          onKeyDown={onKeyDown}
          onFocus={() => {
            focused.current = id
          }}
          onBlur={() => {
            if (focused.current === id) focused.current = undefined
          }}
        >
          {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          <StatusIcon status={attributes.status_code} />
          {path.length > 0 && <span className={styles['path']}>{texts.above(path)}</span>}
          <span className={styles['name']}>{name}</span>
          <span className={styles['facts']}>
            <Duration from={attributes.started_at} to={attributes.finished_at} />
            <span>{texts.lines(lines)}</span>
          </span>
        </button>
      </h2>
      {made !== undefined && (
        <Link
          to="/activities/$id"
          params={{ id: made }}
          className={buttonClass({ variant: 'quiet', size: 'small' })}
          aria-label={texts.openActivity(name)}
          title={texts.openActivity(name)}
        >
          <SquareArrowOutUpRight size={14} aria-hidden />
        </Link>
      )}
      <a
        className={buttonClass({ variant: 'quiet', size: 'small' })}
        href={download}
        aria-label={texts.downloadStep(name)}
        title={texts.downloadStep(name)}
        download
      >
        <Download size={14} aria-hidden />
      </a>
    </div>
  )
}
