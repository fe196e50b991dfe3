import { ArrowDownToLine, ChevronDown, ChevronUp, ListTree, TriangleAlert, WrapText, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button, IconButton } from '../../components/button/button.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { faultText } from '../../components/state/state.tsx'
import { actOf, pressedKey } from '../../keyboard/keys.ts'
import { useKeys } from '../../keyboard/shortcuts.ts'
import { log as texts } from '../../messages/log.ts'
import styles from './activity-page.module.css'
import { DownloadButton } from './download-button.tsx'
import type { LogDownload } from './log-source.ts'
import type { Matches } from './use-matches.ts'

interface LogToolbarProps {
  /** Name of the step whose log is shown; undefined for that of all steps. */
  readonly step: string | undefined
  readonly onAllSteps: () => void
  /** Whether the log is in sections by step. */
  readonly isByStep: boolean
  readonly onByStep: () => void
  readonly find: string
  readonly onFind: (text: string) => void
  readonly matches: Matches | undefined
  readonly searchError: unknown
  /** Number of the current match from 1; 0: none. */
  readonly current: number
  readonly onJump: (direction: 1 | -1) => void
  readonly errors: Matches | undefined
  readonly onNextError: () => void
  readonly count: number | undefined
  /** The field for the number of a line in place of the number of lines, while it is open. */
  readonly goTo: ReactNode
  readonly onGoTo: () => void
  readonly wraps: boolean
  readonly onWrap: () => void
  readonly isFollowing: boolean
  readonly onFollow: () => void
  readonly downloads: readonly LogDownload[]
}

/** Bar above the log: whose log it is, search, errors, line numbers, Follow, download. */
export function LogToolbar(props: LogToolbarProps) {
  const { step, find, matches, searchError, errors, current, count } = props
  const [text, setText] = useDebounced(find, props.onFind)
  const field = useRef<HTMLDivElement>(null)
  useKeys('log', {
    search: () => {
      const input = field.current?.querySelector('input')
      if (!input || input === document.activeElement) return false
      input.select()
      return true
    },
  })
  return (
    <div className={styles['logToolbar']}>
      {step !== undefined && (
        <Button
          size="small"
          title={texts.showAll}
          aria-label={`${texts.onlyStep(step)}: ${texts.showAll}`}
          onClick={props.onAllSteps}
        >
          <span className={styles['clipped']}>{texts.onlyStep(step)}</span>
          <X size={14} aria-hidden />
        </Button>
      )}
      <div ref={field} className={styles['find']} data-keys="find">
        <SearchField
          label={texts.find}
          value={text}
          onChange={setText}
          onKeyDown={event => {
            const act = actOf('find', pressedKey(event))
            if (act === undefined) return
            event.preventDefault()
            if (text !== find) props.onFind(text)
            else props.onJump(act === 'previous' ? -1 : 1)
          }}
        />
      </div>
      {find !== '' && (
        <>
          <span className={styles['soft']} role="status">
            {searchError
              ? faultText(searchError)
              : matches &&
                (matches.lines.length === 0
                  ? texts.noMatches
                  : texts.matches(current, matches.lines.length, matches.isExact))}
          </span>
          <span className={styles['pair']}>
            <IconButton label={texts.previous} size="small" variant="quiet" onClick={() => props.onJump(-1)}>
              <ChevronUp size={16} aria-hidden />
            </IconButton>
            <IconButton label={texts.next} size="small" variant="quiet" onClick={() => props.onJump(1)}>
              <ChevronDown size={16} aria-hidden />
            </IconButton>
          </span>
        </>
      )}
      <span className={styles['spacer']} />
      {props.goTo ??
        (count !== undefined && (
          <Button
            size="small"
            variant="quiet"
            className={styles['lineCount']}
            title={texts.goToLineHint}
            onClick={props.onGoTo}
          >
            {texts.lines(count)}
          </Button>
        ))}
      {errors !== undefined && errors.lines.length > 0 && (
        <Button size="small" variant="danger" title={texts.nextError} onClick={props.onNextError}>
          <TriangleAlert size={14} aria-hidden />
          {texts.errorCount(errors.lines.length, errors.isExact)}
        </Button>
      )}
      <Button
        size="small"
        className={props.isFollowing ? styles['following'] : undefined}
        aria-pressed={props.isFollowing}
        title={texts.followHint}
        onClick={props.onFollow}
      >
        <ArrowDownToLine size={14} aria-hidden />
        {texts.follow}
      </Button>
      <IconButton
        label={texts.byStep}
        size="small"
        variant="quiet"
        className={props.isByStep ? styles['following'] : undefined}
        aria-pressed={props.isByStep}
        onClick={props.onByStep}
      >
        <ListTree size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={texts.wrap}
        size="small"
        variant="quiet"
        className={props.wraps ? styles['following'] : undefined}
        aria-pressed={props.wraps}
        onClick={props.onWrap}
      >
        <WrapText size={16} aria-hidden />
      </IconButton>
      <DownloadButton downloads={props.downloads} />
    </div>
  )
}
