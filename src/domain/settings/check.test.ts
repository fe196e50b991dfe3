import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsFaults } from './check.ts'

const told = (names: readonly string[]) =>
  settingsFaults(Object.fromEntries(names.map(name => [name, true])), 'asset', () => []).map(({ detail }) => detail)

test('a mistyped setting is told with the one that was meant', () => {
  assert.deepEqual(told(['maintenance_mod']), [
    'There is no setting "maintenance_mod"; did you mean "maintenance_mode"?',
  ])
})

test('thousands of unknown settings are all told, the nearest of the first ones: nobody keeps the service looking', () => {
  const names = Array.from({ length: 3_000 }, (_, i) => `maintenance_${'xyz'.repeat(4)}_${i}`)
  const faults = told([...names, 'maintenance_mod'])
  assert.equal(faults.length, 3_001)
  assert.equal(faults.at(-1), 'There is no setting "maintenance_mod".')
})
