import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeFromName } from './code-from-name.ts'

test('a code is made of the letters and digits of the name', () => {
  assert.equal(codeFromName('Web front (new)'), 'web-front-new')
  assert.equal(codeFromName('  Überweisung 2 '), 'uberweisung-2')
  assert.equal(codeFromName('日本'), '')
})

test('a code is never longer than 100 characters and never ends with a dash', () => {
  assert.equal(codeFromName(`${'a'.repeat(99)} b`), 'a'.repeat(99))
})
