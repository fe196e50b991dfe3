import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstValue, groupsOf, type SettingField } from './setting-field.ts'

const field = (name: string, more: Partial<SettingField> = {}): SettingField => ({
  name,
  kind: 'text',
  description: '',
  default: undefined,
  isSecret: false,
  ...more,
})

test('fields are grouped by the beginning of their names, single ones first', () => {
  const groups = groupsOf(['runner.kind', 'repo_folder', 'agent.kind', 'runner.image'].map(name => field(name)))
  assert.deepEqual(
    groups.map(([group, some]) => [group, some.map(({ name }) => name)]),
    [
      ['', ['repo_folder']],
      ['runner', ['runner.kind', 'runner.image']],
      ['agent', ['agent.kind']],
    ],
  )
})

test('a setting begins with the value in effect, a secret without one', () => {
  assert.equal(firstValue(field('a', { kind: 'number' }), 15), 15)
  assert.equal(firstValue(field('a', { kind: 'number', minimum: 1 }), undefined), 1)
  assert.equal(firstValue(field('a', { isSecret: true }), '{{hidden}}'), '')
  assert.equal(firstValue(field('a', { kind: 'choice', options: ['x', 'y'] }), undefined), 'x')
  assert.deepEqual(firstValue(field('a', { kind: 'lines' }), undefined), [])
})
