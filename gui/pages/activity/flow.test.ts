import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FlowStep, flowOf } from './flow.ts'
import { stepRecord } from './step-record.fixture.ts'
import { Steps } from './steps.ts'

const padded = (number: number) => String(number).padStart(6, '0')

function group(size: number, statusOf: (i: number) => string): Steps {
  const steps = new Steps()
  steps.put([stepRecord('root', null, 'a')])
  steps.put(
    Array.from({ length: size }, (_, i) => stepRecord(`s${i}`, 'root', `a${padded(i)}`, { status_code: statusOf(i) })),
  )
  return steps
}

const countOf = (flow: readonly FlowStep[]): number =>
  flow.reduce((sum, { children }) => sum + 1 + countOf(children), 0)

test('a small tree is drawn as it is', () => {
  const [root] = flowOf(group(3, () => 'success'))
  assert.deepEqual(
    root?.children.map(({ step }) => step.id),
    ['s0', 's1', 's2'],
  )
  assert.equal(root?.hidden, undefined)
})

test('of a large group, what is not done or failed is drawn, and the rest is counted', () => {
  const [root] = flowOf(group(1_000, i => (i === 990 ? 'error' : i === 995 ? 'running' : 'success')))
  const ids = root?.children.map(({ step }) => step.id) ?? []
  assert.equal(ids.length, 40)
  assert.ok(ids.includes('s990') && ids.includes('s995'))
  assert.deepEqual([...(root?.hidden ?? [])], [['success', 960]])
})

test('levels are drawn until there are as many steps as a page can show', () => {
  const steps = new Steps()
  steps.put([stepRecord('root', null, 'a')])
  for (let i = 0; i < 30; i++) {
    steps.put([stepRecord(`g${i}`, 'root', `a${padded(i)}`)])
    steps.put(Array.from({ length: 30 }, (_, j) => stepRecord(`g${i}-${j}`, `g${i}`, `a${padded(i)}${padded(j)}`)))
  }
  const flow = flowOf(steps)
  assert.equal(countOf(flow), 31)
  assert.deepEqual([...(flow[0]?.children[0]?.hidden ?? [])], [['success', 30]])
})
