import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataOf, overridesOf, placeholdersIn, runCommand } from './placeholders.ts'

test('placeholders are found once each, without those of comments', () => {
  const source = 'steps:\n  # {{old}}\n  - target: "{{place}}"\n    action: roll-{{release.tag}}-{{ place }}\n'
  assert.deepEqual(placeholdersIn(source), ['place', 'release.tag'])
})

test('texts become overrides, nested by their path', () => {
  assert.deepEqual(overridesOf({ 'release.tag': 'v7', 'release.count': '3', on: '["a"]', empty: ' ', quoted: '"3"' }), {
    release: { tag: 'v7', count: 3 },
    on: ['a'],
    quoted: '3',
  })
  assert.deepEqual(overridesOf({ a: 'x', 'a.b': '1' }), { a: { b: 1 } })
})

test('metadata is one pair a line', () => {
  assert.deepEqual(metadataOf('ticket=CHG-1\n\n why = a=b '), { metadata: { ticket: 'CHG-1', why: 'a=b' } })
  assert.equal(metadataOf('ticket=1\nnonsense').wrong, 'nonsense')
})

test('the command quotes what a shell would read', () => {
  assert.equal(
    runCommand({ project: 'bank', code: 'release', version: 2, values: { 'a.b': 'x y', c: '' }, skip: ["it's*"] }),
    "sluice workflow-runs create /projects/bank release --version 2 --property 'a.b=x y' --skip 'it'\\''s*'",
  )
})
