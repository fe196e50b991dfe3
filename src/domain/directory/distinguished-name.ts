/**
 * Distinguished names (RFC 4514): one name has many spellings (`cn=Smith\, Bob`, `CN=Smith\2C Bob`,
 * `2.5.4.3=#0c0a536d6974682c20426f62`), and a group lists its members in another spelling than the entries of people.
 */

/**
 * Normalized form of a distinguished name. A text that is no distinguished name equals only itself, case-insensitively.
 */
export function dnKey(dn: string): string {
  const rdns = readDn(dn)
  return rdns ? rdns.map(rdn => rdn.join('+')).join(',') : `!${folded(dn)}`
}

/** Whether a distinguished name is below another one, or equal to it. */
export function isBelow(dn: string, base: string): boolean {
  const [all, end] = [readDn(dn), readDn(base)]
  if (!all || !end || end.length > all.length) return false
  const tail = all.slice(all.length - end.length)
  return end.every((rdn, at) => rdn.join('+') === tail[at]!.join('+'))
}

export const isDn = (text: string): boolean => readDn(text) !== undefined

/** Relative names, each a set of `type=value` in one order; undefined for a text that is no distinguished name. */
function readDn(text: string): string[][] | undefined {
  if (text.trim() === '') return []
  const rdns: string[][] = []
  let rdn = new Set<string>()
  for (let at = 0; ; ) {
    const found = readPair(text, at)
    if (!found) return undefined
    rdn.add(found.pair)
    const separator = text[found.end]
    if (separator !== '+') {
      rdns.push([...rdn].sort())
      rdn = new Set()
    }
    if (separator === undefined) return rdns
    at = found.end + 1
  }
}

/** One `type=value` that begins at `from`, and the position of the separator behind it: `,`, `;` (of LDAPv2) or `+`. */
function readPair(text: string, from: number): { readonly pair: string; readonly end: number } | undefined {
  const type = /\s*(?:oid\.)?([a-z][a-z0-9-]*|\d+(?:\.\d+)+)\s*=\s*/iy
  type.lastIndex = from
  const named = type.exec(text)?.[1]?.toLowerCase()
  if (named === undefined) return undefined
  const value = [hexValue, quotedValue, plainValue].map(read => read(text, type.lastIndex)).find(each => each)
  if (!value) return undefined
  // Joined by characters that a value has only escaped: no value can look like two.
  const key = folded(value.text).replace(/[\\,+=]/g, each => `\\${each}`)
  return { pair: `${nameOfType.get(named) ?? named}=${key}`, end: value.end }
}

interface Value {
  readonly text: string
  readonly end: number
}

/** `#` and the value's BER encoding, in hexadecimal digits. */
function hexValue(text: string, from: number): Value | undefined {
  const written = /#((?:[0-9a-f]{2})+)\s*(?=[,;+]|$)/iy
  written.lastIndex = from
  const hex = written.exec(text)?.[1]
  if (hex === undefined) return undefined
  return { text: textOfBer(Buffer.from(hex, 'hex')) ?? `#${hex}`, end: written.lastIndex }
}

/** Reads a quoted value, the form of RFC 1779 for values with separators. */
function quotedValue(text: string, from: number): Value | undefined {
  const written = /"((?:[^"\\]|\\[\s\S])*)"\s*(?=[,;+]|$)/y
  written.lastIndex = from
  const quoted = written.exec(text)?.[1]
  return quoted === undefined ? undefined : { text: unescaped(quoted), end: written.lastIndex }
}

function plainValue(text: string, from: number): Value | undefined {
  const written = /(?:[^\\",;+]|\\[\s\S])*/y
  written.lastIndex = from
  const plain = written.exec(text)![0]
  const end = written.lastIndex
  // A quotation mark or a lone backslash.
  if (end < text.length && !/[,;+]/.test(text[end]!)) return undefined
  return { text: unescaped(plain), end }
}

/** `\2C` is a byte of the value in UTF-8, `\,` the character itself. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/(?:\\[0-9a-f]{2})+|\\([\s\S])/gi, (written, character: string | undefined) =>
    character === undefined ? textOfBytes(Buffer.from(written.replaceAll('\\', ''), 'hex')) : character,
  )
}

/** Bytes that are no UTF-8 stay apart from every text. */
function textOfBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return `\uFFFD${bytes.toString('hex')}`
  }
}

