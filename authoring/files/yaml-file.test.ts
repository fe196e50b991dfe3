import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { readDataFile } from '../../src/domain/git/data-file.ts'
import { Fields } from './fields.ts'
import { faultText } from './file-fault.ts'
import { readYaml } from './yaml-file.ts'

const read = (text: string): string | string[] => {
  const answer = readDataFile('a.yaml', Buffer.from(text))
  return 'content' in answer ? JSON.stringify(answer.content) : answer.faults.map(faultText)
}

const objectIn = (answer: string | string[]) => {
  assert.ok(typeof answer === 'string', String(answer))
  return JSON.parse(answer)
}

test('a merge key brings the pairs of a map, and what a map has itself goes before them', () => {
  const base = 'base: &base {a: 1, b: 2}\nmore: &more {b: 3, c: 4}\n'
  const merged = (text: string): unknown => objectIn(read(`${base}${text}`)).x
  for (const [text, expected] of [
    ['x: {<<: *base}', { a: 1, b: 2 }],
    ['x:\n  <<: *base\n  b: 9\n', { a: 1, b: 9 }],
    ['x:\n  b: 9\n  <<: *base\n', { b: 9, a: 1 }],
    ['x: {<<: [*base, *more]}', { a: 1, b: 2, c: 4 }],
    ['x: {<<: [*more, *base]}', { b: 3, c: 4, a: 1 }],
    ['x: {<<: {d: 5, <<: *base}}', { d: 5, a: 1, b: 2 }],
    ['x: {!!merge <<: *base}', { a: 1, b: 2 }],
    ['y: &y {<<: *base, d: 1}\nx: {<<: *y, a: null}', { b: 2, d: 1, a: null }],
    ['y: &y {<<: *base}\nbase2: &base {z: 1}\nx: {<<: *y, e: *base}', { a: 1, b: 2, e: { z: 1 } }],
    ['l: &l [*base]\nx: {<<: *l}', { a: 1, b: 2 }],
    ['x: {<<: []}', {}],
    ['x: {"<<": *base}', { '<<': { a: 1, b: 2 } }],
    ['x: {<<: &in {q: 1}, r: *in}', { q: 1, r: { q: 1 } }],
    ['x: [{<<: *base}]', [{ a: 1, b: 2 }]],
  ] as const)
    assert.equal(JSON.stringify(merged(text)), JSON.stringify(expected), text)
  assert.equal(read('{"<<": {"a": 1}}'), '{"<<":{"a":1}}')
})

test('a merge key that brings no map is refused at its place', () => {
  for (const [text, words] of [
    ['a: &a 1\nb: {<<: *a}', /^a\.yaml:2:9: A merge key \("<<"\) takes a map/],
    ['b:\n  <<: text', /^a\.yaml:2:7: A merge key/],
    ['b:\n  <<:', /^a\.yaml:2:\d: A merge key/],
    ['b: {<<: [1]}', /^a\.yaml:1:10: A merge key/],
    ['b: {<<: *c}', /^a\.yaml:1:9: .*"?c"?/],
    ['a: &a {<<: *a}', /^a\.yaml:1:12: By its merge keys this holds itself/],
    ['a: &a {b: {<<: *a}}', /holds itself/],
    ['a: &a {b: 1}\nc: {<<: *a, <<: *a}', /^a\.yaml:2:13: Map keys must be unique: write one "<<" with a list/],
    ['a: &a {b: 1, b: 2}\nc: {<<: *a}', /^a\.yaml:1:14: Map keys must be unique/],
  ] as const)
    assert.match(read(text)[0]!, words, text)
})

test('merging is what the library makes of it, whatever is merged into what', () => {
  const name = fc.constantFrom('a', 'b', 'c', '__proto__', '7', 'x y')
  const values = fc.dictionary(name, fc.integer({ min: 0, max: 9 }), { maxKeys: 4 })
  const maps = fc.array(fc.tuple(values, fc.array(fc.nat(8), { maxLength: 3 }), fc.boolean()), {
    minLength: 1,
    maxLength: 6,
  })
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_, each) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    )
  fc.assert(
    fc.property(maps, all => {
      const text = all
        .map(([own, sources, atEnd], at) => {
          const aliases = at === 0 ? [] : sources.map(source => `*m${source % at}`)
          const merge = aliases.length === 0 ? [] : [`<<: [${aliases.join(', ')}]`]
          const pairs = Object.entries(own).map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
          return `k${at}: &m${at} {${(atEnd ? [...pairs, ...merge] : [...merge, ...pairs]).join(', ')}}\n`
        })
        .join('')
      const expected = parse(text, { merge: true, maxAliasCount: -1, mapAsMap: true })
      assert.equal(sorted(JSON.parse(read(text) as string)), sorted(objectsOf(expected)))
    }),
  )
})

