import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InputArgument } from '#authoring/actions/action.ts'
import { Failure } from '#platform/failure.ts'
import { goesOnByItself, takenArguments, withArguments } from './input-arguments.ts'

const argument = (type: InputArgument['type'], more: Partial<InputArgument> = {}): InputArgument => ({
  name: 'it',
  type,
  required: true,
  sensitive: false,
  path: '',
  ...more,
})

function wrong(run: () => unknown): Record<string, string> {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof Failure)
    return Object.fromEntries(error.faults.map(({ source, detail }) => [source!.pointer!.split('/').at(-1)!, detail]))
  }
  assert.fail('nothing was wrong')
}

test('values of every type are taken as they are, and as the texts that forms and command lines have for them', () => {
  const taken = (type: InputArgument['type'], value: unknown) =>
    takenArguments([argument(type)], { it: value as never })[0]!.value
  for (const [type, given, value] of [
    ['string', 'blue', 'blue'],
    ['string', 3, '3'],
    ['string', true, 'true'],
    ['integer', 42, 42],
    ['integer', ' -42 ', -42],
    ['float', 2, 2],
    ['float', '2.5e3', 2500],
    ['boolean', false, false],
    ['boolean', 'True', true],
    ['date', '2028-02-29', '2028-02-29'],
    ['array', [1], [1]],
    ['array', '["a", 1]', ['a', 1]],
    ['object', { a: 1 }, { a: 1 }],
    ['object', '{"a": {}}', { a: {} }],
  ] as const)
    assert.deepEqual(taken(type, given), value, `${type} ${JSON.stringify(given)}`)
})

test('what is no value of the type is refused in words that say what would be', () => {
  for (const [type, given, words] of [
    ['string', ['a'], 'it should be a text.'],
    ['integer', '4.2', 'it should be a whole number.'],
    ['integer', 2 ** 53, 'it should be a whole number.'],
    ['integer', '', 'it should be a whole number.'],
    ['float', 'NaN', 'it should be a number.'],
    ['boolean', 'yes', 'it should be true or false.'],
    ['boolean', 1, 'it should be true or false.'],
    ['date', '2027-02-29', 'it should be a date, such as 2026-11-21.'],
    ['array', '{"a": 1}', 'it should be a list.'],
    ['object', '[1', 'it should be an object.'],
  ] as const)
    assert.deepEqual(
      wrong(() => takenArguments([argument(type)], { it: given as never })),
      { it: words },
    )
})

test('everything that is wrong is said at once: missing, unknown, and none of the valid values', () => {
  const asked = [
    argument('string', { name: 'colour', valid_values: ['blue', 'green'] }),
    argument('integer', { name: 'size' }),
  ]
  assert.deepEqual(
    wrong(() => takenArguments(asked, { colour: 'red', sise: 1 })),
    {
      sise: 'The step does not ask for sise; did you mean size?',
      colour: 'colour is none of its valid values: "blue", "green".',
      size: 'size is required: a whole number.',
    },
  )
})

test('what is not given has its default, and nothing where it is not required; null is not given', () => {
  const asked = [
    argument('integer', { name: 'size', default_value: 3 }),
    argument('string', { name: 'note', required: false }),
  ]
  assert.deepEqual(
    takenArguments(asked, { size: null, note: null }).map(({ argument, value }) => [argument.name, value]),
    [['size', 3]],
  )
  assert.equal(goesOnByItself(asked), false)
  assert.equal(goesOnByItself(asked.slice(0, 1)), true)
})

test('a sensitive value is never repeated in an error, and is long enough to be masked', () => {
  const asked = [argument('string', { name: 'token', sensitive: true, valid_values: ['hunter2'] })]
  assert.deepEqual(
    wrong(() => takenArguments(asked, { token: 'hunter3' })),
    { token: 'token is none of its valid values.' },
  )
  assert.match(
    wrong(() => takenArguments([argument('string', { sensitive: true })], { it: 'abc' }))['it']!,
    /at least 4 characters/,
  )
  // Stated in a commit that was read before defaults were asked for as much.
  const stated = argument('string', { sensitive: true, default_value: 'abc' })
  assert.deepEqual(
    wrong(() => takenArguments([stated], {})),
    { it: 'The default of it is sensitive, and has at least 4 characters: shorter ones cannot be masked in logs.' },
  )
})

test('what stands for a sensitive default in answers keeps it when it is sent back, and is no value anywhere else', () => {
  const sensitive = (more: object) => argument('string', { sensitive: true, ...more })
  const sent = { it: '{{hidden}}' }
  const values = (asked: InputArgument) => takenArguments([asked], sent).map(({ value }) => value)
  assert.deepEqual(values(sensitive({ default_value: 'hunter2' })), ['hunter2'])
  for (const required of [true, false])
    assert.deepEqual(
      wrong(() => takenArguments([sensitive({ required })], sent)),
      { it: '{{hidden}} keeps the default, and it has none: write the value itself.' },
    )
  assert.deepEqual(values(argument('string')), ['{{hidden}}'])
})

test('values land under path and name, beside what is there', () => {
  const asked = [
    argument('string', { name: 'version', path: '/release/a~1b' }),
    argument('integer', { name: 'size' }),
    argument('string', { name: '__proto__' }),
  ]
  const taken = takenArguments(asked, { version: '2', size: 1, ['__proto__']: 'x' })
  const made = withArguments({ release: { old: true }, size: 9 }, taken)
  assert.equal(JSON.stringify(made), '{"release":{"old":true,"a/b":{"version":"2"}},"size":1,"__proto__":"x"}')
  assert.match(wrong(() => withArguments({ release: 'x' }, taken))['version']!, /at \/release\/a~1b\/version/)
})

test('two arguments of one name are told apart by their paths', () => {
  const asked = [argument('string', { path: '/from' }), argument('string', { path: '/to' })]
  const taken = takenArguments(asked, { '/from/it': 'a', '/to/it': 'b' })
  assert.deepEqual(withArguments({}, taken), { from: { it: 'a' }, to: { it: 'b' } })
})

test('however many names are given that nobody asked for, the nearest is looked for of the first ones only', () => {
  const asked = Array.from({ length: 20 }, (_, i) => argument('string', { name: `version_${i}` }))
  const names = Array.from({ length: 5_000 }, (_, i) => `version_x${i}`)
  const given = Object.fromEntries([...names, 'versoin_1'].map(name => [name, 'x']))
  const faults = wrong(() => takenArguments(asked, given))
  assert.equal(faults['version_x0'], 'The step does not ask for version_x0; did you mean version_0?')
  assert.match(faults['versoin_1']!, /^The step does not ask for versoin_1; it asks for version_0, /)
})
