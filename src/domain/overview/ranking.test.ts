import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchedIn, rankOf } from './ranking.ts'

const texts = (name: string, code: string | null = null) => ({
  name,
  code,
  path: '/projects/bank',
  id: '0193a1b2-c3d4',
})

test('the whole name ranks before its beginning, the beginning of a word, and any other part', () => {
  const ranked = ['storefront', 'my front', 'Front page', 'FRONT', 'bank'].map(name => rankOf(texts(name), 'front'))
  assert.deepEqual(ranked, [3, 2, 1, 0, 4])
  assert.equal(rankOf(texts('The shop', 'front'), 'Front'), 0)
})

test('the attribute that contains the text is named', () => {
  assert.equal(matchedIn(texts('Front', 'web'), 'WEB'), 'code')
  assert.equal(matchedIn(texts('Front', 'web'), 'ron'), 'name')
  assert.equal(matchedIn(texts('Front', 'web'), 'projects/b'), 'path')
  assert.equal(matchedIn(texts('Front', 'web'), '0193a1b2'), 'id')
  assert.equal(matchedIn(texts('Front', 'web'), 'CHG-1'), 'metadata')
})
