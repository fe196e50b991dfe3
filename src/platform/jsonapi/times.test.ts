import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutToMicroseconds, plusHint, readTime, withTimesCut } from './times.ts'

test('digits beyond the microsecond are cut, never rounded', () => {
  for (const [written, read] of [
    ['2026-12-31T23:59:59.9999999Z', '2026-12-31T23:59:59.999999Z'],
    ['2026-12-31T23:59:59.123456789+01:00', '2026-12-31T23:59:59.123456+01:00'],
    ['2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.1Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.0Z'],
    ['2026-01-02', '2026-01-02T00:00:00.0Z'],
  ] as const)
    assert.equal(readTime(written), read)
  for (const written of ['2026-02-30T00:00:00.1234567Z', '2026-01-02T03:04:05.Z', '2026-01-02T03:04:05,5Z', ''])
    assert.equal(readTime(written), undefined, written)
  assert.equal(cutToMicroseconds('2026-01-02T03:04:05.123456789Z'), '2026-01-02T03:04:05.123456Z')
})

test('a body has its times cut wherever its schema says that a text is one, and no other text', () => {
  const time = { type: 'string', format: 'date-time' }
  const at = '2026-01-02T03:04:05.123456789Z'
  const cut = '2026-01-02T03:04:05.123456Z'
  const schema = {
    properties: {
      at: { anyOf: [time, { type: 'null' }] },
      list: { items: time },
      deep: { properties: { at: time } },
      text: { type: 'string' },
    },
  }
  assert.deepEqual(withTimesCut(schema, { at, list: [at], deep: { at, other: at }, text: at, more: at }), {
    at: cut,
    list: [cut],
    deep: { at: cut, other: at },
    text: at,
    more: at,
  })
  assert.deepEqual(withTimesCut(schema, { at: null }), { at: null })
})

test('the hint at an unescaped + is given to times in which there was one', () => {
  for (const text of ['2026-01-01T00:00:00 02:00', '2026-01-01T00:00 0200', '2026-01-01 10:00:00.5 02:00'])
    assert.match(plusHint(text), /%2B/)
  for (const text of ['2026-01-01 10:00', 'yesterday', '10:00', '2026-01-01T00:00:00+02:00'])
    assert.equal(plusHint(text), '')
})
