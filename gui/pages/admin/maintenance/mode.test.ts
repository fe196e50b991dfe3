import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modeOf, warningsIn } from './mode.ts'

test('the mode is off, on, or on except for superusers', () => {
  assert.equal(modeOf({ maintenance_mode: false, maintenance_mode_exempts_superusers: false }), 'disabled')
  assert.equal(modeOf({ maintenance_mode: true, maintenance_mode_exempts_superusers: false }), 'enabled')
  assert.equal(modeOf({ maintenance_mode: true, maintenance_mode_exempts_superusers: true }), 'superuser_override')
})

test('warnings of a response are found in its meta', () => {
  assert.deepEqual(warningsIn({ warnings: [{ setting: 'maintenance_mode', detail: 'overridden' }] }), ['overridden'])
  assert.deepEqual(warningsIn(undefined), [])
})
