import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NestedRuns } from './nested-runs.ts'
import { sectionsOf } from './run-sections.ts'
import type { StepTree } from './step-tree.ts'
import { type StepRecord, Steps } from './steps.ts'

interface Written {
  readonly parent?: string
  readonly status?: string
  /** Runs and changes that it has started. */
  readonly run?: string
  readonly change?: string
}

let order = 0
const step = (id: string, { parent, status = 'success', run, change }: Written = {}): StepRecord => ({
  type: 'workflow_step',
  id,
  attributes: {
    full_path: id,
    name: id,
    step_type: run === undefined ? 'change' : 'workflow',
    status_code: status,
    child_execution_strategy: 'sequential',
    ignore_failure: false,
    requires_approval_from: [],
    approved_by: [],
    tree_order: String(order++).padStart(4, '0'),
    started_at: null,
    finished_at: null,
    updated_at: '2026-01-01T00:00:00Z',
  },
  relationships: {
    parent: { data: parent === undefined ? null : { type: 'workflow_step', id: parent } },
    changes: { data: change === undefined ? [] : [{ type: 'change', id: change }] },
    workflow_runs: { data: run === undefined ? [] : [{ type: 'workflow_run', id: run }] },
  },
})

const tree = (steps: readonly StepRecord[], lines: Readonly<Record<string, number>>): StepTree => ({
  steps,
  lines: new Map(Object.entries(lines)),
})

/** A run whose step `nested` has started one, whose step `deeper` has started another. */
function outer(status = 'error'): NestedRuns {
  const own = new Steps()
  own.put([
    step('root', { status }),
    step('first', { parent: 'root', change: 'c1' }),
    step('nested', { parent: 'root', run: 'r1', status }),
    step('last', { parent: 'root', change: 'c2' }),
  ])
  return new NestedRuns(own)
}

const inner = (status = 'error') =>
  tree(
    [
      step('inner', { status }),
      step('one', { parent: 'inner', change: 'c3' }),
      step('deeper', { parent: 'inner', run: 'r2', status }),
      step('two', { parent: 'inner', change: 'c4' }),
    ],
    { inner: 6, one: 1, deeper: 3, two: 2 },
  )

const innermost = (status = 'error') =>
  tree([step('deepest', { status }), step('act', { parent: 'deepest', status, change: 'c5' })], { deepest: 3, act: 3 })

function shown(steps: NestedRuns, toggled: Readonly<Record<string, boolean>> = {}, linked: readonly string[] = []) {
  const counts: Readonly<Record<string, number>> = { first: 1, nested: 6, last: 1 }
  const { sections, openRuns } = sectionsOf(steps, {
    toggled: new Map(Object.entries(toggled)),
    linked,
    isSection: id => steps.childrenOf(id).length === 0,
    countOf: id => counts[id] ?? steps.linesOf(id) ?? 0,
  })
  return {
    sections: sections.map(({ id, lines, isOpen }) => `${id} ${lines}${isOpen ? ' open' : ''}`),
    runs: openRuns.map(({ run }) => run),
  }
}

test('a closed section of a nested run has all of its lines; opened, its steps have sections of their own below it', () => {
  const steps = outer('success')
  assert.deepEqual(shown(steps), { sections: ['first 1', 'nested 6', 'last 1'], runs: [] })
  const opened = { sections: ['first 1', 'nested 0 open', 'last 1'], runs: ['r1'] }
  assert.deepEqual(shown(steps, { nested: true }), opened, 'its steps are being read')
  steps.put('nested', inner('success'))
  const read = ['first 1', 'nested 0 open', 'one 1', 'deeper 3', 'two 2', 'last 1']
  assert.deepEqual(shown(steps, { nested: true }).sections, read)
  assert.deepEqual(shown(steps).sections, ['first 1', 'nested 6', 'last 1'], 'closed again')
  steps.put('deeper', innermost('success'))
  const deeper = ['first 1', 'nested 0 open', 'one 1', 'deeper 0 open', 'act 3 open', 'two 2', 'last 1']
  assert.deepEqual(shown(steps, { nested: true, deeper: true }).sections, deeper, 'the only step is open')
  assert.deepEqual(steps.pathOf('one'), ['nested'])
  assert.equal(steps.creatorOf('c3')?.id, 'one')
})

test('the way to the first failed step is open, down to the innermost run, and so is that to a step of the address', () => {
  const steps = outer()
  assert.deepEqual(shown(steps).runs, ['r1'])
  steps.put('nested', inner())
  assert.deepEqual(shown(steps).runs, ['r1', 'r2'])
  steps.put('deeper', innermost())
  assert.deepEqual(shown(steps), {
    sections: ['first 1', 'nested 0 open', 'one 1', 'deeper 0 open', 'act 3 open', 'two 2', 'last 1'],
    runs: ['r1', 'r2'],
  })
  assert.deepEqual(steps.ancestorsOf('act'), ['deepest', 'deeper', 'inner', 'nested', 'root'])
  const good = outer('success')
  good.put('nested', inner('success'))
  assert.deepEqual(shown(good, {}, ['one', 'nested']).sections, [
    'first 1',
    'nested 0 open',
    'one 1 open',
    'deeper 3',
    'two 2',
    'last 1',
  ])
})

test('a run whose steps cannot be read is one section, and of many that go on the first ten are open', () => {
  const lost = outer()
  lost.giveUp('nested')
  assert.deepEqual(shown(lost), { sections: ['first 1', 'nested 6 open', 'last 1'], runs: [] })
  const own = new Steps()
  own.put(Array.from({ length: 30 }, (_, at) => step(`s${at}`, { run: `r${at}`, status: 'running' })))
  assert.equal(shown(new NestedRuns(own)).runs.length, 10)
})
