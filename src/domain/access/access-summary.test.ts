import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveringPaths, likePath, rightsAt } from './access-summary.ts'
import type { Rule } from './decide.ts'

const rule = (path: string, more: Partial<Rule>): Rule => ({
  ...{ path, read: null, update: null, execute: null, delete: null },
  ...more,
})
const nobody = { superuser: false, blocked: false }

test('every beginning of a path covers it, with * for any of its segments', () => {
  assert.deepEqual(coveringPaths('/projects/bank'), [
    ...['/', '/projects', '/*', '/projects/bank', '/projects/*', '/*/bank', '/*/*'],
  ])
  assert.deepEqual(likePath('/projects/bank'), ['/projects/bank', '/projects/*', '/*/bank', '/*/*'])
  assert.equal(coveringPaths('/projects/bank/environments/live/assets/front').length, 127)
})

test('rights are those of all rules together, and one action is enough to run something', () => {
  const rules = [
    rule('/projects/bank', { read: true, update: true }),
    rule('/projects/bank/environments/live', { update: false }),
    rule('/projects/*/environments/live/actions/check', { execute: true }),
  ]
  const live = '/projects/bank/environments/live'
  assert.deepEqual(rightsAt(live, nobody, rules), { read: true, update: false, execute: true, delete: false })
  assert.deepEqual(rightsAt('/projects/bank', nobody, rules), {
    read: true,
    update: true,
    execute: false,
    delete: false,
  })
  const [all, none] = [true, false].map(is => ({ read: is, update: is, execute: is, delete: is }))
  assert.deepEqual(rightsAt(live, { superuser: true, blocked: false }, []), all)
  assert.deepEqual(rightsAt(live, { superuser: true, blocked: true }, rules), none)
})
