import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathText } from './leaves.ts'
import { placeOfName, secretName, tokensOfText, withValue } from './property-path.ts'

test('a path is read as it is written', () => {
  for (const tokens of [['web', 'port'], ['products', 0, 'name'], ['hosts', 'a.b', 'x'], ['a-b']])
    assert.deepEqual(tokensOfText(pathText(tokens)), tokens)
  for (const wrong of ['', ' ', 'a..b', '.a', 'a.', 'a b', 'a["b]', 'a[b]', 'a]'])
    assert.equal(tokensOfText(wrong), undefined, wrong)
})

test('a value is set where it belongs, and nothing else changes', () => {
  const document = { web: { port: 80 }, hosts: ['a', { name: 'b' }], mode: 'x', empty: null }
  assert.deepEqual(withValue(document, ['web', 'tls', 'key'], 1), { ...document, web: { port: 80, tls: { key: 1 } } })
  assert.deepEqual(withValue(document, ['hosts', 1, 'name'], 'c'), { ...document, hosts: ['a', { name: 'c' }] })
  assert.deepEqual(withValue(document, ['hosts', 2], 'c'), { ...document, hosts: ['a', { name: 'b' }, 'c'] })
  assert.deepEqual(withValue(document, ['mode'], 'y'), { ...document, mode: 'y' })
  assert.deepEqual(document.web, { port: 80 })
  for (const nowhere of [
    ['mode', 'x'],
    ['empty', 'x'],
    ['hosts', 3],
    ['hosts', 'x'],
    ['hosts', 0, 'x'],
  ])
    assert.equal(withValue(document, nowhere, 1), undefined, String(nowhere))
})

test('a secret is called like its property', () => {
  assert.equal(secretName(['database', 'password']), 'database/password')
  assert.equal(secretName(['password']), 'properties/password')
  assert.equal(secretName(['hosts', 0, 'a/b c']), 'hosts/0/a-b-c')
  assert.deepEqual(placeOfName('hosts/0/key'), { path: 'hosts/0', key: 'key' })
  assert.deepEqual(placeOfName('key'), { path: '', key: 'key' })
})
