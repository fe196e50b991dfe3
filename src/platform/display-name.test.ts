import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOneLine, isOneLine, shownNamePattern } from './display-name.ts'

const broken = ['Line\nbreak', 'Bell\u0007', 'Two\u2028lines', 'Right\u202eto left', 'Next\u0085line']
const whole = ['Ann', 'Ünïcödé – 名前', 'عربي', '👩‍🚒 brigade']

test('a name stands on one line without line breaks, control characters and marks of direction', () => {
  const pattern = new RegExp(shownNamePattern, 'u')
  for (const name of broken) assert.deepEqual([isOneLine(name), pattern.test(name)], [false, false], name)
  for (const name of whole) assert.deepEqual([isOneLine(name), pattern.test(name)], [true, true], name)
  for (const name of ['', '  ']) assert.equal(pattern.test(name), false)
})

test('what others wrote is put on one line', () => {
  assert.equal(asOneLine(' Ann\r\n\u202eOperator\u202c '), 'Ann Operator')
  assert.equal(asOneLine('\u202e\n'), null)
  for (const name of whole) assert.equal(asOneLine(name), name)
})
