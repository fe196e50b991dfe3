import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { namedTwice } from './named-twice.ts'

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce(
        (sum: number, each) => sum + countOf(each),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )
    : 0
const twiceIn = (text: string) => namedTwice(text, countOf(JSON.parse(text)))

test('a name that an object has twice is found where it is, however it is written', () => {
  assert.deepEqual(twiceIn('{"a":1,"a":2}'), ['a'])
  assert.deepEqual(twiceIn('{"a":1,"\\u0061":2}'), ['a'])
  assert.deepEqual(twiceIn('{"a":{"b":[0,{"c":1,"d":[],"c" : 2}]}}'), ['a', 'b', '1', 'c'])
  assert.deepEqual(twiceIn('{"__proto__":1,"__proto__":2}'), ['__proto__'])
  assert.deepEqual(twiceIn('[[1,2],{"":1,"":2}]'), ['1', ''])
})

test('one name in several objects, and text that looks like names, are fine', () => {
  assert.equal(twiceIn('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'), undefined)
  assert.equal(twiceIn('{"a":"\\"a\\": 1, \\\\","b":"{\\"a\\":1,\\"a\\":2}"}'), undefined)
})

test('no JSON that was written from values has a name twice', () => {
  fc.assert(
    fc.property(fc.json(), text => assert.equal(twiceIn(text), undefined)),
    { numRuns: 500 },
  )
})

test('texts of millions of quotation marks and backslashes are read like any other', () => {
  for (const text of ['\\', '"', '\n', '\\"'])
    assert.equal(twiceIn(JSON.stringify({ a: text.repeat(1_000_000), b: text })), undefined)
})