/** The text of a string of BER, of the kinds that names are made of. */
function textOfBer(bytes: Buffer): string | undefined {
  const [tag, length] = bytes
  const isLong = length !== undefined && length > 0x80 && length <= 0x84
  const header = isLong ? 2 + (length - 0x80) : 2
  const size = isLong && bytes.length >= header ? bytes.readUIntBE(2, length - 0x80) : length
  const content = bytes.subarray(header)
  if (size !== content.length) return undefined
  if (tag === octetString || tag === utf8String || tag === printableString || tag === ia5String)
    return textOfBytes(content)
  if (tag === bmpString && content.length % 2 === 0) return Buffer.from(content).swap16().toString('utf16le')
  return undefined
}

const [octetString, utf8String, printableString, ia5String, bmpString] = [0x04, 0x0c, 0x13, 0x16, 0x1e]

/**
 * Normalizes a part of a name as directories compare them (caseIgnoreMatch, RFC 4518): case-insensitive, in any form of
 * Unicode, whatever the number of spaces. Upper case makes ß and ss equal, and both forms of σ; the dotless ı is a
 * letter of its own.
 */
function folded(text: string): string {
  const oneForm = text.normalize('NFKC').replace(/[^ı]+/g, letters => letters.toUpperCase())
  return oneForm.normalize('NFKC').replace(/\s+/g, ' ').trim()
}

/** Types used in names: the short name first, then its aliases (RFC 4519, RFC 4524). */
const types = [
  ['cn', 'commonname', '2.5.4.3'],
  ['sn', 'surname', '2.5.4.4'],
  ['serialnumber', '2.5.4.5'],
  ['c', 'countryname', '2.5.4.6'],
  ['l', 'localityname', '2.5.4.7'],
  ['st', 's', 'stateorprovincename', '2.5.4.8'],
  ['street', 'streetaddress', '2.5.4.9'],
  ['o', 'organizationname', '2.5.4.10'],
  ['ou', 'organizationalunitname', '2.5.4.11'],
  ['title', '2.5.4.12'],
  ['description', '2.5.4.13'],
  ['postalcode', '2.5.4.17'],
  ['telephonenumber', '2.5.4.20'],
  ['name', '2.5.4.41'],
  ['givenname', 'gn', '2.5.4.42'],
  ['initials', '2.5.4.43'],
  ['generationqualifier', '2.5.4.44'],
  ['x500uniqueidentifier', '2.5.4.45'],
  ['dnqualifier', '2.5.4.46'],
  ['houseidentifier', '2.5.4.51'],
  ['uid', 'userid', '0.9.2342.19200300.100.1.1'],
  ['mail', 'rfc822mailbox', '0.9.2342.19200300.100.1.3'],
  ['host', '0.9.2342.19200300.100.1.9'],
  ['documentidentifier', '0.9.2342.19200300.100.1.11'],
  ['dc', 'domaincomponent', '0.9.2342.19200300.100.1.25'],
  ['associateddomain', '0.9.2342.19200300.100.1.37'],
  ['uniqueidentifier', '0.9.2342.19200300.100.1.44'],
  ['email', 'e', 'emailaddress', 'pkcs9email', '1.2.840.113549.1.9.1'],
  ['uidnumber', '1.3.6.1.1.1.1.0'],
  ['gidnumber', '1.3.6.1.1.1.1.1'],
  ['employeenumber', '2.16.840.1.113730.3.1.3'],
  ['displayname', '2.16.840.1.113730.3.1.241'],
  ['samaccountname', '1.2.840.113556.1.4.221'],
  ['userprincipalname', '1.2.840.113556.1.4.656'],
] as const

const nameOfType: ReadonlyMap<string, string> = new Map(
  types.flatMap(([short, ...others]) => others.map(other => [other, short] as const)),
)
