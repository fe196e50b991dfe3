import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yamlText } from './yaml-text.ts'

test('objects and lists are indented', () => {
  const value = {
    web: { port: 443, hosts: ['a.example', 'b.example'] },
    steps: [{ name: 'check', tags: [] }],
    none: {},
  }
  assert.equal(
    yamlText(value),
    `web:
  port: 443
  hosts:
    - a.example
    - b.example
steps:
  - name: check
    tags: []
none: {}`,
  )
})

test('texts that would read as another type are quoted', () => {
  assert.equal(
    yamlText({ a: 'true', b: '12', c: '', d: 'x: y', e: 'plain words', 'f g:': null }),
    'a: "true"\nb: "12"\nc: ""\nd: "x: y"\ne: plain words\n"f g:": null',
  )
})

test('texts of several lines are blocks', () => {
  assert.equal(yamlText({ a: { note: 'one\ntwo\n' } }), 'a:\n  note: |\n    one\n    two')
})
