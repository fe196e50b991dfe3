import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superuserRights } from '../../../tests/support/rights.ts'
import { rightsOfAttempt } from './attempt-rights.sql.ts'

test('a step reaches the secrets of its own node, and not those of the nodes beneath or above', () => {
  const place = { projectId: 'p', projectPath: '/projects/bank' }
  const ofProject = rightsOfAttempt(superuserRights, { ...place, nodePath: '/projects/bank' })
  const ofEnvironment = rightsOfAttempt(superuserRights, { ...place, nodePath: '/projects/bank/environments/live' })
  const secrets = [
    '/projects/bank/secrets',
    '/projects/bank/properties/secrets',
    '/projects/bank/assets/web/secrets',
    '/projects/bank/environments/live/secrets',
    '/projects/bank/environments/live/settings/secrets',
    '/projects/bank/environments/live/assets/web/properties/secrets',
  ]
  const reached = (rights: typeof ofProject) => secrets.filter(path => rights.may('execute', path))
  assert.deepEqual(reached(ofProject), secrets.slice(0, 2))
  assert.deepEqual(reached(ofEnvironment), secrets.slice(3, 5))
})
