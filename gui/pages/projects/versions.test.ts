import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource, TemplateVersion } from '../../api/records.ts'
import { newerVersions, versionSource } from './versions.ts'

const version = (name: string, created: string, more: Partial<TemplateVersion> = {}) =>
  ({
    type: 'template_version',
    id: name,
    attributes: { version: name, created_at: created, git_rev: name, commit_sha: null, ...more },
  }) as Resource<TemplateVersion>

const versions = [version('v3', '2026-03'), version('v2', '2026-02'), version('v1', '2026-01')]

test('newer versions are those created after the one in use', () => {
  const names = (current: string | null) => newerVersions(versions, current).map(({ id }) => id)
  assert.deepEqual(names('v1'), ['v3', 'v2'])
  assert.deepEqual(names('v3'), [])
  assert.deepEqual(names('archived'), [])
  assert.deepEqual(names(null), [])
})

test('the source of a version names its revision only if that is another word', () => {
  const commit_sha = 'd4317c7ae3414d1d9241476401b730dc4a5946ca'
  assert.equal(versionSource(version('v1', '2026', { commit_sha }).attributes), 'd4317c7a')
  assert.equal(versionSource(version('v1', '2026', { git_rev: 'main', commit_sha }).attributes), 'main · d4317c7a')
  assert.equal(versionSource(version('v1', '2026').attributes), '')
})
