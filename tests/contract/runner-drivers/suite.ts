import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedRunner, RunnerDriver, RunnerName } from '../../../src/domain/runners/runner-driver.port.ts'
import { RunnerService } from '../../support/runner-service.ts'

/** Requirements of the suite on a driver. */
export interface DriverToTest {
  readonly name: string
  /** Opens a driver of its own installation, whose runners connect to the address. */
  open(serviceUrl: () => string): Promise<OpenDriver>
}

interface OpenDriver {
  readonly driver: RunnerDriver
  /** Kills only the runner, bypassing the driver. */
  killFromOutside(name: RunnerName): Promise<void>
  /** Process numbers, on this machine, of the runner and of everything that it started. */
  processesOf(runnerId: string): readonly number[]
  close(): Promise<void>
}

/**
 * Tests a driver against the contract of `RunnerDriver`. Runners are real; the test implements the service's side of
 * their protocol.
 */
export function describeDriver({ name, open }: DriverToTest): void {
  describe(`runner driver ${name}`, () => {
    let service: RunnerService
    let opened: OpenDriver
    let driver: RunnerDriver
    beforeEach(async () => {
      service = new RunnerService()
      await service.listen()
      opened = await open(() => service.url)
      driver = opened.driver
    })
    afterEach(async () => {
      for (const id of await driver.leftovers()) await driver.kill(id, [])
      await opened.close()
      await service.tidy()
    })

    const begin = (id = service.runnerId) =>
      driver.start({ id, options: { sandbox: false }, secret: service.start().secret })
    const recorded = (known: Partial<RecordedRunner> = {}): RecordedRunner => ({
      id: service.runnerId,
      host: driver.host,
      ref: null,
      starter: null,
      folder: null,
      ...known,
    })
    const stateOf = async (runner: RecordedRunner) => (await driver.observe([runner])).get(runner.id)!.is
    async function becomes(runner: RecordedRunner, state: string, within = 2_000): Promise<void> {
      const from = performance.now()
      while ((await stateOf(runner)) !== state) {
        if (performance.now() - from > within) assert.equal(await stateOf(runner), state)
        await pause(20)
      }
    }

    test('a started runner connects and is alive', async () => {
      const its = (await begin())!
      assert.equal(its.host, driver.host)
      await service.until(() => service.hellos.length === 1)
      assert.equal(await stateOf(recorded({ ref: its.ref })), 'alive')
      assert.deepEqual(await driver.leftovers(), [service.runnerId])
    })

    test('a start is idempotent by the id: the second one finds the first', async () => {
      const first = await begin()
      await service.until(() => service.hellos.length === 1)
      const before = opened.processesOf(service.runnerId)
      assert.deepEqual(await begin(), first)
      assert.deepEqual(opened.processesOf(service.runnerId), before)
    })

    test('ten start at once, each by its own name', async () => {
      const ids = Array.from({ length: 10 }, () => randomUUID())
      const names = await Promise.all(ids.map(begin))
      assert.equal(new Set(names.map(its => its!.ref)).size, 10)
      const observed = await driver.observe(ids.map((id, i) => recorded({ id, ref: names[i]!.ref })))
      assert.deepEqual(new Set([...observed.values()].map(({ is }) => is)), new Set(['alive']))
      for (const id of ids) assert.equal(await driver.kill(id, []), 'dead')
      assert.deepEqual(ids.flatMap(opened.processesOf), [])
    })

    test('one that is killed from outside is seen to have ended', async () => {
      const its = (await begin())!
      await service.until(() => service.hellos.length === 1)
      await opened.killFromOutside(its)
      await becomes(recorded({ ref: its.ref }), 'ended')
    })

    test('a kill ends the runner and what its steps started, in sessions of their own too; a second one finds it dead', async () => {
      const its = (await begin())!
      const attempt = service.run({ run: 'setsid sleep 600 & (setsid sleep 601 &) ; echo on; sleep 602' })
      await service.until(() => service.lines(attempt.stepId).some(([, , text]) => text === 'on'))
      assert.ok(opened.processesOf(service.runnerId).length > 3)
      assert.equal(await driver.kill(service.runnerId, [attempt]), 'dead')
      assert.deepEqual(opened.processesOf(service.runnerId), [])
      assert.equal(await stateOf(recorded({ ref: its.ref })), 'ended')
      assert.equal(await driver.kill(service.runnerId, [attempt]), 'dead')
    })

    test('what a dead runner had written to be sent can be read', async () => {
      const its = (await begin())!
      await service.until(() => service.hellos.length === 1)
      service.acknowledging = false
      const { stepId } = service.run({ run: 'echo the last words' })
      await service.result(stepId)
      await opened.killFromOutside(its)
      await driver.kill(service.runnerId, [])
      const unsent = await driver.unsent(recorded({ ref: its.ref }))
      assert.ok(unsent.some(message => message.type === 'result' && message.stepId === stepId))
      assert.ok(unsent.some(message => message.type === 'log' && message.text.includes('the last words')))
    })

    test('one that ends before it has connected says why', async () => {
      const astray = await open(() => 'no address')
      try {
        const { id, options, secret } = { id: service.runnerId, options: { sandbox: false }, secret: 'a secret' }
        const its = await astray.driver.start({ id, options, secret })
        const runner = recorded({ ref: its?.ref ?? null })
        if (its) await becomes(runner, 'ended', 10_000)
        assert.match(await astray.driver.complaints(runner), /no address|Invalid URL/)
      } finally {
        await astray.driver.kill(service.runnerId, [])
        await astray.close()
      }
    })

    test('one whose start was not recorded is alive if it came to be, and gone if its starter died before', async () => {
      const dead = { pid: 2 ** 22 + 1, started: 1 }
      const unborn = recorded({ id: randomUUID(), starter: dead })
      assert.equal(await stateOf(unborn), 'gone')
      await begin()
      await service.until(() => service.hellos.length === 1)
      assert.equal(await stateOf(recorded({ starter: dead })), 'alive')
    })

    test('of a runner on another host nothing is known, and it is not dead', async () => {
      const its = (await begin())!
      assert.equal(await stateOf(recorded({ host: 'elsewhere', ref: its.ref })), 'unknown')
    })

    test('what is left of a runner is listed until it is removed, and nothing of another installation', async () => {
      await begin()
      await service.until(() => service.hellos.length === 1)
      const other = await open(() => service.url)
      try {
        assert.deepEqual(await other.driver.leftovers(), [])
        await driver.kill(service.runnerId, [])
        assert.deepEqual(await driver.leftovers(), [service.runnerId])
        assert.equal(await other.driver.remove(service.runnerId), 'removed')
        assert.deepEqual(await driver.leftovers(), [service.runnerId])
        assert.equal(await driver.remove(service.runnerId), 'removed')
        assert.deepEqual(await driver.leftovers(), [])
        assert.equal(await driver.remove(service.runnerId), 'removed')
      } finally {
        await other.close()
      }
    })

    test('the secret is in no argument and no environment', async () => {
      await begin()
      await service.until(() => service.hellos.length === 1)
      const { secret } = service.start()
      for (const pid of opened.processesOf(service.runnerId))
        for (const file of ['cmdline', 'environ'])
          assert.ok(!readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(secret), `${file} of ${pid}`)
    })
  })
}
