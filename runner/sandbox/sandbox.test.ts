import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RunnerService } from '../../tests/support/runner-service.ts'

describe('a runner with a sandbox', () => {
  const service = new RunnerService()
  let runner: ReturnType<RunnerService['supervise']>
  before(async () => {
    await service.listen()
    runner = service.supervise({ killAfterMilliseconds: 300 }, { sandbox: true })
  })
  after(async () => {
    runner.stop('the test is over')
    await runner.ended
    await service.tidy()
  })

  test('shows a step no process but its own, and keeps that for the next', async () => {
    const seen = async () => (await service.finish({ run: 'ps -eo comm | grep -c .; readlink /proc/self/ns/pid' })).text
    const [first, second] = [await seen(), await seen()]
    assert.ok(Number(first[0]) < 10, `${first[0]} processes`)
    assert.equal(first[1], second[1])
  })

  test('ends what a step leaves behind, also after a success, and then the next one gets another', async () => {
    const space = 'readlink /proc/self/ns/pid'
    const left = await service.finish({ run: `${space}; setsid sleep 600 > /dev/null 2>&1 &` })
    const next = await service.finish({ run: space })
    assert.equal(left.result.outcome, 'success')
    assert.notEqual(next.text[0], left.text[0])
    while (service.processes([`SLUICE_STEP_ID=${left.result.stepId}`]).length > 0)
      await new Promise(resolve => setImmediate(resolve))
    const memory = await service.finish({ run: `ipcmk -M 4096 > /dev/null; ${space}` })
    const without = await service.finish({ run: `ipcs -m | grep -c 0x || true; ${space}` })
    assert.equal(without.text[0], '0')
    assert.notEqual(without.text[1], memory.text[0])
  })

  test('on cancel ends everything, also what ignores it', async () => {
    const { stepId, attempt, fence } = service.run({
      run: `setsid bash -c 'trap "" TERM; sleep 600' & echo ready; wait`,
    })
    await service.until(() => service.lines(stepId).length > 0)
    service.say({ type: 'cancel', stepId, attempt, fence, reason: 'cancelled by ann' })
    assert.equal((await service.result(stepId)).outcome, 'cancelled')
    assert.deepEqual(service.processes([`SLUICE_STEP_ID=${stepId}`]), [])
    assert.equal((await service.finish({ run: 'true' })).result.outcome, 'success')
  })
})
