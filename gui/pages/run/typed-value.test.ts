import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedText, typedValue } from './typed-value.ts'

test('a text becomes another value only if nothing is lost', () => {
  const read = (text: string) => {
    const typed = typedValue(text)
    return 'value' in typed ? typed.value : typed
  }
  assert.deepEqual(['2', '-0.5', 'true', 'null', '[1,"a"]', '{"port": 1}', '"2"', '1e+21'].map(read), [
    2,
    -0.5,
    true,
    null,
    [1, 'a'],
    { port: 1 },
    '2',
    1e21,
  ])
  for (const text of [
    '007',
    '1.10',
    '-0',
    '9007199254740993',
    'CHG-1',
    ' 2',
    '+1',
    'Infinity',
    '{{ release }}',
    'True',
  ])
    assert.equal(read(text), text)
})

test('what begins as JSON and is none is a fault, and so are digits that would be lost', () => {
  for (const text of [
    '[urgent] fix',
    '{"a": 1',
    '"two" words',
    '[9007199254740993]',
    '{"version": 0.12345678901234567890}',
  ])
    assert.ok('fault' in typedValue(text), text)
})

test('every value survives as a text on one line', () => {
  const values = [
    2,
    -0.5,
    1e21,
    5e-324,
    true,
    false,
    null,
    [],
    {},
    { a: [1, null, '2'], 'b c': { d: 'x\ny' } },
    ...['', ' ', 'a', '2', '007', '1.10', 'true', 'null', '"quoted"', '"', '[urgent] fix', '{', '{{ placeholder }}'],
    ...['two\nlines', 'a\rb', ' padded ', 'a=b', "it's", '@file', '\\', 'ü 漢', '\u2028 inside'],
  ]
  for (const value of values) {
    const text = typedText(value)
    assert.ok(!/[\n\r]/.test(text) && text === text.trim(), text)
    assert.deepEqual(typedValue(text), { value }, text)
  }
})

test('texts that need no quotes have none', () => {
  assert.deepEqual(['CHG-1', 'a b', '007', '1.10', "it's"].map(typedText), ['CHG-1', 'a b', '007', '1.10', "it's"])
})
