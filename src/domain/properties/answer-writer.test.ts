import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notPacked } from '#platform/crypto/packed.ts'
import { answerWriter } from './answer-writer.adapter.ts'
import { piecesOf, placeOf, written } from './written-answer.ts'

const layer = (source: string, data: object) => ({ source, text: notPacked(JSON.stringify(data)) })
const large = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key ${i} ü"`, `value ${i}`.padEnd(40, '€')]))

test('in an answer stand the converged document, the sources and the layers themselves, each where its place is', () => {
  const document = { data: placeOf('data'), by: placeOf('sources'), 'as it is': [placeOf(1), placeOf(0)], text: 'data' }
  const layers = [layer('one', { a: 1, '"': 'ü' }), layer('two', { a: 2 })]
  const text = Buffer.from(written({ pieces: piecesOf(document), layers })).toString()
  assert.deepEqual(JSON.parse(text), {
    data: { a: 2, '"': 'ü' },
    by: { a: 'two', '"': 'one' },
    'as it is': [{ a: 2 }, { a: 1, '"': 'ü' }],
    text: 'data',
  })
})

test('large answers are written by a thread, the same to the byte, several at once, and one behind the other', async () => {
  const write = answerWriter()
  const answers = ['a', 'b', 'c'].map(name => ({
    pieces: piecesOf({ name, all: placeOf('data'), sources: placeOf('sources'), own: placeOf(1) }),
    layers: [layer('below', large), layer('above', { [name]: 1, [`key 7 ü"`]: name })],
  }))
  const first = await Promise.all(answers.map(write))
  const again = await Promise.all(answers.map(write))
  for (const [i, answer] of answers.entries())
    for (const bytes of [first[i]!, again[i]!]) assert.ok(Buffer.from(bytes).equals(written(answer)))
})
