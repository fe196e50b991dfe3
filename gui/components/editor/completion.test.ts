import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete } from './completion.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Language } from './place.ts'

const schema: JsonSchema = {
  properties: {
    steps: { type: 'array', description: 'What to do', items: { $ref: '#/$defs/step' } },
    concurrent: { type: 'boolean' },
  },
  $defs: {
    step: {
      anyOf: [
        { properties: { wait: { type: 'string' }, approvers: { properties: { user_names: {} } } } },
        {
          properties: {
            change: { type: 'string' },
            run_as: { enum: ['series', 'parallel'] },
            steps: { $ref: '#/properties/steps' },
          },
        },
      ],
    },
  },
} as JsonSchema

/** Labels that are offered at the `|` of a text. */
function offered(marked: string, language: Language = 'yaml', words?: string[]): string[] {
  const pos = marked.indexOf('|')
  const doc = marked.replace('|', '')
  const context = { pos, explicit: true, state: { doc } }
  return complete({ schema, ...(words && { words }) }, language, context)?.options.map(({ label }) => label) ?? []
}

test('keys of the mapping around the cursor are offered, without those that it has', () => {
  assert.deepEqual(offered('|'), ['steps', 'concurrent'])
  assert.deepEqual(offered('con|\nsteps: []'), ['concurrent'])
  assert.deepEqual(offered('steps:\n  - change: x\n    ru|'), ['wait', 'approvers', 'run_as', 'steps'])
  assert.deepEqual(offered('steps:\n- wait: a\n- |'), ['wait', 'approvers', 'change', 'run_as', 'steps'])
  assert.deepEqual(offered('steps:\n  - wait: a\n    approvers:\n      |'), ['user_names'])
  assert.deepEqual(offered('steps:\n  - steps:\n      - wait: x\n      - run_as: series\n        |'), [
    'wait',
    'approvers',
    'change',
    'steps',
  ])
})

test('of alternatives that allow no other keys, only those that know all keys of the mapping offer theirs', () => {
  const schema: JsonSchema = {
    anyOf: [
      { additionalProperties: false, properties: { name: {}, seconds: {}, approvers: {} } },
      { additionalProperties: false, properties: { name: {}, target: {}, action: {} } },
    ],
  }
  const offeredIn = (marked: string) => {
    const pos = marked.indexOf('|')
    const context = { pos, explicit: true, state: { doc: marked.replace('|', '') } }
    return complete({ schema }, 'yaml', context)?.options.map(({ label }) => label)
  }
  assert.deepEqual(offeredIn('name: x\n|'), ['seconds', 'approvers', 'target', 'action'])
  assert.deepEqual(offeredIn('name: x\nseconds: 3\n|'), ['approvers'])
  assert.deepEqual(offeredIn('seconds: 3\naction: x\n|'), ['name', 'approvers', 'target'])
})

test('values come from enumerations and types', () => {
  assert.deepEqual(offered('steps:\n  - run_as: p|'), ['series', 'parallel'])
  assert.deepEqual(offered('concurrent: |'), ['true', 'false'])
})

test('comments and places without a schema offer nothing but words', () => {
  assert.deepEqual(offered('# |'), [])
  assert.deepEqual(offered('unknown:\n  |'), [])
  assert.deepEqual(offered('unknown:\n  |', 'yaml', ['{{release}}']), ['{{release}}'])
})

test('JSON documents are completed while they are incomplete', () => {
  assert.deepEqual(offered('{"steps": [], "|', 'json'), ['concurrent'])
  assert.deepEqual(offered('{"steps": [{"wait": "a \\" {"}, {"run_as": "|', 'json'), ['series', 'parallel'])
  assert.deepEqual(offered('{"steps": [{"change": 1, |}]}', 'json'), ['wait', 'approvers', 'run_as', 'steps'])
})

test('JSON gets quotes where the cursor is not inside of them', () => {
  const apply = (doc: string) =>
    complete({ schema }, 'json', { pos: doc.length, explicit: true, state: { doc } })?.options.map(each => each.apply)
  assert.deepEqual(apply('{'), ['"steps": ', '"concurrent": '])
  assert.deepEqual(apply('{"'), [undefined, undefined])
  assert.deepEqual(apply('{"concurrent": '), [undefined, undefined])
})

test('nothing is offered before a letter is typed, unless it is asked for', () => {
  assert.equal(complete({ schema }, 'yaml', { pos: 0, explicit: false, state: { doc: '' } }), null)
})
