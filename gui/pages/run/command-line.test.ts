import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommand, retryCommand } from './command-line.ts'

test('the command has what was chosen, quoted for a shell', () => {
  assert.equal(
    createCommand('/projects/bank/assets/web', {
      action: 'rollout',
      starting_step: "it's here",
      property_overrides: { web: { port: 443 } },
      skip_steps: ['rollout/**'],
      auto_continue_wait_steps: true,
    }),
    `sluice changes create /projects/bank/assets/web rollout 'starting_step=it'\\''s here' 'property_overrides={"web":{"port":443}}' auto_continue_wait_steps=true --skip 'rollout/**'`,
  )
  assert.equal(createCommand('/projects/bank', {}), 'sluice changes create /projects/bank ACTION')
})

test('a retry takes its changes as options', () => {
  assert.equal(
    retryCommand('01a2', {
      retry: true,
      refresh_sha: true,
      property_overrides: { web: { port: 443, 'a.b': 'x y' } },
      metadata: { ticket: 'CHG-1' },
      skip_steps: ['a'],
    }),
    "sluice changes retry 01a2 --refresh --property web.port=443 --property 'web[a.b]=x y' --metadata ticket=CHG-1 --skip a",
  )
})

test('the command line reads texts of a retry as texts, and other values as they are', () => {
  assert.equal(
    retryCommand('01a2', {
      retry: true,
      property_overrides: { port: '443', none: {}, list: [1, '2'] },
      metadata: { count: 2, build: '12', why: null, file: '@x', said: "'so'" },
    }),
    `sluice changes retry 01a2 --property 'port="443"' --property 'none={}' --property 'list=[1,"2"]' --metadata count=2 --metadata 'build="12"' --metadata why=null --metadata 'file="@x"' --metadata 'said="'\\''so'\\''"'`,
  )
})
