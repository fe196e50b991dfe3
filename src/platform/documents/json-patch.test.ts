import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyPatch, createPatch } from 'rfc6902'
import { Failure } from '../failure.ts'
import { type Json, textOf } from './document.ts'
import { applyOperations, changedPointers, mergePatch, type Operation, PatchConflict } from './json-patch.ts'
import { readOperations } from './operations.ts'

const apply = (document: Json, ...operations: Operation[]) => applyOperations(document, operations)

test('a patch adds, replaces, removes, moves and copies at any depth', () => {
  assert.deepEqual(apply({ a: { b: [1, 3] } }, { op: 'add', path: '/a/b/1', value: 2 }), { a: { b: [1, 2, 3] } })
  assert.deepEqual(apply({ a: [1] }, { op: 'add', path: '/a/-', value: 2 }), { a: [1, 2] })
  assert.deepEqual(apply({ a: 1 }, { op: 'replace', path: '', value: [] }), [])
  assert.deepEqual(apply({ a: 1, b: 2 }, { op: 'remove', path: '/a' }), { b: 2 })
  assert.deepEqual(apply({ a: { x: 1 } }, { op: 'move', from: '/a/x', path: '/b' }), { a: {}, b: 1 })
  assert.deepEqual(apply({ a: 1 }, { op: 'copy', from: '/a', path: '/b' }), { a: 1, b: 1 })
  assert.deepEqual(apply({ 'a/b': { '~': 1 } }, { op: 'replace', path: '/a~1b/~0', value: 2 }), { 'a/b': { '~': 2 } })
})

test('a patch changes nothing in place', () => {
  const before = { list: [{ a: 1 }] }
  apply(before, { op: 'add', path: '/list/0/b', value: 2 }, { op: 'remove', path: '/list/0/a' })
  assert.deepEqual(before, { list: [{ a: 1 }] })
})

test('a key that is replaced keeps its place', () => {
  const after = apply({ z: 1, a: 2 }, { op: 'replace', path: '/z', value: 3 }, { op: 'add', path: '/a', value: 4 })
  assert.equal(textOf(after), '{"z":3,"a":4}')
})

test('a patch that no longer applies says which operation, and what it found', () => {
  const moved = { op: 'test', path: '/a', value: 1 } as const
  assert.throws(
    () => apply({ a: 2 }, { op: 'add', path: '/b', value: 1 }, moved),
    (error: unknown) =>
      error instanceof PatchConflict && error.index === 1 && error.found === 2 && error.operation === moved,
  )
  for (const operation of [
    { op: 'remove', path: '/none' },
    { op: 'replace', path: '/none', value: 1 },
    { op: 'add', path: '/none/below', value: 1 },
    { op: 'add', path: '/list/2', value: 1 },
    { op: 'add', path: '/list/01', value: 1 },
    { op: 'replace', path: '/list/-', value: 1 },
    { op: 'add', path: '/text/below', value: 1 },
    { op: 'move', from: '/list', path: '/list/0' },
    { op: 'remove', path: '' },
  ] as Operation[])
    assert.throws(() => apply({ list: [1], text: 'a' }, operation), PatchConflict, JSON.stringify(operation))
})

test('what is copied is a value of its own', () => {
  const after = apply(
    { a: { list: [1] } },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/b/list/-', value: 2 },
    { op: 'add', path: '/a/list/0', value: 0 },
  )
  assert.deepEqual(after, { a: { list: [0, 1] }, b: { list: [1, 2] } })
})

test('a short patch that makes very much is refused before it is made', () => {
  const tooLarge = (error: unknown) => error instanceof Failure && error.status === 413
  const doubling = Array.from({ length: 60 }, (_, i): Operation => ({ op: 'copy', from: '', path: `/copy${i}` }))
  assert.throws(() => apply({ a: 'text' }, ...doubling), tooLarge)
  const deeper = Array.from({ length: 5_000 }, (): Operation[] => [
    { op: 'add', path: '/outer', value: {} },
    { op: 'move', from: '/inner', path: '/outer/inner' },
    { op: 'move', from: '/outer', path: '/inner' },
  ]).flat()
  assert.throws(() => apply({ inner: {} }, ...deeper, { op: 'copy', from: '/inner', path: '/twin' }), tooLarge)
  const list = Array.from({ length: 200_000 }, () => 0)
  const shifting = Array.from({ length: 2_000 }, (): Operation => ({ op: 'remove', path: '/1' }))
  assert.throws(() => apply(list, ...shifting), tooLarge)
})

