import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedTexts } from './marked.ts'

const shown = (texts: readonly string[], find: string) =>
  markedTexts(
    texts.map((text, colour) => ({ text, colour })),
    find,
  ).map(({ text, colour, isMark }) => (isMark ? `[${text}]${colour}` : `${text}${colour}`))

test('every place is marked, in either case', () => {
  assert.deepEqual(shown(['Check one, check two'], 'CHECK'), ['[Check]0', ' one, 0', '[check]0', ' two0'])
})

test('a match across two colours is marked in both', () => {
  assert.deepEqual(shown(['health ch', 'eck'], 'check'), ['health 0', '[ch]0', '[eck]1'])
})

test('nothing is marked without a match or a search', () => {
  assert.deepEqual(shown(['one', 'two'], 'x'), ['one0', 'two1'])
  assert.deepEqual(shown(['one'], ''), ['one0'])
})

test('a line of very many parts keeps its text, and its end is one part', () => {
  const line = 'ab'.repeat(2_500)
  const marked = markedTexts([{ text: line }], 'a')
  assert.equal(marked.length, 401)
  assert.equal(marked.map(({ text }) => text).join(''), line)
  assert.deepEqual(
    marked.slice(-3).map(({ text, isMark }) => [text.length, isMark]),
    [
      [1, true],
      [1, false],
      [4_600, false],
    ],
  )
})
