import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceTexts } from './source-texts.ts'

test('comments and texts are found between template literals, regular expressions and divisions', () => {
  const source = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    'const a = `one ${b ? `two ${{ c: 1 }.c}` : /[`"]/.source} three` // first',
    "const d = (e) / 2 / f[0] /* second */ + 'four'",
    '/**',
    ' * Third, on',
    ' * two lines.',
    ' */',
    'const g = [/\\/\\*/, "// no comment", `/* none */`] // fourth',
  ].join('\n')
  assert.deepEqual(
    sourceTexts(source).map(({ kind, line, text }) => `${line} ${kind}: ${text}`),
    [
      '1 text: one',
      '1 text: two',
      '1 text: ',
      '1 text: three',
      '1 comment: first',
      '2 comment: second',
      '2 text: four',
      '3 doc comment: Third, on two lines.',
      '7 text: // no comment',
      '7 text: /* none */',
      '7 comment: fourth',
    ],
  )
})
