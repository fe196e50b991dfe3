import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countChanges, filterLeaves, leavesOf, pathText, pointerOf, tokensOf } from './leaves.ts'

const document = { web: { port: 443, tls: {} }, hosts: ['a', { 'b/c': null }], 'x~y': '' }
const sources = {
  web: { port: 'Asset: Web (web)', tls: 'Project: Bank (bank)' },
  hosts: ['P', { 'b/c': 'Q' }],
  'x~y': 'R',
}

test('leaves carry their pointer, value and source, empty containers included', () => {
  assert.deepEqual(
    leavesOf(document, sources).map(({ pointer, value, source }) => [pointer, value, source]),
    [
      ['/web/port', 443, 'Asset: Web (web)'],
      ['/web/tls', {}, 'Project: Bank (bank)'],
      ['/hosts/0', 'a', 'P'],
      ['/hosts/1/b~1c', null, 'Q'],
      ['/x~0y', '', 'R'],
    ],
  )
  assert.deepEqual(leavesOf({}), [])
})

test('keys named like members of Object.prototype are plain keys', () => {
  const odd = JSON.parse('{"__proto__": {"constructor": 1}}')
  assert.deepEqual(
    leavesOf(odd, {}).map(({ pointer, value }) => [pointer, value]),
    [['/__proto__/constructor', 1]],
  )
})

test('pointers are the inverse of tokens', () => {
  for (const tokens of [['a/b', '~1', ''], [], ['x']]) assert.deepEqual(tokensOf(pointerOf(tokens)), tokens)
})

test('paths are written as people write them', () => {
  assert.equal(pathText(['products', 0, 'name']), 'products[0].name')
  assert.equal(pathText(['hosts', 'a.b', 'port']), 'hosts["a.b"].port')
})

test('the filter looks at paths, values and sources', () => {
  const found = (filter: string) => filterLeaves(leavesOf(document, sources), filter).map(({ pointer }) => pointer)
  assert.deepEqual(found('WEB.po 443'), ['/web/port'])
  assert.deepEqual(found('project:'), ['/web/tls'])
  assert.deepEqual(found('nothing'), [])
  assert.equal(found(' ').length, 5)
})

test('changes of leaves are counted', () => {
  const after = { web: { port: 80 }, hosts: ['a', { 'b/c': null }], 'x~y': '', more: { a: 1, b: [] } }
  assert.deepEqual(countChanges(document, after), { added: 2, changed: 1, removed: 1 })
})
