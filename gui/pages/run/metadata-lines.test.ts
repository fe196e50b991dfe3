import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataText, readMetadata } from './metadata-lines.ts'

test('metadata are lines of names and values, which keep their type', () => {
  assert.deepEqual(readMetadata('a = b=c\ncount=2\n\nurgent=true\nwhy=null\nbuild="12"\nsteps=["a"]'), {
    values: { a: 'b=c', count: 2, urgent: true, why: null, build: '12', steps: ['a'] },
  })
  assert.equal(metadataText({ ticket: 'CHG-1', count: 2, build: '12' }), 'ticket=CHG-1\ncount=2\nbuild="12"')
  assert.equal(metadataText(null), '')
})

test('metadata come back from their lines as they were', () => {
  const metadata = {
    ticket: 'CHG-1',
    count: 2,
    share: 0.5,
    urgent: false,
    why: null,
    build: '12',
    empty: '',
    lines: 'one\ntwo\r\nthree',
    list: [1, '2', null],
    nested: { a: { b: true } },
    'a=b': 'x',
    'two\nlines': 1,
    '"quoted"': 'y',
    ' padded ': 'z',
    a: 1,
    '': 0,
    'with space': ' padded ',
  }
  assert.deepEqual(readMetadata(metadataText(metadata)).values, metadata)
  assert.deepEqual(Object.keys(readMetadata('__proto__=1').values), ['__proto__'])
})

test('the first line that cannot be read is named', () => {
  assert.match(readMetadata('a=1\nplain').fault ?? '', /"plain" should be name=value/)
  assert.match(readMetadata('no value=').fault ?? '', /"no value=" should be name=value/)
  assert.match(readMetadata('a=[urgent] fix').fault ?? '', /"a=\[urgent\] fix"/)
  assert.match(readMetadata('a=1\na=2').fault ?? '', /"a" is given twice/)
})
