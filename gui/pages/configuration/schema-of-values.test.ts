import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete } from '../../components/editor/completion.ts'
import { schemaOfValues } from './schema-of-values.ts'

const schema = schemaOfValues({
  web: { port: 80, tls: true, hosts: [{ name: 'a' }, { name: 'b', weight: 2 }] },
  password: 'secret://projects/bank/abc',
  nothing: null,
})

/** Labels that are offered at `|` in a text. */
const offered = (text: string) => {
  const pos = text.indexOf('|')
  const state = { doc: text.replace('|', '') }
  return complete({ schema }, 'yaml', { pos, explicit: true, state })?.options.map(({ label }) => label) ?? []
}

test('keys of the values are offered at their level, also within lists', () => {
  assert.deepEqual(offered('|'), ['web', 'password', 'nothing'])
  assert.deepEqual(offered('web:\n  p|'), ['port', 'tls', 'hosts'])
  assert.deepEqual(offered('web:\n  hosts:\n    - |'), ['name', 'weight'])
})

test('the value in force is offered, but never a secret', () => {
  assert.deepEqual(offered('web:\n  port: |'), ['80'])
  assert.deepEqual(offered('web:\n  tls: |'), ['true', 'false'])
  assert.deepEqual(offered('password: |'), [])
  assert.doesNotMatch(JSON.stringify(schema), /secret:/)
})
