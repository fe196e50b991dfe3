import { type MouseEvent, memo } from 'react'
import { log as texts } from '../../messages/log.ts'
import { styledTexts } from './ansi.ts'
import type { LogLine } from './lines.ts'
import styles from './log-window.module.css'
import { markedTexts } from './marked.ts'

interface LogRowProps {
  /** Row of the window. */
  readonly index: number
  /** Number of the line, from 1. */
  readonly number: number
  readonly line: LogLine | undefined
  /** Name of the step that wrote the line; undefined in the log of one step. */
  readonly step: string | undefined
  readonly isChosen: boolean
  readonly isMatch: boolean
  readonly find: string
  /** Address of the line. */
  readonly href: string
  /** Called for clicks on the line's number with its row from 1, and whether the range grows to it. */
  readonly onChoose: (row: number, isRange: boolean) => void
}

/** Characters of a line that are drawn; some programs print megabytes without a line break. */
const mostDrawn = 5_000

/** One line of a log: number, step, text. Memoized, since scrolling redraws the window for every frame. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { index, number, line, step, isChosen, isMatch, find, href, onChoose } = props
  const choose = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.button !== 0) return
    event.preventDefault()
    onChoose(index + 1, event.shiftKey)
  }
  const classes = [
    styles['line'],
    line?.category === 'stderr' && styles['stderr'],
    line && line.category !== 'stderr' && line.category !== 'stdout' && styles['service'],
    isChosen && styles['chosen'],
    isMatch && styles['current'],
  ]
  return (
    <div className={classes.filter(Boolean).join(' ')} data-row={index} data-line={number}>
      <a
        className={styles['number']}
        href={href}
        tabIndex={-1}
        aria-label={line?.category === 'stderr' ? texts.errorLine(number) : texts.line(number)}
        onClick={choose}
      >
        {number}
      </a>
      {step !== undefined && (
        <span className={styles['step']} title={step}>
          {step}
        </span>
      )}
      <span className={styles['text']} data-text>
        {line && <LineText message={line.message} find={find} />}
      </span>
    </div>
  )
})

function LineText({ message, find }: { message: string; find: string }) {
  const parts = markedTexts(styledTexts(message.slice(0, mostDrawn)), find)
  return (
    <>
      {parts.map(({ text, isMark, ...style }, i) => {
        const classes = [
          style.colour !== undefined && styles[`colour${style.colour}`],
          style.background !== undefined && styles[`ground${style.background}`],
          style.bold && styles['bold'],
          style.dim && styles['dim'],
          style.italic && styles['italic'],
          style.underline && styles['underline'],
        ]
          .filter(Boolean)
          .join(' ')
        const Part = isMark ? 'mark' : 'span'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no identity.
          <Part key={i} className={classes || undefined}>
            {text}
          </Part>
        )
      })}
      {message.length > mostDrawn && <span className={styles['cut']}>{texts.cut(message.length - mostDrawn)}</span>}
    </>
  )
}
