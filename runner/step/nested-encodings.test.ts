import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LineReader } from './lines.ts'
import { Mask } from './masking.ts'
import { StepLog } from './step-log.ts'

const hexOf = (bytes: Buffer, separator: string, prefix = '') =>
  [...bytes].map(byte => prefix + byte.toString(16).padStart(2, '0')).join(separator)
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const html: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  ö: '&ouml;',
}

/** Encodings, each of a whole text. */
const layers: Record<string, (text: string) => string> = {
  base64: text => Buffer.from(text).toString('base64'),
  base64url: text => Buffer.from(text).toString('base64url'),
  json,
  'ascii json': text => json(text).replace(/[^ -~]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`),
  url: text => encodeURIComponent(text.toWellFormed()),
  form: text => new URLSearchParams({ q: text }).toString().slice(2),
  hex: text => Buffer.from(text).toString('hex'),
  'hex with colons': text => hexOf(Buffer.from(text), ':'),
  'hex of C': text => hexOf(Buffer.from(text), ', ', '0x'),
  '\\xNN': text => hexOf(Buffer.from(text), '', '\\x'),
  html: text => text.replace(/[&<>"'ö]/g, each => html[each]!),
  'html numbers': text => [...text].map(each => `&#${String(each.codePointAt(0)).padStart(4, '0')};`).join(''),
  'html hex': text => [...text].map(each => `&#x${each.codePointAt(0)!.toString(16)};`).join(''),
  python: text => text.replace(/[\\']/g, each => `\\${each}`),
  octal: text => [...Buffer.from(text)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
}

const secrets = fc
  .string({ minLength: 8, maxLength: 30, unit: fc.constantFrom(...'QXZWJKV5678 /+%"\\\'&<ö😀{}') })
  .filter(secret => /[QXZWJKV].*[QXZWJKV].*[QXZWJKV]/.test(secret) && secret.trim() === secret)
const around = fc.string({ maxLength: 12, unit: fc.constantFrom(...'ab 0/+%"\\ä€=&', '\t') })

/** Another one, each of whose characters takes as much room in every encoding. */
const alike = (secret: string) => secret.replace(/[QXZWJKV5-8]/g, each => turned[each]!)
const turned: Record<string, string> = { ...following('QXZWJKV'), ...following('5678') }

function following(letters: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter, i) => [letter, letters[(i + 1) % letters.length]!]))
}

test('a secret is never seen in up to three encodings inside each other, of whatever kinds', () => {
  const nesting = fc.array(fc.constantFrom(...Object.keys(layers)), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(secrets, around, around, nesting, (secret, before, after, names) => {
      const encode = (text: string) => names.reduce((inner, name) => layers[name]!(inner), text)
      const masked = (each: string) => new Mask([each]).lines([encode(each), `x=${encode(before + each + after)};`])
      const [alone, within] = masked(secret)
      assert.ok(within!.includes('***'), `${names.join(' in ')}: ${within}`)
      // A reader of the line does not even learn which of two it was.
      assert.deepEqual([alone, alone!.includes('***')], [masked(alike(secret))[0], true], names.join(' in '))
    }),
    { numRuns: 600 },
  )
})

test('a secret is not seen where a program writes it in Latin-1 or in UTF-16, plain or encoded', () => {
  const secret = 'pässwörd-für-Ünal'
  const mask = new Mask([secret, 'plain-ascii-secret'])
  const latin1 = Buffer.from(`x ${secret} y`, 'latin1')
  const shown = (bytes: Buffer) =>
    mask.lines(new LineReader(1_000).feed(Buffer.concat([bytes, Buffer.from('\n')])) as string[])
  assert.deepEqual(shown(latin1), ['x *** y'])
  assert.deepEqual(shown(Buffer.from([...latin1].map(byte => `%${byte.toString(16)}`).join(''))), ['%78%20***%20%79'])
  assert.match(shown(Buffer.from(latin1.toString('base64')))[0]!, /^.{2,4}\*\*\*.{2,4}$/)
  // As PowerShell has its -EncodedCommand, and as it writes into a pipe.
  const utf16 = Buffer.from('x plain-ascii-secret y', 'utf16le')
  assert.match(shown(Buffer.from(utf16.toString('base64')))[0]!, /^.{2,8}\*\*\*.{2,8}$/)
  assert.doesNotMatch(shown(utf16)[0]!.replaceAll('\u2400', ''), /plain|ascii|secret/)
})

test('what people paste and programs print is masked', () => {
  const secret = `it's a "p@ss" & more`
  const mask = new Mask([secret, 'sword-fish-1234567890-abcdef'])
  const line = (text: string) => mask.text(text)
  // bash -x, printf %q, Python, Ruby, HTML, and a word that grep has coloured.
  assert.equal(line(`+ curl -u 'it'\\''s a "p@ss" & more' http://x`), `+ curl -u '***' http://x`)
  assert.equal(line(`it\\'s\\ a\\ \\"p@ss\\"\\ \\&\\ more`), '***')
  assert.equal(line(`'it\\'s a "p@ss" & more'`), `'***'`)
  assert.equal(line('it&#x27;s&nbsp;a &quot;p&commat;ss&quot; &amp; more').includes('p&commat;ss'), true)
  assert.equal(line('it&apos;s a &quot;p&commat;ss&quot; &amp; more'), '***')
  assert.equal(line('sword-\x1b[01;31m\x1b[Kfish\x1b[m\x1b[K-1234567890-abcdef'), '***')
  // A docker config within a Kubernetes secret.
  const auth = Buffer.from('user:sword-fish-1234567890-abcdef').toString('base64')
  const config = Buffer.from(JSON.stringify({ auths: { 'a.b': { auth } } })).toString('base64')
  assert.match(line(`.dockerconfigjson: ${config}`), /\*\*\*/)
  assert.doesNotMatch(line(`.dockerconfigjson: ${config}`), new RegExp(config.slice(40, 60)))
})

test('a dump in hex shows a secret in neither of its columns, and base64 of base64 in none of its lines', () => {
  const secret = 'sword-fish-1234567890-abcdef-ghijkl-mnopqr'
  const mask = new Mask([secret])
  const bytes = Buffer.from(`the key: ${secret}`)
  const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, i) => bytes.subarray(i * 16, i * 16 + 16))
  const offset = (i: number) => (i * 16).toString(16).padStart(8, '0')
  const hexdump = rows.map((row, i) => `${offset(i)}  ${hexOf(row, ' ')}  |${row.toString('latin1')}|`)
  const xxd = rows.map(
    (row, i) =>
      `${offset(i)}: ${row
        .toString('hex')
        .match(/.{1,4}/g)!
        .join(' ')}  ${row}`,
  )
  for (const dump of [hexdump, xxd]) {
    const masked = mask.lines(dump).slice(0, -1).join('\n')
    assert.doesNotMatch(masked, /1234567890|bcdef-gh|ghijkl|31 32 33|3132 3334/, masked)
  }
  const twice = Buffer.from(Buffer.from(`${'x'.repeat(50)}${secret.repeat(3)}`).toString('base64')).toString('base64')
  const wrapped = twice.match(/.{1,76}/g)!
  const left = mask.lines(wrapped).join('\n')
  assert.ok(
    wrapped.slice(2, -1).every(row => !left.includes(row)),
    left,
  )
})

