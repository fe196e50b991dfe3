import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './search-results.ts'

const found = (type: string, self: string, name = 'x') =>
  addressOf({
    id: '0199',
    type,
    attributes: { name, status_code: null },
    links: { self },
    meta: { path: null, matched: 'name' },
  })

test('every type of record that search finds leads to a page', () => {
  assert.equal(
    found('asset', '/api/projects/bank/environments/live/assets/front'),
    '/projects/bank/environments/live/assets/front',
  )
  assert.equal(found('project', '/api/projects/bank'), '/projects/bank')
  assert.equal(found('change', '/api/changes/0199'), '/activities/0199')
  assert.equal(found('workflow_run', '/api/workflow_runs/0199'), '/activities/0199')
  assert.equal(found('workflow', '/api/projects/bank/workflows/release'), '/workflows/bank/release')
  assert.equal(found('template', '/api/projects/bank/templates/web'), '/templates/bank/web')
  assert.equal(found('scheduled_change', '/api/scheduled_activities/0199'), '/schedules')
  assert.equal(found('user', '/api/users/o%27hara', "o'hara"), '/access/users/o%27hara')
})

test('an unknown type leads nowhere', () => {
  assert.equal(found('token', '/api/tokens/1'), undefined)
})
