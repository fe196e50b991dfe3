import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useSyncExternalStore,
} from 'react'
import { actOf, pressedKey } from '../../keyboard/keys.ts'
import type { Lines, LogLine } from './lines.ts'
import { LogRow } from './log-row.tsx'
import styles from './log-window.module.css'
import type { SectionRows } from './section-rows.ts'
import { selectedText } from './selected-text.ts'
import { type Scrolling, useScrolling } from './use-scrolling.ts'

export interface LogWindowHandle {
  /** Scrolls so that a line, by its index, is in the middle of the window. */
  readonly show: (index: number) => void
  /** Index of the line in the middle of the window. */
  readonly middle: () => number
  /** Moves the keyboard focus to the log. */
  readonly focus: () => void
}

interface LogWindowProps {
  readonly ref?: Ref<LogWindowHandle>
  readonly label: string
  readonly lines: Lines
  /** Name of the step that wrote a line, for the column of names; without it there is no such column. */
  readonly nameOf?: ((line: LogLine) => string) | undefined
  /** Whether long lines are wrapped. */
  readonly wraps: boolean
  /** Whether the end of the log stays in sight while lines come. */
  readonly isFollowing: boolean
  /** Called when scrolling ends or begins following. */
  readonly onFollow: (isFollowing: boolean) => void
  /** Sections of the log, if it has some; `lines` then has their rows. */
  readonly sections?: { readonly rows: SectionRows; readonly header: (id: string) => ReactNode }
  /** Chosen lines by their rows from 1, which are their numbers in a log without sections. */
  readonly chosen: { readonly from: number; readonly to: number } | undefined
  readonly onChoose: (row: number, isRange: boolean) => void
  readonly hrefOf: (row: number) => string
  /** Text that is marked in the lines. */
  readonly find: string
  /** Index of the current match. */
  readonly match: number | undefined
  /** Places of marks beside the scroll bar, from 0 (first line) to 1. */
  readonly marks: readonly number[]
}

/**
 * Window on a log of any length: only the lines in sight are drawn and read, and beyond ten million pixels the scroll bar
 * is scaled.
 */
export function LogWindow(props: LogWindowProps) {
  const { label, lines, nameOf, wraps, sections, isFollowing, onFollow, chosen, onChoose, hrefOf, find, match, marks } =
    props
  useSyncExternalStore(
    listener => lines.listen(listener),
    () => lines.version,
  )
  const count = lines.count ?? 0
  const sectionRows = sections?.rows
  const isMeasured = wraps || sections !== undefined
  const scrolling = useScrolling({ count, sections: sectionRows, isMeasured, isFollowing, onFollow })
  const { scroll, body, height, from, to } = scrolling
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that were dropped are wanted again, and other ones once a section is opened.
  useEffect(() => {
    if (height > 0) lines.want(from, to)
  }, [lines, from, to, height, lines.version, sectionRows])
  useImperativeHandle(props.ref, () => ({
    show: scrolling.show,
    middle: scrolling.middle,
    focus: () => scroll.current?.focus({ preventScroll: true }),
  }))

  // The browser's own End stops at the line that was the last one when the key was pressed.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'End' || actOf('log', pressedKey(event)) !== 'follow') return
    onFollow(true)
    event.preventDefault()
  }

  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    const text = selectedText(event.currentTarget, getSelection(), index => lines.get(index)?.message ?? '')
    if (text === undefined) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', text)
  }

  const stuck = sections && stuckSection(sections.rows, scrolling)
  const rows = []
  for (let index = from; index < to; index++) {
    const place = sections?.rows.at(index)
    if (place && place.line === undefined) {
      rows.push(
        <div key={place.id} className={styles['section']} data-row={index}>
          {/* The header is drawn once: here or at the top. */}
          {stuck?.id !== place.id && sections!.header(place.id)}
        </div>,
      )
      continue
    }
    const line = lines.get(index)
    const isRepeated = index > from && line?.stepId === lines.get(index - 1)?.stepId
    rows.push(
      <LogRow
        key={index}
        index={index}
        number={(place?.line ?? index) + 1}
        line={line}
        step={nameOf && (line === undefined || isRepeated ? '' : nameOf(line))}
        isChosen={chosen !== undefined && index + 1 >= chosen.from && index + 1 <= chosen.to}
        isMatch={index === match}
        find={find}
        href={hrefOf(index + 1)}
        onChoose={onChoose}
      />,
    )
  }
  const digits = Math.max(3, String(count).length)
  return (
    <div className={styles['frame']} data-keys="log">
      <div
        ref={scroll}
        className={`${styles['scroll']} ${wraps ? styles['wraps'] : ''}`}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
        tabIndex={0}
        style={{ '--digits': digits, '--window': `${scrolling.width}px` } as CSSProperties}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
      >
        <div className={styles['canvas']} style={{ blockSize: scrolling.scrollHeight }}>
          <div ref={body} className={styles['rows']} style={{ transform: `translateY(${scrolling.top}px)` }}>
            {rows}
          </div>
        </div>
      </div>
      {stuck && (
        <div className={styles['stuck']} style={{ inlineSize: scrolling.width }}>
          <div className={styles['section']} style={{ transform: `translateY(${stuck.top}px)` }}>
            {sections.header(stuck.id)}
          </div>
        </div>
      )}
      {marks.length > 0 && (
        <div className={styles['marks']} aria-hidden>
          {marks.map(place => (
            <span key={place} style={{ insetBlockStart: `${place * 100}%` }} />
          ))}
        </div>
      )}
    </div>
  )
}

/** Height of the header of a section. */
const headerHeight = 32

/** The section whose header stays at the top while its lines scroll, pushed away by the next one. */
function stuckSection(rows: SectionRows, { first, placeOf }: Scrolling): { id: string; top: number } | undefined {
  const index = rows.sectionAt(first)
  const section = rows.sections[index]
  if (!section || placeOf(rows.headerOf(index)) >= 0) return undefined
  return { id: section.id, top: Math.min(0, placeOf(rows.headerOf(index + 1)) - headerHeight) }
}
