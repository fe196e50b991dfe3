import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStepResult } from './step-result.ts'

test('a step that reports nothing reports nothing', () => {
  assert.deepEqual(readStepResult(undefined), { propertiesDiffs: {} })
  assert.deepEqual(readStepResult('{}'), { propertiesDiffs: {} })
})

test('everything that a step may report is taken over', () => {
  const patch = [
    { op: 'replace', path: '/a', value: null },
    { op: 'move', path: '/b', from: '/c' },
    { op: 'remove', path: '' },
  ]
  const said = {
    properties_diffs: { asset: patch },
    child_steps: [{ action: 'x' }],
    child_execution_strategy: 'parallel',
    replace_child_steps: true,
    outputs: { port: 1 },
  }
  assert.deepEqual(readStepResult(JSON.stringify(said)), {
    propertiesDiffs: { asset: patch },
    childSteps: [{ action: 'x' }],
    childExecutionStrategy: 'parallel',
    replaceChildSteps: true,
    outputs: { port: 1 },
  })
})

test('what is malformed is named', () => {
  const wrong: [string, RegExp][] = [
    ['{"outputs": {', /malformed: .*JSON/],
    ['[]', /does not hold an object/],
    ['{"output": {}}', /has no key "output"; its keys are properties_diffs/],
    ['{"properties_diffs": {"node": []}}', /names the owner "node"; owners are project/],
    ['{"properties_diffs": {"asset": {}}}', /has for asset no list of operations/],
    ['{"properties_diffs": {"asset": [{"op": "add", "path": "/a"}]}}', /has for asset, at 0, no operation/],
    ['{"child_execution_strategy": "both"}', /neither "sequential" nor "parallel"/],
    [
      '{"outputs": {"n": 12345678901234567890}}',
      /the number 12345678901234567890 is beyond 2\^53; write it as a string/,
    ],
  ]
  for (const [text, why] of wrong) {
    const answer = readStepResult(text)
    assert.match('malformed' in answer ? answer.malformed : 'taken', why)
  }
})

test('a text that the database cannot hold is refused by name, in a value and in a key', () => {
  for (const [text, named] of [
    [String.raw`{"outputs":{"a":"x\u0000y"}}`, 'U+0000'],
    [String.raw`{"outputs":{"a\u0000":1}}`, 'U+0000'],
    [String.raw`{"outputs":{"a":["\ud800"]}}`, 'half of a surrogate pair'],
  ] as const) {
    const said = readStepResult(text)
    assert.ok('malformed' in said && said.malformed.includes(named), JSON.stringify(said))
    assert.ok(!said.malformed.includes('\0'))
  }
})
