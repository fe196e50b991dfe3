import type { StyledText } from './ansi.ts'

export interface MarkedText extends StyledText {
  /** Whether it is (a part of) what is searched for. */
  readonly isMark: boolean
}

/** Splits the parts of a line where it contains the text searched for, in either case, also across parts. */
export function markedTexts(parts: readonly StyledText[], find: string): MarkedText[] {
  if (find === '') return parts.map(part => ({ ...part, isMark: false }))
  const marks = placesOf(parts.map(({ text }) => text).join(''), find)
  const marked: MarkedText[] = []
  let start = 0
  for (const part of parts) {
    const end = start + part.text.length
    const cuts = marks.flatMap(({ from, to }) => [from, to]).filter(cut => cut > start && cut < end)
    const bounds = [start, ...cuts, end]
    for (const [i, from] of bounds.slice(0, -1).entries()) {
      const to = bounds[i + 1]!
      if (to > from)
        marked.push({
          ...part,
          text: part.text.slice(from - start, to - start),
          isMark: marks.some(mark => mark.from <= from && mark.to >= to),
        })
    }
    start = end
  }
  return marked
}

function placesOf(text: string, find: string): { from: number; to: number }[] {
  // Lower case may be longer than the text (İ); places would then be wrong.
  const [lower, wanted] = [text.toLowerCase(), find.toLowerCase()]
  const [within, sought] = lower.length === text.length ? [lower, wanted] : [text, find]
  const places: { from: number; to: number }[] = []
  for (let from = within.indexOf(sought); from >= 0; from = within.indexOf(sought, from + sought.length))
    places.push({ from, to: from + sought.length })
  return places
}
