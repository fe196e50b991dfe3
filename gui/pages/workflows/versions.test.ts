import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparedVersions } from './versions.ts'

const versions = [3, 2, 1].map(version => ({ version, draft: version === 3 }))

test('the newest version is compared with the one before it', () => {
  assert.deepEqual(comparedVersions(versions, {}), { from: 2, to: 3 })
  assert.deepEqual(comparedVersions(versions, { version: 2 }), { from: 1, to: 2 })
  assert.deepEqual(comparedVersions(versions, { version: 1 }), { from: 3, to: 1 })
})

test('the address chooses any two; unknown numbers are ignored', () => {
  assert.deepEqual(comparedVersions(versions, { version: 1, against: 3 }), { from: 3, to: 1 })
  assert.deepEqual(comparedVersions(versions, { version: 9, against: 8 }), { from: 2, to: 3 })
})

test('a single version has nothing to be compared with', () => {
  assert.equal(comparedVersions(versions.slice(2), {}), undefined)
})
