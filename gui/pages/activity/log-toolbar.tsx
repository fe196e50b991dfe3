import { ArrowDownToLine, ChevronDown, ChevronUp, Download, TriangleAlert, X } from 'lucide-react'
import { Button, buttonClass, IconButton } from '../../components/button/button.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { faultText } from '../../components/state/state.tsx'
import { log as texts } from '../../messages/log.ts'
import styles from './activity-page.module.css'
import type { LogSubject } from './log-source.ts'
import type { Matches } from './use-matches.ts'

interface LogToolbarProps {
  /** Name of the step whose log is shown; undefined for that of all steps. */
  readonly step: string | undefined
  readonly onAllSteps: () => void
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
  readonly isFollowing: boolean
  readonly onFollow: () => void
  readonly subject: LogSubject
}

/** Bar above the log: whose log it is, search, errors, Follow, download. */
export function LogToolbar(props: LogToolbarProps) {
  const { step, find, matches, searchError, errors, current, count } = props
  const [text, setText] = useDebounced(find, props.onFind)
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
      <div className={styles['find']}>
        <SearchField
          label={texts.find}
          value={text}
          onChange={setText}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (text !== find) props.onFind(text)
            else props.onJump(event.shiftKey ? -1 : 1)
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
      {count !== undefined && <span className={`${styles['soft']} ${styles['lineCount']}`}>{texts.lines(count)}</span>}
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
      <a
        className={buttonClass({ variant: 'quiet', size: 'small' })}
        href={downloadOf(props.subject)}
        aria-label={texts.download}
        title={texts.download}
        download
      >
        <Download size={16} aria-hidden />
      </a>
    </div>
  )
}

/** Address of the whole log as a file: the list of its lines as text. */
function downloadOf({ path, query }: LogSubject): string {
  return `${path.replace(/\/log$/, '/log_lines')}?${new URLSearchParams({ ...query, download: 'log.txt' })}`
}
