import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { actionObjects } from '#authoring/actions/action-tree.ts'
import { readActionsFile } from '#authoring/actions/actions-file.ts'
import { readChildSteps } from '../../src/domain/action-catalogue/index.ts'
import { projectFolder } from '../support/database-server.ts'
import { RunnerService } from '../support/runner-service.ts'

/** The unchanged examples of the guide. */

const guide = readFileSync(join(projectFolder, 'docs/guides/writing-actions.md'), 'utf8')
const example = (language: string, number = 1) => guide.split(`\`\`\`${language}\n`)[number]!.split('```')[0]!

const service = new RunnerService({
  'web/actions.ts': example('ts'),
})
let runner: ReturnType<RunnerService['supervise']>
before(async () => {
  await service.listen()
  runner = service.supervise()
})
after(async () => {
  runner.stop('the test is over')
  await runner.ended
  await service.tidy()
})

test('the actions.yaml of the guide has no fault', () => {
  const read = readActionsFile('actions.yaml', Buffer.from(example('yaml')))
  assert.ok('actions' in read, JSON.stringify(read))
  assert.equal(actionObjects(read).length, 1)
})

test('the actions.ts of the guide declares its actions, and a body does what is said of it', async () => {
  const list = await service.finish({
    folder: 'web',
    bodies: [{ action: 'list', module: 'web/actions.ts', lists: true }],
  })
  const listed = list.result.outputs?.['actions'] as { name: string }[]
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['check_disk', 'install', 'release'],
  )
  const { result, text } = await service.finish({
    folder: 'web',
    files: [
      {
        path: 'web/bin/install',
        mode: '0755',
        content: btoa('#!/bin/sh\necho "installed $1, $MODE" | tee install.log\n'),
      },
    ],
    bodies: [
      { action: 'check_disk', module: 'web/actions.ts' },
      { action: 'install', module: 'web/actions.ts' },
    ],
    context: { converged: { release: { version: '1.1' } }, properties: { asset: {} } },
  })
  assert.equal(result.errorMessage, null)
  assert.deepEqual(text.slice(-2).toSorted(), ['installed 1.1, quiet', 'installing 1.1'])
  assert.deepEqual(result.propertiesDiffs, { asset: [{ op: 'add', path: '/installed', value: '1.1' }] })
  assert.deepEqual(
    result.artefacts.map(({ name }) => name),
    ['install.log'],
  )
})

test('the script of the guide adds a step for each host, under its name', async () => {
  const read = readActionsFile('actions.yaml', Buffer.from(example('yaml', 2)))
  assert.ok('actions' in read, JSON.stringify(read))
  const [restartAll, restart] = read.actions.map(({ action, run, interpreter }) => ({
    action,
    run: run!,
    interpreter: [...interpreter],
    env: {},
  }))
  const hosts = { HOSTS: JSON.stringify(['web-1', 'web-2']) }
  const { result } = await service.finish({ bodies: [{ ...restartAll!, env: hosts }] })
  assert.deepEqual([result.errorMessage, result.childExecutionStrategy], [null, 'parallel'])
  const added = readChildSteps(read, result.childSteps!, 1)
  assert.ok(!('faults' in added))
  assert.deepEqual(
    added.map(({ action, step_name }) => [action, step_name]),
    [
      ['restart', 'restart web-1'],
      ['restart', 'restart web-2'],
    ],
  )
  const one = await service.finish({ bodies: [restart!], context: { context: { step: { name: 'restart web-1' } } } })
  assert.deepEqual(one.text, ['restart web-1'])
})
