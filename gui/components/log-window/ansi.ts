/** Part of a line in one style, as its ANSI colour sequences (SGR) say. */
export interface StyledText {
  readonly text: string
  /** One of the 16 colours by index, or undefined for the default colour. */
  readonly colour?: number
  readonly background?: number
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
}

type Style = Omit<StyledText, 'text'>

/** What a terminal does not print: control sequences, of which SGR (`CSI … m`) sets the style. */
const sequence = new RegExp(
  [
    String.raw`\x1b\[(?<codes>[\d;:<=>?]*)(?<final>[ -/]*[@-~])`,
    // Titles and links.
    String.raw`\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)`,
    String.raw`\x1b[@-~]?`,
    // Other control characters than the tab.
    String.raw`[\x00-\x08\x0b-\x1f\x7f]`,
  ].join('|'),
  'g',
)

/** Splits a line into parts of one style. Colours of the 256 and true colours are shown as the nearest of the 16. */
export function styledTexts(line: string): StyledText[] {
  const parts: StyledText[] = []
  let style: Style = {}
  let end = 0
  const add = (to: number) => {
    if (to > end) parts.push({ text: line.slice(end, to), ...style })
  }
  for (const match of line.matchAll(sequence)) {
    add(match.index)
    end = match.index + match[0].length
    const { codes, final } = match.groups ?? {}
    if (final === 'm') style = styled(style, codes!.split(/[;:]/).map(Number))
  }
  add(line.length)
  return parts
}

/** Text of a line without control sequences. */
export const plainText = (line: string): string => line.replaceAll(sequence, '')

function styled(style: Style, codes: readonly number[]): Style {
  let next = style
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    if (code === 38 || code === 48) {
      const colour = codes[i + 1] === 5 ? indexed(codes[i + 2]) : nearest(codes.slice(i + 2, i + 5))
      next = { ...next, [code === 38 ? 'colour' : 'background']: colour }
      i += codes[i + 1] === 5 ? 2 : 4
    } else next = simple(next, code)
  }
  return next
}

function simple(style: Style, code: number): Style {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 3) return { ...style, italic: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return without(style, 'bold', 'dim')
  if (code === 23) return without(style, 'italic')
  if (code === 24) return without(style, 'underline')
  if (code === 39) return without(style, 'colour')
  if (code === 49) return without(style, 'background')
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 }
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 }
  if (code >= 90 && code <= 97) return { ...style, colour: code - 82 }
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 }
  return style
}

function without(style: Style, ...names: (keyof Style)[]): Style {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof Style)))
}

/** Colour of the table of 256 as one of the 16. */
function indexed(index = 0): number {
  if (index < 16) return index
  if (index >= 232) return nearest([(index - 232) * 10 + 8, (index - 232) * 10 + 8, (index - 232) * 10 + 8])
  const levels = [0, 95, 135, 175, 215, 255]
  const cube = index - 16
  return nearest([levels[Math.floor(cube / 36)]!, levels[Math.floor(cube / 6) % 6]!, levels[cube % 6]!])
}

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const most = Math.max(red, green, blue)
  const isGrey = most - Math.min(red, green, blue) < 32
  if (isGrey) return most < 64 ? 0 : most < 150 ? 8 : most < 220 ? 7 : 15
  const bit = (value: number) => (value > most / 2 ? 1 : 0)
  return bit(red) + 2 * bit(green) + 4 * bit(blue) + (most > 200 ? 8 : 0)
}
