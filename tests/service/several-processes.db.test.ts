import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, newAsset, often, shop } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

/** The witness is a file that every step writes into as it begins and as it ends, and not a table of ours. */
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
`
const slots = 4
const nodes = ['front', 'a', 'b', 'c', 'd', 'e']
const ofEachName = 5

let service: TestService
let admin: Client
let gates: Gates
const workers: WorkerProcess[] = []

before(async () => {
  // It answers requests; whatever goes on by itself is the workers'.
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

/** What the steps wrote so far, a line each. */
const witness = async (): Promise<string[]> =>
  (await readFile(join(gates.folder, 'witness'), 'utf8').catch(() => '')).split('\n').filter(line => line !== '')

/** Of lines `start …` and `end …`, in the order in which they were written. */
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
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const data = { 'concurrent.runner_limit': limit }
  assert.equal((await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data })).status, 200)
  await until(
    `the limit is ${limit}`,
    () => service.database.one(sql<{ n: number }>`select configured_limit as n from slot_pools where pool = 'runner'`),
    row => row?.n === limit,
    often,
  )
}

const claims = () => service.database.rows(sql`select pool, holder_id from slot_claims where pool = 'runner'`)
