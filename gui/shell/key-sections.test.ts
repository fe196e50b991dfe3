import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keys } from '../keyboard/keys.ts'
import { keyName, keySections, strokesOf } from './key-sections.ts'
import { navigation } from './navigation.ts'

test('the keys of the present page come first, and then those of every page', () => {
  const ids = keySections(new Set(['log', 'trees']), navigation).map(({ id }) => id)
  assert.deepEqual(ids.slice(0, 4), ['log', 'trees', 'everywhere', 'pages'])
  assert.deepEqual(ids.toSorted(), [...Object.keys(keys), 'pages'].toSorted(), 'every place is listed once')
})

test('every key of the table is listed, digits as a range', () => {
  for (const { id, rows } of keySections(new Set(), [])) {
    if (id === 'pages') continue
    const acts: Readonly<Record<string, readonly string[]>> = keys[id as keyof typeof keys]
    assert.equal(rows.length, Object.keys(acts).length, id)
    for (const { text } of rows) assert.ok(text)
  }
  const lastOf = (place: string) =>
    keySections(new Set(), [])
      .find(({ id }) => id === place)
      ?.rows.at(-1)?.keys
  assert.deepEqual(lastOf('node'), ['1', '9'])
  assert.deepEqual(lastOf('log'), ['g 1', '9'])
})

test('the keys of pages are those of the navigation that the user may open', () => {
  const pages = keySections(new Set(), navigation.slice(0, 2)).find(({ id }) => id === 'pages')
  assert.deepEqual(
    pages?.rows.flatMap(row => row.keys),
    ['g d', 'g p'],
  )
})

test('keys have the names that are on them', () => {
  assert.deepEqual(strokesOf('Mod+k'), [['Mod', 'k']])
  assert.deepEqual(strokesOf('g d'), [['g'], ['d']])
  assert.deepEqual(strokesOf(' '), [[' ']])
  assert.equal(keyName('Mod', false), 'Ctrl')
  assert.equal(keyName('Mod', true), '⌘')
  assert.equal(keyName('ArrowUp', false), '↑')
  assert.equal(keyName(' ', false), 'Space')
})
