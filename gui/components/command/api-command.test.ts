import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiCommand } from './api-command.ts'

test('a report is read by its path, with its parameters in quotes', () => {
  assert.equal(apiCommand('/api/admin/load'), 'sluice api GET /api/admin/load')
  assert.equal(
    apiCommand('/api/authorisation_check', { path: '/projects/a', right: 'read' }),
    "sluice api GET '/api/authorisation_check?path=%2Fprojects%2Fa&right=read'",
  )
})
