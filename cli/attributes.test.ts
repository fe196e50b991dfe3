import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../client/operation.ts'
import { attributesFrom } from './attributes.ts'
import { WrongUsage } from './wrong-usage.ts'

const fields: Record<string, Field> = {
  name: { kind: 'text' },
  note: { kind: 'text', nullable: true },
  archived: { kind: 'boolean' },
  interval: { kind: 'integer', nullable: true },
  globs: { kind: 'list' },
  data: { kind: 'object' },
}
const files: Record<string, string> = { 'key.pem': 'a\nb\n', word: 'secret\n', 'data.yaml': 'web: { port: 1 }\n' }
const read = (...words: string[]) => attributesFrom(words, fields, name => files[name] ?? '')

test('a value is of its attribute’s kind', () => {
  assert.deepEqual(read('name=true', 'archived=true', 'interval=60', 'globs=a', 'globs=b'), {
    name: 'true',
    archived: true,
    interval: 60,
    globs: ['a', 'b'],
  })
})

test('an empty value is null where that may be, and empty text where not', () => {
  assert.deepEqual(read('note=', 'interval=', 'name='), { note: null, interval: null, name: '' })
})

test('a part of an object is named with dots, or in brackets when its name has dots', () => {
  assert.deepEqual(read('data.web.port=8080', 'data.web.tls=true', 'data[runner.sandbox]=false', 'data.note=x y'), {
    data: { web: { port: 8080, tls: true }, 'runner.sandbox': false, note: 'x y' },
  })
})

test('a part of an object is a number only as JSON would write it, and else the text that was given', () => {
  const { data } = read(
    'data.port=8080',
    'data.share=0.5',
    'data.below=-3',
    'data.account=007',
    'data.release=1.10',
    'data.long=12345678901234567890',
    'data.hex=0x10',
    'data.exponent=1e5',
    'data.padded= 5',
  )
  assert.deepEqual(data, {
    port: 8080,
    share: 0.5,
    below: -3,
    account: '007',
    release: '1.10',
    long: '12345678901234567890',
    hex: '0x10',
    exponent: '1e5',
    padded: ' 5',
  })
})

test('a part of an object that only looks like YAML is text', () => {
  const texts = ['#1', 'a: b', '~', '*.log', '- x', '{{ owners }}', "'tis", 'two\nlines', 'hello # world', '@@home']
  for (const text of texts) assert.deepEqual(read(`data.x=${text}`), { data: { x: text.replace('@@', '@') } })
})

test('a part of an object may be a list, an object or a quoted text, and nothing is null', () => {
  assert.deepEqual(
    read('data.a=[1, x]', 'data.b={port: 1}', 'data.c="8080"', "data.d='true'", 'data.e=', 'data.f=null'),
    {
      data: { a: [1, 'x'], b: { port: 1 }, c: '8080', d: 'true', e: null, f: null },
    },
  )
})

test('a part of an object from a file is its text, and of a document what this says', () => {
  assert.deepEqual(read('data.key=@key.pem', 'data.word=@word', 'data.web=@data.yaml'), {
    data: { key: 'a\nb\n', word: 'secret', web: { web: { port: 1 } } },
  })
})

test('a file gives the value: text as it is, a single line without its end, an object as YAML or JSON', () => {
  assert.deepEqual(read('name=@key.pem', 'note=@word', 'data=@data.yaml'), {
    name: 'a\nb\n',
    note: 'secret',
    data: { web: { port: 1 } },
  })
  assert.deepEqual(read('name=@@home'), { name: '@home' })
})

test('a document is read as it is written, or refused with its line and column', () => {
  const data = (text: string) => attributesFrom(['data=@d.YAML'], fields, () => text)['data']
  assert.deepEqual(data('base: &base {a: 1, b: 2}\nweb: {<<: *base, b: 3, v: "1.10", on: yes, d: 2023-02-30}\n'), {
    base: { a: 1, b: 2 },
    web: { a: 1, b: 3, v: '1.10', on: 'yes', d: '2023-02-30' },
  })
  assert.deepEqual(data('{"a": 9007199254740991, "b": 1.50, "__proto__": {"x": 1}}'), {
    a: 9_007_199_254_740_991,
    b: 1.5,
    ['__proto__']: { x: 1 },
  })
  for (const [text, words] of [
    ['a: 1\nb: 12345678901234567890', /line 2, column 4: .*loses digits/],
    ['{"a": 3.14159265358979323846}', /line 1, column 7: .*loses digits/],
    ['a: 1e400', /column 4: The number is too large/],
    ['a: .inf', /column 4: /],
    ['a: 0644', /column 4: .*write "0644" in quotes/],
    ['a: 1\na: 2', /line 2, column 1: Map keys must be unique/],
    ['a: !!omap [b: 1]', /the tag tag:yaml\.org,2002:omap is not supported/],
    ['a: !vault x', /Unresolved tag/],
    ['%YAML 1.1\n---\na: yes', /only YAML 1\.2 is supported/],
    ['a: 1\n---\nb: 2', /line 2, column 1: a second document/],
    ['a: {{ x }}', /column 5/],
  ] as const)
    assert.throws(
      () => data(text),
      error => error instanceof WrongUsage && words.test(error.message),
      text,
    )
})

test('what is no value of the kind is wrong usage, and says what would be right', () => {
  const wrong: [string, RegExp][] = [
    ['archived=yes', /true or false/],
    ['interval=1.5', /a whole number/],
    ['interval=9007199254740993', /a whole number/],
    ['data={', /neither YAML nor JSON/],
    ['=x', /name=value/],
  ]
  for (const [word, words] of wrong)
    assert.throws(
      () => read(word),
      error => error instanceof WrongUsage && words.test(error.message),
    )
})

test('an attribute that is not known goes as text: the service says what is wrong with it', () => {
  assert.deepEqual(read('nmae=1'), { nmae: '1' })
})
