import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '#client/sluice.ts'
import { problemsOf } from './problems.ts'

test('errors are sorted by their place; others are no errors of the definition', () => {
  const refused = new Refused('POST', '/api/projects/bank/workflows/validate', 422, [
    { code: 'invalid', detail: 'Line 9, column 2: b', meta: { line: 9, column: 2, message: 'b' } },
    { code: 'invalid', detail: 'Line 3, column 5: a', meta: { line: 3, column: 5, message: 'a' } },
    { code: 'invalid', detail: 'something else' },
  ])
  assert.deepEqual(problemsOf(refused), [
    { line: 3, column: 5, message: 'a' },
    { line: 9, column: 2, message: 'b' },
  ])
  assert.deepEqual(problemsOf(new Error('no')), [])
})
