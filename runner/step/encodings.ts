import { type Escape, escapes } from './escapes.ts'

/**
 * A text in which secrets are searched, as bytes: one character (U+0000 to U+00FF) for each byte. Every view but the first
 * is what a layer of encoding in its parent says.
 */
export interface View {
  readonly bytes: string
  readonly depth: number
  /** True: the view is decoded bytes, of which only the parts that are text are searched further. */
  readonly binary?: true
  readonly parent?: View
  /** Position of each of its bytes in the parent. */
  readonly places?: () => Places
  /** Bytes that it may take in the root for each of its own; a range that is spread wider is an accident. */
  readonly spread: number
}

/** [from, to) */
export type Range = [from: number, to: number]

interface Places {
  readonly from: Uint32Array
  readonly to: Uint32Array
}

/** Encodings inside each other that are undone: JSON in JSON is two, base64 of base64 of JSON three. */
const deepest = 5
/** Bytes of views for each byte of the text, so that a line made of nothing but escapes costs no more than this. */
const mostWork = 40

/** Properties of the searched texts that decide which encodings can be skipped. */
export interface Sought {
  /** Bytes of the shortest text. */
  readonly least: number
  /** Whether one of them contains a space, for which forms have a plus sign. */
  readonly spaces: boolean
  /** Whether all of them are ASCII. */
  readonly ascii: boolean
}

/** A view that is decoded when its turn comes: never, where the work ends before it. */
type Later = () => View | undefined

/**
 * The text, and all that its encodings say, down to five inside each other: the shallow ones first, as long as there is
 * work left.
 */
export function* viewsOf(text: string, sought: Sought, downTo = deepest): Generator<View> {
  const seen = new Set<string>()
  const queue: Later[] = [() => ({ bytes: text, depth: 0, spread: Number.POSITIVE_INFINITY })]
  let work = mostWork * text.length + 65_536
  for (let next = 0; next < queue.length && work > 0; next++) {
    const view = queue[next]!()
    queue[next] = nothing
    if (!view || (!view.binary && seen.has(view.bytes))) continue
    work -= view.bytes.length
    yield view
    if (view.binary) {
      if (view.depth < downTo) queue.push(() => textWithin(view, sought))
      continue
    }
    seen.add(view.bytes)
    if (view.depth === downTo) continue
    queue.push(...unescaped(view, sought), ...unpacked(view, sought))
  }
}

const nothing: Later = () => undefined

/** The range in the root view; undefined where it is spread too wide to be more than an accident. */
export function inRoot(view: View, range: Range): Range | undefined {
  let [from, to] = range
  for (let at: View = view; at.parent; at = at.parent) {
    const { from: starts, to: ends } = at.places!()
    const length = to - from
    ;[from, to] = [starts[from]!, ends[to - 1]!]
    if (to - from > at.spread * length + 16) return undefined
  }
  return [from, to]
}

/** Memoizes a function. Its result is needed for each hit in a view, and costs as much as decoding the view did. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function unescaped(parent: View, { spaces }: Sought): Later[] {
  const { bytes, depth } = parent
  return escapes.flatMap(encoding => {
    if (!bytes.includes(encoding.sign) || (encoding.sign === '+' && !spaces)) return []
    return () => {
      const source = Buffer.from(bytes, 'latin1')
      const text = undone(source, encoding)
      if (text === bytes) return undefined
      const places = once(() => placesOfEscapes(source, encoding, text.length))
      return { bytes: text, depth: depth + 1, parent, places, spread: 32 }
    }
  })
}

function undone(source: Buffer, { begins, read }: Escape): string {
  const [first, second = first] = begins
  const out = Buffer.allocUnsafe(source.length)
  let length = 0
  for (let at = 0; at < source.length; ) {
    const code = source[at]!
    const found = code === first || code === second ? read(source, at, out, length) : 0
    if (found === 0) {
      out[length++] = code
      at++
    } else {
      length += found & 7
      at += found >> 3
    }
  }
  return out.toString('latin1', 0, length)
}

function placesOfEscapes(source: Buffer, { begins, read }: Escape, length: number): Places {
  const [first, second = first] = begins
  const [from, to] = [new Uint32Array(length), new Uint32Array(length)]
  const ignored = Buffer.alloc(8)
  let written = 0
  for (let at = 0; at < source.length; ) {
    const code = source[at]!
    const found = code === first || code === second ? read(source, at, ignored, 0) : 0
    const end = found === 0 ? at + 1 : at + (found >> 3)
    const last = found === 0 ? written + 1 : written + (found & 7)
    for (; written < last; written++) {
      from[written] = at
      to[written] = end
    }
    at = end
  }
  return { from, to }
}

/**
 * Decodes base64 and hex in the text, whatever is between their characters (ends of lines, colons, `0x`) and wherever
 * in a group they begin. Among the decoded bytes only text is searched further: from ordinary words the rest is noise.
 */
function unpacked(parent: View, { least }: Sought): Later[] {
  const source = once(() => Buffer.from(parent.bytes, 'latin1'))
  return [...packed(parent, source, base64, least), ...packed(parent, source, hex, least)]
}

/** An encoding of `bits` for each character. */
interface Packing {
  readonly name: 'base64' | 'hex'
  readonly bits: number
  /** Table by character code: 1 if the character belongs to the encoding. */
  readonly isDigit: Uint8Array
  /** Characters after which a group of whole bytes starts again, and what is put before them to shift them by one. */
  readonly shifts: readonly string[]
  readonly spread: number
}

