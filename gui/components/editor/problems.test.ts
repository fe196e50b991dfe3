import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Text } from '@codemirror/state'
import { diagnosticsOf } from './problems.ts'

const text = Text.of(['web:', '  port: 80x', ''])
const rangeOf = (line: number, column?: number) => {
  const [{ from, to } = { from: -1, to: -1 }] = diagnosticsOf([{ line, column, message: 'no number' }], text)
  return text.sliceString(from, to)
}

test('a problem marks the word at its place', () => {
  assert.equal(rangeOf(2, 9), '80x')
  assert.equal(rangeOf(1, 1), 'web')
})

test('a problem without a column marks its line without the indentation', () => {
  assert.equal(rangeOf(2), 'port: 80x')
})

test('places outside of the text move to the nearest place', () => {
  assert.deepEqual(diagnosticsOf([{ line: 9, column: 9, message: 'end', severity: 'warning' }], text), [
    { from: text.length, to: text.length, severity: 'warning', message: 'end' },
  ])
  assert.equal(rangeOf(0, 0), 'web')
})
