import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { closeCodes } from '../../protocol/runner-protocol.ts'
import { RunnerService } from '../../tests/support/runner-service.ts'

const services: RunnerService[] = []
const newService = async (files?: Record<string, string>) => {
  const service = new RunnerService(files)
  services.push(service)
  await service.listen()
  return service
}
afterEach(async () => {
  for (const service of services.splice(0)) await service.tidy()
})

test('what was not acknowledged is sent again, unchanged and in order, once the service is back', async () => {
  const service = await newService()
  service.spawn()
  service.acknowledging = false
  const { stepId } = service.run({ run: 'for i in 1 2 3; do echo $i; sleep 0.3; done' })
  await service.until(() => service.lines(stepId).length >= 2)
  await service.vanish()
  const before = service.heard.map(message => JSON.stringify(message))
  await service.listen()
  await service.result(stepId)
  assert.deepEqual(
    service.lines(stepId).map(([, , message]) => message),
    ['1', '2', '3'],
  )
  const again = service.heard.slice(before.length).map(message => JSON.stringify(message))
  assert.deepEqual(again.slice(0, before.length), before)
  assert.deepEqual(
    service.hellos[1]?.holding.map(attempt => attempt.stepId),
    [stepId],
  )
})

test('a result is on the disk before it is sent, and is not sent again once acknowledged', async () => {
  const service = await newService()
  service.spawn()
  const { stepId } = service.run({ run: 'echo done' })
  const result = await service.result(stepId)
  assert.deepEqual(service.spool().at(-1), result)
  service.acked = result.seq
  const heard = service.heard.length
  await service.vanish()
  await service.listen()
  await service.until(() => service.hellos.length === 2)
  await service.finish({ run: 'echo more' })
  assert.deepEqual(
    service.heard.slice(heard).filter(message => 'stepId' in message && message.stepId === stepId),
    [],
  )
})

test('a runner that the service no longer renews stops its steps, and says so when it is heard again', async () => {
  const service = await newService()
  const runner = service.supervise({ aliveMilliseconds: 20, silenceMilliseconds: 3_000 })
  const { stepId } = service.run({ run: 'echo on; setsid sleep 600 & sleep 601' })
  await service.until(() => service.lines(stepId).length > 0)
  service.renewing = false
  const result = await service.result(stepId)
  assert.equal(result.outcome, 'error')
  assert.match(result.errorMessage!, /^stopped: the runner had no contact with the service for/)
  assert.deepEqual(service.processes([`SLUICE_STEP_ID=${stepId}`]), [])
  service.renewing = true
  runner.stop('over')
  assert.equal(await runner.ended, 0)
})

test('a runner whose service never comes back ends, and leaves on the disk what it had to say', async () => {
  const service = await newService()
  const runner = service.supervise({ aliveMilliseconds: 20, silenceMilliseconds: 3_000, orphanedMilliseconds: 4_000 })
  service.acknowledging = false
  const { stepId } = service.run({ run: 'echo done' })
  const result = await service.result(stepId)
  await service.vanish()
  assert.equal(await runner.ended, 1)
  assert.deepEqual(service.spool().at(-1), result)
})

test('a runner that was given up ends what it runs and itself, without a result', async () => {
  const service = await newService()
  const runner = service.spawn()
  const { stepId } = service.run({ run: 'echo on; sleep 600' })
  await service.until(() => service.lines(stepId).length > 0)
  service.close(closeCodes.gone)
  await runner.exit
  assert.deepEqual(service.processes(), [])
  assert.equal(
    service.heard.some(message => message.type === 'result'),
    false,
  )
})

test('a runner that nobody hears any more ends, also where more stands in the pipes than it may take', async () => {
  const service = await newService()
  const runner = service.supervise({
    unacknowledgedBytes: 1_000_000,
    aliveMilliseconds: 200,
    silenceMilliseconds: 2_000,
    orphanedMilliseconds: 4_000,
  })
  service.acknowledging = false
  const { stepId } = service.run({ run: 'yes' })
  await service.until(() => service.lines(stepId).length > 100_000)
  await service.vanish()
  assert.equal(await runner.ended, 1)
  assert.deepEqual(service.processes(), [])
  const said = service.spool().filter(message => (message as { type: string }).type === 'result')
  assert.match(JSON.stringify(said), /the runner had no contact with the service for 2 s/)
})

test('an attempt that the service has given up meanwhile is dropped at the next welcome', async () => {
  const service = await newService()
  service.spawn()
  const { stepId, attempt, fence } = service.run({ run: 'echo on; sleep 600' })
  await service.until(() => service.lines(stepId).length > 0)
  await service.vanish()
  service.drop = [{ stepId, attempt, fence }]
  await service.listen()
  await service.until(() => service.hellos.length === 2)
  // The next step runs while nothing of the dropped one is left.
  await service.finish({
    run: `until ! grep -qz "^SLUICE_STEP_ID=${stepId}$" /proc/[0-9]*/environ; do sleep 0.02; done 2> /dev/null`,
  })
  assert.equal(
    service.heard.some(message => message.type === 'result' && message.stepId === stepId),
    false,
  )
})

