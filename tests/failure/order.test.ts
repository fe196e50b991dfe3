import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outOfOrder, type Placed } from './order.ts'
import type { Seen } from './witness.ts'

const step = (id: string, more: Partial<Placed> = {}): Placed => ({
  id,
  activity_id: 'change',
  full_path: id,
  parent_id: null,
  position: 0,
  child_execution_strategy: 'sequential',
  made_id: null,
  ...more,
})

/** Lines in the order of the words: `a` is a line of step a. */
const witness = (words: string): Seen[] =>
  words.split(' ').map(id => ({ step: id, attempt: 1, what: 'tick' as const, pid: 1 }))

const tree = (strategy: string) => [
  step('root', { child_execution_strategy: strategy }),
  step('a', { parent_id: 'root', position: 0 }),
  step('a1', { parent_id: 'a', position: 0 }),
  step('b', { parent_id: 'root', position: 1 }),
]

test('in a sequence nothing begins before what stands ahead of it has ended, with all beneath it', () => {
  assert.deepEqual(outOfOrder(tree('sequential'), witness('a a a1 b')), [])
  assert.deepEqual(outOfOrder(tree('sequential'), witness('a b a1')), [
    'b of change began before a of change had ended',
  ])
  assert.deepEqual(outOfOrder(tree('parallel'), witness('a b a1 b')), [])
})

test('what lies beneath a step begins when its body has ended', () => {
  assert.deepEqual(outOfOrder(tree('parallel'), witness('a a1 a')), ['a1 of change began before a of change had ended'])
})

test('what a step of a run has made lies beneath it', () => {
  const run = [
    step('run', { activity_id: 'r' }),
    step('first', { activity_id: 'r', parent_id: 'run', position: 0, made_id: 'one' }),
    step('second', { activity_id: 'r', parent_id: 'run', position: 1, made_id: 'two' }),
    step('x', { activity_id: 'one' }),
    step('y', { activity_id: 'two' }),
  ]
  assert.deepEqual(outOfOrder(run, witness('x x y')), [])
  assert.deepEqual(outOfOrder(run, witness('x y x')), ['second of r began before first of r had ended'])
})
