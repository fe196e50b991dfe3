import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { RunnerService } from '../../tests/support/runner-service.ts'

const actions = `
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { action, type Step } from '@sluice/actions'

action('tell', {}, step => step.log.info(process.pid))
action('meet', {}, async step => {
  const { mine, all } = step.properties as { mine: string; all: string[] }
  writeFileSync(mine, '')
  while (!all.every(each => existsSync(each))) await pause(5)
})
action('hold', {}, async step => {
  step.log.info('holding')
  while (!existsSync('let-go')) await pause(5)
})
action('mark', {}, () => writeFileSync('marked', ''))
action('wait', {}, async step => {
  step.log.info('waiting')
  await pause(60_000)
})
`

describe('processes for the programs of a repository', () => {
  let service: RunnerService
  let runner: ReturnType<RunnerService['supervise']>
  beforeEach(async () => {
    service = new RunnerService({
      'actions.ts': actions,
      'hanging.ts': 'console.log(1)\nsetInterval(() => {}, 1_000)\nawait new Promise(() => {})\n',
    })
    await service.listen()
    runner = service.supervise({ killAfterMilliseconds: 500 })
  })
  afterEach(async () => {
    runner.stop('the test is over')
    await runner.ended
    while (service.processes().length > 0) await new Promise(resolve => setImmediate(resolve))
    await service.tidy()
  })
  const start = (action: string, { file = 'actions.ts', converged = {} } = {}) =>
    service.run({ bodies: [{ action, module: file }], context: { converged } }).stepId
  const cancel = (stepId: string) =>
    service.say({ type: 'cancel', stepId, attempt: 1, fence: 1, reason: 'cancelled by ann' })
  const outcomes = async (steps: readonly string[]) =>
    (await Promise.all(steps.map(id => service.result(id)))).map(({ outcome, errorMessage }) => errorMessage ?? outcome)
  const all = <Value>(length: number, value: Value) => Array.from({ length }, () => value)
  /** More than are started at once. */
  const many = availableParallelism() + 4

  test('are few where bodies end at once, however many are to run', async () => {
    const bodies = 100
    const steps = Array.from({ length: bodies }, () => start('tell'))
    assert.deepEqual(await outcomes(steps), all(bodies, 'success'))
    const pids = new Set(steps.map(id => service.lines(id)[0]![2]))
    assert.ok(pids.size < bodies / 4, `${pids.size} processes for ${bodies} bodies of a millisecond`)
  })

  test('are as many as bodies that take their time', async () => {
    const names = Array.from({ length: many }, (_, i) => `here-${i}`)
    const steps = names.map(mine => start('meet', { converged: { mine, all: names } }))
    assert.deepEqual(await outcomes(steps), all(many, 'success'))
  })

  test('that never have loaded their program hold up no others', async () => {
    const hanging = Array.from({ length: many }, () => start('never', { file: 'hanging.ts' }))
    assert.deepEqual(await outcomes([start('tell')]), ['success'])
    for (const id of hanging) cancel(id)
    assert.deepEqual(await outcomes(hanging), all(many, 'cancelled by ann'))
  })

  test('leave their place to the next when they are ended', async () => {
    const waiting = Array.from({ length: many }, () => start('wait'))
    const last = start('tell')
    for (const id of waiting) cancel(id)
    assert.deepEqual(await outcomes([...waiting, last]), [...all(many, 'cancelled by ann'), 'success'])
  })

  test('run no body that was cancelled while it waited for one of them', async () => {
    const holding = start('hold')
    await service.until(() => service.lines(holding).length > 0)
    // Behind this many programs that load forever it waits for two seconds at least.
    const hanging = Array.from({ length: 3 * availableParallelism() }, () => start('never', { file: 'hanging.ts' }))
    await service.until(() => service.lines(hanging[0]!).length > 0)
    const cancelled = start('mark')
    await service.finish({ run: 'true' })
    cancel(cancelled)
    await service.finish({ run: 'touch let-go' })
    assert.deepEqual(await outcomes([holding, cancelled]), ['success', 'cancelled by ann'])
    const { text } = await service.finish({ run: 'ls' })
    assert.ok(text.includes('let-go') && !text.includes('marked'), text.join(' '))
    for (const id of hanging) cancel(id)
    assert.deepEqual(await outcomes(hanging), all(hanging.length, 'cancelled by ann'))
  })

  test('are all gone when the runner ends while bodies wait for one', async () => {
    const steps = Array.from({ length: many }, () => start('wait'))
    await service.until(() => service.lines(steps[0]!).length > 0)
  })
})
