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
}

export function geometryOf(lines: number, windowHeight: number, lineHeight: number): Geometry {
  const real = lines * lineHeight
  const scrollHeight = Math.min(real, tallest)
  const [room, realRoom] = [Math.max(0, scrollHeight - windowHeight), Math.max(0, real - windowHeight)]
  const scale = room === 0 ? 1 : realRoom / room
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  return {
    scrollHeight,
    pixelAt: scrollTop => within(scrollTop * scale, realRoom),
    scrollTopOf: pixel => within(pixel, realRoom) / scale,
  }
}

/** Lines to draw, the last one not included, with some above and below. */
export function linesInSight(
  lines: number,
  pixel: number,
  windowHeight: number,
  lineHeight: number,
  more = 4,
): { readonly from: number; readonly to: number } {
  const first = Math.floor(pixel / lineHeight)
  const last = Math.ceil((pixel + windowHeight) / lineHeight)
  return { from: Math.max(0, first - more), to: Math.min(lines, last + more) }
}
