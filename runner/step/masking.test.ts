import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LineReader } from './lines.ts'
import { Mask } from './masking.ts'

const percent = (text: string) => [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
const ascii = (text: string) =>
  escaped(text).replace(/[^ -~]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Ways in which a secret can occur in a line, surrounded by what the test adds. */
const ways: Record<string, (before: string, secret: string, after: string) => string> = {
  plain: (before, secret, after) => before + secret + after,
  base64: (before, secret, after) => Buffer.from(before + secret + after).toString('base64'),
  base64url: (before, secret, after) => Buffer.from(before + secret + after).toString('base64url'),
  hex: (before, secret, after) => Buffer.from(before + secret + after).toString('hex'),
  HEX: (before, secret, after) =>
    Buffer.from(before + secret + after)
      .toString('hex')
      .toUpperCase(),
  url: (before, secret, after) => encodeURIComponent(before + secret + after),
  form: (before, secret, after) => new URLSearchParams({ q: before + secret + after }).toString(),
  percent: (before, secret, after) => percent(before + secret + after),
  json: (before, secret, after) => JSON.stringify({ it: before + secret + after }),
  'ASCII json': (before, secret, after) => ascii(before + secret + after),
  'json with \\/': (before, secret, after) => escaped(before + secret + after).replaceAll('/', '\\/'),
}

/** Whether a reader of the masked line could learn something about the secret. */
const shows = (line: string, secret: string): boolean => {
  const forms = [
    secret,
    Buffer.from(secret).toString('hex'),
    percent(secret),
    encodeURIComponent(secret),
    escaped(secret),
    ascii(secret),
  ]
  const base64 = [...line.matchAll(/[\w+/-]{4,}={0,2}/g)].map(([text]) => Buffer.from(text, 'base64').toString('utf8'))
  return (
    forms.some(form => line.toLowerCase().includes(form.toLowerCase())) || base64.some(text => text.includes(secret))
  )
}

const piece = fc.string({ maxLength: 12, unit: fc.constantFrom(...'ab 0/+%"\\ä€😀=&', '\t') })
// Secrets that differ from the mask, and cannot arise from the text around it.
const secrets = fc.string({ minLength: 6, maxLength: 40, unit: fc.constantFrom(...'QXZWJKV5678 /+%"\\ö😀{}', '\t') })

test('a secret is never seen, however it is encoded, whatever stands around it, however it is cut', () => {
  fc.assert(
    fc.property(
      secrets,
      piece,
      piece,
      fc.constantFrom(...Object.keys(ways)),
      fc.nat(60),
      (secret, before, after, way, at) => {
        fc.pre(!before.includes(secret) && secret.trim().length >= 4)
        const bytes = Buffer.from(`${ways[way]!(before, secret, after)}\n`)
        const reader = new LineReader(10_000)
        const lines = [...reader.feed(bytes.subarray(0, at)), ...reader.feed(bytes.subarray(at))] as string[]
        const [masked] = new Mask([secret]).lines(lines)
        assert.ok(masked!.includes('***'), `${way}: ${masked}`)
        assert.ok(!shows(masked!, secret), `${way}: ${masked}`)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a secret of several lines is hidden line by line, and as a whole where it is encoded', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n'
  const mask = new Mask([key])
  assert.deepEqual(mask.lines(key.trim().split('\n')), ['***', '***', '***', '***'])
  assert.equal(mask.text(`key=${JSON.stringify(key)}`).includes('kqhkiG9w'), false)
  assert.match(mask.text(Buffer.from(key).toString('base64')), /^\*\*\*=*$/)
})

test('base64 that is wrapped is hidden in every line', () => {
  const secret = 'a-rather-long-secret-that-does-not-fit-in-one-line-of-seventy-six-characters!'
  for (const before of ['', 'x', 'xy', 'some words and then ']) {
    const wrapped = Buffer.from(`${before}${secret}, and more`)
      .toString('base64')
      .match(/.{1,76}/g)!
    const masked = new Mask([secret]).lines(wrapped)
    const left = Buffer.from(masked.join('').replaceAll('***', ''), 'base64').toString('latin1')
    assert.doesNotMatch(left, /rather|fit-in|seventy|characters/)
  }
})

test('what two secrets share at their border is hidden once and wholly', () => {
  const mask = new Mask(['abcdef', 'defghi'])
  assert.equal(mask.text('x abcdefghi y'), 'x *** y')
})

test('lines without a secret stay as they are, and so does everything where there is none to hide', () => {
  const lines = ['100% of a\\b "c" %41', 'plain', '']
  assert.deepEqual(new Mask(['hidden-thing']).lines(lines), lines)
  assert.deepEqual(new Mask(['abc']).lines(['abc']), ['abc'])
})