function signalExecutor(service: RunnerService, signal: NodeJS.Signals): void {
  const found = service.processes().filter(({ pid }) => commandOf(pid).includes(executor))
  assert.equal(found.length, 1)
  process.kill(found[0]!.pid, signal)
}

const executor = join(import.meta.dirname, '../executor.ts')

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended since it was found.
    return ''
  }
}

const waiting = 'echo waiting; until [ -e go ]; do sleep 0.01; done; cp README.md "$SLUICE_ARTEFACTS/kept"'

test('an executor that is killed is replaced, and the step that runs meanwhile goes on', async () => {
  const service = await newService()
  service.spawn()
  const { stepId } = service.run({ run: waiting })
  await service.until(() => service.lines(stepId).length > 0)
  signalExecutor(service, 'SIGKILL')
  const next = await service.finish({ run: 'cat README.md; touch go' })
  assert.deepEqual(next.text, ['an example'])
  const { errorMessage, artefacts } = await service.result(stepId)
  assert.equal(errorMessage, null)
  assert.deepEqual(
    artefacts.map(({ name }) => name),
    ['kept'],
  )
})

test('an executor that hangs is replaced too', async () => {
  const service = await newService()
  const runner = service.supervise({ hangMilliseconds: 3_000 })
  const { stepId } = service.run({ run: waiting })
  await service.until(() => service.lines(stepId).length > 0)
  signalExecutor(service, 'SIGSTOP')
  assert.equal((await service.finish({ run: 'touch go' })).result.outcome, 'success')
  assert.equal((await service.result(stepId)).artefacts.length, 1)
  runner.stop('over')
  await runner.ended
})

test('an executor that is killed while an artefact goes out is replaced, and the artefact arrives whole', async () => {
  const service = await newService()
  const { promise, resolve: read } = Promise.withResolvers<void>()
  service.reading = promise
  service.spawn()
  const { stepId } = service.run({ run: 'head -c 64000000 /dev/zero > "$SLUICE_ARTEFACTS/large"' })
  await service.until(() => service.artefactsBegun > 0)
  signalExecutor(service, 'SIGKILL')
  read()
  const { errorMessage, artefacts } = await service.result(stepId)
  assert.equal(errorMessage, null)
  assert.deepEqual(
    artefacts.map(({ name, byteSize }) => [name, byteSize]),
    [['large', 64_000_000]],
  )
})

test('an artefact that vanishes while it goes out fails its step, which does not wait for it', async () => {
  const service = await newService()
  const { promise, resolve: read } = Promise.withResolvers<void>()
  service.reading = promise
  service.spawn()
  const { stepId } = service.run({ run: 'head -c 64000000 /dev/zero > "$SLUICE_ARTEFACTS/large"' })
  await service.until(() => service.artefactsBegun > 0)
  rmSync(join(service.folder, 'work/steps', `${stepId}-1`, 'artefacts/large'))
  read()
  const { outcome, errorMessage } = await service.result(stepId)
  assert.equal(outcome, 'error')
  assert.match(errorMessage ?? '', /^the artefact large could not be read: ENOENT/)
})

test('a step is cancelled at once while what it has left is looked at', async () => {
  const service = await newService()
  const runner = service.supervise({ hangMilliseconds: 600_000 })
  const { stepId, attempt, fence } = service.run({ run: `${waiting}; echo left` })
  await service.until(() => service.lines(stepId).length > 0)
  signalExecutor(service, 'SIGSTOP')
  assert.equal((await service.finish({ run: 'touch go' })).result.outcome, 'success')
  await service.until(() => service.lines(stepId).length > 1)
  service.say({ type: 'cancel', stepId, attempt, fence, reason: 'cancelled by ann' })
  assert.equal((await service.result(stepId)).outcome, 'cancelled')
  signalExecutor(service, 'SIGCONT')
  runner.stop('over')
  await runner.ended
})

test('100,000 lines arrive complete while no more than the window is unacknowledged', async () => {
  const service = await newService()
  const runner = service.supervise({ unacknowledgedBytes: 1_000_000 })
  await service.finish({ run: 'true' })
  service.acknowledging = false
  const { stepId } = service.run({ run: `seq -f "%.0f ${'x'.repeat(90)}" 1 100000` })
  const unacknowledged = () => service.heard.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
  await service.until(() => unacknowledged() > 1_000_000)
  // It is blocked: nothing more comes until something is acknowledged.
  const heard = service.heard.length
  const still = await Promise.race([
    service.result(stepId),
    new Promise(resolve => setTimeout(() => resolve('still'), 500)),
  ])
  assert.equal(still, 'still')
  assert.ok(service.heard.length - heard < 20, `${service.heard.length - heard} more messages came`)
  service.acknowledging = true
  service.say({ type: 'ack', seq: (service.heard.at(-1) as { seq: number }).seq })
  await service.result(stepId)
  const lines = service.lines(stepId)
  assert.equal(lines.length, 100_000)
  assert.ok(lines.every(([, , message], i) => message.startsWith(`${i + 1} `)))
  runner.stop('over')
  await runner.ended
})
