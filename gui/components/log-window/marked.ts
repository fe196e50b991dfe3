import type { StyledText } from './ansi.ts'

export interface MarkedText extends StyledText {
  /** Whether it is (a part of) what is searched for. */
  readonly isMark: boolean
}

/** Maximum number of parts of a line: programs print a colour for each letter, and a search may find each letter. */
const mostParts = 400

/**
 * Splits the parts of a line where it contains the text searched for, in either case, also across parts. The end of a line
 * with very many parts is one part without style.
 */
export function markedTexts(parts: readonly StyledText[], find: string): MarkedText[] {
  // Most lines, for every frame of scrolling.
  if (find === '' && parts.length <= mostParts) return parts.map(part => ({ ...part, isMark: false }))
  const line = parts.map(({ text }) => text).join('')
  const marks = find === '' ? [] : placesOf(line, find)
  const marked: MarkedText[] = []
  let [end, next] = [0, 0]
  for (const part of parts) {
    const start = end
    end += part.text.length
    for (let from = start; from < end; ) {
      if (marked.length === mostParts) return [...marked, { text: line.slice(from), isMark: false }]
      while (next < marks.length && marks[next]!.to <= from) next++
      const mark = marks[next]
      const isMark = mark !== undefined && mark.from <= from
      const to = Math.min(end, mark === undefined ? end : isMark ? mark.to : mark.from)
      marked.push({ ...part, text: part.text.slice(from - start, to - start), isMark })
      from = to
    }
  }
  return marked
}

/** Places of a text in another, in ascending order. */
function placesOf(text: string, find: string): { from: number; to: number }[] {
  // Lower case may be longer than the text (İ); places would then be wrong.
  const [lower, wanted] = [text.toLowerCase(), find.toLowerCase()]
  const [within, sought] = lower.length === text.length ? [lower, wanted] : [text, find]
  const places: { from: number; to: number }[] = []
  for (let from = within.indexOf(sought); from >= 0; from = within.indexOf(sought, from + sought.length))
    places.push({ from, to: from + sought.length })
  return places
}
