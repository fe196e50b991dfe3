import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overridesOf, placeholdersIn, runCommand } from './placeholders.ts'

test('placeholders are found once each, without those of comments', () => {
  const source = 'steps:\n  # {{old}}\n  - target: "{{place}}"\n    action: roll-{{release.tag}}-{{ place }}\n'
  assert.deepEqual(placeholdersIn(source), ['place', 'release.tag'])
})

test('texts become overrides, nested by their path', () => {
  const texts = { 'release.tag': 'v7', 'release.count': '3', on: '["a"]', empty: ' ', quoted: '"3"' }
  assert.deepEqual(overridesOf(texts), {
    overrides: { release: { tag: 'v7', count: 3 }, on: ['a'], quoted: '3' },
    faults: {},
  })
  assert.deepEqual(overridesOf({ a: 'x', 'a.b': '1' }).overrides, { a: { b: 1 } })
})

test('a release 1.10 stays what it is, and a list that is none is a fault', () => {
  const { overrides, faults } = overridesOf({ release: '1.10', account: '007', list: '[a' })
  assert.deepEqual(overrides, { release: '1.10', account: '007' })
  assert.deepEqual(Object.keys(faults), ['list'])
})

test('the command has everything that was entered, quoted for a shell', () => {
  assert.equal(
    runCommand({
      project: 'bank',
      code: 'release',
      version: 2,
      runAt: '2026-12-01T02:00:00.000Z',
      values: { 'a.b': 'x y', c: '', d: '"3"' },
      metadata: { ticket: 'CHG-1', count: 2 },
      skip: ["it's*"],
    }),
    `sluice workflow-runs create /projects/bank release version=2 run_at=2026-12-01T02:00:00.000Z --property 'a.b=x y' --property 'd="3"' --metadata ticket=CHG-1 --metadata count=2 --skip 'it'\\''s*'`,
  )
})
