import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { RunnerService } from '../tests/support/runner-service.ts'

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