test('a long patch costs what it says, not a document for each operation', () => {
  const document = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`old${i}`, i]))
  const operations = Array.from({ length: 50_000 }, (_, i): Operation => ({ op: 'add', path: `/new${i}`, value: i }))
  const began = process.cpuUsage()
  const after = applyOperations(document, operations) as object
  assert.equal(Object.keys(after).length, 100_000)
  assert.equal(Object.keys(document).length, 50_000)
  // One document for each of them took minutes.
  assert.ok(process.cpuUsage(began).user < 5_000_000)
})

test('keys named as JavaScript names things of its own are data', () => {
  const document = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 1}}') as Json
  const after = apply(
    document,
    { op: 'replace', path: '/__proto__/a', value: 2 },
    { op: 'add', path: '/constructor/c', value: 3 },
  )
  assert.equal(textOf(after), '{"__proto__":{"a":2},"constructor":{"b":1,"c":3}}')
  assert.equal(textOf(mergePatch({}, document)), textOf(document))
  assert.equal(({} as Record<string, unknown>)['a'], undefined)
  assert.throws(() => apply({}, { op: 'remove', path: '/toString' }), PatchConflict)
})

test('a merge patch merges objects, removes by null and replaces the rest', () => {
  assert.deepEqual(mergePatch({ a: { b: 1, c: 2 }, d: 1 }, { a: { b: null, e: [1] }, f: { g: null, h: 1 } }), {
    a: { c: 2, e: [1] },
    d: 1,
    f: { h: 1 },
  })
  assert.deepEqual(mergePatch({ a: [1, 2] }, { a: { b: 1 } }), { a: { b: 1 } })
  assert.deepEqual(mergePatch({ a: 1 }, [1]), [1])
})

test('what is no patch is refused with everything that is wrong with it', () => {
  assert.equal(readOperations({}).faults.length, 1)
  const { faults } = readOperations(
    [
      { op: 'add', path: 'a' },
      { op: 'jump', path: '' },
      { op: 'copy', path: '/a' },
    ],
    '',
  )
  assert.deepEqual(
    faults.map(({ source }) => source?.pointer),
    ['/0/path', '/0/value', '/1/op', '/2/from'],
  )
})

test('changed pointers name the smallest objects that differ', () => {
  assert.deepEqual(changedPointers({ a: { b: 1, c: [1] }, d: 1 }, { a: { b: 2, c: [1, 2] }, e: 1 }), [
    '/a/b',
    '/a/c',
    '/d',
    '/e',
  ])
  assert.deepEqual(changedPointers({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }), [])
})

// Keys that rfc6902 skips are left out here; they have a test of their own.
const plain = fc
  .jsonValue({ maxDepth: 4, noUnicodeString: true } as never)
  .filter(value => !/__proto__|constructor|prototype/.test(JSON.stringify(value))) as fc.Arbitrary<Json>

test('patches between any two documents lead from one to the other, as rfc6902 says', () => {
  fc.assert(
    fc.property(plain, plain, (before, after) => {
      const operations = createPatch(before, after) as unknown as Operation[]
      const theirs = structuredClone({ value: before })
      const inside = operations.map(each => prefixed(each))
      assert.ok(applyPatch(theirs, inside as never).every(outcome => outcome === null))
      assert.equal(textOf(applyOperations({ value: before }, inside)), textOf(applyOperations(theirs as Json, [])))
    }),
    { numRuns: 500 },
  )
})

const prefixed = (operation: Operation): Operation => ({
  ...operation,
  path: `/value${operation.path}`,
  ...('from' in operation && { from: `/value${operation.from}` }),
})
