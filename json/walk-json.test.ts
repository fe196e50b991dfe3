import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromJson } from './from-json.ts'
import { JsonFault, type JsonVisitor, walkJson } from './walk-json.ts'

/** Parts of a text in their order, each with its source. */
function partsOf(text: string, deepest?: number): unknown[] {
  const parts: unknown[] = []
  const add =
    (kind: string) =>
    (value: unknown, from: number, to: number): void => {
      parts.push([kind, value, text.slice(from, to)])
    }
  const visitor: JsonVisitor = {
    open: (bracket, from) => parts.push(['open', bracket, text.slice(from, from + 1)]),
    close: () => parts.push(['close']),
    name: add('name'),
    text: add('text'),
    number: add('number'),
    word: add('word'),
  }
  walkJson(text, visitor, deepest)
  return parts
}

function faultOf(text: string, deepest?: number): [offset: number, message: string] | undefined {
  try {
    partsOf(text, deepest)
    return undefined
  } catch (error) {
    assert.ok(error instanceof JsonFault)
    return [error.offset, error.message]
  }
}

test('the parts of a text come in their order, with their sources', () => {
  assert.deepEqual(partsOf(' {"a\\u0062" : [1.50, true,"\\n"],\t"": {}, "n":null}\n'), [
    ['open', '{', '{'],
    ['name', 'ab', '"a\\u0062"'],
    ['open', '[', '['],
    ['number', '1.50', '1.50'],
    ['word', true, 'true'],
    ['text', '\n', '"\\n"'],
    ['close'],
    ['name', '', '""'],
    ['open', '{', '{'],
    ['close'],
    ['name', 'n', '"n"'],
    ['word', null, 'null'],
    ['close'],
  ])
})

test('the first fault of a text ends the walk, at its place', () => {
  const faults: Record<string, [offset: number, message: string]> = {
    '': [0, 'The document ends too early.'],
    '[1, ': [4, 'The document ends too early.'],
    '[1,]': [3, 'A value is missing here.'],
    '{"a": tru}': [6, 'A value is missing here.'],
    '[01]': [1, 'A value is missing here.'],
    '{"a":1,}': [7, 'A key in double quotes is missing here.'],
    '{ a: 1}': [2, 'A key in double quotes is missing here.'],
    '{"a" 1}': [5, 'A colon is missing here.'],
    '{"a": 1 "b": 2}': [8, 'A comma or "}" is missing here.'],
    '[[1}]': [3, 'A comma or "]" is missing here.'],
    '["a\nb"]': [1, 'This text has no end, or holds a character that must be escaped.'],
    '["a\\x"]': [1, 'This text has no end, or holds a character that must be escaped.'],
    '{"a': [1, 'This text has no end, or holds a character that must be escaped.'],
    '1 2': [2, 'Something follows the end of the document.'],
    '{}]': [2, 'Something follows the end of the document.'],
  }
  for (const [text, fault] of Object.entries(faults)) assert.deepEqual(faultOf(text), fault, text)
})

test('a text may be nested as deeply as the caller says, by default without limit', () => {
  assert.equal(faultOf('[[[]]]', 2), undefined)
  assert.equal(faultOf('[[1]]', 2), undefined)
  assert.deepEqual(faultOf('[[[1]]]', 2), [3, 'Nested deeper than 2 levels.'])
  assert.deepEqual(faultOf('{"a":[{"b": 1}]}', 2), [12, 'Nested deeper than 2 levels.'])
  const deep = 100_000
  assert.equal(partsOf('['.repeat(deep) + ']'.repeat(deep)).length, 2 * deep)
})

const piece = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\n',
    '\\u0061',
    '\\u12',
    '\n',
    '\0',
    '\u00a0',
    ' ',
    '-',
    '+',
    '.',
    'e',
  ],
  ...['0', '01', '12', '1.5', '1e9', 'true', 'null', 'fals', 'a', '"a"', '"a":1', '\ud800'],
)
const broken = fc
  .tuple(fc.json({ maxDepth: 3 }), fc.array(fc.tuple(fc.nat(), piece, fc.nat(1)), { maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((changed, [place, instead, removed]) => {
      const at = place % (changed.length + 1)
      return changed.slice(0, at) + instead + changed.slice(at + removed)
    }, text),
  )

test('the texts that can be walked are those that are JSON, with the same values', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        broken,
        fc.array(piece).map(pieces => pieces.join('')),
      ),
      text => {
        assert.deepEqual(outcome(walked, text), outcome(fromJson, text))
      },
    ),
    { numRuns: 20_000 },
  )
})

function outcome(read: (text: string) => unknown, text: string): unknown {
  try {
    return { value: read(text) }
  } catch (error) {
    return error instanceof SyntaxError || error instanceof JsonFault ? 'no JSON' : error
  }
}

/** Value of a text, put together from its parts. */
function walked(text: string): unknown {
  const whole: Holder = { items: [], name: '' }
  const holders = [whole]
  const add = (value: unknown) => {
    const { items, entries, name } = holders.at(-1)!
    if (entries) entries.set(name, value)
    else items!.push(value)
  }
  walkJson(text, {
    open: bracket => holders.push(bracket === '[' ? { items: [], name: '' } : { entries: new Map(), name: '' }),
    close: () => {
      const { items, entries } = holders.pop()!
      add(entries ? Object.fromEntries(entries) : items)
    },
    name: name => {
      holders.at(-1)!.name = name
    },
    text: add,
    number: written => add(Number(written)),
    word: add,
  })
  return whole.items![0]
}

interface Holder {
  readonly items?: unknown[]
  readonly entries?: Map<string, unknown>
  name: string
}
