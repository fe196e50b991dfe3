import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromJson } from './from-json.ts'

/** A value, and one of the many ways to write it. */
interface Written {
  readonly value: unknown
  readonly text: string
}

const character = fc.constantFrom('a', 'b', '1', '\\', '"', '\n', '\u0001', '/', 'u', '\ud800', 'é', ' ', ':')
/** A character written as itself where JSON allows that, by its short escape, or by its number. */
const writtenCharacter = fc.tuple(character, fc.boolean()).map(([value, byNumber]) => ({
  value,
  text: byNumber
    ? `\\u${value.charCodeAt(0).toString(16).padStart(4, '0')}`
    : value === '/'
      ? '\\/'
      : JSON.stringify(value).slice(1, -1),
}))
const awkward = fc.constantFrom('__proto__', 'constructor', '7', '\\', '\n', '', 'b":1,"c').map(plainly)
const text: fc.Arbitrary<Written> = fc.oneof(
  awkward,
  fc.array(writtenCharacter, { maxLength: 3 }).map(all => ({
    value: all.map(({ value }) => value).join(''),
    text: `"${all.map(each => each.text).join('')}"`,
  })),
)
const blank = fc.constantFrom('', '', ' ', '\n\t')

function plainly(value: unknown): Written {
  return { value, text: JSON.stringify(value) }
}

const { document } = fc.letrec<{ document: Written; array: Written; object: Written }>(tie => ({
  document: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(0, -2.5, 1e21, true, false, null).map(plainly),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('document'), { maxLength: 3 }).map(all => ({
    value: all.map(({ value }) => value),
    text: `[${all.map(each => each.text).join(',')}]`,
  })),
  // A name may be given twice: the last of its values counts, at the place of the first.
  object: fc.array(fc.tuple(text, blank, tie('document'), blank), { maxLength: 4 }).map(all => ({
    value: Object.fromEntries(new Map(all.map(([name, , { value }]) => [name.value as string, value]))),
    text: `{${all.map(([name, before, value, after]) => `${name.text}${before}:${after}${value.text}`).join(',')}}`,
  })),
}))

test('a hundred thousand documents with every kind of name are read as what was written', () => {
  fc.assert(
    fc.property(document, ({ value, text }) => JSON.stringify(fromJson(text)) === JSON.stringify(value)),
    { numRuns: 100_000 },
  )
})

test('what is no JSON is refused in the words of the runtime', () => {
  fc.assert(
    fc.property(document, fc.nat(), fc.constantFrom('', ',', '"', '\\', '}'), ({ text }, at, instead) => {
      const broken = text.slice(0, at % text.length) + instead + text.slice((at % text.length) + 1)
      assert.deepEqual(outcome(fromJson, broken), outcome(JSON.parse, broken))
    }),
    { numRuns: 5_000 },
  )
})

/** The values of broken texts that are JSON by chance are the other test's business. */
function outcome(read: (text: string) => unknown, text: string): unknown {
  try {
    read(text)
    return 'it is JSON'
  } catch (error) {
    return String(error)
  }
}

test('a name with a backslash is none of the names that other documents had before', () => {
  const before = fromJson<object>('{"shape": 1, "\\\\": 2, "ab\\\\": 3}')
  assert.deepEqual(Object.keys(fromJson<object>('{"shape": 1, "\\"": 2, "ab\\n": 3}')), ['shape', '"', 'ab\n'])
  assert.deepEqual(Object.keys(before), ['shape', '\\', 'ab\\'])
})

test('a reviver is told the names as they are, and how numbers are written', () => {
  fromJson('{"twin": 1, "\\\\": 2}')
  const told: unknown[] = []
  const text = '{"twin": 1, "\\n": [12345678901234567890, "\\""]}'
  const kept = fromJson(text, (name, value, { source } = {}) => {
    told.push([name, source])
    return typeof value === 'number' ? source : value
  })
  assert.deepEqual(kept, { twin: '1', '\n': ['12345678901234567890', '"'] })
  assert.deepEqual(told, [
    ['twin', '1'],
    ['0', '12345678901234567890'],
    ['1', '"\\""'],
    ['\n', undefined],
    ['', undefined],
  ])
})

test('a document may be nested as deeply as JSON.parse allows', () => {
  const deep = 100_000
  let value = fromJson<unknown>(`${'[{"\\n":'.repeat(deep)}1${'}]'.repeat(deep)}`)
  for (let level = 0; level < deep; level += 1) value = (value as Record<string, unknown>[])[0]!['\n']
  assert.equal(value, 1)
})

// When this fails, the runtime reads names rightly: docs/adr/0052 says what can be removed then. In some processes it
// does so by chance, about one of sixty, so several are asked.
test('the JSON.parse of this runtime takes a name for that of another document', () => {
  const program = String.raw`
    const before = JSON.parse('{"mended": [], "\\\\": 0}')
    console.log(JSON.stringify([Object.keys(before), Object.keys(JSON.parse('{"mended": 1, "\\n": 2}'))]))`
  const keys = () => execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim()
  const wrong = JSON.stringify([
    ['mended', '\\'],
    ['mended', '\\'],
  ])
  const read: string[] = []
  while (read.length < 8 && !read.includes(wrong)) read.push(keys())
  assert.ok(read.includes(wrong), `names were read rightly by each process: ${read.join(' ')}`)
})
