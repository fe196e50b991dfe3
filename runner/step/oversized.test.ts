import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { oversized } from './oversized.ts'

const starts = (argv: readonly string[], env: Record<string, string>) =>
  spawnSync('/bin/true', argv.slice(1), { env }).error === undefined

test('what is too long for a program is what the kernel refuses, to the byte', () => {
  for (const length of [131_066, 131_067]) {
    const env = { DATA: 'x'.repeat(length - 1) }
    assert.equal(oversized(['true'], env) === undefined, starts(['true'], env), `${length}`)
  }
  for (const length of [131_071, 131_072]) {
    const argv = ['true', 'x'.repeat(length)]
    assert.equal(oversized(argv, {}) === undefined, starts(argv, {}), `${length}`)
  }
})

test('the value is named with its length, and not quoted', () => {
  const words = oversized(['true'], { SHORT: 'a', DATA: 'é'.repeat(100_000), MORE: 'y'.repeat(140_000) })
  assert.match(String(words), /^DATA has 200000 bytes, MORE has 140000 bytes in the environment: .*128 KiB/)
  assert.doesNotMatch(String(words), /éé|yy|SHORT/)
})

test('many values that are too long together are told with the largest of them', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`V${at}`, 'x'.repeat(1_000 + at)]))
  assert.equal(oversized(['true'], many), undefined)
  assert.match(String(oversized(['true'], many, 20_000)), /largest values: V29 has 1029 bytes, V28 .*, V27 /)
})
