import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { parseWorkflow } from './read-workflow.ts'
import { keysOf } from './workflow-keys.ts'
import type { WrittenStep } from './workflow-tree.ts'

const stepsOf = (source: string): readonly WrittenStep[] => {
  const parsed = parseWorkflow(source)
  assert.ok('steps' in parsed, JSON.stringify(parsed))
  return parsed.steps
}

test('the type of a step is told by its keys where they leave no doubt', () => {
  const steps = stepsOf(`
steps:
  - target: assets/web
    action: stop
  - seconds: 30
  - requires_approval_from: { user_names: [ada] }
  - reset_on_retry: true
  - target: release
    version: 2
  - children:
      - targets: [assets/web, assets/db]
        action: start
  - type: workflow
    target: report
`)
  assert.deepEqual(
    steps.map(({ type, name, line }) => [type, name, line]),
    [
      ['change', 'stop web', 3],
      ['wait', 'wait 30 s', 5],
      ['wait', 'approval', 6],
      ['wait', 'wait', 7],
      ['workflow', 'release', 8],
      ['stage', 'stage', 10],
      ['workflow', 'report', 13],
    ],
  )
  assert.equal(steps[5]!.children[0]!.name, 'start web, db')
})

test('siblings of one name are numbered, whatever its case, also beside steps that are called so', () => {
  const names = stepsOf(`
steps:
  - {type: wait, name: Pause}
  - {type: wait, name: pause}
  - {type: wait, name: pause-1}
  - {target: assets/web, action: go}
  - {target: assets/web, action: go}
`).map(({ name }) => name)
  assert.deepEqual(names, ['Pause-2', 'pause-3', 'pause-1', 'go web-1', 'go web-2'])
})

test('aliases are followed', () => {
  const [one, two] = stepsOf(`
steps:
  - &web {target: assets/web, action: go, property_overrides: {a: [1]}}
  - *web
`)
  assert.deepEqual([one!.name, two!.name], ['go web-1', 'go web-2'])
  assert.deepEqual(two!.property_overrides, one!.property_overrides)
})

test('merge keys are followed, and a step goes before what is merged into it', () => {
  const [, two, three] = stepsOf(`
steps:
  - &web {target: assets/web, action: go, property_overrides: {a: [1]}}
  - {<<: *web, action: stop}
  - {name: again, <<: [*web]}
`)
  assert.deepEqual([two!.name, three!.name], ['stop web', 'again'])
  assert.deepEqual(two!.property_overrides, three!.property_overrides)
})

const code = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const word = fc.stringMatching(/^[a-z]{1,10}( [a-z]{1,10})?$/)
const path = code.map(each => `assets/${each}`)
const overrides = fc.dictionary(code, fc.oneof(fc.integer({ min: 0, max: 99 }), fc.boolean(), word, fc.array(word)), {
  noNullPrototype: true,
})
const runAs = fc.constantFrom('sequential', 'parallel')
const named = { name: word }
const some = <T extends Record<string, fc.Arbitrary<unknown>>>(given: T, needed: (keyof T & string)[]) =>
  fc.record(given, { requiredKeys: needed, noNullPrototype: true }) as fc.Arbitrary<Record<string, unknown>>

const { step } = fc.letrec<{ step: Record<string, unknown> }>(tie => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    some(
      {
        target: path,
        action: code,
        template_version: word,
        property_overrides: overrides,
        ignore_failure: fc.boolean(),
        ...named,
      },
      ['target', 'action'],
    ),
    some({ targets: fc.uniqueArray(path, { minLength: 1, maxLength: 4 }), action: code, run_as: runAs, ...named }, [
      'targets',
      'action',
    ]),
    some({ type: fc.constant('wait'), seconds: fc.integer({ min: 1, max: 9_999 }), ...named }, ['type']),
    some(
      {
        requires_approval_from: some({ user_names: fc.uniqueArray(code, { minLength: 1 }) }, ['user_names']),
        ...named,
      },
      ['requires_approval_from'],
    ),
    some(
      {
        type: fc.constant('workflow'),
        target: code,
        version: fc.integer({ min: 1, max: 99 }),
        property_overrides: fc.array(overrides, { minLength: 1, maxLength: 3 }),
        run_as: runAs,
        ...named,
      },
      ['type', 'target'],
    ),
    some(
      {
        children: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
        run_as: runAs,
        ignore_failure: fc.boolean(),
        ...named,
      },
      ['children'],
    ),
  ),
}))
const steps = fc.array(step, { minLength: 1, maxLength: 5 })

/** Converts a step that was read back to its written form. */
function writtenOf(read: WrittenStep, like: Record<string, unknown>): Record<string, unknown> {
  const overridden = read.type === 'workflow' ? read.property_overrides : read.property_overrides[0]
  const all: Record<string, unknown> = {
    ...read,
    name: read.given_name,
    target: read.workflow ?? read.targets[0],
    template_version: read.template_versions[0],
    property_overrides: overridden,
    requires_approval_from: read.requires_approval_from && { user_names: read.requires_approval_from.user_names },
    children: read.children.map((child, i) => writtenOf(child, (like['children'] as Record<string, unknown>[])[i]!)),
  }
  return Object.fromEntries(Object.keys(like).map(key => [key, all[key]]))
}

test('whatever valid workflow is written is read as what it is', () => {
  fc.assert(
    fc.property(steps, written => {
      const read = stepsOf(stringify({ steps: written }))
      assert.deepEqual(
        read.map((each, i) => writtenOf(each, written[i]!)),
        written,
      )
    }),
    { numRuns: 100 },
  )
})

const anything = fc.oneof(
  word,
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  fc.constant('{{a.b}}'),
  fc.constant('{{'),
)
const keys = [...new Set(['type', 'steps', 'chidlren', '', '__proto__', ...Object.values(keysOf).flat()])]
const { broken } = fc.letrec<{ broken: unknown }>(tie => ({
  broken: fc.oneof(
    { depthSize: 'small' },
    anything,
    fc.array(tie('broken'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('broken'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))

test('whatever is written, reading it answers steps or faults with their places, and never throws', () => {
  const judged = (source: string) => {
    const parsed = parseWorkflow(source)
    if ('steps' in parsed) return
    assert.ok(parsed.errors.length > 0)
    const lines = source.split('\n').length
    for (const { line, column, message } of parsed.errors) {
      assert.ok(line >= 1 && line <= lines + 1 && column >= 1, `${line}:${column} of ${lines} lines`)
      assert.ok(message.length > 0)
    }
  }
  fc.assert(
    fc.property(broken, value => judged(stringify({ steps: value }))),
    { numRuns: 150 },
  )
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), judged), { numRuns: 150 })
  // Valid sources that someone is still typing.
  const typed = fc.tuple(steps, fc.nat(), fc.constantFrom('', '{', '[', '"', ':', '\t', '- ', '*x', '&x', '!y '))
  fc.assert(
    fc.property(typed, ([written, at, put]) => {
      const source = stringify({ steps: written })
      const cut = at % source.length
      judged(source.slice(0, cut) + put)
      judged(source.slice(0, cut) + put + source.slice(cut))
    }),
    { numRuns: 150 },
  )
})
