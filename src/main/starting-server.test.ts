import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { RunnerService } from '../../tests/support/runner-service.ts'
import { openStartingServer } from './starting-server.ts'

const silenceMilliseconds = 1_500

/** A runner with one step, whose service has gone and starts again for three times as long as the runner bears silence. */
async function throughStart(renewLease: (authorization: string | undefined) => Promise<boolean>) {
  const service = new RunnerService()
  await service.listen()
  const runner = service.supervise({ aliveMilliseconds: 100, silenceMilliseconds })
  const { stepId } = service.run({ run: 'echo on; until [ -e go ]; do sleep 0.05; done; echo over' })
  await service.until(() => service.lines(stepId).length > 0)
  const { hostname: host, port } = new URL(service.url)
  await service.vanish()
  const starting = await openStartingServer({ host, port: Number(port), runnersAt: '/runner/session', renewLease })
  assert.equal(starting?.port, Number(port))
  const until = performance.now() + 3 * silenceMilliseconds
  while (performance.now() < until) await wait(50)
  await starting.close()
  await service.listen()
  return {
    service,
    stepId,
    tidy: async () => {
      runner.stop('over')
      await runner.ended
      await service.tidy()
    },
  }
}

test('the time in which a service starts does not count against what runs', async () => {
  const credentials: (string | undefined)[] = []
  const { service, stepId, tidy } = await throughStart(async authorization => {
    credentials.push(authorization)
    return true
  })
  try {
    await service.until(() => service.hellos.length === 2)
    assert.deepEqual(
      service.hellos[1]?.holding.map(attempt => attempt.stepId),
      [stepId],
    )
    assert.match(credentials[0]!, /^Bearer /)
  } finally {
    await tidy()
  }
})

test('a start in which the lease is not renewed does count', async () => {
  const { service, stepId, tidy } = await throughStart(async () => false)
  try {
    const { errorMessage } = await service.result(stepId)
    assert.match(errorMessage!, /^stopped: the runner had no contact with the service/)
  } finally {
    await tidy()
  }
})

test('clients get a 503 that says that the service starts, and when to ask again', async () => {
  const starting = await openStartingServer({
    host: '127.0.0.1',
    port: 0,
    runnersAt: '/runner/session',
    renewLease: async () => true,
  })
  try {
    const answer = await fetch(`http://127.0.0.1:${starting!.port}/api/projects`)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
    const { errors } = (await answer.json()) as { errors: { code: string; detail: string }[] }
    assert.equal(errors[0]?.code, 'unavailable')
    assert.match(errors[0]?.detail ?? '', /starting/)
  } finally {
    await starting!.close()
  }
})

test('a port that is taken is left to the service to report', async () => {
  const options = { host: '127.0.0.1', runnersAt: '/runner/session', renewLease: async () => true }
  const first = await openStartingServer({ ...options, port: 0 })
  assert.equal(await openStartingServer({ ...options, port: first!.port }), undefined)
  await first!.close()
})
