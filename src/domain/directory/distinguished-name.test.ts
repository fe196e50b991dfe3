import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dnKey, isBelow, isDn } from './distinguished-name.ts'

const same = (...spellings: string[]) => {
  for (const each of spellings) {
    assert.ok(isDn(each), each)
    assert.equal(dnKey(each), dnKey(spellings[0]!), each)
  }
}
const different = (...names: string[]) => assert.equal(new Set(names.map(dnKey)).size, names.length, names.join(' | '))

test('one name in many spellings is one name', () => {
  same(
    'cn=Smith\\, Bob,ou=people,dc=example',
    'cn=Smith\\2C Bob,ou=people,dc=example',
    'cn=Smith\\2c\\20Bob,ou=people,dc=example',
    'cn=\\53mith\\2CBob,ou=people,dc=example'.replace('Bob', ' Bob'),
    'cn="Smith, Bob",ou=people,dc=example',
    'CN = Smith\\, Bob , OU = People ; DC = Example',
    '2.5.4.3=Smith\\, Bob,2.5.4.11=people,0.9.2342.19200300.100.1.25=example',
    'OID.2.5.4.3=#0c0a536d6974682c20426f62,organizationalUnitName=people,domainComponent=example',
  )
  same('cn=\\ Bob\\ ,dc=x', 'cn=\\20Bob\\20,dc=x', 'cn= Bob,dc=x')
  same('cn=\\#1,dc=x', 'cn=\\231,dc=x')
  same('cn=a\\+b\\=c\\<d\\>e\\"f\\\\g,dc=x', 'cn=a\\2bb\\3dc\\3cd\\3ee\\22f\\5cg,dc=x', 'cn=a\\+b=c<d>e\\"f\\5Cg,dc=x')
  same(
    'cn=J\\C3\\BCrgen,dc=x',
    'cn=Jürgen,dc=x',
    'cn=Ju\u0308rgen,dc=x',
    'CN=JÜRGEN,dc=x',
    'cn=#0c074ac3bc7267656e,dc=x',
  )
  same('cn=Weiß,dc=x', 'cn=WEISS,dc=x')
  same('cn=ΝΙΚΟΣ,dc=x', 'cn=νικος,dc=x')
  same('cn=Bob+uid=1,dc=x', 'uid=1+cn=bob,dc=x', 'USERID=1 + commonName=Bob,dc=x')
  same('cn=two  spaces,dc=x', 'cn=two spaces,dc=x', 'cn=two\\20\\20spaces,dc=x')
  same('cn=\\F0\\9F\\94\\A5,dc=x', 'cn=🔥,dc=x')
  same('cn=,dc=x', 'cn="",dc=x')
})

test('other names are others, however much they look alike', () => {
  different(
    'cn=Smith\\, Bob,dc=x',
    'cn=Smith,cn=Bob,dc=x',
    'cn=Smith\\,Bob,dc=x',
    'cn=Smith\\5c\\, Bob,dc=x',
    'cn=Smith\\2B cn\\3DBob,dc=x',
    'cn=Smith+cn=Bob,dc=x',
    'cn=Smith,dc=x',
    'sn=Smith,dc=x',
    'cn=Smith,dc=x,dc=y',
    'cn=Smith\\\\2C Bob,dc=x',
    'cn=\\ff,dc=x',
    'cn=\\fe,dc=x',
    'cn=ılk,dc=x',
    'cn=ilk,dc=x',
    'cn=\\#0c0141,dc=x',
    'cn=#0c0141,dc=x',
  )
})

test('what is no name is known for none, and is like nothing but itself', () => {
  for (const text of ['Bob', 'cn', '=x', 'cn=a,', 'cn=a,,dc=x', 'cn=a\\', 'cn="a,dc=x', 'cn="a"b,dc=x', '1=a', 'c n=a'])
    assert.ok(!isDn(text), text)
  different('Bob', 'cn=Bob', 'cn=Bob,')
  same('')
})

test('a name lies beneath its ends, and not beneath what only looks like one', () => {
  assert.ok(isBelow('ou=people,dc=example', 'DC=example'))
  assert.ok(isBelow('OU=g\\2c x, DC=example', 'ou=g\\, x,dc=example'))
  assert.ok(!isBelow('ou=people,xdc=example', 'dc=example'))
  assert.ok(!isBelow('ou=people\\,dc=example', 'dc=example'))
  assert.ok(!isBelow('dc=example', 'ou=people,dc=example'))
})

/** Possible spellings of a value: each character as it is where it may be, escaped, or in bytes. */
const spelled = (value: string, ways: readonly number[]): string =>
  [...value]
    .map((character, at) => {
      const bytes = [...Buffer.from(character)].map(byte => `\\${byte.toString(16).padStart(2, '0')}`).join('')
      const special = /[ "#+,;<=>\\]/.test(character)
      const way = ways[at % ways.length]!
      return way === 0 && !special ? character : way === 1 && special ? `\\${character}` : bytes
    })
    .join('')

test('whatever a value is made of, and however it is escaped, it is the same value', () => {
  const ways = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 8 })
  const value = fc.string({
    unit: fc.oneof(fc.constantFrom(...' ,+="\\#;<>aZß'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
    maxLength: 20,
  })
  fc.assert(
    fc.property(value, ways, ways, (text, one, other) => {
      const [a, b] = [one, other].map(way => `uid=${spelled(text, way)},dc=x`)
      assert.equal(dnKey(a!), dnKey(b!))
      assert.equal(isBelow(a!, 'dc=x'), true)
    }),
  )
})

test('any text is read to an end', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => void dnKey(text)))
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'cn=,+\\"#0c ;a'), maxLength: 60 }), text => void dnKey(text)),
  )
})
