import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { brokenRuns } from '../failure/runs.ts'
import { transitionsWithoutEvent } from '../failure/transitions.ts'
import type { Client } from '../support/api.ts'
import { created, ended, newAsset, often, shop, written } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { processTable } from '../support/process-table.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'
import { began, published, runEnded } from '../support/workflows.ts'

/** The witness is a file to which every step appends when it begins and ends, and not a table of ours. */
const actions = `
actions:
  one: &witnessed
    description: Tells the witness
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      echo "start $NAME $SLUICE_API_URL" >>"$GATES/witness"
      until [ -e "$GATES/open" ]; do sleep 0.02; done
      sleep 0.05
      echo "end $NAME" >>"$GATES/witness"
  two: *witnessed
  lasting:
    description: Goes on until it is stopped
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: touch "$GATES/$NAME-lasts"; sleep 100121
  gated:
    description: Writes lines until it is let through
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      echo "$SLUICE_API_URL" >"$GATES/$NAME-service"
      echo "$SLUICE_ATTEMPT" >>"$GATES/$NAME-attempts"
      touch "$GATES/$NAME-began"
      line=0
      until [ -e "$GATES/$NAME-go" ]; do line=$((line + 1)); echo "line $line"; sleep 0.05; done
      echo "last $line"
  moment: { description: Waits and needs no runner, steps: [{ wait: A moment, seconds: 1 }] }
`
const slots = 4
const nodes = ['front', 'a', 'b', 'c', 'd', 'e']
const ofEachName = 5

let service: TestService
let admin: Client
let gates: Gates
const workers: WorkerProcess[] = []

before(async () => {
  // It answers requests; background work belongs to the workers.
  service = await startTestService({ config: { role: 'api' } })
  admin = service.as('admin')
  gates = await newGates()
  workers.push(...(await Promise.all([1, 2, 3].map(() => startWorkerProcess(service)))))
  await shop(service, { 'web/actions.yaml': actions })
  for (const code of nodes.slice(1)) await newAsset(admin, code)
})
after(async () => {
  const left = await Promise.all(workers.map(worker => worker.stop()))
  await service.stop()
  await gates.remove()
  assert.deepEqual(left.flat(), [])
})

test(`of 60 changes three processes start never more than ${slots} at once, those of one name in their order, and all end`, async () => {
  await setLimit(slots)
  const wanted = Array.from({ length: ofEachName }, (_, at) =>
    nodes.flatMap(node => ['one', 'two'].map(action => ({ node, action, at }))),
  ).flat()
  const ids: string[] = []
  for (const { node, action, at } of wanted) {
    const property_overrides = { gates: gates.folder, name: `${node}-${action} ${at}` }
    const path = `/api/projects/shop/environments/live/assets/${node}/changes`
    ids.push((await created(admin.post(path, { action, property_overrides }))).id)
  }
  // Full, with every step waiting: none of the processes finds a fifth place.
  await until('all places are taken', witness, told => told.length >= slots, often)
  await until(
    'the full pool is said',
    () => admin.get('/api/events?filter[type_eq]=warn:resource_slot_pool:full'),
    ({ body }) => body.data.length > 0,
    often,
  )
  assert.equal((await witness()).length, slots)
  await gates.open('open')
  const left = async () => (await admin.get('/api/changes?filter[active]=true')).body.data.length as number
  await until('all have ended', left, count => count === 0, { ...often, seconds: 240 })

  const { data } = (await admin.get('/api/changes?limit=100')).body
  assert.equal(data.length, 60)
  assert.ok(
    data.every((change: { attributes: { status_code: string } }) => change.attributes.status_code === 'success'),
  )
  const told = await witness()
  assert.equal(told.length, 120)
  assert.ok(mostAtOnce(told) <= slots, `${mostAtOnce(told)} at once`)
  for (const node of nodes)
    for (const action of ['one', 'two']) {
      const ofName = told.filter(line => line.includes(` ${node}-${action} `)).map(line => line.replace(/ http.*/, ''))
      const inOrder = Array.from({ length: ofEachName }, (_, at) =>
        ['start', 'end'].map(w => `${w} ${node}-${action} ${at}`),
      )
      assert.deepEqual(ofName, inOrder.flat())
    }
  assert.deepEqual(await claims(), [])
  const { body } = await admin.get('/api/events?filter[type_eq]=warn:resource_slot_pool:full')
  assert.equal(body.data.length, 1, 'of a full pool is told once, by one of the processes, in an hour')
})

test('each of the processes had its part of the work', async () => {
  const told = await witness()
  const dialled = workers.map(({ url }) => told.filter(line => line.includes(url)).length)
  assert.equal(
    dialled.reduce((sum, each) => sum + each, 0),
    60,
  )
  assert.ok(
    dialled.every(each => each > 0),
    `steps of each: ${dialled.join(', ')}`,
  )
})

