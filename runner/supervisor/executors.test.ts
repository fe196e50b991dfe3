import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '../../protocol/runner-protocol.ts'
import { RunnerService } from '../../tests/support/runner-service.ts'
import { Executors } from './executors.ts'

test('an executor that dies while it is made ready is replaced by one, which makes the copy once for all steps', async () => {
  const service = new RunnerService({ 'web/greeting.txt': 'hello from the commit\n' })
  const archive = await service.archive
  const { promise, resolve: hand } = Promise.withResolvers<Buffer>()
  service.archive = promise
  await service.listen()
  const runner = service.supervise()
  const executor = async (besides = 0) => {
    for (;;) {
      const found = service.processes().find(({ pid, parent }) => parent === process.pid && pid !== besides)
      if (found) return found.pid
      await pause(20)
    }
  }
  try {
    const first = service.run({ run: 'cat web/greeting.txt' })
    const killed = await executor()
    // It waits for the archive.
    await service.until(() => service.archivesAsked === 1)
    process.kill(killed, 'SIGKILL')
    await executor(killed)
    await service.until(() => service.archivesAsked === 2)
    // A step that comes now waits for the same one.
    const second = service.run({ run: 'cat web/greeting.txt' })
    hand(archive)
    for (const { stepId } of [first, second]) {
      assert.equal((await service.result(stepId)).errorMessage, null)
      assert.deepEqual(
        service.lines(stepId).flatMap(([, category, message]) => (category === 'runner' ? [] : [message])),
        ['hello from the commit'],
      )
    }
    assert.equal(service.archivesAsked, 2)
  } finally {
    runner.stop('the test is over')
    await runner.ended
    await service.tidy()
  }
})

test('an executor whose sandbox was refused later, when steps had run, is tried again in it and never without', async () => {
  const service = new RunnerService()
  await service.listen()
  const { folder, runnerId, url } = service
  const [work, sandbox] = [join(folder, 'work'), join(folder, 'sandbox')]
  const refused = ['refused-once', 'refused-twice'].map(name => join(folder, name))
  mkdirSync(work)
  const refuse = refused.map(file => `[ ! -e ${file} ] || { rm ${file}; exit 1; }`)
  writeFileSync(sandbox, ['#!/bin/sh', ...refuse, 'SANDBOXED=yes exec "$@"'].join('\n'), { mode: 0o755 })
  const place = {
    node: process.execPath,
    program: join(import.meta.dirname, '..'),
    suffix: '.ts',
    work,
    env: { PATH: process.env['PATH']!, SLUICE_RUNNER_ID: runnerId },
    sandbox: [sandbox],
  }
  const times = { ...limits, silenceMilliseconds: 60_000, hangMilliseconds: 30_000, longestPause: 200 }
  const options = { runnerId, serviceUrl: url, folder, start: service.start(), limits: times }
  const executors = new Executors(
    options,
    place,
    () => url,
    () => {},
  )
  const all = () => service.processes()
  try {
    executors.workOn('c'.repeat(40))
    await executors.ask('ping', {})
    const [first] = all()
    for (const file of refused) writeFileSync(file, '')
    process.kill(first!.pid, 'SIGKILL')
    while (all().some(({ pid }) => pid === first!.pid)) await pause(5)
    await executors.ask('ping', {})
    const environments = all().map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
    assert.deepEqual(
      environments.map(environment => environment.includes('SANDBOXED=yes')),
      [true],
    )
  } finally {
    await executors.end()
    await service.tidy()
  }
})
