import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { ServiceAddress } from './service-address.ts'

let folder: string
const file = (name: string) => join(folder, name)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-address-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('without a file it is the address that the runner was started with', () => {
  const address = new ServiceAddress('http://given', [file('own'), file('shared')])
  assert.equal(address.current(), 'http://given')
  address.failed('http://given')
  assert.equal(address.current(), 'http://given')
})

test('addresses that do not answer are tried in turn, an announced one first', () => {
  writeFileSync(file('shared'), 'http://shared\n')
  const address = new ServiceAddress('http://given', [file('own'), file('shared')])
  const tried = Array.from({ length: 4 }, () => {
    const next = address.current()
    address.failed(next)
    return next
  })
  assert.deepEqual(tried, ['http://shared', 'http://given', 'http://shared', 'http://given'])
})

test('an address announced meanwhile is tried at once', () => {
  const address = new ServiceAddress('http://given', [file('own'), file('shared')])
  address.failed('http://given')
  writeFileSync(file('own'), 'http://takes-over')
  assert.equal(address.current(), 'http://takes-over')
})

test('the address that answers stays in use until the connection is lost, whatever a file says', () => {
  const address = new ServiceAddress('http://given', [file('shared')])
  address.answered('http://given')
  writeFileSync(file('shared'), 'http://shared')
  assert.equal(address.current(), 'http://given')
  address.lost()
  assert.equal(address.current(), 'http://shared')
})
