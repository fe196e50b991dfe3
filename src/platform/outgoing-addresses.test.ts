import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNetwork } from './networks.ts'
import { AddressRefused, addressesOf, kindOf } from './outgoing-addresses.ts'

test('private and loopback addresses are reached where they are listed, link-local ones never', () => {
  const kinds = (addresses: string[], allowed: string[] = []) => addresses.map(each => kindOf(each, allowed))
  assert.deepEqual(new Set(kinds(['8.8.8.8', '172.32.0.1', '2606:4700::1'])), new Set(['reachable']))
  const inside = ['10.1.2.3', '127.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd00:ec2::254']
  assert.deepEqual(new Set(kinds(inside)), new Set(['private']))
  assert.deepEqual(kinds(['10.1.2.3', '10.2.0.1', '::1'], ['10.1.0.0/16', '::1']), [
    'reachable',
    'private',
    'reachable',
  ])
  assert.deepEqual(
    new Set(kinds(['169.254.169.254', 'fe80::1', '0.0.0.0', '224.0.0.1', '::'], ['0.0.0.0/0', '::/0'])),
    new Set(['never']),
  )
})

test('an IPv4 address written as IPv6 is no way around', () => {
  assert.equal(kindOf('::ffff:169.254.169.254', []), 'never')
  assert.equal(kindOf('::ffff:7f00:1', []), 'private')
  assert.equal(kindOf('::ffff:10.1.2.3', ['10.0.0.0/8']), 'reachable')
})

test('what is refused says which address it is and what would allow it', async () => {
  await assert.rejects(addressesOf('localhost', []), (error: Error) => {
    assert.ok(error instanceof AddressRefused)
    assert.match(error.message, /^localhost stands for (127\.0\.0\.1|::1), a private address; SLUICE_PRIVATE_ADDRESSES/)
    return true
  })
  await assert.rejects(addressesOf('[::1]', []), /\[::1\] is a private address/)
  await assert.rejects(addressesOf('169.254.169.254', ['169.254.0.0/16']), /never reached/)
  await assert.rejects(addressesOf('no-such-host.invalid', []), /no-such-host\.invalid cannot be resolved/)
  assert.deepEqual(await addressesOf('127.0.0.1', ['127.0.0.0/8']), ['127.0.0.1'])
})

test('a network is an address with or without the length of its prefix', () => {
  assert.ok(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8'].every(isNetwork))
  assert.ok(!['10.0.0.0/33', '10.0.0/8', 'localhost', '', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x'].some(isNetwork))
})
