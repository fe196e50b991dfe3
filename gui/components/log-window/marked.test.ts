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
