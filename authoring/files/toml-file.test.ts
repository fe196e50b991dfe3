import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDataFile } from '../../src/domain/git/data-file.ts'
import { faultText } from './file-fault.ts'

const read = (text: string): string | string[] => {
  const answer = readDataFile('a.toml', Buffer.from(text))
  return 'content' in answer ? JSON.stringify(answer.content) : answer.faults.map(faultText)
}

test('a date or time is the text that the file has, to the last digit', () => {
  for (const written of [
    '1979-05-27T07:32:00Z',
    '1979-05-27T00:32:00.999999999-07:00',
    '1979-05-27 07:32:00.123456789012Z',
    '1979-05-27t07:32:00z',
    '1979-05-27T07:32:00',
    '2024-02-29',
    '0001-01-01',
    '07:32:00.0001',
  ]) {
    assert.equal(read(`a = ${written} # then`), JSON.stringify({ a: written }))
    assert.equal(
      read(`x = "#"\n[t."a.b"]\nl = [ ${written} , # one\n ${written} ]\ni = {d = ${written}, e = 1}`),
      JSON.stringify({ x: '#', t: { 'a.b': { l: [written, written], i: { d: written, e: 1 } } } }),
    )
  }
})

test('a date that no calendar has, and what JSON cannot carry, is refused at its place', () => {
  for (const [text, words] of [
    ['b = 1\na = 2023-02-30', /^a\.toml:2:5: There is no 2023-02-30 in the calendar/],
    ['a = 2023-02-29T00:00:00Z', /^a\.toml:1:5: There is no 2023-02-29/],
    ['a = [1900-02-29]', /^a\.toml:1:6: There is no 1900-02-29/],
    ['a = {d = 2023-04-31}', /^a\.toml:1:10: There is no 2023-04-31/],
    ['a = 2023-13-01', /^a\.toml:1:5: /],
    ['a = 25:00:00', /^a\.toml:1:5: /],
    ['a = inf', /^a\.toml:1:5: JSON has no such number: write "inf" as a string/],
    ['[t]\nb = [1.0,\n -inf]', /^a\.toml:3:2: JSON has no such number: write "-inf"/],
    ['a = +nan', /^a\.toml:1:5: JSON has no such number/],
    ['a = 1e400', /^a\.toml:1:5: The number is too large/],
    ['a = 1e-400', /^a\.toml:1:5: The number loses digits/],
    ['a = 3.141_592_653_589_793_238_46', /^a\.toml:1:5: The number loses digits/],
    ['a = 9223372036854775807', /^a\.toml:1:5: /],
    ['a = 0xFFFFFFFFFFFFFFFF', /^a\.toml:1:5: /],
    ['a = 0o17777777777777777777777', /^a\.toml:1:5: /],
    ['a = 0b11111111111111111111111111111111111111111111111111111111', /^a\.toml:1:5: /],
    ['"x" = 1\n"x" = 2', /^a\.toml:2:/],
    ['a = 017', /^a\.toml:1:/],
    ['b = 1\na = "x\\u0000"', /^a\.toml:2:5: U\+0000/],
  ] as const)
    assert.match([read(text)].flat()[0]!, words, text)
})

test('what only looks like a value is text, in every kind of string, key and comment', () => {
  const text = `# a = inf
"k = inf" = "= nan # \\" 2023-02-30"
'l [= ] 1' = '= inf, "'
m = """
a = inf "" \\""" 2023-02-30 """""
n = '''
b = nan '' 2023-02-30'''''
["x ] = inf"."y#"]
z = [ "[inf", '''nan''', [ 1, { q = "}" } ], ]
[[list]]
o = 0xDEADBEEF
`
  assert.deepEqual(JSON.parse(read(text) as string), {
    'k = inf': '= nan # " 2023-02-30',
    'l [= ] 1': '= inf, "',
    m: 'a = inf "" """ 2023-02-30 ""',
    n: "b = nan '' 2023-02-30''",
    'x ] = inf': { 'y#': { z: ['[inf', 'nan', [1, { q: '}' }]] } },
    list: [{ o: 0xdeadbeef }],
  })
})

test('every value stands where it was written, whatever stands around it', () => {
  const scalar = fc.oneof(
    fc.constantFrom('1979-05-27T07:32:00.123456789Z', '07:32:00', '1.5', '-7', 'true', '1_000'),
    fc.string().map(text => JSON.stringify(text.replaceAll(/\p{Cc}/gu, ''))),
    fc.stringMatching(/^[a-z =#{}[\],"]*$/).map(text => `'${text}'`),
  )
  const value = fc.letrec<{ value: string }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }).map(all => `[ ${all.join(' , ')} ]`),
      fc
        .array(tie('value'), { maxLength: 3 })
        .map(all => `{ ${all.map((each, at) => `k${at} = ${each}`).join(', ')} }`),
    ),
  })).value
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), values => {
      const lines = values.map((each, at) => `k${at} = ${each}`)
      assert.ok(typeof read(lines.join('\n')) === 'string', `${lines.join('\n')} ${read(lines.join('\n'))}`)
      // A wrong number after them is found at its place.
      assert.deepEqual(read([...lines, 'last = nan'].join('\n')), [
        `a.toml:${lines.length + 1}:8: JSON has no such number: write "nan" as a string.`,
      ])
    }),
  )
})

test('a string of the largest size is read', () => {
  const long = 'x\\"'.repeat(340_000)
  for (const quotes of ['"', '"""'])
    assert.equal(JSON.parse(read(`a = ${quotes}${long}${quotes}\nb = 1979-05-27`) as string).a.length, 680_000)
})

test('of tens of thousands of faults each has its place', () => {
  const faults = read(`a = [${'inf,\n'.repeat(30_000)}]`) as readonly string[]
  assert.equal(faults.length, 30_000)
  assert.match(faults.at(-1)!, /^a\.toml:30000:1: /)
})