const digitsOf = (pattern: RegExp) =>
  Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))

const base64: Packing = {
  name: 'base64',
  bits: 6,
  isDigit: digitsOf(/[A-Za-z0-9+/_-]/),
  shifts: ['', 'A', 'AA', 'AAA'],
  spread: 4,
}
/** Hex, with a spread of 8: in `0x73, 0x65` a byte takes six characters. */
const hex: Packing = { name: 'hex', bits: 4, isDigit: digitsOf(/[0-9a-fA-F]/), shifts: ['', '0'], spread: 8 }

function packed(parent: View, source: () => Buffer, packing: Packing, least: number): Later[] {
  const { name, bits, shifts, spread } = packing
  const read = once(() => {
    const { digits, count } = digitsIn(source(), packing)
    return { count, text: digits.toString('latin1', 0, count) }
  })
  const depth = parent.depth + 1
  return shifts.map(shift => () => {
    const { count, text } = read()
    if (count * bits < least * 8) return undefined
    const whole = shift + text
    const bytes = Buffer.from(name === 'hex' && whole.length % 2 === 1 ? `${whole}0` : whole, name).toString('latin1')
    const places = once(() => placesOfDigits(source(), packing, count, shift.length, bytes.length))
    return { bytes, depth, binary: true, parent, places, spread }
  })
}

/** Extracts the characters of the encoding, one after the other. The loop has no branch: it runs over every log. */
function digitsIn(source: Buffer, { name, isDigit }: Packing): { digits: Buffer; count: number } {
  const digits = Buffer.allocUnsafe(source.length + 1)
  // The 0 of 0x is none.
  const prefixed = name === 'hex' && (source.includes('0x') || source.includes('0X'))
  let count = 0
  for (let at = 0; at < source.length; at++) {
    const code = source[at]!
    digits[count] = code
    count += isDigit[code]!
    if (prefixed && (code | 0x20) === 0x78 && source[at - 1] === 0x30) count--
  }
  return { digits, count }
}

function placesOfDigits(source: Buffer, packing: Packing, count: number, shift: number, length: number): Places {
  const { name, bits, isDigit } = packing
  const digitAt = new Uint32Array(count + 1)
  for (let at = 0, i = 0; at < source.length; at++) {
    const code = source[at]!
    digitAt[i] = at
    i += isDigit[code]!
    if (name === 'hex' && (code | 0x20) === 0x78 && source[at - 1] === 0x30) i--
  }
  const place = (digit: number) => digitAt[Math.max(0, Math.min(count - 1, digit - shift))]!
  const from = Uint32Array.from({ length }, (_, i) => place(Math.floor((i * 8) / bits)))
  const to = Uint32Array.from({ length }, (_, i) => place(Math.ceil(((i + 1) * 8) / bits) - 1) + 1)
  return { from, to }
}

/** The parts of decoded bytes that are text, one after the other; undefined where none has `least` bytes. */
function textWithin(parent: View, { least, ascii }: Sought): View | undefined {
  const source = Buffer.from(parent.bytes, 'latin1')
  const runs = ascii ? asciiRuns(source, least) : textRuns(source, least)
  if (runs.length === 0) return undefined
  const bytes = runs.map(([from, to]) => source.toString('latin1', from, to)).join('\n')
  const places = once(() => {
    const from = new Uint32Array(bytes.length)
    let at = 0
    for (const [start, end] of runs) {
      for (let i = start; i < end; i++) from[at++] = i
      if (at < bytes.length) from[at++] = end
    }
    return { from, to: from.map(each => each + 1) }
  })
  return { bytes, depth: parent.depth, parent, places, spread: Number.POSITIVE_INFINITY }
}

/** Number of consecutive ASCII bytes by which a run is noticed: random bytes seldom have as many. */
const seed = 6

/**
 * Runs that hold so much ASCII in one piece. Looks at every sixth byte, and at those before it only as long as they are
 * text: three times as fast as `textRuns` on what is none.
 */
function asciiRuns(source: Buffer, least: number): Range[] {
  const runs: Range[] = []
  const needed = Math.min(seed, least)
  for (let at = needed - 1; at < source.length; ) {
    let from = at
    while (from > at - needed && isText[source[from]!] === 1) from--
    if (from > at - needed) {
      at = from + needed
      continue
    }
    let to = at + 1
    while (to < source.length && isText[source[to]!] === 1) to++
    if (to - from - 1 >= least) runs.push([from + 1, to])
    at = to + needed
  }
  return runs
}

function textRuns(source: Buffer, least: number): Range[] {
  const runs: Range[] = []
  let from = 0
  for (let at = 0; at <= source.length; ) {
    const length = at === source.length ? 0 : isText[source[at]!] === 1 ? 1 : characterLength(source, at)
    at += length
    if (length > 0) continue
    if (at - from >= least) runs.push([from, at])
    from = ++at
  }
  return runs
}

const isText = Uint8Array.from({ length: 256 }, (_, code) =>
  (code >= 0x20 && code < 0x7f) || [9, 10, 13, 27].includes(code) ? 1 : 0,
)

/** Bytes of the character of UTF-8 at that place if it is not ASCII; otherwise 0. */
function characterLength(source: Buffer, at: number): number {
  const code = source[at]!
  const length = code < 0xc2 ? 0 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : code < 0xf5 ? 4 : 0
  for (let i = 1; i < length; i++) if ((source[at + i]! & 0xc0) !== 0x80) return 0
  return length
}
