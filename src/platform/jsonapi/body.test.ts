import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { Failure } from '../failure.ts'
import { readBody } from './body.ts'

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const jsonApi = 'application/vnd.api+json'
const takes = {
  attributes: Type.Object({
    data: Type.Object({}, { additionalProperties: true }),
    size: Type.Optional(Type.Integer()),
  }),
  meta: Type.Object({ plan: Type.Optional(Type.Boolean()) }),
  patches: true,
} as const

test('a patch of a document comes as it is, with its kind', () => {
  const merge = readBody('application/merge-patch+json', bytes({ a: null }), takes)
  assert.deepEqual(merge.patch, { kind: 'merge', value: { a: null } })
  const operations = [{ op: 'add', path: '/a', value: 1 }]
  const json = readBody('application/json-patch+json; charset=utf-8', bytes(operations), takes)
  assert.deepEqual(json.patch, { kind: 'json', value: operations })
})

test('keys of a document are data, whatever they are called', () => {
  const body = readBody(jsonApi, bytes('{"data":{"attributes":{"data":{"__proto__":{"a":1},"100":1,"b":2}}}}'), takes)
  assert.deepEqual(body.invalid, [])
  assert.deepEqual(Object.keys(body.attributes['data'] as object), ['100', '__proto__', 'b'])
  assert.equal(({} as { a?: unknown }).a, undefined)
})

test('meta of the body and of its data are one', () => {
  const body = readBody(jsonApi, bytes({ data: { attributes: { data: {} }, meta: {} }, meta: { plan: true } }), takes)
  assert.deepEqual(body.meta, { plan: true })
})

test('what is not valid is kept for later, and is not among the attributes', () => {
  const body = readBody(jsonApi, bytes({ data: { attributes: { data: {}, size: '1' } } }), takes)
  assert.deepEqual(body.attributes, { data: {} })
  assert.deepEqual(
    body.invalid.map(({ code, source }) => [code, source?.pointer]),
    [['invalid', '/data/attributes/size']],
  )
})

test('integers that would lose digits are pointed at, however deep', () => {
  const text = '{"data":{"attributes":{"data":{"list":[1,{"a/b":9007199254740992}],"ok":9007199254740991,"half":1.5}}}}'
  const { invalid } = readBody(jsonApi, bytes(text), takes)
  assert.deepEqual(
    invalid.map(({ source }) => source?.pointer),
    ['/data/attributes/data/list/1/a~1b'],
  )
})

test('fractions that would lose digits are pointed at, and those with every digit of a double are taken', () => {
  const lost =
    '{"a":3.14159265358979323846,"b":[1e-400,2.5,0.123456789012345678],"\\u0063":0.10000000000000001,"d":1.50}'
  const { invalid } = readBody(jsonApi, bytes(`{"data":{"attributes":{"data":${lost}}}}`), takes)
  assert.deepEqual(
    invalid.map(({ source, detail }) => [source?.pointer, detail]),
    [
      ['/data/attributes/data/a', 'The number loses digits, it would become 3.141592653589793: write it as a string.'],
      ['/data/attributes/data/b/0', 'The number loses digits, it would become 0: write it as a string.'],
      [
        '/data/attributes/data/b/2',
        'The number loses digits, it would become 0.12345678901234568: write it as a string.',
      ],
    ],
  )
})

test('no body is fine where nothing is required, and said to be missing where something is', () => {
  assert.deepEqual(readBody(undefined, bytes(''), {}).attributes, {})
  assert.throws(
    () => readBody(jsonApi, bytes(''), takes),
    (error: Failure) => error.faults[0].code === 'malformed-envelope',
  )
})

test('nothing at all, of no media type, is a body that is missing and not one of the wrong type', () => {
  assert.throws(
    () => readBody(undefined, bytes(''), takes),
    error => error instanceof Failure && error.status === 400 && /The body is missing/.test(error.message),
  )
  assert.throws(
    () => readBody(undefined, bytes('{}'), takes),
    error => error instanceof Failure && error.status === 415,
  )
})

test('bytes that are no UTF-8 are no JSON', () => {
  const broken = Buffer.concat([Buffer.from('{"data":"'), Buffer.of(0xff), Buffer.from('"}')])
  assert.throws(
    () => readBody(jsonApi, broken, takes),
    (error: unknown) => error instanceof Failure && error.faults[0].code === 'malformed-json',
  )
})

test('ids and times are what the database reads as such, and no more', () => {
  const schema = Type.Object({ id: Type.String({ format: 'uuid' }), at: Type.String({ format: 'date-time' }) })
  const id = '01a1fd91-3408-72e1-a33d-2d81066d520d'
  const invalid = (attributes: object) =>
    readBody('application/json', Buffer.from(JSON.stringify({ data: { attributes } })), { attributes: schema }).invalid
  for (const at of ['2026-11-21T02:00:00Z', '2026-11-21T02:00:00.123456+01:00', '9999-12-31T23:59:59+15:59'])
    assert.deepEqual(invalid({ id, at }), [], at)
  for (const at of [
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21T02:00:00+23:00',
    // The last year before the first, and the first of five digits: neither could be written back.
    '0001-01-01T00:00:00+15:00',
    '9999-12-31T23:59:59-15:59',
  ])
    assert.equal(invalid({ id, at }).length, 1, at)
  for (const at of ['2026-11-21', '2026-11-21T02:00:00', 'tomorrow']) assert.equal(invalid({ id, at }).length, 1, at)
  assert.equal(invalid({ id: `urn:uuid:${id}`, at: '2026-11-21T02:00:00Z' }).length, 1)
})
