import {
  type CSSProperties,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useHeight } from '../density/density.ts'
import { geometryOf, linesInSight } from './geometry.ts'
import type { Lines, LogLine } from './lines.ts'
import { LogRow } from './log-row.tsx'
import styles from './log-window.module.css'

export interface LogWindowHandle {
  /** Scrolls so that a line, by its index, is in the middle of the window. */
  readonly show: (index: number) => void
  /** Index of the line in the middle of the window. */
  readonly middle: () => number
}

interface LogWindowProps {
  readonly ref?: Ref<LogWindowHandle>
  readonly label: string
  readonly lines: Lines
  /** Name of the step that wrote a line, for the column of names; without it there is no such column. */
  readonly nameOf?: ((line: LogLine) => string) | undefined
  /** Whether the end of the log stays in sight while lines come. */
  readonly isFollowing: boolean
  /** Called when scrolling ends or begins following. */
  readonly onFollow: (isFollowing: boolean) => void
  /** Chosen lines by their numbers from 1. */
  readonly chosen: { readonly from: number; readonly to: number } | undefined
  readonly onChoose: (line: number, isRange: boolean) => void
  readonly hrefOf: (line: number) => string
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
  const { label, lines, nameOf, isFollowing, onFollow, chosen, onChoose, hrefOf, find, match, marks } = props
  useSyncExternalStore(
    listener => lines.listen(listener),
    () => lines.version,
  )
  const scroll = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(0)
  const [scrollTop, setScrollTop] = useState(0)
  const lineHeight = useHeight('--log-line')
  const count = lines.count ?? 0
  const geometry = geometryOf(count, height, lineHeight)
  const pixel = geometry.pixelAt(scrollTop)
  const { from, to } = linesInSight(count, pixel, height, lineHeight)

  useEffect(() => {
    const element = scroll.current
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that were dropped are wanted again.
  useEffect(() => {
    if (height > 0) lines.want(from, to)
  }, [lines, from, to, height, lines.version])

  // A programmatic scroll to the end must not count as the user's.
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element || !isFollowing) return
    element.scrollTop = geometry.scrollHeight
    setScrollTop(element.scrollTop)
  }, [isFollowing, geometry.scrollHeight])

  useImperativeHandle(props.ref, () => ({
    show: index => {
      const element = scroll.current
      if (!element) return
      element.scrollTop = geometry.scrollTopOf(index * lineHeight - element.clientHeight / 2)
      setScrollTop(element.scrollTop)
    },
    middle: () => Math.floor((pixel + height / 2) / lineHeight),
  }))

  const onScroll = useEffectEvent(() => {
    const element = scroll.current!
    const isUp = element.scrollTop < scrollTop - 1
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 2
    setScrollTop(element.scrollTop)
    if (isFollowing && isUp && !isAtEnd) onFollow(false)
    else if (!isFollowing && isAtEnd && element.scrollTop > scrollTop) onFollow(true)
  })
  useEffect(() => {
    const element = scroll.current
    if (!element) return
    const listener = () => onScroll()
    element.addEventListener('scroll', listener, { passive: true })
    return () => element.removeEventListener('scroll', listener)
  }, [])

  // The browser's own End stops at the line that was the last one when the key was pressed.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'End' && !event.shiftKey) onFollow(true)
    else return
    event.preventDefault()
  }

  const rows = []
  for (let index = from; index < to; index++) {
    const line = lines.get(index)
    const isRepeated = index > from && line?.stepId === lines.get(index - 1)?.stepId
    rows.push(
      <LogRow
        key={index}
        index={index}
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
    <div className={styles['frame']}>
      <div
        ref={scroll}
        className={styles['scroll']}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
        tabIndex={0}
        style={{ '--digits': digits } as CSSProperties}
        onKeyDown={onKeyDown}
      >
        <div className={styles['canvas']} style={{ blockSize: geometry.scrollHeight }}>
          <div
            className={styles['rows']}
            style={{ transform: `translateY(${scrollTop + from * lineHeight - pixel}px)` }}
          >
            {rows}
          </div>
        </div>
      </div>
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
