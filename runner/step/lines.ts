/** A line as it came, or the beginning of one that is longer than lines may be. */
export type ReadLine = string | { head: string; bytes: number }

/**
 * Makes lines of what a program writes, in whatever pieces it arrives. A line ends with LF, CR LF, or a CR alone (a
 * progress bar is a line for each state); the last one needs no end. Bytes that are not UTF-8 become U+FFFD, NUL becomes
 * U+2400, because PostgreSQL's text holds none.
 */
export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #headLimit: number
  /** The line that has not ended yet, as far as it is kept. */
  #open = ''
  #openBytes = 0
  #afterReturn = false

  /** @param headLimit characters that are kept of a line, at least */
  constructor(headLimit: number) {
    this.#headLimit = headLimit
  }

  /** Sets the limit for all lines that have not begun. */
  keep(headLimit: number): void {
    if (this.#open === '') this.#headLimit = headLimit
  }

  feed(bytes: Uint8Array): ReadLine[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Returns the rest, when the program has closed its end. */
  end(): ReadLine[] {
    const lines = this.#take(this.#decoder.decode())
    return this.#open === '' ? lines : [...lines, this.#close('')]
  }

  #take(decoded: string): ReadLine[] {
    const text = this.#afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    if (decoded !== '') this.#afterReturn = decoded.endsWith('\r')
    const pieces = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n')
    const rest = pieces.pop()!
    const lines: ReadLine[] = pieces.map((piece, i) =>
      i === 0 || piece.length > this.#headLimit ? this.#close(piece) : printable(piece),
    )
    this.#extend(rest)
    return lines
  }

  #extend(piece: string): void {
    if (piece === '') return
    this.#openBytes += Buffer.byteLength(piece)
    const room = this.#headLimit - this.#open.length
    if (room > 0) this.#open += piece.length > room ? piece.slice(0, room) : piece
  }

  #close(piece: string): ReadLine {
    this.#extend(piece)
    const [head, bytes] = [printable(this.#open), this.#openBytes]
    this.#open = ''
    this.#openBytes = 0
    return head.length < this.#headLimit ? head : { head, bytes }
  }
}

/** Replaces NUL, which PostgreSQL's text cannot hold, by its symbol U+2400. */
export const printable = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '\u2400') : text)

/** The line as it is kept: at most `limit` bytes, its mark included, which says how long the line was. */
export function cutLine(text: string, limit: number, wholeBytes = 0): string {
  if (wholeBytes <= limit && text.length * 3 <= limit) return text
  const bytes = Buffer.from(text)
  const whole = Math.max(wholeBytes, bytes.length)
  if (whole <= limit) return text
  const mark = ` … [line cut: it has ${whole} bytes]`
  // A character that the cut goes through is left out.
  const end = limit - Buffer.byteLength(mark)
  const head = new TextDecoder().decode(bytes.subarray(0, wholeCharacters(bytes, end)))
  return head + mark
}

function wholeCharacters(bytes: Buffer, end: number): number {
  let at = end
  while (at > 0 && (bytes[at]! & 0xc0) === 0x80) at--
  return at
}