const limits = { linesInChunk: 1_000, chunkMilliseconds: 250, chunkBytes: 1_048_576, lineBytes: 1_000 }
const attempt = { stepId: '01a20000-0000-7000-8000-000000000001', attempt: 1, fence: 1 }

function logged(pieces: readonly Uint8Array[], secrets: string[]): string[] {
  const lines: string[] = []
  const log = new StepLog(attempt, new Mask(secrets), limits, chunk => lines.push(...chunk.text.split('\n')))
  for (const piece of pieces) log.bytes('stdout', piece)
  log.endOfOutput()
  log.flush()
  return lines
}

test('lines with backslashes, percents and ampersands appear as they were written', () => {
  const lines = [
    'CORP\\Robert',
    'C:\\Temp\\Build\\new\\rust\\Users\\x',
    'App\\Tests\\X',
    '\\u12 \\U0000 \\x \\xZZ \\ud800 \\uD800\\uDC \\U00110000 \\u{110000} \\8 \\',
    '100% %u %zz %',
    '&#xffffffff; &#99999999; &nope; &',
    '\\R\\B\\F\\N\\T\\"\\/',
  ]
  const log = (secrets: string[]) => logged([Buffer.from(`${lines.join('\n')}\n`)], secrets)
  assert.deepEqual(log(['hidden-thing']), lines)
  assert.deepEqual(log(['Robert\\x', '\\R\\B\\Q']), lines)
})

