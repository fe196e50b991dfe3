import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runnerSocketPath } from '#protocol/runner-protocol.ts'
import { attachRunnerEndpoint } from './endpoint.adapter.ts'
import { whyLost } from './lost-runners.jobs.ts'
import { readMessage } from './messages.ts'
import { reconcile } from './reconcile.ts'
import type { Suspect } from './runner.store.ts'

const attempt = (name: string) => ({ stepId: name, attempt: 1, fence: 1 })

test('at a hello, what was given up is dropped, what never arrived is sent again, what it holds it keeps', () => {
  const running = ['held', 'reported', 'never arrived'].map(attempt)
  const hello = { holding: [attempt('held'), attempt('given up')], reported: [attempt('reported'), attempt('applied')] }
  assert.deepEqual(reconcile(running, hello), {
    drop: [attempt('given up')],
    lost: [attempt('never arrived')],
    held: [attempt('held'), attempt('reported')],
  })
})

test('the same step under another fence is another attempt', () => {
  const newer = { ...attempt('a'), attempt: 2, fence: 9 }
  assert.deepEqual(reconcile([newer], { holding: [attempt('a')], reported: [] }), {
    drop: [attempt('a')],
    lost: [newer],
    held: [],
  })
})

test('a runner is lost when its process is gone, or when it was silent for too long', () => {
  const runner: Suspect = {
    id: 'r',
    of: 'activity' as const,
    activityId: 'a',
    stepId: null,
    status: 'live',
    kind: 'process',
    host: 'here',
    ref: '1:1',
    starter: { pid: 1, started: 1 },
    folder: null,
    startAttempts: 1,
    ackedSeq: 0,
    unheard: false,
    silent: false,
    lostAfterSeconds: 75,
    overdue: false,
  }
  const silent = 'nothing was heard of it for 75 s'
  assert.equal(whyLost(runner, { is: 'alive' }), undefined)
  assert.equal(whyLost(runner, { is: 'ended', why: 'its process has ended' }), 'its process has ended')
  assert.equal(whyLost(runner, { is: 'gone', why: 'it never came' }), 'it never came')
  assert.equal(whyLost({ ...runner, silent: true }, { is: 'alive' }), silent)
  // An unreachable runner is not dead.
  const unknown = { is: 'unknown', why: 'its host does not answer' } as const
  assert.equal(whyLost(runner, unknown), undefined)
  assert.equal(whyLost(runner, undefined), undefined)
  assert.equal(whyLost({ ...runner, silent: true }, unknown), silent)
  const starting: Suspect = { ...runner, status: 'starting', ref: null }
  assert.equal(whyLost(starting, { is: 'coming' }), undefined)
  assert.equal(whyLost({ ...starting, overdue: true }, { is: 'coming' }), 'it did not announce itself within 30 s')
})

test('what could not be stored is no message', () => {
  const stepId = '01a1fd7b-4735-77b2-8b05-c5b61d1bf2e6'
  const log = {
    type: 'log',
    stepId,
    attempt: 1,
    fence: 1,
    seq: 1,
    firstSeq: 1,
    runs: [[2, '2026-11-21T10:00:00.000000Z', 'stdout']],
    text: 'x\n',
  }
  assert.deepEqual(readMessage(JSON.stringify(log)), log)
  const wrong = [
    { ...log, runs: [] },
    { ...log, runs: [[2, 'yesterday', 'stdout']] },
    { ...log, runs: [[2, '2026-11-21T10:00:00.000000Z', 'other']] },
    { ...log, text: 'a\0\nb' },
    { ...log, text: 'x' },
    { ...log, text: 'x\ny\nz' },
    { ...log, text: null },
    { ...log, stepId: "1' or" },
    { ...log, seq: 0 },
    { type: 'nothing' },
    null,
  ]
  for (const message of wrong) assert.equal(readMessage(JSON.stringify(message)), undefined)
  assert.equal(readMessage('{'), undefined)
})

test('a runner that dials while the service stops is refused, and the stop waits for no connection that nobody took', async () => {
  const server = createServer()
  // Another listener for requests of the server.
  server.on('upgrade', () => {})
  const database = { hints: new EventEmitter() }
  const endpoint = attachRunnerEndpoint({ server, database, log: console } as never)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await endpoint.close()
  const runner = connect((server.address() as AddressInfo).port, '127.0.0.1')
  runner.write(`GET ${runnerSocketPath} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  assert.match(await text(runner), /^HTTP\/1\.1 503 /)
  await new Promise(resolve => server.close(resolve))
})
