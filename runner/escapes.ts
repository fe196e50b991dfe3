/** An encoding that replaces single characters by escapes. `pattern` finds these in bytes, `decode` returns bytes. */
interface Escape {
  /** Without it in the text there is nothing to undo. */
  readonly sign: string
  readonly pattern: RegExp
  readonly decode: (code: string) => string
}

const byCode = (hex: string) => {
  const code = Number.parseInt(hex, 16)
  return code > 0x10ffff ? '' : asBytes(String.fromCodePoint(code))
}

const percent = (code: string) =>
  code[1] === 'u' || code[1] === 'U' ? byCode(code.slice(2)) : String.fromCharCode(Number.parseInt(code.slice(1), 16))

export const escapes: readonly Escape[] = [
  { sign: '%', pattern: /%u[0-9a-f]{4}|%[0-9a-f]{2}/gi, decode: percent },
  {
    sign: '+',
    pattern: /%u[0-9a-f]{4}|%[0-9a-f]{2}|\+/gi,
    decode: code => (code === '+' ? ' ' : percent(code)),
  },
  {
    // JSON, JavaScript, C, Python, and what a shell quotes by backslashes.
    sign: '\\',
    pattern:
      /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[ux]\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\\[abefnrtv0]|\\[^A-Za-z0-9]/g,
    decode: backslash,
  },
  // A single quote, as a shell's trace shows it within single quotes.
  { sign: `'`, pattern: /'(?:\\''|"'"')/g, decode: () => `'` },
  {
    sign: '&',
    pattern: /&#x[0-9a-f]{1,6};?|&#[0-9]{1,7};?|&[a-z]{2,8}[0-9]{0,2};/gi,
    decode: entity,
  },
  // Colors, as of grep, within a word.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
  { sign: '\x1b', pattern: /\x1b\[[0-9;:?]*[ -/]*[@-~]/g, decode: () => '' },
]

const letters: Record<string, string> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
}

function backslash(code: string): string {
  const [, kind = '', rest = ''] = /^\\(.)(.*)$/s.exec(code) ?? []
  if (rest === '') return letters[kind] ?? kind
  if (/[0-7]/.test(kind)) return String.fromCharCode(Number.parseInt(kind + rest, 8) & 0xff)
  if (kind === 'x' && rest[0] !== '{') return String.fromCharCode(Number.parseInt(rest, 16))
  const [high, low] = rest.split('\\u') as [string, string?]
  if (low === undefined) return byCode(high.replace(/[{}]/g, ''))
  return asBytes(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)))
}

/** Names of HTML: of ASCII, and of U+00A0 to U+00FF in their order. */
const entities = new Map<string, string>([
  ...'amp & lt < gt > quot " apos \' Tab \t NewLine \n excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ lbrack [ lsqb [ bsol \\ rbrack ] rsqb ] Hat ^ lowbar _ grave ` lbrace { lcub { verbar | vert | rbrace } rcub } euro €'
    .split(/ (?=[A-Za-z]{2})/)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)]),
  ...'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
    .split(' ')
    .map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
])

function entity(code: string): string {
  const name = code.replace(/[&;]/g, '')
  if (name[0] !== '#') {
    const said = entities.get(name)
    return said === undefined ? code : asBytes(said)
  }
  return byCode(/^#x/i.test(name) ? name.slice(2) : Number(name.slice(1)).toString(16))
}

export const asBytes = (text: string): string => (isAscii(text) ? text : Buffer.from(text).toString('latin1'))
export const fromBytes = (bytes: string): string =>
  isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')

const isAscii = (text: string) => Buffer.byteLength(text) === text.length
