import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asBytes, escapes } from './escapes.ts'

/** Patterns that say the same as the readers, slowly; what each match stands for is worked out by other means. */
const references: Readonly<Record<string, readonly [RegExp, (code: string) => string]>> = {
  '%': [/%u[0-9a-f]{4}|%[0-9a-f]{2}/gi, percent],
  '+': [/%u[0-9a-f]{4}|%[0-9a-f]{2}|\+/gi, code => (code === '+' ? ' ' : percent(code))],
  '\\': [
    /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[ux]\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\\[abefnrtv0]|\\[^A-Za-z0-9]/g,
    backslash,
  ],
  "'": [/'(?:\\''|"'"')/g, () => "'"],
  '&': [/&#x[0-9a-f]{1,6};?|&#[0-9]{1,7};?|&[a-z]{2,8}[0-9]{0,2};/gi, entity],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
  '\x1b': [/\x1b\[[0-9;:?]*[ -/]*[@-~]/g, () => ''],
}

const character = (code: number) => (code > 0x10ffff ? '' : asBytes(String.fromCodePoint(code)))
const hex = (digits: string) => Number.parseInt(digits, 16)

function percent(code: string): string {
  return /^%u/i.test(code) ? character(hex(code.slice(2))) : String.fromCharCode(hex(code.slice(1)))
}

function backslash(code: string): string {
  if (/^\\[^A-Za-z0-9]$/s.test(code)) return code[1]!
  if (code.length === 2) return { a: '\x07', e: '\x1b', 0: '\0' }[code[1]!] ?? JSON.parse(`"${vertical(code)}"`)
  if (/^\\[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 8) & 0xff)
  if (/^\\x[^{]/.test(code)) return String.fromCharCode(hex(code.slice(2)))
  if (code.length === 12) return asBytes(JSON.parse(`"${code}"`))
  return character(hex(code.slice(2).replace(/[{}]/g, '')))
}

const vertical = (code: string) => (code === '\\v' ? '\\u000b' : code)

const named: Readonly<Record<string, string>> = { amp: '&', euro: '€', sup2: '²', frac12: '½', lt: '<', nbsp: '\u00a0' }

function entity(code: string): string {
  const name = code.replace(/[&;]/g, '')
  if (/^#x/i.test(name)) return character(hex(name.slice(2)))
  if (name.startsWith('#')) return character(Number(name.slice(1)))
  return name in named ? asBytes(named[name]!) : code
}

const pieces = [
  ...['\\', '\\u', '\\u0041', '\\ud83d', '\\uDE00', '\\ud800', '\\u{', '\\x', '\\U', '0010ffff', '00110000', '1f600}'],
  ...[
    '{41}',
    '41',
    '7',
    '377',
    '012',
    'n',
    'v',
    'b',
    '0',
    '8',
    '{',
    '}',
    '%',
    '%u',
    '%25',
    '%U',
    '+',
    '&',
    '&#',
    '&#x',
  ],
  ...['&#X', '&amp;', '&euro;', '&nope;', '&frac12;', '&sup2;', '&Amp;', 'ampamp12;', ';', '9999999', "'", "\\''"],
  ...[`"'"'`, '"', '\x1b', '\x1b[', '31;1', ' /', 'm', '@', '\xff', '\0', '\n', 'ä', '😀', 'e', 'F', 'z'],
]

test('escapes are read as the patterns of their languages say, whatever stands around them and however they are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), fc.boolean(), (parts, utf8) => {
      const joined = parts.join('')
      const text = utf8 ? asBytes(joined) : Buffer.from(joined, 'latin1').toString('latin1')
      for (const { sign, begins, read } of escapes) {
        const [pattern, decode] = references[sign]!
        assert.equal(undone(text, begins, read), text.replace(pattern, decode), JSON.stringify([sign, text]))
      }
    }),
    { numRuns: 5_000 },
  )
})

test('no escape is longer decoded than encoded, so that what is decoded never needs more room', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), parts => {
      const source = Buffer.from(parts.join(''))
      for (const { begins, read } of escapes)
        for (const [at, code] of source.entries()) {
          const found = begins.includes(code) ? read(source, at, Buffer.alloc(8), 0) : 0
          assert.ok((found & 7) <= found >> 3 && at + (found >> 3) <= source.length)
        }
    }),
  )
})

function undone(text: string, begins: readonly number[], read: (typeof escapes)[number]['read']): string {
  const source = Buffer.from(text, 'latin1')
  const bytes: Buffer[] = []
  for (let at = 0; at < source.length; ) {
    const out = Buffer.alloc(8)
    const found = begins.includes(source[at]!) ? read(source, at, out, 0) : 0
    bytes.push(found === 0 ? source.subarray(at, at + 1) : out.subarray(0, found & 7))
    at += found === 0 ? 1 : found >> 3
  }
  return Buffer.concat(bytes).toString('latin1')
}
