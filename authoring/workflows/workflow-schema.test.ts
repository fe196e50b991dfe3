import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { agreementOn } from '../../tests/support/workflow-agreement.ts'
import { revisionFault, revisionPattern } from '../revision.ts'
import { placeholderFault, placeholderPatterns } from './placeholders.ts'
import { approverKeys, stepKeys } from './step-keys.ts'

test('the examples of the documentation are accepted by reader and schema', () => {
  for (const page of ['reference/workflow-yaml.md', 'guides/workflows.md']) {
    const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
    const sources = [...text.matchAll(/\n(steps:\n.*?)^(?:```|YAML)$/gms)].map(([, source = '']) => source)
    assert.ok(sources.length > 0, page)
    for (const source of sources) assert.equal(agreementOn(source), 'both accept', source)
  }
})

const texts = fc.constantFrom(
  ...['a', 'assets/web', 'environments/live/assets/web', '/projects/bank', '.', 'release', 'main', 'v1.2', '2.1'],
  ...[
    '{{a.b}}',
    '{{ a }}',
    'x {{a}} y',
    '{{',
    '{{a..b}}',
    '{{}}',
    '{{{a}}}',
    '{{{a}}{',
    ' ',
    '',
    'a/b',
    'a\nb',
    '\u202e',
  ],
  ...['02:00', '02:00 Europe/Vienna', '25:00', '02:00 Nowhere/At_All', '2026-11-21T02:00:00Z', '2026-02-31T02:00:00Z'],
  ...['HEAD', '-x', 'a..b', 'refs/heads/main', 'x.lock', 'sequential', 'parallel', 'change', 'wait', 'stage'],
  ...['a'.repeat(100), 'a'.repeat(101), 'a'.repeat(255), 'a'.repeat(256), '😀'.repeat(128)],
)
const numbers = fc.constantFrom(0, 1, 2, 100, 101, 31_536_000, 31_536_001, 1.5, -1)
const scalars = fc.oneof({ weight: 4, arbitrary: texts }, numbers, fc.boolean(), fc.constant(null))
const overrides = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', ''), fc.oneof(scalars, fc.array(scalars)), {
  maxKeys: 3,
  noNullPrototype: true,
})

/** Values of a key: of its kind mostly, and others. */
const plain = {
  text: texts,
  texts: fc.oneof(fc.array(texts, { maxLength: 3 }), texts),
  number: fc.oneof(numbers, texts),
  boolean: fc.boolean(),
  run_as: texts,
  override: fc.oneof(overrides, texts),
  overrides: fc.oneof(overrides, texts, fc.array(fc.oneof(overrides, texts), { maxLength: 3 })),
} as const

type Arbitrary = fc.Arbitrary<unknown>
type Keys = Readonly<Record<string, { readonly kind: keyof typeof plain | 'approvers' | 'steps' }>>

/** Objects with some of the keys. `nested` makes the values of kinds that are objects themselves. */
const objectOf = (keys: Keys, nested: { readonly approvers: Arbitrary; readonly steps: Arbitrary }) => {
  const byKind = { ...plain, ...nested }
  const values = Object.entries(keys).map(
    ([key, { kind }]) => [key, fc.oneof({ weight: 12, arbitrary: byKind[kind] as Arbitrary }, scalars)] as const,
  )
  return fc.subarray(values).chain(chosen => fc.record(Object.fromEntries(chosen)))
}

const nothing = fc.constant(null)
const approvers = fc.oneof(
  fc.constant({ user_names: ['eve'] }),
  objectOf(approverKeys, { approvers: nothing, steps: nothing }),
)

const { step } = fc.letrec<{ step: object }>(tie => {
  const children = fc.array(tie('step'), { maxLength: 2 })
  const any = fc.oneof(...Object.values(stepKeys).map(keys => objectOf(keys, { approvers, steps: children })))
  const valid = fc.constantFrom(
    { target: 'assets/web', action: 'go' },
    { targets: ['assets/web', 'assets/b'], action: 'go', template_versions: ['1', '1'] },
    { target: '.', action: 'go', git_remote_name: 'tools', git_rev: 'main' },
    { type: 'wait' },
    { seconds: 3 },
    { requires_approval_from: { user_names: ['eve'] } },
    { type: 'workflow', target: 'release' },
    { target: 'release', version: 1 },
  )
  const types = fc.oneof(fc.constantFrom('change', 'wait', 'workflow', 'stage'), scalars)
  return {
    step: fc.oneof(
      { depthSize: 'small' },
      { weight: 3, arbitrary: valid },
      // A valid step with keys more.
      { weight: 3, arbitrary: fc.tuple(valid, any).map(([a, b]) => ({ ...b, ...a })) },
      { weight: 2, arbitrary: fc.tuple(any, types).map(([a, type]) => ({ ...a, type })) },
      any,
      fc.record({ children }),
    ),
  }
})

test('reader and schema agree on generated documents', () => {
  const counts = new Map<string, number>()
  const agree = (document: unknown) => {
    const outcome = agreementOn(JSON.stringify(document))
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2 }), steps => agree({ steps })),
    { numRuns: 1_000 },
  )
  fc.assert(fc.property(fc.oneof(scalars, overrides), agree), { numRuns: 50 })
  // The generator must reach both sides of the border between valid and not.
  for (const outcome of ['both accept', 'both refuse'])
    assert.ok((counts.get(outcome) ?? 0) >= 50, JSON.stringify([...counts]))
})

test('the patterns of placeholders and revisions say what the reader says', () => {
  const pieces = fc.array(fc.constantFrom('{', '}', '{{', '}}', '.', 'a', ' ', '\n', '{{a}}', '{{a.b}}'), {
    maxLength: 9,
  })
  const within = new RegExp(placeholderPatterns.within, 'u')
  fc.assert(
    fc.property(pieces, each => {
      const text = each.join('')
      assert.equal(within.test(text), placeholderFault(text) === undefined, JSON.stringify(text))
    }),
    { numRuns: 5_000 },
  )
  const revision = new RegExp(revisionPattern, 'u')
  const parts = fc.array(
    fc.constantFrom('a', '.', '..', '/', '@', '@{', '-', 'HEAD', '.lock', '~', '[', '\\', ' ', '\n'),
  )
  fc.assert(
    fc.property(parts, each => {
      const text = each.join('')
      if (text !== '') assert.equal(revision.test(text), revisionFault(text) === undefined, JSON.stringify(text))
    }),
    { numRuns: 5_000 },
  )
})

test('placeholders without an end are refused in the time that their length asks for', () => {
  const within = new RegExp(placeholderPatterns.within, 'u')
  for (const text of ['{{a}}'.repeat(100_000), '{{'.repeat(100_000), '{{a'.repeat(100_000), `{{${' '.repeat(200_000)}`])
    assert.equal(within.test(text), placeholderFault(text) === undefined)
})
