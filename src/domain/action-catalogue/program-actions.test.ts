import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stepTree } from '#authoring/actions/action-tree.ts'
import { readActions, yamlSource } from '#authoring/actions/actions-file.ts'
import { programSource } from './program-actions.ts'

const at = (line: number) => ({ file: 'web/actions.ts', line, column: 1 })
const listed = (name: string, entry: object = {}, line = 1, program = true) => ({ name, entry, program, at: at(line) })
const yaml = (text: string) => yamlSource('web/actions.yaml', Buffer.from(text))
const faults = (...sources: Parameters<typeof readActions>[0]) => {
  const read = readActions(sources)
  assert.ok('faults' in read)
  return read.faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
}
const program = (...list: object[]) => programSource('web/actions.ts', list)

describe('actions that a program declares', () => {
  test('are read beside those of an actions.yaml, and each may name the other', () => {
    const read = readActions([
      yaml('actions:\n  stop: { run: echo, needs: [check] }\n  all: { steps: [deploy, stop] }'),
      program(
        listed('check'),
        listed('deploy', {
          description: 'Roll out',
          run_as: 'parallel',
          steps: ['stop', { name: 'S', steps: ['check'] }],
        }),
        listed('group', { steps: ['check'] }, 3, false),
      ),
    ])
    assert.ok('actions' in read)
    assert.deepEqual(
      read.actions.map(({ action, run, module }) => [action, run, module]),
      [
        ['stop', 'echo', undefined],
        ['all', null, undefined],
        ['check', null, 'web/actions.ts'],
        ['deploy', null, 'web/actions.ts'],
        ['group', null, undefined],
      ],
    )
    assert.deepEqual(stepTree(read, 'stop')?.definition?.bodies, [
      { action: 'check', module: 'web/actions.ts' },
      { action: 'stop', run: 'echo', interpreter: ['bash', '-euo', 'pipefail'], env: {} },
    ])
    assert.equal(stepTree(read, 'deploy')?.child_execution_strategy, 'parallel')
    assert.equal(stepTree(read, 'group')?.step_type, 'stage')
  })

  test('keep the order in which they were declared, whatever they are called', () => {
    const read = readActions([program(listed('b'), listed('100'), listed('__proto__'), listed('20'))])
    assert.ok('actions' in read)
    assert.deepEqual(
      read.actions.map(({ action }) => action),
      ['b', '100', '__proto__', '20'],
    )
  })

  test('may be ten thousand, each with a fault of its own at its own place', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => listed(`a-${i}`, { timeout_seconds: 'long' }, i + 1))
    const found = faults(program(...many))
    assert.equal(found.length, 10_000)
    assert.match(found[9_999]!, /^web\/actions\.ts:10000:1: "timeout_seconds"/)
  })

  test('are refused when they are nested without end', () => {
    let deep: object = {}
    for (let i = 0; i < 20_000; i++) deep = { steps: [deep] }
    assert.deepEqual(faults(program(listed('a', deep))), [
      'web/actions.ts:1:1: Its actions are nested deeper than 64 levels.',
    ])
  })

  test('are refused with the place that declared them', () => {
    assert.deepEqual(faults(program(listed('a', { steps: ['b'] }, 4), listed('c', { timeout_seconds: 'long' }, 9))), [
      'web/actions.ts:9:1: "timeout_seconds" is a whole number from 1 to 31536000.',
    ])
    assert.deepEqual(faults(program(listed('deploy', { steps: ['stpo'] }, 4), listed('stop'))), [
      'web/actions.ts:4:1: There is no action "stpo". Did you mean "stop"?',
    ])
    assert.deepEqual(faults(program(listed('a', { run: 'rm -rf /' }, 4), listed('b', {}, 5, false))), [
      'web/actions.ts:4:1: Unknown key "run"; known: needs, steps, body, name, description, timeout_seconds, ignore_failure, run_as',
      'web/actions.ts:5:1: The action "b" has nothing to do: give it a body or "steps".',
    ])
  })

  test('cannot have a name that another has, here or in the actions.yaml', () => {
    assert.deepEqual(faults(yaml('actions:\n  Deploy: { run: x }'), program(listed('deploy', {}, 7))), [
      'web/actions.ts:7:1: There is an action "Deploy" already at web/actions.yaml:2:3; names differ by more than upper and lower case.',
    ])
    assert.deepEqual(faults(program(listed('a', {}, 2), listed('a', {}, 3))), [
      'web/actions.ts:3:1: There is an action "a" already at web/actions.ts:2:1.',
    ])
  })

  test('may be anything at all: what is no list of actions is said to be none', () => {
    for (const list of [undefined, null, 'x', [1], [{ name: 'a' }], [{ ...listed('a'), at: { file: 1 } }]])
      assert.deepEqual(faults(programSource('web/actions.ts', list)), [
        'web/actions.ts:1:1: The program did not say what it declares.',
      ])
    assert.deepEqual(faults(program()), ['web/actions.ts:1:1: The program declares no action.'])
    assert.equal(faults(program(listed('a', { description: 'x'.repeat(1_100_000) }))).length, 1)
  })
})
