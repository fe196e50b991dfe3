import { inRoot, type Range, type Sought, type View, viewsOf } from './encodings.ts'
import { asBytes, fromBytes } from './escapes.ts'
import { printable } from './lines.ts'

const hidden = '***'

/**
 * Minimum length of a masked text. Shorter secrets are refused where they are stored: masking them would hide half of
 * every log.
 */
const shortest = 4
/** Minimum length of a masked piece of an encoded secret at the end or beginning of a line (`base64` wraps). */
const fragment = 8
/** Characters that an encoding takes for one of the secret, of most encodings and several inside each other. */
const widest = 24

/**
 * Hides secrets in lines: plain, in the encodings of `encodings.ts` and in these inside each other, in UTF-8, in
 * Latin-1 and in UTF-16; a secret of several lines also line by line. For an encoded secret split by a line end, each
 * piece of eight characters.
 *
 * Where something could not be searched, that line is replaced by a message: a line never ends the process that prints
 * it.
 */
export class Mask {
  /** Characters of the longest text that is looked for: so much of a line must be seen to decide about its cut. */
  longest = 0
  #secrets: readonly string[]
  /** Searched texts as bytes, one character for each: in a line itself, and in its decoded parts. */
  #shown: readonly string[] = []
  #decoded: readonly string[] = []
  #about: Sought = { least: shortest, spaces: false, ascii: true }
  /** base64 and hex of the secrets, for lines that hold a piece of it. */
  #encoded: readonly string[] = []
  #grams = new Set<string>()
  /** Fragments of the encoded forms and of the secrets themselves, as bytes. */
  #innerGrams = new Set<string>()
  /**
   * Table by two bytes: 1 if one of `innerGrams` begins with them. A slice for each byte of a line takes ten times as
   * long.
   */
  #gramPairs = new Uint8Array(0x10000)

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
    this.#lookFor(secrets)
  }

  /** Adds a secret, masked in all later lines. */
  add(secret: string): void {
    if (this.#secrets.includes(secret)) return
    this.#secrets = [...this.#secrets, secret]
    this.#lookFor(this.#secrets)
  }

  #lookFor(secrets: readonly string[]): void {
    const plain = unique(secrets.flatMap(secret => secret.split(/\r\n|\r|\n/)))
    const whole = unique([...secrets, ...plain])
    this.#shown = [...new Set(whole.flatMap(shownForms))]
    this.#decoded = [...new Set(whole.flatMap(decodedForms))]
    this.#about = {
      least: Math.min(...this.#decoded.map(text => text.length)),
      spaces: this.#decoded.some(text => text.includes(' ')),
      ascii: plain.every(text => isAscii.test(text)),
    }
    this.#encoded = unique(whole.flatMap(secret => [...base64Forms(secret), ...hexForms(secret)])).filter(
      text => text.length > fragment,
    )
    this.#grams = new Set(this.#encoded.flatMap(allGrams))
    this.#innerGrams = new Set([...this.#grams, ...plain.map(asBytes).flatMap(allGrams)])
    this.#gramPairs.fill(0)
    for (const gram of this.#innerGrams) this.#gramPairs[(gram.charCodeAt(0) << 8) | gram.charCodeAt(1)] = 1
    this.longest = Math.max(0, ...whole.map(text => Buffer.byteLength(text) * widest))
  }

  /** Returns the lines with `***` in place of every secret. */
  lines(lines: readonly string[]): string[] {
    if (this.#shown.length === 0) return [...lines]
    return this.#whole(lines).map(line => this.#guarded(() => this.#hideFragments(line)))
  }

  /** Masks a text of any number of lines. */
  text(text: string): string {
    return this.lines(text.split('\n')).join('\n')
  }

  /** Halves them until those are left that hold something: what decodes a thousand lines at once is fast for each. */
  #whole(lines: readonly string[]): string[] {
    if (lines.length === 1) return [this.#guarded(() => this.#hideWhole(lines[0]!))]
    if (!this.#mayHold(lines.join('\n'))) return [...lines]
    const half = lines.length >> 1
    return [...this.#whole(lines.slice(0, half)), ...this.#whole(lines.slice(half))]
  }

  #mayHold(text: string): boolean {
    try {
      for (const view of viewsOf(asBytes(text), this.#about))
        if (this.#soughtIn(view).some(each => view.bytes.includes(each))) return true
      return false
    } catch {
      // The line that it fails for is found by itself.
      return true
    }
  }

  #hideWhole(line: string): string {
    const bytes = asBytes(line)
    const found: Range[] = []
    for (const view of viewsOf(bytes, this.#about))
      for (const text of this.#soughtIn(view))
        for (const range of occurrences(view.bytes, text)) {
          const there = inRoot(view, range)
          if (there) found.push(there)
        }
    return found.length === 0 ? line : fromBytes(hide(bytes, found))
  }

  #soughtIn = ({ depth }: View) => (depth === 0 ? this.#shown : this.#decoded)

  #guarded(mask: () => string): string {
    try {
      return mask()
    } catch (error) {
      return `*** [line left out: masking failed with ${(error as Error).name}]`
    }
  }

  #hideFragments(line: string): string {
    if (line.length < fragment) return line
    const ranges = this.#piecesInside(line)
    const [first, last] = [line.slice(0, fragment), line.slice(-fragment)]
    if (this.#grams.has(first) || this.#grams.has(last))
      ranges.push(...this.#encoded.flatMap(text => fragmentsOf(line, text, first, last)))
    return hide(line, ranges)
  }

  /** Pieces of what the line's own base64 or hex says: base64 of base64 in lines, a dump in hex and its readable column. */
  #piecesInside(line: string): Range[] {
    if (!dumpedBase64.test(line) && !dumpedHex.test(line)) return []
    const found: Range[] = []
    const bytes = asBytes(line)
    for (const view of viewsOf(bytes, pieces, 1)) {
      if (view.depth !== 1) continue
      for (const [from, to] of this.#pieces(view.bytes)) {
        const there = inRoot(view, [from, to])
        if (!there) continue
        const readable = view.bytes.slice(from, to).replace(/[^ -~]/g, '.')
        found.push(there, ...occurrences(bytes, readable))
      }
    }
    if (found.length === 0 || bytes === line) return found
    // In a line that is not ASCII the bytes are elsewhere than the characters.
    return [[0, line.length]]
  }

  #pieces(bytes: string): Range[] {
    const found: Range[] = []
    for (let at = 0; at + fragment <= bytes.length; at++) {
      if (this.#gramPairs[(bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1)] === 0) continue
      if (!this.#innerGrams.has(bytes.slice(at, at + fragment))) continue
      const last = found.at(-1)
      if (last && at <= last[1]) last[1] = at + fragment
      else found.push([at, at + fragment])
    }
    return found
  }
}

const pieces: Sought = { least: fragment, spaces: false, ascii: true }

/** A line that is nothing but base64, and one with eight bytes in hex, as in dumps of a file. */
const dumpedBase64 = /^\s*[A-Za-z0-9+/_-]{12,}={0,2}\s*$/
const dumpedHex = /(?:^|[^0-9a-z])(?:(?:0x)?[0-9a-f]{2}(?:[0-9a-f]{2})?[ :,-]{1,2}){4}/i

const unique = (texts: readonly string[]) =>
  [...new Set(texts)].filter(text => text.length >= shortest).toSorted((a, b) => b.length - a.length)

/** A secret as a line shows it: bytes that are no UTF-8 have become U+FFFD there, and NUL, as of UTF-16, U+2400. */
function shownForms(secret: string): string[] {
  const forms = [secret.replaceAll('\0', '\u2400')]
  if (isAscii.test(secret)) forms.push([...secret].join('\u2400'))
  else if (isLatin1.test(secret)) {
    const shown = printable(Buffer.from(secret, 'latin1').toString('utf8'))
    if (/[^\ufffd\u2400]/.test(shown)) forms.push(shown)
  }
  return forms.map(asBytes)
}

/** Decoded forms of the secret: in UTF-8, in Latin-1, and in UTF-16 except for the NUL at one of its ends. */
function decodedForms(secret: string): string[] {
  const utf16 = Buffer.from(secret, 'utf16le').toString('latin1')
  const forms = [asBytes(secret), isAscii.test(secret) ? utf16.slice(0, -1) : utf16]
  return isLatin1.test(secret) ? [...forms, secret] : forms
}

const isAscii = /^[\0-\x7f]*$/
const isLatin1 = /^[\0-\xff]*$/

/**
 * Base64 forms of the secret when 0, 1 or 2 bytes of its last group precede it: the characters that depend on nothing
 * but the secret, and, for a secret at the very end, one more.
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
  Array.from({ length: Math.max(0, text.length - fragment + 1) }, (_, i) => text.slice(i, i + fragment))

/**
 * Ranges in which the line begins with an ending of the text, ends with a beginning of it, or is a piece from its
 * middle.
 */
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

function occurrences(text: string, wanted: string): Range[] {
  const found: Range[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push([at, at + wanted.length])
  return found
}

/**
 * Replaces the ranges by `***`. Overlapping ranges are one: of two secrets that share an end and a beginning, nothing
 * stays.
 */
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
