import assert from 'node:assert/strict'
import { test } from 'node:test'
import { action } from './action.ts'
import type { Action } from './action-reference.ts'
import { declaredWhile } from './declared.ts'
import { stage, writtenEntry } from './step-entry.ts'

const restart: Action = { action: 'restart' }

test('steps are named by an action, by its name, or by an action under a name of its own', () => {
  assert.equal(writtenEntry(restart), 'restart')
  assert.equal(writtenEntry('restart'), 'restart')
  assert.deepEqual(writtenEntry({ action: restart, name: 'Restart web-1' }), {
    action: 'restart',
    name: 'Restart web-1',
  })
  assert.deepEqual(writtenEntry(stage('Both', { runAs: 'parallel', steps: [restart] })), {
    name: 'Both',
    run_as: 'parallel',
    steps: ['restart'],
  })
})

test('an object that is no step is refused with what it has, instead of being taken for something else', async () => {
  const ways = 'A step is an action, its name, { action, name }, or what stage(…), wait(…) and input(…) answer'
  const wrong: [object, string][] = [
    [{ name: 'Both', run_as: 'parallel', steps: [restart] }, 'run_as, steps'],
    [{ action: restart, name: 'Restart', when: 'later' }, 'when'],
    [{ name: 'Restart' }, 'no action'],
  ]
  for (const [entry, has] of wrong) {
    const error = { name: 'TypeError', message: `${ways}; one has ${has}.` }
    assert.throws(() => writtenEntry(entry as never), error)
    await assert.rejects(
      declaredWhile(async () => void action('all', { steps: [entry as never] })),
      error,
    )
    assert.throws(() => stage('all', { steps: [entry as never] }), error)
  }
})
