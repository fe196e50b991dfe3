/**
 * Reads the escape that begins at `at`, and writes the bytes that it stands for to `out` from `to` on.
 *
 * @returns its length and the number of its bytes as one number, `length * 8 + bytes`, and 0 where no escape begins.
 *   Nothing is allocated: a line of a mebibyte holds a hundred thousand of them, in dozens of views.
 */
type ReadEscape = (source: Uint8Array, at: number, out: Uint8Array, to: number) => number

/** An encoding that replaces single characters by escapes. An escape is never shorter than its bytes. */
export interface Escape {
  /** Text that every escape contains: a text without it is not searched. */
  readonly sign: string
  /** Codes of the characters that an escape begins with. */
  readonly begins: readonly number[]
  readonly read: ReadEscape
}

const codeOf = (character: string) => character.charCodeAt(0)
const codes = { backslash: 0x5c, quote: 0x27, percent: 0x25, plus: 0x2b, ampersand: 0x26, escape: 0x1b } as const

/** Value of each hex digit by its code, -1 for all others. */
const hexDigits = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
)

/** Value of exactly `count` hex digits, -1 where they are not there. */
function hexAt(source: Uint8Array, at: number, count: number): number {
  if (at + count > source.length) return -1
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = hexDigits[source[i]!]!
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** Number of hex digits from `at` on, no more than `most`. */
function hexLength(source: Uint8Array, at: number, most: number): number {
  let count = 0
  while (count < most && at + count < source.length && hexDigits[source[at + count]!]! >= 0) count++
  return count
}

/** Writes a code point in UTF-8: half a surrogate pair as U+FFFD, and nothing for what is beyond Unicode. */
function writeCode(code: number, out: Uint8Array, to: number): number {
  if (code > 0x10ffff) return 0
  if (code < 0x80) {
    out[to] = code
    return 1
  }
  if (code < 0x800) {
    out[to] = 0xc0 | (code >> 6)
    out[to + 1] = 0x80 | (code & 0x3f)
    return 2
  }
  if (code < 0x10000) {
    const known = code >= 0xd800 && code < 0xe000 ? 0xfffd : code
    out[to] = 0xe0 | (known >> 12)
    out[to + 1] = 0x80 | ((known >> 6) & 0x3f)
    out[to + 2] = 0x80 | (known & 0x3f)
    return 3
  }
  out[to] = 0xf0 | (code >> 18)
  out[to + 1] = 0x80 | ((code >> 12) & 0x3f)
  out[to + 2] = 0x80 | ((code >> 6) & 0x3f)
  out[to + 3] = 0x80 | (code & 0x3f)
  return 4
}

/** `%41` and `%u0041`. */
function readPercent(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  if (((source[at + 1] ?? 0) | 0x20) === 0x75) {
    const code = hexAt(source, at + 2, 4)
    if (code >= 0) return 6 * 8 + writeCode(code, out, to)
  }
  const byte = hexAt(source, at + 1, 2)
  if (byte < 0) return 0
  out[to] = byte
  return 3 * 8 + 1
}

function readForm(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  if (source[at] === codes.percent) return readPercent(source, at, out, to)
  out[to] = 0x20
  return 8 + 1
}

/** Bytes of the letters that stand for one after a backslash; 0xff: the letter is no escape. */
const letters = Uint8Array.from({ length: 256 }, (_, code) => {
  const at = 'abefnrtv0'.indexOf(String.fromCharCode(code))
  if (at >= 0) return [7, 8, 0x1b, 0x0c, 0x0a, 0x0d, 9, 0x0b, 0][at]!
  return /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 0xff : code
})
const isOctal = (code: number | undefined) => code !== undefined && code >= 0x30 && code < 0x38

/** JSON, JavaScript, C, Python, and what a shell quotes by backslashes. */
function readBackslash(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  if (at + 1 >= source.length) return 0
  const kind = source[at + 1]!
  if (kind === 0x75) {
    const code = hexAt(source, at + 2, 4)
    if (code >= 0xd800 && code < 0xdc00 && source[at + 6] === codes.backslash && source[at + 7] === 0x75) {
      const low = hexAt(source, at + 8, 4)
      if (low >= 0xdc00 && low < 0xe000)
        return 12 * 8 + writeCode(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), out, to)
    }
    return code >= 0 ? 6 * 8 + writeCode(code, out, to) : readBraced(source, at, out, to)
  }
  if (kind === 0x78) {
    const byte = hexAt(source, at + 2, 2)
    if (byte < 0) return readBraced(source, at, out, to)
    out[to] = byte
    return 4 * 8 + 1
  }
  if (kind === 0x55) {
    const code = hexAt(source, at + 2, 8)
    return code < 0 ? 0 : 10 * 8 + writeCode(code, out, to)
  }
  if (isOctal(kind) && isOctal(source[at + 2]) && isOctal(source[at + 3])) {
    out[to] = (((kind & 7) << 6) | ((source[at + 2]! & 7) << 3) | (source[at + 3]! & 7)) & 0xff
    return 4 * 8 + 1
  }
  const byte = letters[kind]!
  // The byte 0xff itself stands for itself.
  if (byte === 0xff && kind !== 0xff) return 0
  out[to] = byte
  return 2 * 8 + 1
}