const objectsOf = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries([...value].map(([key, each]) => [key, objectsOf(each)])) : value

test('a file may hold thousands of aliases, and what it comes to is bounded', () => {
  const aliases = (count: number, anchor: string) =>
    `${anchor}\nx:\n${Array.from({ length: count }, (_, at) => `  k${at}: *a\n`).join('')}`
  const many = read(aliases(20_000, 'a: &a {b: 1}'))
  assert.equal(Object.keys(JSON.parse(many as string).x).length, 20_000)
  const merges = Array.from({ length: 2_000 }, (_, at) => `m${at}: {<<: *a, n: ${at}}\n`).join('')
  assert.deepEqual(JSON.parse(read(`a: &a {b: 1, c: 2}\n${merges}`) as string).m1999, { b: 1, c: 2, n: 1_999 })
  assert.match(read(aliases(20_000, `a: &a [${'1,'.repeat(20)}1]`))[0]!, /More than 200000 values/)
  assert.match(read(aliases(1_000, `a: &a ${'x'.repeat(20_000)}`))[0]!, /more than 8388608 characters/)
  assert.match(
    read(`a: &a {${Array.from({ length: 1_000 }, (_, at) => `k${at}: 1`).join(', ')}}\n${merges}`)[0]!,
    /Merge keys bring more than 200000 keys/,
  )
  const doubling = [
    'm0: &m0 {a: 1}',
    ...Array.from({ length: 40 }, (_, at) => `m${at + 1}: &m${at + 1} {x: *m${at}, y: *m${at}}`),
  ]
  assert.match(read(doubling.join('\n'))[0]!, /More than 200000 values/)
})

test('what is read is what stands there, or is refused with its place and what to write', () => {
  for (const [text, expected] of [
    // Words with another meaning in YAML 1.1 are texts, and so are dates and sexagesimal numbers.
    ['a: yes', 'yes'],
    ['a: off', 'off'],
    ['a: n', 'n'],
    ['a: 1:30', '1:30'],
    ['a: 1_000', '1_000'],
    ['a: 0b101', '0b101'],
    ['a: 2023-02-30', '2023-02-30'],
    ['a: 2001-12-14t21:59:43.123456789-05:00', '2001-12-14t21:59:43.123456789-05:00'],
    ['a: =', '='],
    ['a: !!str 1.10', '1.10'],
    ['a: ! 12', '12'],
    ['a: !!int "7"', 7],
    ['a: !!map {b: !!seq [!!null ""]}', { b: [null] }],
    ['a: 0x1F', 31],
    ['a: 0o17', 15],
    ['a: 0', 0],
    ['a: 1.50', 1.5],
    ['a: 1e3', 1_000],
    ['a: .5', 0.5],
    ['a: -0.25e-3', -0.00025],
    ['a: 0.30000000000000004', 0.30000000000000004],
    ['a: 9007199254740991', 9_007_199_254_740_991],
    ['a: True', true],
    ['a: NULL', null],
  ] as const)
    assert.deepEqual(JSON.parse(read(text) as string).a, expected, text)
  for (const [text, words] of [
    ['b: 1\na: 0644', /^a\.yaml:2:4: A number that begins with 0 .* write "0644" as a string, or 644, or 0o644/],
    ['a: 007', /^a\.yaml:1:4: .*write "007" as a string, or 7/],
    ['a: [08, 1]', /^a\.yaml:1:5: .*"08" as a string, or 8\.$/],
    ['a: -012', /^a\.yaml:1:4: .*"-012"/],
    ['a: 01.5', /^a\.yaml:1:4: .*"01\.5"/],
    ['a: 12345678901234567890', /^a\.yaml:1:4: .*write it as a string/],
    ['a: 0xFFFFFFFFFFFFFFFF', /^a\.yaml:1:4: .*write it as a string/],
    ['a: 0o7777777777777777777777', /^a\.yaml:1:4: .*write it as a string/],
    ['a: 1e400', /^a\.yaml:1:4: The number is too large/],
    ['a: -1e400', /^a\.yaml:1:4: The number is too large/],
    ['a: 1e-400', /^a\.yaml:1:4: The number loses digits/],
    ['a: 3.14159265358979323846', /^a\.yaml:1:4: The number loses digits, it would become 3\.141592653589793:/],
    ['a: 9007199254740993.0', /^a\.yaml:1:4: .*write it as a string/],
    ['a: .NaN', /^a\.yaml:1:4: JSON has no such number: write "\.NaN"/],
    ['a: -.Inf', /^a\.yaml:1:4: JSON has no such number/],
    ['%YAML 1.1\n---\na: yes', /^a\.yaml:1:1: Only YAML 1\.2 is read/],
    ['# x\n%YAML 1.1\n--- \na: 1', /^a\.yaml:2:1: Only YAML 1\.2 is read/],
    ['%YAML 1.3\n---\na: yes', /^a\.yaml:1:7: Unsupported YAML version 1\.3/],
    ['a: !!omap [x: 1]', /^a\.yaml:1:\d+: The tag !!omap is not taken\. Leave the tag out/],
    ['a: !!pairs [x: 1]', /^a\.yaml:1:\d+: The tag !!pairs is not taken/],
    ['a: !!set {x, y}', /^a\.yaml:1:\d+: The tag !!set is not taken/],
    ['a: !!binary aGk=', /^a\.yaml:1:\d+: The tag !!binary is not taken/],
    ['a: !!timestamp 2001-12-14', /^a\.yaml:1:\d+: The tag !!timestamp is not taken/],
    ['a: !<tag:yaml.org,2002:omap> [x: 1]', /^a\.yaml:1:\d+: The tag !!omap/],
    ['%TAG ! tag:yaml.org,2002:\n---\na: !omap [b: 1]', /^a\.yaml:3:\d+: The tag !!omap/],
    ['a: !vault |\n  6231', /^a\.yaml:1:4: Unresolved tag: !vault\. Leave the tag out/],
    ['a: !!int 1.5', /^a\.yaml:1:4: Unresolved tag/],
    ['a: !!merge x', /^a\.yaml:1:\d+: .*merge/],
    ['a: 1\n---\nb: 2', /^a\.yaml:2:1: A second document begins here/],
    ['a: 1\n"a": 2', /^a\.yaml:2:1: Map keys must be unique/],
    ['a: 1\rb: 2', /^a\.yaml:1:4: /],
    ['# a comment\ra: 1', /^a\.yaml:1:12: A line ends with a carriage return alone/],
    ['a: |\n  x\ry\n', /^a\.yaml:2:4: A line ends with a carriage return alone/],
  ] as const)
    assert.match([read(text)].flat()[0]!, words, text)
  assert.equal(read('\ufeffa: 1\r\nb: |\r\n  x\r\n  y\r\n'), '{"a":1,"b":"x\\ny\\n"}')
})

