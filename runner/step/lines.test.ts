import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutLine, LineReader } from './lines.ts'

const read = (...pieces: (string | number[])[]) => {
  const reader = new LineReader(1_000)
  const bytes = pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece)))
  return [...bytes.flatMap(each => reader.feed(each)), ...reader.end()]
}

test('a line ends with LF, CR LF or CR, also when the pieces part them, and the last one needs no end', () => {
  assert.deepEqual(read('a\nb\r\nc\rd'), ['a', 'b', 'c', 'd'])
  assert.deepEqual(read('a\r', '\nb\r', 'c\n', '\n'), ['a', 'b', 'c', ''])
  assert.deepEqual(read('10%\r20%\r30%\n'), ['10%', '20%', '30%'])
  assert.deepEqual(read(''), [])
})

test('bytes that are not UTF-8 and NUL become characters that say so', () => {
  assert.deepEqual(read([0x61, 0xff, 0x62, 0x00, 0x0a]), ['a\ufffdb\u2400'])
  assert.deepEqual(read([0xe2, 0x82]), ['\ufffd'])
})

test('however the output is cut into pieces, the lines are the same', () => {
  const text = fc.array(fc.constantFrom('a', 'ä', '😀', '\n', '\r', '\r\n', '\0', ' '), { maxLength: 60 })
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 12 }), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(''))
      const at = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      const pieces = at.slice(1).map((to, i) => [...bytes.subarray(at[i], to)])
      assert.deepEqual(read(...pieces), read(parts.join('')))
    }),
  )
})

test('a line that is too long is kept to its limit, marked, and never parted within a character', () => {
  const reader = new LineReader(100)
  const [line] = [...reader.feed(Buffer.from('ä'.repeat(5_000))), ...reader.feed(Buffer.from('\n'))]
  assert.deepEqual(line, { head: 'ä'.repeat(100), bytes: 10_000 })
  const cut = cutLine('ä'.repeat(100), 80, 10_000)
  assert.match(cut, /^ä+ … \[line cut: it has 10000 bytes\]$/)
  assert.ok(Buffer.byteLength(cut) <= 80)
  assert.equal(cutLine('short', 80), 'short')
})