test('no bytes of a program end its log, and lines that hold no secret are the same with something to hide', () => {
  const escaping = fc.constantFrom(
    ...[
      '\\',
      '\\u',
      '\\U',
      '\\x',
      '\\R',
      '\\ud83d',
      '\\u{',
      '%',
      '%u',
      '%e',
      '&',
      '&#',
      '&#x',
      '\x1b[',
      '\x1b]',
      "'\\''",
    ],
    ...['\r', '\n', '\r\n', '\0', '=', 'YWJj', 'ff', '0x', 'zz', 'ä', '\ud800', '😀'],
  )
  const piece = fc.oneof(
    escaping.map(text => Buffer.from(text)),
    fc.uint8Array({ maxLength: 30 }).map(bytes => Buffer.from(bytes)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.array(fc.nat(200), { maxLength: 5 }), (parts, cuts) => {
      const bytes = Buffer.concat(parts)
      const at = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      const pieces = at.slice(1).map((to, i) => bytes.subarray(at[i], to))
      const bare = logged(pieces, [])
      assert.deepEqual(logged(pieces, ['a-secret-that-is-not-there', 'Größe/"\\ 12']), bare)
      assert.deepEqual(logged([bytes], []), bare)
    }),
    { numRuns: 400 },
  )
})

test('a secret is masked wherever a piece of output, or of its encoding, ends', () => {
  const secret = 'sword"fish\\1234'
  const line = `a ${json(json(secret))} b ${Buffer.from(secret).toString('base64')} c`
  const bytes = Buffer.from(`${line}\n`)
  const [whole] = logged([bytes], [secret])
  assert.equal(whole?.match(/\*\*\*/g)?.length, 2)
  for (let at = 0; at <= bytes.length; at++)
    assert.deepEqual(logged([bytes.subarray(0, at), bytes.subarray(at)], [secret]), [whole])
})

test('where masking fails that line is left out and says so, and those around it are there', () => {
  const mask = new Mask(['hidden-thing'])
  const broken = {
    toString: () => 'x',
    get length() {
      throw new RangeError('no')
    },
  } as unknown as string
  const [before, failed, after] = mask.lines(['before', broken, 'after'])
  assert.deepEqual([before, after], ['before', 'after'])
  assert.match(failed!, /^\*\*\* \[line left out: masking failed/)
})

test('a long line with thousands of hits within encodings is decoded once, and not for each of them', () => {
  // Decoding it for each hit takes minutes, after which the runner counts as silent.
  const mask = new Mask(['s3cr3t-token'])
  const inner = JSON.stringify(Array.from({ length: 3_000 }, (_, at) => ({ at, token: 's3cr3t-token' })))
  for (const line of [JSON.stringify({ inner }), encodeURIComponent(inner), Buffer.from(inner).toString('base64')]) {
    const shown = mask.text(line)
    assert.ok(!shown.includes('s3cr3t-token'))
    assert.ok(!Buffer.from(shown, 'base64').toString().includes('s3cr3t-token'))
  }
})

test('a secret is masked among escapes of all kinds, which make the most views of a line', () => {
  const secret = 's3cr3t-token'
  const mask = new Mask([secret])
  const noise = fc.array(
    fc.constantFrom(
      '\\\\',
      '\\"',
      '%25',
      '%2525',
      '&amp;amp;',
      '&#x41;',
      '\\x41',
      '\\101',
      'YWJj',
      `'\\''`,
      '\x1b[1m',
      '+',
    ),
    { maxLength: 40 },
  )
  const forms = [secret, encodeURIComponent(secret), hexOf(Buffer.from(secret), '', '\\x'), json(json(`"${secret}"`))]
  fc.assert(
    fc.property(noise, noise, fc.constantFrom(...forms), (before, after, form) => {
      const shown = mask.text(`${before.join('')} ${form} ${after.join('')}`)
      assert.ok(shown.includes('***') && !shown.includes(form), shown)
    }),
    { numRuns: 300 },
  )
})
