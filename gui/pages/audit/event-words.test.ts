import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts, eventLevel, eventParts, eventTitle } from './event-words.ts'

test('types of events are told in words', () => {
  for (const [type, title] of [
    ['api:changes:create', 'Change created'],
    ['api:properties:update', 'Properties updated'],
    ['api:authorisation_policies:destroy', 'Policy deleted'],
    ['api:workflow_runs:system_error', 'Workflow run ended with a system error'],
    ['audit:users:sign_in:denied', 'Sign-in denied'],
    ['info:template_version:fetch_complete', 'Template version fetch completed'],
    ['warn:resource_slot_pool:full', 'Resource slot pool full'],
    ['deploy:finished', 'deploy:finished'],
  ] as const)
    assert.equal(eventTitle(type), title)
})

test('failures and denials have a level', () => {
  assert.equal(eventLevel('error:step:action'), 'error')
  assert.equal(eventLevel('api:changes:error'), 'error')
  assert.equal(eventLevel('warning:scheduled_activity:missed'), 'warn')
  assert.equal(eventLevel('audit:steps:approve'), 'audit')
  assert.equal(eventLevel('api:changes:create'), undefined)
})

test('the facts of an event are its error, version, pointers and message', () => {
  assert.equal(eventFacts({ version: 2, changed_pointers: ['/web', '/db'], name: 'x' }), 'v2 · /web, /db')
  assert.equal(eventFacts({ error: 'exit code 7' }), 'exit code 7')
  assert.equal(eventFacts({ request_body_message: 'looks right' }), 'looks right')
  assert.equal(
    eventFacts({ password_changed: true, request_body_disabled: false }),
    'password changed · disabled false',
  )
  assert.equal(eventFacts({ error: null }), '')
})

test('attributes of the request are told from those of the event', () => {
  const { request, details } = eventParts({
    type: 'api:nodes:create',
    request_method: 'POST',
    request_body_code: 'web',
    url_params_project_code: 'bank',
    parent_code: 'bank',
  })
  assert.deepEqual(request, [
    ['code', 'web'],
    ['project code', 'bank'],
  ])
  assert.deepEqual(details, [['parent code', 'bank']])
})
