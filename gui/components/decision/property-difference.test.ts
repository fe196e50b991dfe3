import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceText, nameOfPointer } from './property-difference.ts'

test('values are texts of one line, and secrets are dots however deep they are', () => {
  assert.equal(differenceText('web-01'), 'web-01')
  assert.equal(differenceText(80), '80')
  assert.equal(differenceText(null), 'null')
  assert.equal(differenceText(undefined), undefined)
  assert.equal(differenceText('secret://projects/bank/db/password'), '••••••')
  assert.equal(
    differenceText({ db: [{ password: 'secret://projects/bank/db/password', port: 1 }] }),
    '{"db":[{"password":"••••••","port":1}]}',
  )
  assert.equal(differenceText('x'.repeat(200)), `${'x'.repeat(119)}…`)
})

test('a pointer is a name with dots', () => {
  assert.equal(nameOfPointer('/web/port'), 'web.port')
  assert.equal(nameOfPointer('/a~1b/c~0d'), 'a/b.c~d')
})