test('every number that JavaScript writes is read as it is, and with one digit more it is refused', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(each => Math.abs(each) < 2 ** 53)
  fc.assert(
    fc.property(number, value => {
      assert.equal(Number(JSON.parse(read(`a: ${value}`) as string).a), value + 0)
    }),
  )
  const digits = fc.stringMatching(/^[1-9]\d{19,40}$/)
  fc.assert(
    fc.property(digits, fc.integer({ min: -40, max: 40 }), (text, power) => {
      fc.pre(!/0{3}$/.test(text))
      for (const written of [`${text}e${power}`, `0.${text}`, text])
        assert.match(read(`a: ${written}`)[0]!, /as a string/)
    }),
  )
})

test('every document that the library writes is read as what it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
      const text = JSON.stringify({ value })
      fc.pre(!text.includes('\\u0000') && !/\d{16}|\d[eE]\+?\d\d/.test(text))
      assert.equal(read(stringify(JSON.parse(text))), JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('random text is read or refused, and never throws', () => {
  const sign = fc.constantFrom(
    ...'ab01:-?*&!|>{}[],#"\'%@`<~. \n\t\r',
    '<<',
    ': ',
    '- ',
    '&a ',
    '*a',
    '!!',
    '{{',
    '}}',
    '---\n',
  )
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 40 }), parts => {
      const answer = read(parts.join(''))
      assert.ok(typeof answer === 'string' || answer.length > 0)
    }),
    { numRuns: 2_000 },
  )
})

test('a value of an environment is the text that the file has', () => {
  const text =
    'v: &v 1.10\nbase: &base {MODE: 0644, LONG: 12345678901234567890}\nenv: {<<: *base, V: *v, HEX: 0x1F, E: 1e400, T: True, D: 1.0, Q: "x", S: yes, I: +5}\n'
  const yaml = readYaml('a.yaml', text)
  assert.ok(!('faults' in yaml) || yaml.faults.length > 0)
  const own = readYaml(
    'a.yaml',
    text.replace('MODE: 0644, LONG: 12345678901234567890', 'MODE: 493').replace('E: 1e400, ', ''),
  )
  assert.ok(!('faults' in own))
  const reading = { yaml: own, faults: [] }
  const fields = Fields.of(reading, own.contents, '')!
  assert.deepEqual(fields.environment('env'), {
    MODE: '493',
    V: '1.10',
    HEX: '0x1F',
    T: 'True',
    D: '1.0',
    Q: 'x',
    S: 'yes',
    I: '+5',
  })
  assert.deepEqual(reading.faults, [])
})
