import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromJson } from '#json/from-json.ts'
import { propertyDifferences } from './property-differences.ts'

test('differences name the values that were replaced, added and removed, in the order of the new document', () => {
  const before = { web: { port: 80, hosts: ['a', 'b'], tls: { on: false } }, gone: { much: 1 }, same: [1, { x: 2 }] }
  const after = { fresh: null, web: { port: 443, hosts: ['b', 'a'], tls: { on: false } }, same: [1, { x: 2 }] }
  assert.deepEqual(propertyDifferences(before, after), [
    { pointer: '/fresh', after: null },
    { pointer: '/web/port', before: 80, after: 443 },
    { pointer: '/web/hosts', before: ['a', 'b'], after: ['b', 'a'] },
    { pointer: '/gone', before: { much: 1 } },
  ])
  assert.deepEqual(propertyDifferences(before, before), [])
})

test('the order of keys is no difference, and a value of another type replaces the whole', () => {
  assert.deepEqual(propertyDifferences({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }), [])
  assert.deepEqual(propertyDifferences({ a: { x: 1 }, b: [{ x: 1, y: 2 }] }, { a: 'x', b: [{ y: 2, x: 1 }] }), [
    { pointer: '/a', before: { x: 1 }, after: 'x' },
  ])
})

test('keys with slashes and tildes are escaped, and __proto__ is a key like any other', () => {
  const one = fromJson('{"__proto__": 1, "a/b": 1, "c~d": 1}')
  const other = fromJson('{"__proto__": 2, "a/b": 2, "c~d": 1, "constructor": 3}')
  assert.deepEqual(propertyDifferences(one as never, other as never), [
    { pointer: '/__proto__', before: 1, after: 2 },
    { pointer: '/a~1b', before: 1, after: 2 },
    { pointer: '/constructor', after: 3 },
  ])
})
