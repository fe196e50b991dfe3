import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useHeight } from '../density/density.ts'
import { type Geometry, geometryOf, rowsInSight } from './geometry.ts'
import { RowHeights } from './row-heights.ts'
import type { SectionRows } from './section-rows.ts'

interface ScrollingOptions {
  /** Number of rows. */
  readonly count: number
  /** Rows of a log in sections, which move when sections are opened or grow. */
  readonly sections: SectionRows | undefined
  /** Whether rows may be higher than a line, so that they are measured when they are drawn. */
  readonly isMeasured: boolean
  readonly isFollowing: boolean
  readonly onFollow: (isFollowing: boolean) => void
}

export interface Scrolling {
  /** The element that scrolls. */
  readonly scroll: RefObject<HTMLDivElement | null>
  /** The element whose children are the drawn rows, each with its index in `data-row`. */
  readonly body: RefObject<HTMLDivElement | null>
  /** Size of the window, without its scroll bars. */
  readonly width: number
  readonly height: number
  readonly scrollHeight: number
  /** Place of the first drawn row within the scrolled element. */
  readonly top: number
  /** Rows to draw, the last one not included. */
  readonly from: number
  readonly to: number
  /** First row in sight. */
  readonly first: number
  /** Place of a row in the window: pixels from its top. */
  readonly placeOf: (row: number) => number
  /** Scrolls so that a row is in the middle of the window. */
  readonly show: (index: number) => void
  /** Index of the row in the middle of the window. */
  readonly middle: () => number
}

/** Position of the window. */
interface Position {
  readonly scrollTop: number
  /** Pixel of the log at the top, if it is known better than from the scroll bar. */
  readonly pixel?: number
}

/**
 * Scrolls a log of any length. Rows that turn out to be higher than a line when they are drawn do not move what is looked at:
 * the row that was scrolled to, or else the first one in sight, stays where it is.
 */
export function useScrolling({ count, sections, isMeasured, isFollowing, onFollow }: ScrollingOptions): Scrolling {
  const [scroll, body] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  const lineHeight = useHeight('--log-line')
  const heights = useMemo(() => new RowHeights(lineHeight), [lineHeight])
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [position, setPosition] = useState<Position>({ scrollTop: 0 })
  const kept = useRef<number>(undefined)
  /**
   * Position that was set or reported last; whether the user has left it since, which the browser reports later; and
   * whether a row is to be shown nevertheless.
   */
  const own = useRef({ scrollTop: 0, isLeft: false, isAsked: false })
  const total = heights.topOf(count)
  const geometry = geometryOf(total, size.height)
  const pixel = pixelAt(position, geometry)
  const { from, to } = rowsInSight(heights, count, { pixel, windowHeight: size.height })

  useEffect(() => {
    const element = scroll.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroll])

  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    // From behind the end of a log that has become shorter the browser scrolls up by itself.
    const isWithin = own.current.scrollTop <= scrollHeight - clientHeight
    own.current.isLeft = isWithin && Math.abs(scrollTop - own.current.scrollTop) > 1
  })

  // What was measured for another width, or of rows that have moved, is forgotten.
  const layout = isMeasured ? size.width : 0
  const known = useRef({ layout: 0, sections })
  useLayoutEffect(() => {
    const before = known.current
    known.current = { layout, sections }
    const isOther = before.layout !== layout
    const hasMoved = sections !== undefined && before.sections !== undefined && before.sections !== sections
    if (!isOther && !isMeasured) return
    const row = kept.current ?? heights.at(pixel)
    const offset = pixel - heights.topOf(row)
    const moved = hasMoved ? rowAfter(row, before.sections!, sections) : row
    if (kept.current !== undefined) kept.current = moved
    if (isOther) heights.clear()
    else if (hasMoved) heights.clear(sections.firstChange(before.sections!))
    const hasChanged = isMeasured && measure(heights, body.current)
    if (hasChanged || isOther || moved !== row)
      setPosition(({ scrollTop }) => ({ scrollTop, pixel: heights.topOf(moved) + offset }))
  })

  // The scroll bar follows what was measured; to the end it follows the lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `geometry` is that of `total` and of the height.
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element || position.pixel === undefined || (own.current.isLeft && !own.current.isAsked)) return
    own.current.isAsked = false
    element.scrollTop = geometry.scrollTopOf(position.pixel)
    const { scrollTop } = element
    own.current.scrollTop = scrollTop
    if (scrollTop !== position.scrollTop) setPosition(current => ({ ...current, scrollTop }))
  }, [position, total, size.height])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the log grows, or the window changes.
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element || !isFollowing || own.current.isLeft) return
    kept.current = undefined
    element.scrollTop = geometry.scrollHeight
    // A programmatic scroll to the end must not count as the user's.
    own.current.scrollTop = element.scrollTop
    setPosition({ scrollTop: element.scrollTop })
  }, [isFollowing, total, size.height])

  const onScroll = useEffectEvent(() => {
    const element = scroll.current!
    const { scrollTop, clientHeight, scrollHeight } = element
    // Our own scrolling, as the browser has rounded it.
    if (Math.abs(scrollTop - position.scrollTop) <= 1) return
    const isUp = scrollTop < position.scrollTop
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 2
    own.current.scrollTop = scrollTop
    kept.current = undefined
    setPosition({ scrollTop })
    if (isFollowing && isUp && !isAtEnd) onFollow(false)
    else if (!isFollowing && isAtEnd && !isUp) onFollow(true)
  })
  // Ends with the element: an effect would end later, and WebKit reports that an element was scrolled after its removal.
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return
    const listener = () => onScroll()
    element.addEventListener('scroll', listener, { passive: true })
    return () => element.removeEventListener('scroll', listener)
  }, [scroll])

  return {
    scroll,
    body,
    ...size,
    scrollHeight: geometry.scrollHeight,
    top: position.scrollTop + heights.topOf(from) - pixel,
    from,
    to,
    first: heights.at(pixel),
    placeOf: row => heights.topOf(row) - pixel,
    show: index => {
      kept.current = index
      own.current.isAsked = true
      const middle = heights.topOf(index) - (scroll.current?.clientHeight ?? 0) / 2
      setPosition(({ scrollTop }) => ({ scrollTop, pixel: middle }))
    },
    middle: () => heights.at(pixel + size.height / 2),
  }
}

const pixelAt = ({ scrollTop, pixel }: Position, { pixelAt: at, within }: Geometry): number =>
  pixel === undefined ? at(scrollTop) : within(pixel)

/** Row at which a row is after sections were opened, closed or have grown. */
function rowAfter(row: number, before: SectionRows, now: SectionRows): number {
  const place = before.at(row)
  return (place && now.rowOf(place)) ?? Math.min(row, now.count)
}

/** Notes the heights of the drawn rows; returns whether one has changed. */
function measure(heights: RowHeights, body: HTMLElement | null): boolean {
  let hasChanged = false
  for (const row of (body?.children ?? []) as Iterable<HTMLElement>)
    hasChanged = heights.set(Number(row.dataset['row']), row.offsetHeight) || hasChanged
  return hasChanged
}
