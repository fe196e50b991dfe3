import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, changesOf, depthOf, draftsOf, newRule, rightsText } from './rule-drafts.ts'

const rule = (path: string) => ({
  type: 'authorisation_rule',
  id: path,
  attributes: {
    path,
    name: null,
    read: true,
    update: null,
    execute: null,
    delete: false,
    created_by: 'ann',
    created_at: '',
    updated_at: '',
  },
})

test('rules are in the order of the tree, each below the rule that covers it', () => {
  const drafts = draftsOf(
    ['/projects/bank/environments', '/projects/bank-2', '/projects/bank', '/admin', '/'].map(rule),
  )
  assert.deepEqual(
    drafts.map(({ path }) => path),
    ['/', '/admin', '/projects/bank', '/projects/bank/environments', '/projects/bank-2'],
  )
  assert.deepEqual(
    drafts.map(({ path }) => depthOf(path, drafts)),
    [0, 1, 1, 2, 1],
  )
})

test('added, removed and changed rules are counted', () => {
  const stored = draftsOf(['/a', '/b', '/c'].map(rule))
  assert.equal(changesOf(stored, stored), 0)
  const [a, b] = stored
  assert.ok(a && b)
  assert.equal(changesOf(stored, [{ ...a, update: true }, b, newRule('new')]), 3)
})

test('the key of a row is not sent', () => {
  assert.deepEqual(attributesOf({ ...newRule('k'), path: ' /projects ' }), {
    path: '/projects',
    name: null,
    read: true,
    update: null,
    execute: null,
    delete: null,
  })
})

test('rights are told in words', () => {
  const words = { read: 'Read', update: 'Update', execute: 'Execute', delete: 'Delete' }
  assert.equal(rightsText({ read: true, update: null, execute: false, delete: null }, words), 'read, no execute')
})
