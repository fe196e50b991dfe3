import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../client/sluice.ts'
import { processesNaming } from '../main-job/process-table.ts'
import type { Client } from '../support/api.ts'
import { created, ended, type Shop, shop, stepsOf } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A service that stops with its runners (`--stop-runners`), at any moment of the start of one. */

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService({ spares: 0 })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': 'actions: { hello: { description: Greets, run: echo hello } }' })
})
after(() => service.stop())

const runnersOf = (changeId: string) =>
  service.database.rows(sql<{ id: string; status: string }>`
    select id, status from runners where activity_id = ${changeId}::uuid order by created_at`)

const moments: Readonly<Record<string, (runner: { id: string; status: string }) => boolean>> = {
  'is about to start': ({ status }) => status !== 'wanted',
  'has a process': ({ id }) => processesNaming(id).length > 0,
  'has connected': ({ status }) => status === 'live',
}

for (const [moment, has] of Object.entries(moments))
  test(`a runner that ${moment} ends with the service, and none is started for it before the next start`, async () => {
    const { id } = await created(admin.post(`${made.asset}/changes`, { action: 'hello' }))
    await until(
      `a runner ${moment}`,
      () => runnersOf(id),
      runners => runners.some(has),
      { seconds: 60, pause: 1 },
    )
    await service.halt({ keepRunners: false })
    const runners = await runnersOf(id)
    // A runner has reported its end a moment before its processes are gone; one that was forgotten runs for a minute.
    await until(
      'the end of all processes of the runner',
      async () => runners.flatMap(runner => processesNaming(runner.id)),
      left => left.length === 0,
      { seconds: 20 },
    )
    // None was started for the one that ended.
    assert.ok(runners.filter(({ status }) => status !== 'wanted').length <= 1, JSON.stringify(runners))

    await service.startAgain()
    const { status_code: status } = (await ended(admin, id)).attributes
    const [step] = await stepsOf(admin, id)
    assert.equal(step!.attributes.attempt, 1)
    // One that had connected may have begun the step already, which is not repeated.
    if (status === 'error' && moment === 'has connected') assert.match(step!.attributes.error_message, /was stopped$/)
    else assert.equal(status, 'success')
  })
