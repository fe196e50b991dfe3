import type { RowHeights } from './row-heights.ts'

/** Height of the scrolled element from which the scroll bar is scaled: browsers draw no elements of 20 million pixels. */
const tallest = 10_000_000

/** Places of lines in a window with a scroll bar, which is scaled for very long logs. All sizes in pixels. */
export interface Geometry {
  /** Height of the scrolled element. */
  readonly scrollHeight: number
  /** Pixel of the log, unscaled, at the top of the window. */
  readonly pixelAt: (scrollTop: number) => number
  /** Scroll position that has this pixel of the log at the top, as near as the log allows. */
  readonly scrollTopOf: (pixel: number) => number
  /** Nearest pixel of the log that can be at the top. */
  readonly within: (pixel: number) => number
}

/** @param height of the whole log */
export function geometryOf(height: number, windowHeight: number): Geometry {
  const scrollHeight = Math.min(height, tallest)
  const [room, realRoom] = [Math.max(0, scrollHeight - windowHeight), Math.max(0, height - windowHeight)]
  const scale = room === 0 ? 1 : realRoom / room
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  return {
    scrollHeight,
    pixelAt: scrollTop => within(scrollTop * scale, realRoom),
    scrollTopOf: pixel => within(pixel, realRoom) / scale,
    within: pixel => within(pixel, realRoom),
  }
}

/** Rows to draw, the last one not included, with some above and below. */
export function rowsInSight(
  heights: RowHeights,
  rows: number,
  { pixel, windowHeight, more = 4 }: { pixel: number; windowHeight: number; more?: number },
): { readonly from: number; readonly to: number } {
  const [first, last] = [heights.at(pixel), heights.at(Math.max(pixel, pixel + windowHeight - 1))]
  return { from: Math.max(0, first - more), to: Math.min(rows, last + 1 + more) }
}
