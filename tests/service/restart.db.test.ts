import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  linesOf,
  newAsset,
  often,
  ran,
  shop,
  statuses,
  stepAt,
  stepsOf,
  written,
} from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { processTable } from '../support/process-table.ts'
import { startTestService, type TestService } from '../support/service.ts'

const actions = `
actions:
  lasting: { description: x, steps: [first, second] }
  turned: { description: x, steps: [second, first] }
  first: { run: echo first }
  second:
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      for n in $(seq 1 300); do echo "before $n"; done
      echo began >>"$GATES/$NAME-began"
      until [ -e "$GATES/$NAME-1" ]; do sleep 0.02; done
      for n in $(seq 1 300); do echo "meanwhile $n"; done
      touch "$GATES/$NAME-meanwhile"
      until [ -e "$GATES/$NAME-2" ]; do sleep 0.02; done
      echo after
  leaving:
    description: Leaves processes behind that nothing but their mark tells whose they are
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      setsid sleep 100217 </dev/null >/dev/null 2>&1 &
      echo "$SLUICE_ATTEMPT" >>"$GATES/$NAME-began"
      until [ -e "$GATES/$NAME-go" ]; do sleep 0.02; done
      echo "attempt $SLUICE_ATTEMPT"
`

let service: TestService
let admin: Client
let asset: string
let gates: Gates

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  gates = await newGates()
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const start = async (action: string, name: string, more: object = {}, on = asset): Promise<string> => {
  const property_overrides = { gates: gates.folder, name }
  return (await created(admin.post(`${on}/changes`, { action, property_overrides, ...more }))).id
}

test('a service that is stopped and started again adopts what runs: it goes on, once, and no line is lost', async () => {
  const id = await start('lasting', 'adopted')
  await gates.reached('adopted-began')
  await service.halt({ keepRunners: true })
  await assert.rejects(fetch(`${service.address}/api/healthcheck`))
  await gates.open('adopted-1')
  await gates.reached('adopted-meanwhile')
  await service.startAgain()
  const second = await stepAt(admin, id, 'lasting/second')
  assert.equal(second.attributes.status_code, 'running')
  await gates.open('adopted-2')
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'success')
  assert.equal((await stepAt(admin, id, 'lasting/second')).attributes.attempt, 1)
  const numbered = (what: string) => Array.from({ length: 300 }, (_, n) => `${what} ${n + 1}`)
  const lines = ['first', ...numbered('before'), ...numbered('meanwhile'), 'after']
  assert.deepEqual(await written(admin, `/api/changes/${id}`), lines)
})

test('what ends while there is no service is told when there is one again', async () => {
  const id = await start('lasting', 'ends')
  await gates.reached('ends-began')
  await service.halt({ keepRunners: true })
  await gates.open('ends-1')
  await gates.open('ends-2')
  await until(
    'the script has ended',
    async () => (await processTable()).includes('NAME=ends'),
    runs => !runs,
    often,
  )
  await service.startAgain()
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.equal((await written(admin, `/api/changes/${id}`)).at(-1), 'after')
})

test('a pause outlives the service: what runs ends, nothing begins before somebody resumes it', async () => {
  const id = await start('turned', 'paused')
  await gates.reached('paused-began')
  const pauseOf = async () => (await admin.get(`/api/changes/${id}`)).body.data.attributes.pause_state
  const paused = await admin.post(`/api/changes/${id}/pause`, {})
  assert.deepEqual([paused.status, paused.body.data.attributes.pause_state], [200, 'pausing'])
  await service.halt({ keepRunners: true })
  for (const gate of ['paused-1', 'paused-2']) await gates.open(gate)
  await service.startAgain()
  await changeWhen(admin, id, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  await service.halt({ keepRunners: true })
  await service.startAgain()
  assert.equal(await pauseOf(), 'paused')
  // Another one is admitted and ends meanwhile: the loops have polled.
  assert.equal((await ran(admin, await newAsset(admin, 'beside'), 'first')).attributes.status_code, 'success')
  assert.deepEqual((await statuses(admin, id)).slice(1), [
    ['turned/second', 'success'],
    ['turned/first', 'queued'],
  ])
  assert.equal((await admin.post(`/api/changes/${id}/resume`, {})).status, 200)
  const change = await ended(admin, id)
  assert.deepEqual([change.attributes.status_code, change.attributes.pause_state], ['success', 'none'])
})

test('a change that waits for its turn is started by the service that comes next', async () => {
  const id = await start('lasting', 'older')
  await gates.reached('older-began')
  const waiting = await start('lasting', 'younger')
  await service.halt({ keepRunners: true })
  for (const gate of ['older-1', 'older-2', 'younger-1', 'younger-2']) await gates.open(gate)
  await service.startAgain()
  for (const each of [id, waiting]) assert.equal((await ended(admin, each)).attributes.status_code, 'success')
})

test('a runner that is killed fails its step, saying so, and takes along what it had started', async () => {
  const target = await newAsset(admin, 'killed')
  const id = await start('leaving', 'killed', {}, target)
  await gates.reached('killed-began')
  await killRunnerOf(id)
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'error')
  const [step] = await stepsOf(admin, id)
  assert.match(step?.attributes.error_message, /The runner was lost/)
  const log = (await linesOf(admin, `/api/changes/${id}`)).map(({ attributes }) => attributes.message)
  assert.ok(
    log.some(line => /The runner was lost/.test(line)),
    JSON.stringify(log),
  )
  assert.doesNotMatch(await processTable(), /sleep.100217/)
  assert.equal((await ran(admin, target, 'first')).attributes.status_code, 'success')
})

test('with on_runner_lost restart the step runs again, after everything of the first attempt is dead', async () => {
  const target = await newAsset(admin, 'restarted')
  const more = { settings_overrides: { on_runner_lost: 'restart' } }
  const id = await start('leaving', 'restarted', more, target)
  await gates.reached('restarted-began')
  await killRunnerOf(id)
  await until(
    'a second attempt runs',
    async () => (await stepsOf(admin, id))[0]?.attributes.attempt,
    n => n === 2,
    often,
  )
  await gates.open('restarted-go')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.deepEqual(await written(admin, `/api/changes/${id}`), ['attempt 2'])
  const [first] = await linesOf(admin, `/api/changes/${id}`)
  assert.deepEqual([first?.attributes.attempt, first?.attributes.category], [1, 'runner'])
  assert.match(first?.attributes.message, /The runner was lost: .*; the step runs again\./)
})

/** Kills the runner of a change, as the kernel does when memory is short. */
async function killRunnerOf(changeId: string): Promise<void> {
  const runner = await service.database.one(sql<{ pid: number }>`
    select pid from runners where activity_id = ${changeId}::uuid and status <> 'gone' and pid is not null`)
  process.kill(runner!.pid, 'SIGKILL')
}
