import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, credentialsFor, noRemote, valuesOf, withRemoved } from './remote-form.ts'

const stored = { name: 'code', url: 'https://git/x', public_url: null, user: 'deploy', periodic_fetch_interval: 300 }

test('a stored credential is kept unless another is typed or it is removed', () => {
  const values = valuesOf(stored)
  assert.deepEqual(attributesOf(values), stored)
  assert.deepEqual(attributesOf({ ...values, password: ' word ' }), { ...stored, password: ' word ' })
  const removed = { ...values, password: 'typed', ...withRemoved(values, 'password', true) }
  assert.deepEqual(attributesOf(removed), { ...stored, password: null })
  assert.deepEqual(attributesOf({ ...removed, ...withRemoved(removed, 'password', false) }), stored)
})

test('an empty field removes its value, and what is no number is left to the service', () => {
  const values = { ...noRemote, name: ' code ', url: ' file:///x ' }
  assert.deepEqual(attributesOf(values), {
    name: 'code',
    url: 'file:///x',
    public_url: null,
    user: null,
    periodic_fetch_interval: null,
  })
  assert.deepEqual(attributesOf({ ...values, interval: '1.5' }), {
    ...attributesOf(values),
    periodic_fetch_interval: '1.5',
  })
})

test('SSH is asked for a key, everything else for a password, and what is stored always', () => {
  const none = () => false
  for (const url of ['ssh://git/x', 'git@host:team/x', ' SSH://git/x'])
    assert.deepEqual(credentialsFor(url, none), ['ssh_key_data', 'passphrase'], url)
  for (const url of ['', 'https://git/x', 'https://me@host:8443/x', 'file:///x'])
    assert.deepEqual(credentialsFor(url, none), ['password'], url)
  assert.deepEqual(
    credentialsFor('https://git/x', name => name === 'ssh_key_data'),
    ['password', 'ssh_key_data'],
  )
})
