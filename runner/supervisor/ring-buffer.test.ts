import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Ring } from './ring-buffer.ts'

test('whatever is kept and given up in whatever rhythm, all that is still kept stays as it was', () => {
  const rhythm = fc.array(fc.oneof(fc.string({ maxLength: 40, unit: 'grapheme' }), fc.nat(4)), { maxLength: 200 })
  fc.assert(
    fc.property(rhythm, parts => {
      const ring = new Ring(100)
      const kept: { text: string; bytes: Buffer }[] = []
      for (const part of parts) {
        if (typeof part === 'string') kept.push({ text: `${part}.`, bytes: ring.keep(`${part}.`) })
        else {
          kept.splice(0, part)
          ring.release(part)
        }
        for (const { text, bytes } of kept) assert.equal(bytes.toString(), text)
      }
    }),
  )
})

test('texts that are given up in time are kept in one piece of memory', () => {
  const ring = new Ring(1_000)
  const memory = new Set<ArrayBufferLike>()
  for (let i = 0; i < 100; i++) {
    memory.add(ring.keep('x'.repeat(300)).buffer)
    if (i > 0) ring.release(1)
  }
  assert.equal(memory.size, 1)
})
