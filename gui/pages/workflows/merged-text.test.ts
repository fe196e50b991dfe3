import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergedText } from './merged-text.ts'

const base = 'steps:\n  - a\n  - b\n  - c\n'

test('changes of different lines are both in the text', () => {
  assert.deepEqual(mergedText(base, `# theirs\n${base}`, `${base}  - mine\n`), {
    text: `# theirs\n${base}  - mine\n`,
    conflicts: 0,
  })
})

test('where both changed the same lines, mine stays and is counted; the same change of both is none', () => {
  const theirs = base.replace('- b', '- theirs')
  assert.deepEqual(mergedText(base, theirs, base.replace('- b', '- mine')), {
    text: base.replace('- b', '- mine'),
    conflicts: 1,
  })
  assert.deepEqual(mergedText(base, theirs, theirs), { text: theirs, conflicts: 0 })
})

test('what only one changed is taken from that one, whatever the texts are', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '  - x', '__proto__', 'constructor'))
    .map(lines => lines.join('\n'))
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      assert.deepEqual(mergedText(before, after, before), { text: after, conflicts: 0 })
      assert.deepEqual(mergedText(before, before, after), { text: after, conflicts: 0 })
      assert.deepEqual(mergedText(before, after, after), { text: after, conflicts: 0 })
    }),
  )
})
