import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unmatchable } from './rule-path.ts'

test('a path on which something is asked, now or once it is made, can be in a rule', () => {
  for (const path of [
    '/',
    '/*',
    '/projects',
    '/projects/bank',
    '/projects/Bank_2',
    '/projects/*/environments/*/assets/web/actions/deploy: now?',
    '/projects/*/*/live',
    '/projects/bank/*/*/*/web/properties/secrets',
    '/projects/bank/agents/one/settings',
    '/projects/bank/environments/live/properties/secrets',
    '/projects/bank/assets/web/model/secrets',
    '/projects/bank/templates/web',
    '/projects/bank/workflows/release',
    '/projects/bank/authorisation_policies',
    '/projects/bank/scheduled_activities',
    '/admin/users',
    '/admin/audit_trail',
    '/events',
    '/log_lines/deploy',
    '/system_configuration',
    '/authorisation_policies',
    '/secrets',
  ])
    assert.equal(unmatchable(path), undefined, path)
})

test('a path that matches nothing is said to, with what would', () => {
  for (const [path, why] of [
    ['/Projects/pp', /never a "Projects".*Did you mean \/projects\?/],
    ['/project/bank', /never a "project".*Did you mean \/projects\?/],
    ['/..', /never a "\.\."/],
    ['/projects/..', /never a "\.\." below \/projects\./],
    ['/projects/./bank', /never a "\."/],
    ['/?x', /never a "\?x"/],
    ['/projects/?x', /never a "\?x" below \/projects/],
    ['/projects/a%20b', /never a "a%20b"/],
    ['/projects/bank/environment/live', /Did you mean \/projects\/bank\/environments\?/],
    ['/projects/bank/Settings', /Did you mean \/projects\/bank\/settings\?/],
    ['/projects/bank/environments/live/agents', /never a "agents" below \/projects\/bank\/environments\/live/],
    [
      '/projects/bank/assets/web/properties/secret',
      /Did you mean \/projects\/bank\/assets\/web\/properties\/secrets\?/,
    ],
    ['/projects/bank/assets/web/model/secrets/x', /There is nothing below/],
    ['/projects/*/asets/*', /never a "asets"/],
    ['/api/projects/bank', /never a "api"/],
    ['/admin/Users', /never a "Users"/],
    ['/events/..', /never a "\.\."/],
    ['/projects /bank', /never a "projects "/],
  ] as const)
    assert.match(String(unmatchable(path)), why, path)
})