/** `\u{1f600}` and `\x{41}`. */
function readBraced(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  if (source[at + 2] !== 0x7b) return 0
  const digits = hexLength(source, at + 3, 6)
  if (digits === 0 || source[at + 3 + digits] !== 0x7d) return 0
  return (4 + digits) * 8 + writeCode(hexAt(source, at + 3, digits), out, to)
}

const quotedQuotes = [`'\\''`, `'"'"'`].map(text => Buffer.from(text))

/** A single quote, as a shell's trace shows it within single quotes. */
function readQuote(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  for (const text of quotedQuotes) {
    let same = 1
    while (same < text.length && source[at + same] === text[same]) same++
    if (same < text.length) continue
    out[to] = codes.quote
    return text.length * 8 + 1
  }
  return 0
}

const isDigit = (code: number | undefined) => code !== undefined && code >= 0x30 && code < 0x3a
const isLetter = (code: number | undefined) => code !== undefined && (code | 0x20) >= 0x61 && (code | 0x20) < 0x7b

/** `&#x41;`, `&#65;` and `&amp;`. */
function readEntity(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  if (source[at + 1] !== 0x23) return readNamed(source, at, out, to)
  if (((source[at + 2] ?? 0) | 0x20) === 0x78) {
    const digits = hexLength(source, at + 3, 6)
    if (digits === 0) return 0
    const end = at + 3 + digits
    const length = end - at + (source[end] === 0x3b ? 1 : 0)
    return length * 8 + writeCode(hexAt(source, at + 3, digits), out, to)
  }
  let end = at + 2
  let code = 0
  for (; end < at + 9 && isDigit(source[end]); end++) code = code * 10 + (source[end]! - 0x30)
  if (end === at + 2) return 0
  return (end - at + (source[end] === 0x3b ? 1 : 0)) * 8 + writeCode(code, out, to)
}

function readNamed(source: Uint8Array, at: number, out: Uint8Array, to: number): number {
  let end = at + 1
  while (end < at + 9 && isLetter(source[end])) end++
  if (end - at < 3) return 0
  const digits = end
  while (end < digits + 2 && isDigit(source[end])) end++
  if (source[end] !== 0x3b) return 0
  let node: EntityName | undefined = entityNames
  for (let i = at + 1; i < end && node; i++) node = node.next[source[i]!]
  if (!node?.bytes) return 0
  for (let i = 0; i < node.bytes.length; i++) out[to + i] = node.bytes[i]!
  return (end + 1 - at) * 8 + node.bytes.length
}

/** Colors, as of grep, within a word. */
function readColor(source: Uint8Array, at: number): number {
  if (source[at + 1] !== 0x5b) return 0
  let end = at + 2
  while (end < source.length && isParameter[source[end]!] === 1) end++
  while (end < source.length && source[end]! >= 0x20 && source[end]! < 0x30) end++
  const last = source[end] ?? 0
  return last >= 0x40 && last < 0x7f ? (end + 1 - at) * 8 : 0
}

const isParameter = Uint8Array.from({ length: 256 }, (_, code) => (/[0-9;:?]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Names of HTML: of ASCII, and of U+00A0 to U+00FF in their order. */
const entities = new Map<string, string>([
  ...'amp & lt < gt > quot " apos \' Tab \t NewLine \n excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ lbrack [ lsqb [ bsol \\ rbrack ] rsqb ] Hat ^ lowbar _ grave ` lbrace { lcub { verbar | vert | rbrace } rcub } euro €'
    .split(/ (?=[A-Za-z]{2})/)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)]),
  ...'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
    .split(' ')
    .map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
])

/** Names of HTML as a tree, letter by letter. */
interface EntityName {
  readonly next: (EntityName | undefined)[]
  bytes?: Buffer
}

const entityNames = treeOf(entities)

function treeOf(names: ReadonlyMap<string, string>): EntityName {
  const root: EntityName = { next: [] }
  for (const [name, text] of names) {
    let node = root
    for (const letter of name) node = node.next[codeOf(letter)] ??= { next: [] }
    node.bytes = Buffer.from(text)
  }
  return root
}

export const escapes: readonly Escape[] = [
  { sign: '%', begins: [codes.percent], read: readPercent },
  { sign: '+', begins: [codes.percent, codes.plus], read: readForm },
  { sign: '\\', begins: [codes.backslash], read: readBackslash },
  { sign: `'`, begins: [codes.quote], read: readQuote },
  { sign: '&', begins: [codes.ampersand], read: readEntity },
  { sign: '\x1b', begins: [codes.escape], read: readColor },
]

export const asBytes = (text: string): string => (isAscii(text) ? text : Buffer.from(text).toString('latin1'))
export const fromBytes = (bytes: string): string =>
  isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')

const isAscii = (text: string) => Buffer.byteLength(text) === text.length
