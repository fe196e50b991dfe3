import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebasedForm } from './schedule-conflict.ts'
import { emptyForm } from './schedule-form.ts'

test('what both have changed is told, and everything else of theirs is taken', () => {
  const first = emptyForm('UTC', { action: 'x', cron: '@daily', metadata: 'a=1', autoContinue: true })
  const mine = { ...first, cron: '@hourly', metadata: 'a=2', isParallel: true, autoContinue: false }
  const theirs = { ...first, cron: '@weekly', maximum: '3', isParallel: true, autoContinue: true }
  assert.deepEqual(rebasedForm(mine, first, theirs), {
    form: { ...mine, maximum: '3' },
    conflict: { cron: '@weekly' },
  })
  assert.deepEqual(rebasedForm(first, first, theirs), { form: theirs, conflict: {} })
  const switched = rebasedForm({ ...first, autoContinue: false, timing: 'once' as const }, first, {
    ...first,
    metadata: '',
  })
  assert.deepEqual(switched.conflict, {})
})