test('a cancel that one process is asked for stops what the runners of the others run', async () => {
  const ids = await Promise.all(
    nodes.slice(0, slots).map(async node => {
      const more = { action: 'lasting', property_overrides: { gates: gates.folder, name: node } }
      return (await created(admin.post(`/api/projects/shop/environments/live/assets/${node}/changes`, more))).id
    }),
  )
  await Promise.all(nodes.slice(0, slots).map(node => gates.reached(`${node}-lasts`)))
  for (const id of ids) assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
  for (const id of ids) assert.equal((await ended(admin, id)).attributes.status_code, 'cancelled')
  assert.doesNotMatch(await processTable(), /sleep.100121/)
})

test('of several processes each step of a run makes one thing, and all runs end, also when two die in the middle of it', async () => {
  await published(
    admin,
    'inner',
    `
steps:
  - { targets: [${at('a')}, ${at('b')}], action: moment, run_as: parallel, name: both }
  - { target: ${at('c')}, action: moment, name: then }
`,
  )
  await published(
    admin,
    'outer',
    `
steps:
  - run_as: parallel
    name: at once
    children: [{ type: workflow, target: inner }, { target: ${at('d')}, action: moment, name: beside }]
  - { target: ${at('e')}, action: moment, name: last }
`,
  )
  await setGlobally({ 'allow_parallel.runs_of_same_workflow': true, 'allow_parallel.runs_of_same_change': true })
  const points = ['workflow-step-before-commit', 'workflow-news-before-commit'] as const
  for (const point of points) await writeFile(join(gates.folder, point), 'kill')
  const env = { SLUICE_TEST_FAILPOINTS: gates.folder, SERVICE_OVERRIDE_RUNNER__SPARES: '0' }
  const mortal = await Promise.all(points.map(() => startWorkerProcess(service, env)))
  const ids: string[] = []
  try {
    do ids.push(...(await Promise.all(Array.from({ length: 4 }, () => began(admin, 'outer')))))
    while (!(await bothDie(mortal)))
    for (const id of ids) assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
  } finally {
    assert.deepEqual((await Promise.all(mortal.map(worker => worker.stop()))).flat(), [])
  }
  assert.deepEqual(await brokenRuns(service.database), [])
  assert.deepEqual(await transitionsWithoutEvent(service.database), [])
  const made = await service.database.rows(sql`select from activities where workflow_step_id is not null`)
  assert.equal(made.length, 6 * ids.length)
})

for (const onRunnerLost of ['error', 'restart'])
  test(`what a killed process ran is taken over by another one of the host, whose data lie elsewhere (on_runner_lost: ${onRunnerLost})`, async () => {
    const name = `gated-${onRunnerLost}`
    await setGlobally({ on_runner_lost: onRunnerLost })
    // Only this one can start it; the others are restored once it runs.
    const held = workers.splice(0)
    assert.deepEqual((await Promise.all(held.map(worker => worker.stop()))).flat(), [])
    const mortal = await startWorkerProcess(service)
    try {
      const more = { action: 'gated', property_overrides: { gates: gates.folder, name } }
      const { id } = await created(admin.post('/api/projects/shop/environments/live/assets/a/changes', more))
      await gates.reached(`${name}-began`)
      workers.push(await startWorkerProcess(service))
      await mortal.kill()
      await until(
        'the runner is heard by the other process',
        () =>
          service.database.one(sql<{ heard: boolean }>`
            select sluice_now() - last_contact < interval '5 s' and session > 1 as heard
              from runners where activity_id = ${id}::uuid`),
        runner => runner?.heard === true,
        { ...often, seconds: 60 },
      )
      await gates.open(`${name}-go`)
      assert.equal((await ended(admin, id)).attributes.status_code, 'success')
      assert.deepEqual((await readFile(join(gates.folder, `${name}-attempts`), 'utf8')).trim(), '1')
      const lines = await written(admin, `/api/changes/${id}`)
      const count = Number(lines.at(-1)?.replace('last ', ''))
      assert.deepEqual(lines, [...Array.from({ length: count }, (_, at) => `line ${at + 1}`), `last ${count}`])
    } finally {
      await mortal.stop()
    }
  })

const at = (asset: string) => `environments/live/assets/${asset}`

/** Soon, or they need more work. */
const bothDie = (workers: readonly WorkerProcess[]): Promise<boolean> =>
  until('both die', async () => workers.every(worker => worker.hasEnded()), Boolean, { seconds: 3, pause: 25 }).catch(
    () => false,
  )

/** Lines of the steps so far. */
const witness = async (): Promise<string[]> =>
  (await readFile(join(gates.folder, 'witness'), 'utf8').catch(() => '')).split('\n').filter(line => line !== '')

/** Checks lines `start …` and `end …`, in the order of writing. */
function mostAtOnce(lines: readonly string[]): number {
  let now = 0
  return Math.max(
    ...lines.map(line => {
      now += line.startsWith('start') ? 1 : -1
      return now
    }),
  )
}

async function setLimit(limit: number): Promise<void> {
  await setGlobally({ 'concurrent.runner_limit': limit })
  await until(
    `the limit is ${limit}`,
    () => service.database.one(sql<{ n: number }>`select configured_limit as n from slot_pools where pool = 'runner'`),
    row => row?.n === limit,
    often,
  )
}

const claims = () => service.database.rows(sql`select pool, holder_id from slot_claims where pool = 'runner'`)

async function setGlobally(data: object): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  assert.equal((await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data })).status, 200)
}
