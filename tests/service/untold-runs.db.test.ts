import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { newAsset, often, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { began, changeOfStep, published, runEnded, runStatuses, runStepWhen, stepsOfRun } from '../support/workflows.ts'

/** The child of a step of a run ends, and is deleted before the run was notified. */

const actions = 'actions: { plain: { description: x, run: echo plain } }'
const later = 'start_time: 2999-01-01T00:00:00Z'

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
})
after(() => service.stop())

/** Meanwhile no run is notified of its children, as when all workers are down. */
async function withoutNews(work: () => Promise<void>): Promise<void> {
  const owner = (statements: string) =>
    withClient(service.testDatabase.superuserUrl, async client => void (await client.query(statements)))
  await owner(`
    create function keep_news() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger keep_news before delete on workflow_step_news for each row execute function keep_news()`)
  try {
    await work()
  } finally {
    await owner('drop function keep_news() cascade')
  }
}

const workflow = (target: string) => `steps: [{ target: ${target}, action: plain, name: one, ${later} }]`

test('what a step has made is not purged before its run has heard how it ended', async () => {
  const front = 'environments/live/assets/front'
  await published(admin, 'inner', workflow(front))
  await published(
    admin,
    'outer',
    `
steps:
  - run_as: parallel
    name: both
    children: [{ target: ${front}, action: plain, name: one, ${later} }, { type: workflow, target: inner, name: two, ${later} }]
`,
  )
  const id = await began(admin, 'outer')
  const change = `/api/changes/${await changeOfStep(admin, id, 'one')}`
  await runStepWhen(admin, id, 'two', 'running')
  const step = (await stepsOfRun(admin, id)).find(({ attributes }) => attributes.name === 'two')
  const run = `/api/workflow_runs/${step.relationships.workflow_runs.data[0].id}`
  await withoutNews(async () => {
    for (const path of [change, run]) {
      assert.equal((await admin.delete(path)).status, 204)
      const answer = await admin.delete(`${path}?purge=true`)
      assert.equal(answer.status, 409, path)
      assert.match(answer.text, /the run that made it is yet to hear of it: try again in a moment/)
    }
  })
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')
  assert.deepEqual(await runStatuses(admin, id), [
    ['both', 'error'],
    ['both/one', 'cancelled'],
    ['both/two', 'cancelled'],
  ])
  for (const path of [change, run]) assert.equal((await admin.delete(`${path}?purge=true`)).status, 204)
})

test('the change of a node that was destroyed is kept until the run that made it has heard how it ended', async () => {
  const asset = await newAsset(admin, 'doomed')
  await published(admin, 'on-doomed', workflow('environments/live/assets/doomed'))
  const id = await began(admin, 'on-doomed')
  const change = await changeOfStep(admin, id, 'one')
  const deletions = async () =>
    (await admin.get('/api/admin/jobs?filter[job_class_eq]=nodes.delete_destroyed&filter[status_eq]=success')).body.data
      .length
  await withoutNews(async () => {
    assert.equal((await admin.delete(`/api/changes/${change}`)).status, 204)
    const earlier = await deletions()
    assert.equal((await admin.delete(`${asset}?ignore_in_use=true`)).status, 204)
    await until('the rows of the node have been looked through', deletions, count => count > earlier, often)
    const kept = await service.database.one(sql`select from activities where id = ${change}::uuid`)
    assert.ok(kept, 'the change is there')
  })
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')
  assert.deepEqual(await runStatuses(admin, id), [['one', 'cancelled']])
})
