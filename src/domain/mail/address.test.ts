import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainOf, readAddress } from './address.ts'

test('an address stands alone or behind a name', () => {
  for (const [text, name, address] of [
    ['ann@example.org', '', 'ann@example.org'],
    ["o'brien+ops@mail.example.org", '', "o'brien+ops@mail.example.org"],
    ['Ann Example <ann@example.org>', 'Ann Example', 'ann@example.org'],
    ['Müller, Jürgen <jm@müller.example>', 'Müller, Jürgen', 'jm@müller.example'],
    ['<root@localhost>', '', 'root@localhost'],
  ] as const)
    assert.deepEqual(readAddress(text), { name, address }, text)
})

test('what is no address, or more than one, is none', () => {
  for (const text of [
    '',
    'ann',
    'ann@',
    '@example.org',
    'ann@example..org',
    'ann@example.org.',
    'ann @example.org',
    'ann@example.org, bob@example.org',
    'ann@example.org, Bob <bob@example.org>',
    'Ann <ann@example.org',
    'Ann <ann@example.org> and more',
    'ann@example.org\r\nBcc: bob@example.org',
    'Ann\r\nBcc: bob@example.org <ann@example.org>',
    'Ann\u2028 <ann@example.org>',
    `${'a'.repeat(320)}@example.org`,
  ])
    assert.equal(readAddress(text), undefined, JSON.stringify(text))
})

test('headers have a domain in ASCII', () => {
  assert.equal(domainOf({ name: '', address: 'jm@müller.example' }), 'xn--mller-kva.example')
})
