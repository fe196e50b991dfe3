import { type FormEvent, useId, useState } from 'react'
import { log as texts } from '../../messages/log.ts'
import styles from './activity-page.module.css'
import { type ChosenLines, chosenLines } from './search.ts'

interface GoToLineProps {
  /** Digit with which the field was opened. */
  readonly first: string
  /** Number of lines of the log. */
  readonly count: number
  /** Name of the step whose lines are numbered; undefined in the log by time. */
  readonly step?: string
  readonly onGo: (lines: ChosenLines) => void
  /** Called when the field is left without a line, by Escape or because something else has the focus. */
  readonly onLeave: (byKey: boolean) => void
}

/** Small field for the number of a line, or for a range of lines: Enter goes there, Escape leaves. */
export function GoToLine({ first, count, step, onGo, onLeave }: GoToLineProps) {
  const id = useId()
  const label = step === undefined ? texts.goToLine : texts.goToLineOf(step)
  const [text, setText] = useState(first)
  const [error, setError] = useState<string>()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const lines = chosenLines(text.replaceAll(/[\s,.]/g, ''))
    if (!lines) setError(texts.notALine)
    else if (lines.from > count) setError(texts.noSuchLine(count))
    else onGo({ from: lines.from, to: Math.min(lines.to, count) })
  }
  return (
    <form className={styles['goToLine']} noValidate onSubmit={onSubmit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the field appears because somebody begins to type into it.
        autoFocus
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : id}
        placeholder={label}
        inputMode="numeric"
        autoComplete="off"
        size={12}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setError(undefined)
        }}
        onKeyDown={event => event.key === 'Escape' && onLeave(true)}
        onBlur={() => onLeave(false)}
      />
      {error !== undefined && (
        <span id={id} className={styles['goToLineError']} role="alert">
          {error}
        </span>
      )}
    </form>
  )
}
