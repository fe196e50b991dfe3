import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  often,
  ran,
  type Shown,
  shop,
  statuses,
  stepAt,
  stepsOf,
  written,
} from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'

/** Changes of which each step has a runner and a slot of its own: pod_per_change_step. */

const actions = `
actions:
  three: { description: x, run_as: parallel, steps: [a, b, c] }
  a: &held
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      step=$(node -p 'JSON.parse(require("fs").readFileSync(process.env.SLUICE_STEP_CONTEXT)).context.step.name')
      echo mine >own-$step
      for n in $(seq 1 50); do echo "line $n"; done
      echo $step >"$SLUICE_ARTEFACTS/$step.txt"
      echo "in $PWD: $(echo own-*)"
      echo "$SLUICE_ATTEMPT" >>"$GATES/$NAME-$step-began"
      until [ -e "$GATES/$NAME-$step" ]; do sleep 0.02; done
      echo "end of $step"
  b: *held
  c: *held
  relay: { description: x, steps: [leave, find] }
  leave: { run: 'echo one >left; printf ''{"properties_diffs":{"change":[{"op":"add","path":"/said","value":"by leave"}]}}'' >"$SLUICE_STEP_RESULT"' }
  find: { env: { SAID: "{{ said }}" }, run: '[ ! -e left ]; echo "$SAID"' }
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

const eachAlone = { settings_overrides: { pod_per_change_step: true } }

const start = async (name: string, settings: object = {}): Promise<string> => {
  const settings_overrides = { ...eachAlone.settings_overrides, ...settings }
  const property_overrides = { gates: gates.folder, name }
  return (await created(admin.post(`${asset}/changes`, { action: 'three', property_overrides, settings_overrides }))).id
}
const began = (name: string, ...steps: string[]) =>
  Promise.all(steps.map(step => gates.reached(`${name}-${step}-began`)))

async function limitTo(limit: number | null): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const data = { 'concurrent.runner_limit': limit }
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data })
  assert.equal(answer.status, 200, answer.text)
  await until('the limit is set', pool, ({ attributes }) => attributes.configured_limit === (limit ?? 15), often)
}

const pool = async (): Promise<Shown> => {
  const { data } = (await admin.get('/api/admin/resource_slots?filter[pool_eq]=runner')).body
  return (await admin.get(`/api/admin/resource_slots/${data[0].id}`)).body.data
}
const claims = async (): Promise<Record<string, string>[]> =>
  (await pool()).attributes.slots.map(({ claimed_by }: { claimed_by: Record<string, string> }) => claimed_by)

const reason = async (stepId: string) => {
  const { data } = (await admin.get(`/api/steps/${stepId}/waiting_reason`)).body
  return data && [data.attributes.kind, data.attributes.by]
}

/** Running step → the process of its runner. */
async function processes(changeId: string): Promise<Record<string, number>> {
  const rows = await service.database.rows(sql<{ full_path: string; pid: number }>`
    select s.full_path, r.pid
      from steps s join runners r on r.id = s.runner_id and r.step_id = s.id
     where s.activity_id = ${changeId} and s.status = 'running' and s.body = 'open'
     order by s.tree_order`)
  return Object.fromEntries(rows.map(({ full_path, pid }) => [full_path, pid]))
}

/** No slot is held, and no runner of a change is left. */
async function nothingLeft(changeId: string): Promise<void> {
  await until(
    'every runner is gone',
    () => service.database.rows(sql`select from runners where activity_id = ${changeId} and status <> 'gone'`),
    rows => rows.length === 0,
    often,
  )
  assert.deepEqual([(await pool()).attributes.claimed_count, await claims()], [0, []])
}

test('of three parallel steps two run under two slots, each by itself; the third waits, says why, and is next', async () => {
  await limitTo(2)
  const id = await start('slots')
  await began('slots', 'a', 'b')
  assert.deepEqual(await statuses(admin, id), [
    ['three', 'running'],
    ['three/a', 'running'],
    ['three/b', 'running'],
    ['three/c', 'queued'],
  ])
  const [, a, b, c] = await stepsOf(admin, id)
  assert.deepEqual(await reason(c!.id), ['slot', 'runner'])
  assert.deepEqual(
    await claims(),
    [a, b].map(step => ({ type: 'step', id: step!.id })),
  )
  assert.equal((await pool()).attributes.waiting_count, 1)
  const pids = await processes(id)
  assert.equal(new Set(Object.values(pids)).size, 2)

  await gates.open('slots-b')
  await began('slots', 'c')
  assert.equal((await processes(id))['three/a'], pids['three/a'])
  await gates.open('slots-a')
  await gates.open('slots-c')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')

  const copies = new Set<string>()
  for (const step of [a!, b!, c!]) {
    const name = step.attributes.step_name
    const lines = await written(admin, `/api/steps/${step.id}`)
    assert.deepEqual(
      lines.filter(line => line.startsWith('line')),
      Array.from({ length: 50 }, (_, n) => `line ${n + 1}`),
    )
    const where = lines.find(line => line.startsWith('in '))!
    assert.match(where, new RegExp(`: own-${name}$`), 'it sees its own file and nobody else’s')
    copies.add(where.slice(0, where.indexOf(':')))
    assert.equal(lines.at(-1), `end of ${name}`)
    const { data } = (await admin.get(`/api/steps/${step.id}/artefacts`)).body
    assert.deepEqual(
      data.map(({ attributes }: Shown) => attributes.name),
      [`${name}.txt`],
    )
  }
  assert.equal(copies.size, 3)
  await nothingLeft(id)
  await limitTo(null)
})

test('steps one after the other see what was written to properties, and not the files of the one before', async () => {
  const change = await ran(admin, asset, 'relay', eachAlone)
  assert.equal(change.attributes.status_code, 'success')
  assert.deepEqual(await written(admin, `/api/steps/${(await stepAt(admin, change.id, 'relay/find')).id}`), [
    'by leave',
  ])
  const runners = await service.database.rows(sql`select from runners where activity_id = ${change.id}`)
  assert.equal(runners.length, 2)
  await nothingLeft(change.id)
})

test('a runner that is killed takes its own step along and no other; under restart that one runs again', async () => {
  const [fails, again] = [await start('lost'), await start('again', { on_runner_lost: 'restart' })]
  await began('lost', 'a', 'b', 'c')
  process.kill((await processes(fails))['three/a']!, 'SIGKILL')
  await until(
    'the step has failed',
    () => stepAt(admin, fails, 'three/a'),
    ({ attributes }) => attributes.status_code === 'error',
    often,
  )
  assert.deepEqual(
    (await statuses(admin, fails)).map(([, status]) => status),
    ['running', 'error', 'running', 'running'],
  )
  for (const step of ['b', 'c']) await gates.open(`lost-${step}`)
  assert.equal((await ended(admin, fails)).attributes.status_code, 'error')
  assert.equal((await written(admin, `/api/steps/${(await stepAt(admin, fails, 'three/b')).id}`)).at(-1), 'end of b')

  await began('again', 'a', 'b', 'c')
  process.kill((await processes(again))['three/b']!, 'SIGKILL')
  await until(
    'the step runs again',
    () => stepAt(admin, again, 'three/b'),
    ({ attributes }) => attributes.attempt === 2 && attributes.status_code === 'running',
    often,
  )
  for (const step of ['a', 'b', 'c']) await gates.open(`again-${step}`)
  assert.equal((await ended(admin, again)).attributes.status_code, 'success')
  assert.deepEqual(
    (await stepsOf(admin, again)).map(({ attributes }) => attributes.attempt),
    [0, 1, 2, 1],
  )
  await nothingLeft(again)
})

test('a restart of the service adopts every runner, and a cancel ends all of them and what stands in line', async () => {
  const id = await start('adopted', { parallel_change_worker_steps: 2 })
  await began('adopted', 'a', 'b')
  const before = await processes(id)
  await service.halt({ keepRunners: true })
  await service.startAgain()
  assert.deepEqual(await processes(id), before)
  assert.deepEqual(await reason((await stepAt(admin, id, 'three/c')).id), ['slot', 'parallel_change_worker_steps'])
  await gates.open('adopted-a')
  await began('adopted', 'c')
  assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
  await ended(admin, id)
  assert.deepEqual(
    (await statuses(admin, id)).map(([, status]) => status),
    ['cancelled', 'success', 'cancelled', 'cancelled'],
  )
  await nothingLeft(id)
})

test('while a change is paused its steps that stand in line hold nothing, and they begin when it is resumed', async () => {
  const id = await start('paused', { parallel_change_worker_steps: 1 })
  await began('paused', 'a')
  await admin.post(`/api/changes/${id}/pause`, {})
  await gates.open('paused-a')
  await changeWhen(admin, id, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  assert.deepEqual(await claims(), [])
  for (const step of ['b', 'c']) await gates.open(`paused-${step}`)
  await admin.post(`/api/changes/${id}/resume`, {})
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  await nothingLeft(id)
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(service.database, `api:changes:error api:changes:pause api:changes:resume error:step:processing`))
