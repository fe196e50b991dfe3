import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#platform/documents/document.ts'
import type { StepToRun } from '#protocol/runner-protocol.ts'
import type { ChangeContext } from '../changes/change-context.tx.ts'
import { stepMessage } from './step-message.ts'

const claimed = (env: Record<string, string>, timeout_seconds: number | null = null) => ({
  id: 'step-1',
  activity_id: 'change-1',
  attempt: 2,
  fence: 7,
  action: 'deploy',
  step_name: 'Deploy',
  full_path: 'release/Deploy',
  definition: JSON.stringify({
    bodies: [{ action: 'deploy', run: 'echo "{{ web.port }}"', interpreter: ['bash', '-c', '{{web.name}}'], env }],
    timeout_seconds,
  }),
})

const change = (converged: JsonObject): ChangeContext => ({
  folder: 'web',
  context: { change: { id: 'change-1' } },
  converged,
  documents: `"properties":{"change":{}},"converged":${JSON.stringify(converged)}`,
  secrets: [],
  timeoutSeconds: 60,
})

const place = { parents: [{ id: 'root', name: 'release' }], apiToken: 'token' }
const web = { web: { port: 80, name: 'shop' } }

const messageOf = (...given: Parameters<typeof stepMessage>) => {
  const message = stepMessage(...given)
  assert.ok(!('why' in message), JSON.stringify(message))
  const step = JSON.parse(message.text) as StepToRun
  assert.deepEqual([step.stepId, step.attempt, step.fence], [message.stepId, message.attempt, message.fence])
  return step
}

test('a step is given its script untouched, and its environment and arguments filled in', () => {
  const { bodies, folder } = messageOf(claimed({ PORT: '{{ web.port }}' }), change(web), place)
  assert.equal(folder, 'web')
  assert.deepEqual(bodies, [
    { action: 'deploy', run: 'echo "{{ web.port }}"', interpreter: ['bash', '-c', 'shop'], env: { PORT: '80' } },
  ])
})

test('every property that is not there is named, with where it was asked for', () => {
  const message = stepMessage(claimed({ A: '{{ nope }}', B: '{{ web.nothing }}' }), change(web), place)
  assert.deepEqual(message, {
    why: [
      'deploy: env.A asks for {{ nope }}, and there is no converged property nope.',
      'deploy: env.B asks for {{ web.nothing }}, and there is no converged property web.nothing.',
    ].join('\n'),
  })
})

test('the time limit of an action outranks that of the settings', () => {
  assert.equal(messageOf(claimed({}), change(web), place).timeoutSeconds, 60)
  assert.equal(messageOf(claimed({}, 5), change(web), place).timeoutSeconds, 5)
})

test('sluice.env and sluice.files of the properties reach the step', () => {
  const { env, files } = messageOf(
    claimed({}),
    change({
      ...web,
      sluice: {
        env: { MODE: 'fast', LEVEL: 3 },
        files: {
          'etc/app.json': { format: 'json', content: { a: 1 }, mode: '600' },
          key: { format: 'base64', content: 'aGk=' },
          note: { content: 'as it is' },
        },
      },
    }),
    place,
  )
  assert.deepEqual(env, { MODE: 'fast', LEVEL: '3' })
  assert.deepEqual(
    files.map(file => [file.path, Buffer.from(file.content, 'base64').toString(), file.mode]),
    [
      ['etc/app.json', '{\n  "a": 1\n}\n', '600'],
      ['key', 'hi', undefined],
      ['note', 'as it is', undefined],
    ],
  )
})

test('a file outside the working copy, a variable of ours and a wrong mode are refused, all at once', () => {
  const message = stepMessage(
    claimed({}),
    change({
      ...web,
      sluice: { env: { SLUICE_STEP_ID: 'x' }, files: { '../up': { content: '' }, at: { content: '', mode: '999' } } },
    }),
    place,
  )
  assert.ok('why' in message)
  assert.match(message.why, /SLUICE_STEP_ID/)
  assert.match(message.why, /\.\.\/up is outside/)
  assert.match(message.why, /the mode of at is three octal digits/)
})

test('the context tells the step where it stands', () => {
  const { context } = messageOf(claimed({}), change(web), place) as unknown as { context: { context: JsonObject } }
  assert.deepEqual(context.context['step'], {
    id: 'step-1',
    name: 'Deploy',
    full_path: 'release/Deploy',
    action: 'deploy',
    attempt: 2,
  })
  assert.deepEqual(context.context['parent_order'], ['release'])
  assert.equal(context.context['api_token'], 'token')
  assert.deepEqual({ ...context, context: {} }, { context: {}, properties: { change: {} }, converged: web })
})
