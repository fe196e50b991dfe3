import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { equal, type Json } from './document.ts'
import { differences } from './json-diff.ts'
import { applyOperations } from './json-patch.ts'

test('a difference names what was removed, replaced and added, and nothing that is alike', () => {
  const cases: readonly [Json, Json, unknown[]][] = [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: 1, b: { c: 1 } }, { b: { c: null }, 'd/e': 1 }, ['remove /a', 'replace /b/c', 'add /d~1e']],
    [[1, 2, 3], [1, 9, 2, 3], ['add /1']],
    [
      [1, 2, 3, 4],
      [1, 4],
      ['remove /2', 'remove /1'],
    ],
    [[{ a: 1 }, 2], [{ a: 2 }, 2], ['replace /0/a']],
    [{ a: [] }, { a: {} }, ['replace /a']],
    [1, 2, ['replace ']],
  ]
  for (const [before, after, expected] of cases)
    assert.deepEqual(
      differences(before, after).map(({ op, path }) => `${op} ${path}`),
      expected,
    )
})

const key = fc.constantFrom('a', 'b/c', '~', '7', '__proto__', 'constructor')
const { value } = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, 0, 1, 'x', true),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(entries => Object.fromEntries(entries) as Json),
  ),
}))

test('applied to the one document it makes the other, whatever they hold', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      assert.ok(equal(applyOperations(before, differences(before, after)), after))
    }),
    { numRuns: 2_000 },
  )
})
