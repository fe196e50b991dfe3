import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyForm, retryAttributes, runAttributes, withToggledStep } from './run-form.ts'

test('a change is asked for with what was chosen only', () => {
  assert.deepEqual(runAttributes({ ...emptyForm, action: 'rollout' }, {}), { action: 'rollout' })
  const form = {
    ...emptyForm,
    action: 'rollout',
    skipSteps: 'rollout/check\n\n rollout/**/warm-up ',
    metadata: 'ticket=CHG-2041',
    startingStep: ' rollout/restart ',
    templateVersion: 'v2',
    autoContinue: true,
  }
  assert.deepEqual(runAttributes(form, { web: { port: 443 } }), {
    action: 'rollout',
    template_version: 'v2',
    starting_step: 'rollout/restart',
    skip_steps: ['rollout/check', 'rollout/**/warm-up'],
    property_overrides: { web: { port: 443 } },
    metadata: { ticket: 'CHG-2041' },
    auto_continue_wait_steps: true,
  })
})

test('a time is that of the user, sent in UTC', () => {
  const { run_at: at } = runAttributes({ ...emptyForm, action: 'a', notBefore: '2026-12-01T08:30' }, {})
  assert.equal(at, new Date(2026, 11, 1, 8, 30).toISOString())
})

test('a retry sends what differs from its original', () => {
  const original = { form: { ...emptyForm, skipSteps: 'a/b', metadata: 'ticket=1' }, overrides: { web: { port: 1 } } }
  assert.deepEqual(retryAttributes(original.form, { web: { port: 1 } }, original), { retry: true })
  const changed = { ...original.form, skipSteps: '', metadata: 'ticket=2', refresh: true }
  assert.deepEqual(retryAttributes(changed, {}, original), {
    retry: true,
    refresh_sha: true,
    skip_steps: [],
    metadata: { ticket: 2 },
    property_overrides: {},
  })
})

test('a step is added to what is skipped, and removed again', () => {
  const with_ = withToggledStep('a/b', 'a/c')
  assert.equal(with_, 'a/b\na/c')
  assert.equal(withToggledStep(with_, 'a/b'), 'a/c')
})
