import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeSummary } from '../../api/records.ts'
import { countsOf, filteredTree, type NodeBranch, nodeStatus, nodeTree, siblingOf } from './node-tree.ts'

const types = { projects: 'project', environments: 'environment', assets: 'asset', agents: 'agent' } as const

function summary(path: string, more: Partial<NodeSummary> = {}): NodeSummary {
  const segments = path.split('/')
  const code = segments.at(-1)!
  return {
    path,
    node_type: types[segments.at(-2) as keyof typeof types],
    depth: (segments.length - 1) / 2,
    code,
    name: code,
    archived: false,
    template_code: null,
    template_version: null,
    task_active: false,
    active_count: 0,
    waiting_count: 0,
    last_status: null,
    last_finished_at: null,
    ...more,
  }
}

const bank = summary('/projects/bank')
const live = summary('/projects/bank/environments/live', { name: 'Production' })
const front = summary('/projects/bank/environments/live/assets/front', { active_count: 2, waiting_count: 1 })
const back = summary('/projects/bank/environments/live/assets/back', { last_status: 'error' })
const shared = summary('/projects/bank/assets/shared')

const outline = (branches: readonly NodeBranch[]): unknown[] =>
  branches.map(({ item, children }) => (children.length > 0 ? [item.label, outline(children)] : item.label))

test('a node comes before and after others of its parent', () => {
  const other = summary('/projects/bank-2')
  const tree = nodeTree([bank, other, shared, live, back, front])
  const both = (path: string) => [siblingOf(tree, path, -1), siblingOf(tree, path, 1)]
  assert.deepEqual(both(back.path), [undefined, front.path])
  assert.deepEqual(both(shared.path), [live.path, undefined])
  assert.deepEqual(both(bank.path), [undefined, other.path])
  assert.deepEqual(both('/projects/unknown'), [undefined, undefined])
})

test('nodes are below their parents, environments before assets, each by code', () => {
  const other = summary('/projects/bank-2')
  assert.deepEqual(outline(nodeTree([bank, other, shared, live, back, front])), [
    ['bank', [['live', ['back', 'front']], 'shared']],
    'bank-2',
  ])
})

test('a node whose parent may not be read is shown by its path', () => {
  assert.deepEqual(outline(nodeTree([front])), ['/projects/bank/environments/live/assets/front'])
  assert.deepEqual(outline(nodeTree([bank, front])), [['bank', ['/projects/bank/environments/live/assets/front']]])
})

test('what runs below counts at every node above', () => {
  const [project] = nodeTree([bank, live, front, back])
  assert.equal(project!.item.active, 2)
  assert.equal(project!.item.waiting, 1)
  const [busy] = nodeTree([bank, { ...live, task_active: true }, { ...front, task_active: true }, back])
  assert.deepEqual([project!.item.tasks, busy!.item.tasks], [0, 2])
  assert.deepEqual(countsOf(project!), { environments: 1, assets: 2, agents: 0, running: 1, waiting: 1, failed: 1 })
})

test('the filter keeps what matches by path or name, and what is above it', () => {
  const tree = nodeTree([bank, live, front, back, shared])
  assert.deepEqual(outline(filteredTree(tree, 'fro')), [['bank', [['live', ['front']]]]])
  assert.deepEqual(outline(filteredTree(tree, 'production')), [['bank', ['live']]])
  assert.deepEqual(outline(filteredTree(tree, 'live BACK')), [['bank', [['live', ['back']]]]])
  assert.deepEqual(outline(filteredTree(tree, 'nothing')), [])
  assert.equal(filteredTree(tree, '  '), tree)
})

test('a word of the project alone does not find everything in it', () => {
  assert.deepEqual(outline(filteredTree(nodeTree([bank, live, front]), 'bank')), ['bank'])
})

test('the status of a node is what runs on it, else the end of its last activity', () => {
  assert.equal(nodeStatus(front), 'waiting')
  assert.equal(nodeStatus({ ...front, waiting_count: 0 }), 'running')
  assert.equal(nodeStatus(back), 'error')
  assert.equal(nodeStatus(shared), undefined)
})
