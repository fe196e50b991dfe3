import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from '#protocol/runner-protocol.ts'
import { type Derivation, derived } from './derivation.ts'

const derivation: Derivation = {
  key: { gitRemoteId: 'r', commit: 'c', folder: 'web' },
  sources: { program: 'web/actions.ts' },
  goOn: { job: 'j', payload: {}, key: 'k' },
}
const result = (given: Partial<Result>) => given as Result

test('what a program did wrong itself is a fault of the commit, with a place', () => {
  const failed = (errorMessage: string) => derived(derivation, result({ outcome: 'error', exitCode: 1, errorMessage }))
  assert.deepEqual(failed('web/lib.ts:3:7: no'), { state: 'broken', error: 'web/lib.ts:3:7: no' })
  assert.deepEqual(failed('web/lib.ts:3:7: a\0b'), { state: 'broken', error: 'web/lib.ts:3:7: a\u2400b' })
  assert.deepEqual(failed('its process ended'), { state: 'broken', error: 'web/actions.ts:1:1: its process ended' })
})

test('a time that was up, or a lost executor, says nothing of the commit: it is asked again the next time', () => {
  const given = { outcome: 'error', exitCode: null, errorMessage: 'timed out after 60 s' } as const
  assert.deepEqual(derived(derivation, result(given)), { failed: 'web/actions.ts:1:1: timed out after 60 s' })
})

test('what it declares is read beside the actions.yaml of its folder', () => {
  const outputs = { actions: [{ name: 'a', entry: { steps: ['b'] }, program: false }] }
  const yaml = { file: 'web/actions.yaml', text: 'actions:\n  b: { run: echo }\n' }
  const both = { ...derivation, sources: { ...derivation.sources, yaml } }
  const read = derived(both, result({ outcome: 'success', outputs }))
  assert.ok('catalogue' in read)
  assert.deepEqual(
    read.catalogue.actions.map(({ action }) => action),
    ['b', 'a'],
  )
  assert.deepEqual(derived(derivation, result({ outcome: 'success', outputs })), {
    state: 'broken',
    error: 'web/actions.ts:1:1: There is no action "b". Did you mean "a"?',
  })
})
