const hidden = '***'

/** Shorter ones are refused where secrets are stored; masking them would hide half of every log. */
const shortest = 4
/** A piece of an encoded secret at the end or beginning of a line (`base64` wraps) is masked from this length on. */
const fragment = 8

/**
 * Hides secrets in lines: plain, base64 (wherever in the encoded text the secret begins), URL-, JSON- and hex-encoded;
 * a secret of several lines also line by line.
 *
 * base64 and hex are looked for as text. URL and JSON escapes can be written in many ways, so there the line is decoded
 * and the secret looked for in what it says.
 */
export class Mask {
  /** Characters of the longest text that is looked for: so much of a line must be seen to decide about its cut. */
  longest = 0
  #secrets: readonly string[]
  #texts: string[] = []
  #encoded: string[] = []
  #grams = new Set<string>()
  /** The secrets' own lines as UTF-8 bytes, one character for each byte. */
  #plain: string[] = []

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
    this.#lookFor(secrets)
  }

  /** Another one, for all lines from now on. */
  add(secret: string): void {
    if (this.#secrets.includes(secret)) return
    this.#secrets = [...this.#secrets, secret]
    this.#lookFor(this.#secrets)
  }

  #lookFor(secrets: readonly string[]): void {
    const plain = unique(secrets.flatMap(secret => secret.replaceAll('\0', '\u2400').split(/\r\n|\r|\n/)))
    const encoded = unique([...secrets, ...plain].flatMap(secret => [...base64Forms(secret), ...hexForms(secret)]))
    this.#texts = unique([...plain, ...encoded])
    this.#encoded = encoded.filter(text => text.length > fragment)
    this.#grams = new Set(this.#encoded.flatMap(allGrams))
    this.#plain = plain.map(asBytes)
    // An code takes at most 6 characters for one (\u00e9), or 12 for one of two UTF-16 units.
    this.longest = Math.max(0, ...this.#texts.map(text => text.length * 12))
  }

  /** The same lines, with `***` in place of every secret. */
  lines(lines: readonly string[]): string[] {
    if (this.#texts.length === 0) return [...lines]
    const all = lines.join('\n')
    const present = this.#texts.filter(text => all.includes(text))
    return lines.map(line => this.#line(line, present))
  }

  /** A text of any number of lines. */
  text(text: string): string {
    return this.lines(text.split('\n')).join('\n')
  }

  #line(line: string, present: readonly string[]): string {
    let masked = hide(
      line,
      present.flatMap(text => occurrences(line, text)),
    )
    masked = this.#hideFragments(masked)
    if (masked.includes('%')) masked = this.#hideDecoded(this.#hideDecoded(masked, percentDecoded), formDecoded)
    if (masked.includes('\\')) masked = this.#hideDecoded(masked, jsonDecoded)
    return masked
  }

  #hideFragments(line: string): string {
    if (line.length < fragment) return line
    const [first, last] = [line.slice(0, fragment), line.slice(-fragment)]
    if (!this.#grams.has(first) && !this.#grams.has(last)) return line
    return hide(
      line,
      this.#encoded.flatMap(text => fragmentsOf(line, text, first, last)),
    )
  }

  #hideDecoded(line: string, decode: (bytes: string) => Decoded): string {
    const bytes = asBytes(line)
    const { text, at } = decode(bytes)
    const found = this.#plain.flatMap(secret => occurrences(text, secret))
    if (found.length === 0) return line
    const inBytes = found.map(([from, to]): Range => [at[from]!, at[to]!])
    return Buffer.from(hide(bytes, inBytes), 'latin1').toString('utf8')
  }
}

const unique = (texts: readonly string[]) =>
  [...new Set(texts)].filter(text => text.length >= shortest).toSorted((a, b) => b.length - a.length)

const asBytes = (text: string) => Buffer.from(text).toString('latin1')

/**
 * What base64 makes of the secret when 0, 1 or 2 bytes of its last group stand before it: the characters that depend on
 * nothing but the secret, and, for a secret at the very end, one more.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const own = text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6))
    const toEnd = text.slice(before === 0 ? 0 : before + 1)
    return [own, toEnd].flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
  })
}

function hexForms(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  return [hex, hex.toUpperCase()]
}

const allGrams = (text: string) =>
  Array.from({ length: text.length - fragment + 1 }, (_, i) => text.slice(i, i + fragment))

/** Where the line begins with an ending of the text, ends with a beginning of it, or is a piece from its middle. */
function fragmentsOf(line: string, text: string, first: string, last: string): Range[] {
  if (line.length <= text.length && text.includes(line)) return [[0, line.length]]
  const found: Range[] = []
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (line.startsWith(text.slice(at))) found.push([0, text.length - at])
  }
  for (let at = text.indexOf(last); at >= 0; at = text.indexOf(last, at + 1)) {
    const begun = text.slice(0, at + fragment)
    if (line.endsWith(begun)) found.push([line.length - begun.length, line.length])
  }
  return found
}

/** [from, to) */
type Range = [from: number, to: number]

function occurrences(text: string, wanted: string): Range[] {
  const found: Range[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push([at, at + wanted.length])
  return found
}

/** Overlapping ranges are one: of two secrets that share an end and a beginning, nothing stays. */
function hide(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  let [shown, upTo] = ['', 0]
  let open: Range | undefined
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (open && from <= open[1]) {
      open[1] = Math.max(open[1], to)
      continue
    }
    if (open) [shown, upTo] = [shown + text.slice(upTo, open[0]) + hidden, open[1]]
    open = [from, to]
  }
  return shown + text.slice(upTo, open![0]) + hidden + text.slice(open![1])
}

/** A text, and for each of its characters (and its end) where it stands in the encoded one. */
type Decoded = { text: string; at: number[] }

const percentDecoded = (bytes: string) => decoded(bytes, /%[0-9a-f]{2}/gi, fromPercent)
const formDecoded = (bytes: string) =>
  decoded(bytes, /%[0-9a-f]{2}|\+/gi, code => (code === '+' ? ' ' : fromPercent(code)))
const jsonDecoded = (bytes: string) =>
  decoded(bytes, /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4}|\\["\\/bfnrt]/gi, code =>
    asBytes(JSON.parse(`"${code}"`)),
  )

const fromPercent = (code: string) => String.fromCharCode(Number.parseInt(code.slice(1), 16))

function decoded(bytes: string, escapes: RegExp, decode: (code: string) => string): Decoded {
  let text = ''
  const at: number[] = []
  const take = (piece: string, from: number, step: 0 | 1) => {
    for (let i = 0; i < piece.length; i++) at.push(from + i * step)
    text += piece
  }
  let upTo = 0
  for (const match of bytes.matchAll(escapes)) {
    take(bytes.slice(upTo, match.index), upTo, 1)
    take(decode(match[0]), match.index, 0)
    upTo = match.index + match[0].length
  }
  take(bytes.slice(upTo), upTo, 1)
  return { text, at: [...at, bytes.length] }
}
