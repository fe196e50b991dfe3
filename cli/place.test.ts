import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeAmong } from './place.ts'
import { kindNamed } from './record-kinds.ts'
import { WrongUsage } from './wrong-usage.ts'

const shown = (type: string, ...words: string[]) => placeAmong(kindNamed(type).shows, words, 'Where').path
const listed = (type: string, ...words: string[]) => placeAmong(kindNamed(type).lists, words, 'Where').path

test('a record is addressed by its path, with or without /api', () => {
  assert.equal(shown('asset', '/projects/bank/assets/web'), '/api/projects/bank/assets/web')
  assert.equal(shown('asset', '/api/projects/bank/assets/web/'), '/api/projects/bank/assets/web')
})

test('a record is addressed by the values of its path, where one path takes as many', () => {
  assert.equal(shown('project', 'bank'), '/api/projects/bank')
  assert.equal(shown('asset', 'bank', 'test', 'web'), '/api/projects/bank/environments/test/assets/web')
  assert.equal(shown('template_version', 'bank', 'web', 'a/b'), '/api/projects/bank/templates/web/versions/a%2Fb')
})

test('a list is named by where it lies', () => {
  assert.equal(listed('project'), '/api/projects')
  assert.equal(listed('assets', '/projects/bank'), '/api/projects/bank/assets')
  assert.equal(
    listed('assets', '/projects/bank/environments/test/assets'),
    '/api/projects/bank/environments/test/assets',
  )
  assert.equal(listed('changes', '/projects/bank/assets/web'), '/api/projects/bank/assets/web/changes')
})

test('what fits nowhere, or in two places, is asked back with every form', () => {
  assert.throws(
    () => listed('git_remotes'),
    error => error instanceof WrongUsage && /\n {2}\/projects\/\{project_code\}\/git_remotes$/.test(error.message),
  )
  assert.throws(() => shown('asset', '/projects/bank'), WrongUsage)
  assert.throws(() => listed('log_lines', 'some-id'), /matches several paths/)
  assert.throws(() => listed('template_versions', 'bank'), /^Error: No path matches "bank"\. Use:\n/)
})

test('a type is known by one or many, with - or _; what is close is proposed', () => {
  assert.equal(kindNamed('Git-Remotes').type, 'git_remote')
  assert.equal(kindNamed('authorisation_policies').type, 'authorisation_policy')
  assert.throws(() => kindNamed('remote'), /Did you mean git_remote\?/)
})
