/*
 * Sanitizing of untrusted text for the terminal. Names, messages and log lines from the service may contain control
 * sequences, which a terminal would execute; everything except text, newlines, tabs and colors is removed.
 */

// Matches a color (SGR), a string sequence (OSC, DCS, SOS, PM, APC), any other sequence, any other control character;
// each in its 7-bit and 8-bit form. For an unterminated sequence only the introducer is removed.
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  /((?:\x1b\[|\x9b)[\d;:]*m)|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Sanitizes multi-line text. Colors are reset at the end; `NO_COLOR` removes them. */
export function plainText(text: string): string {
  let coloured = false
  const plain = text.replaceAll('\r\n', '\n').replaceAll(controls, (_, colour?: string) => {
    if (!colour || noColour()) return ''
    coloured = !/[[\x9b]0?m$/.test(colour)
    return colour
  })
  return coloured ? `${plain}\x1b[0m` : plain
}

/** Sanitizes text and joins it into one line, for cells, names and messages. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s*\n\s*|\t/g, ' ')

const noColour = (): boolean => Boolean(process.env['NO_COLOR'])

/** Display width on a terminal: colors take no column, East Asian wide characters and emoji take two. */
export function widthOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colors
  const bare = text.replaceAll(/\x1b\[[\d;:]*m/g, '')
  if (/^[ -~]*$/.test(bare)) return bare.length
  let width = 0
  for (const { segment } of graphemes().segment(bare)) width += wide.test(segment) ? 2 : 1
  return width
}

/** Truncates text to a display width, ending with …. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let room = width - 1
  let cut = ''
  let coloured = false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colors
  for (const piece of text.split(/(\x1b\[[\d;:]*m)/)) {
    if (piece.startsWith('\x1b')) {
      cut += piece
      coloured = true
      continue
    }
    for (const { segment } of graphemes().segment(piece)) {
      room -= widthOf(segment)
      if (room < 0) return `${cut}…${coloured ? '\x1b[0m' : ''}`
      cut += segment
    }
  }
  return cut
}

let segmenter: Intl.Segmenter | undefined
/** Created lazily: loading the language tables takes a tenth of the startup time. */
const graphemes = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter()
  return segmenter
}
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u

export const coloured = (colour: number, text: string): string => (noColour() ? text : `\x1b[${colour}m${text}\x1b[0m`)
