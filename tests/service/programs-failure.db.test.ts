import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { fetchedVersion, often, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Effects on a derivation when its runner or the service is killed. */

const gates = mkdtempSync(join(tmpdir(), 'sluice-gates-'))
chmodSync(gates, 0o777)
const versions = '/api/projects/shop/templates/web/versions'
let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': 'actions:\n  quick: { run: "true" }\n' })
})
after(async () => {
  await service.stop()
  rmSync(gates, { recursive: true })
})

/** A version whose program reports that it runs, and continues when the gate is open. */
async function begin(name: string): Promise<void> {
  made.repository.commit(
    {
      'web/actions.ts': `
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { action } from '@sluice/actions'
appendFileSync('${gates}/${name}-began', process.pid + '\\n')
while (!existsSync('${gates}/${name}')) await pause(10)
action('slow', {}, () => {})
`,
    },
    { branch: name },
  )
  await admin.put(`${versions}/${name}`, { git_rev: name })
  await begun(name)
}

const begun = (name: string) =>
  until(`${name} has begun`, async () => existsSync(join(gates, `${name}-began`)), Boolean, often)
const open = (name: string) => writeFileSync(join(gates, name), '')
const newestTask = async () =>
  (await service.database.one(sql<{ status_code: string; attempt: number; pid: number }>`
    select t.status_code, t.attempt, r.pid
      from node_background_tasks t
      left join runners r on r.task_id = t.id and r.status <> 'gone'
     order by t.request_number desc
     limit 1`))!

test('a runner that is killed while it asks a program is replaced, under a new attempt', async () => {
  await begin('killed')
  const { pid } = await newestTask()
  rmSync(join(gates, 'killed-began'))
  process.kill(pid, 'SIGKILL')
  await begun('killed')
  open('killed')
  assert.equal((await fetchedVersion(admin, `${versions}/killed`, 'killed')).attributes.state, 'ready')
  const { status_code, attempt } = await newestTask()
  assert.deepEqual([status_code, attempt], ['success', 2])
})

test('a service that stops meanwhile finds the runner again, and nothing is asked twice', async () => {
  await begin('adopted')
  await service.halt({ keepRunners: true })
  open('adopted')
  await service.startAgain()
  assert.equal((await fetchedVersion(admin, `${versions}/adopted`, 'adopted')).attributes.state, 'ready')
  const { status_code, attempt } = await newestTask()
  assert.deepEqual([status_code, attempt], ['success', 1])
})

test('a version that is deleted meanwhile takes its task and its slot along', async () => {
  await begin('deleted')
  const gone = await admin.delete(`${versions}/deleted`)
  assert.equal(gone.status, 204, gone.text)
  open('deleted')
  await until(
    'its runner is gone',
    () => service.database.rows(sql<{ status: string }>`select status from runners where task_id is not null`),
    all => all.every(({ status }) => status === 'gone'),
    often,
  )
  assert.deepEqual(await service.database.rows(sql`select from slot_claims where holder_kind = 'task'`), [])
})
