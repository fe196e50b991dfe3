import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepTree } from './step-tree.ts'
import { Steps } from './steps.ts'

const columns =
  'id parent_id name full_path step_type status_code tree_order child_execution_strategy ignore_failure requires_approval_from approved_by attempt started_at finished_at updated_at expected_seconds log_line_count can'.split(
    ' ',
  )
const row = (id: string, parent: string | null, more: Readonly<Record<string, unknown>> = {}) => {
  const values: Readonly<Record<string, unknown>> = {
    id,
    parent_id: parent,
    name: `name of ${id}`,
    tree_order: id,
    status_code: 'running',
    updated_at: '2026-11-27T10:00:00Z',
    expected_seconds: null,
    can: [],
    ...more,
  }
  return columns.map(name => values[name] ?? null)
}
const stepsOf = (...rows: unknown[][]) => stepTree(tree(...rows), 'step').steps
const tree = (...rows: unknown[][]) => ({ data: { attributes: { columns, rows } } })

test('rows become the records that lists have, in whichever order their columns are', () => {
  const [root, wait] = stepsOf(row('a', null), row('b', 'a', { can: ['approve', 'reject'] }))
  assert.deepEqual(root?.relationships?.['parent']?.data, null)
  assert.deepEqual(wait?.relationships?.['parent']?.data, { type: 'step', id: 'a' })
  assert.deepEqual([wait?.attributes.step_name, wait?.meta], ['name of b', { can: ['approve', 'reject'] }])
  const turned = { columns: columns.toReversed(), rows: [row('a', null).toReversed()] }
  assert.deepEqual(stepTree({ data: { attributes: turned } }, 'step').steps, [root])
  assert.throws(
    () => stepTree({ data: { attributes: { columns: ['id'], rows: [] } } }, 'step'),
    /no column "parent_id"/,
  )
})

test('a message of the stream replaces a step of the tree unless it is older, and keeps what only the tree has', () => {
  const steps = new Steps()
  const [a] = stepsOf(row('a', null, { expected_seconds: 40 }))
  steps.put([a!])
  const { expected_seconds: _, ...listed } = a!.attributes
  const message = (updated_at: string, status_code: string) => ({
    ...a!,
    attributes: { ...listed, updated_at, status_code },
  })
  steps.put([message('2026-11-27T09:59:59Z', 'queued')])
  assert.equal(steps.get('a')?.attributes.status_code, 'running')
  steps.put([message('2026-11-27T10:00:00Z', 'success')])
  assert.equal(steps.get('a')?.attributes.status_code, 'success')
  assert.equal(steps.get('a')?.attributes.expected_seconds, 40)
})

test('steps of a workflow run name what they made, and have the lines of it', () => {
  const more = { changes: ['x', 'y'], workflow_runs: [], total_line_count: 7 }
  const values = [...row('a', null, { log_line_count: 1, attempt: 2 }), ...Object.values(more)]
  const document = { data: { attributes: { columns: [...columns, ...Object.keys(more)], rows: [values] } } }
  const { steps, lines } = stepTree(document, 'workflow_step')
  const [step] = steps
  assert.deepEqual(
    [step?.type, step?.attributes.name, step?.attributes.attempt],
    ['workflow_step', 'name of a', undefined],
  )
  assert.deepEqual(step?.relationships?.['changes']?.data, [
    { type: 'change', id: 'x' },
    { type: 'change', id: 'y' },
  ])
  assert.deepEqual(step?.relationships?.['workflow_runs']?.data, [])
  assert.deepEqual([...lines], [['a', 7]])
  assert.throws(() => stepTree(tree(row('a', null)), 'workflow_step'), /no column "total_line_count"/)
})
