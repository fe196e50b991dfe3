/*
 * What a server sends may hold anything: names, messages and log lines are other people's text. A terminal obeys control
 * sequences wherever they come from, so before any of it is written everything is dropped that is not text, a line end,
 * a tab or a colour.
 */

// A colour (SGR), a sequence with a text of its own (OSC, DCS, SOS, PM, APC), any other sequence, any other control
// character; each in its 7-bit and its 8-bit form. A sequence that never ends takes its introducer along only.
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /((?:\x1b\[|\x9b)[\d;:]*m)|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Text of more than one line. A colour that it leaves on is switched off at its end; `NO_COLOR` drops them. */
export function plainText(text: string): string {
  let coloured = false
  const plain = text.replaceAll('\r\n', '\n').replaceAll(controls, (_, colour?: string) => {
    if (!colour || noColour()) return ''
    coloured = !/[[\x9b]0?m$/.test(colour)
    return colour
  })
  return coloured ? `${plain}\x1b[0m` : plain
}

/** The same on one line: for cells, names and messages. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s*\n\s*|\t/g, ' ')

const noColour = (): boolean => Boolean(process.env['NO_COLOR'])

/** How much room a text takes on a terminal: colours none, East Asian characters and emoji two columns. */
export function widthOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
  const bare = text.replaceAll(/\x1b\[[\d;:]*m/g, '')
  if (/^[ -~]*$/.test(bare)) return bare.length
  let width = 0
  for (const { segment } of graphemes().segment(bare)) width += wide.test(segment) ? 2 : 1
  return width
}

/** Cut to a width, with … where something is missing. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let room = width - 1
  let cut = ''
  let coloured = false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
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
/** Made when first asked for: it reads tables of languages, a tenth of the start of a command. */
const graphemes = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter()
  return segmenter
}
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u

export const coloured = (colour: number, text: string): string => (noColour() ? text : `\x1b[${colour}m${text}\x1b[0m`)
