import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data } from './data.ts'
import { documentText, readDocument } from './document-text.ts'

const data: Data = {
  text: ['0644', '1.10', 'yes', '{{ release }}', 'a\nb', '', ' x ', '# no', 'null', '2026-11-24', '~', '1e3'],
  numbers: [1, -2.5, 1e-7, 0],
  others: [null, true, {}, []],
  'odd key: #': { '1': 'one', true: 'yes' },
}

for (const language of ['yaml', 'json'] as const)
  test(`a document survives the way to ${language} and back`, async () => {
    assert.deepEqual(await readDocument(await documentText(data, language), language), { data })
    assert.deepEqual(await readDocument(await documentText({}, language), language), { data: {} })
  })

test('an empty text is an empty document', async () => {
  assert.deepEqual(await readDocument('\n# only a comment\n', 'yaml'), { data: {} })
  assert.deepEqual(await readDocument('  ', 'json'), { data: {} })
})

test('problems have their place', async () => {
  const places = async (text: string, language: 'yaml' | 'json') => {
    const read = await readDocument(text, language)
    return 'problems' in read ? read.problems.map(({ line, column }) => [line, column]) : read
  }
  assert.deepEqual(await places('web:\n  mode: 0644\n', 'yaml'), [[2, 9]])
  assert.deepEqual(await places('a: 1\na: 2\n', 'yaml'), [[2, 1]])
  assert.deepEqual(await places('{\n  "a": 1,\n}', 'json'), [[3, 1]])
  assert.deepEqual(await places('\n- a list\n', 'yaml'), [[2, 1]])
})
