import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../client/sluice.ts'
import type { Answer, Client } from '../support/api.ts'
import { changeWhen, created, often, type Shop, type Shown, shop, stepsOf } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Two people who read the same version of a record and write concurrently. */

const actions = `
actions:
  hello: { description: Greets, run: echo hello }
  signed:
    description: Waits for two
    steps: [{ wait: Signed, approvers: { user_names: [anna, ben], required_approvals: 2 } }]
  held: { description: Waits for one, steps: [{ wait: Held }] }
`

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  const approver = [{ path: '/projects/shop', read: true }]
  service = await startTestService({ users: { anna: approver, ben: approver } })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': actions })
})
after(() => service.stop())

const documentOf = async (name: 'properties' | 'settings') =>
  (await admin.get(made.asset)).body.data.relationships[name].links.related as string

const records: readonly {
  what: string
  table: string
  path: () => Promise<string>
  attributes: (by: string) => object
}[] = [
  {
    what: 'properties',
    table: 'properties',
    path: () => documentOf('properties'),
    attributes: by => ({ data: { by } }),
  },
  {
    what: 'settings',
    table: 'settings',
    path: () => documentOf('settings'),
    attributes: by => ({ data: { repo_folder: by } }),
  },
  { what: 'an asset', table: 'nodes', path: async () => made.asset, attributes: by => ({ description: by }) },
  {
    what: 'a schedule',
    table: 'scheduled_activities',
    path: async () => {
      const attributes = { action: 'hello', cron_schedule: '@yearly' }
      const { id } = await created(admin.post(`${made.asset}/scheduled_activities`, attributes))
      return `/api/scheduled_activities/${id}`
    },
    attributes: by => ({ property_overrides: { by } }),
  },
]

for (const { what, table, path: pathOf, attributes } of records)
  test(`of two who write ${what} at the same instant with the same If-Match the second is told 412`, async () => {
    const path = await pathOf()
    const shown = await admin.get(path)
    const record = { table, id: shown.body.data.id }
    await secondIsTold(record, shown, (by, ifMatch) => admin.patch(path, attributes(by), ifMatch), 200)
  })

/** Commands on a change or one of its steps; the first of two succeeds. */
const deeds: readonly {
  what: string
  action: 'signed' | 'held'
  of: 'change' | 'step'
  ask: (path: string, by: string, ifMatch: Record<string, string>) => Promise<Answer>
  done?: number
}[] = [
  {
    what: 'approve a step',
    action: 'signed',
    of: 'step',
    ask: (path, by, ifMatch) => service.as(by).post(`${path}/approve`, {}, ifMatch),
  },
  {
    what: 'continue a step',
    action: 'held',
    of: 'step',
    ask: (path, _, ifMatch) => admin.post(`${path}/continue`, {}, ifMatch),
  },
  {
    what: 'pause a change',
    action: 'held',
    of: 'change',
    ask: (path, _, ifMatch) => admin.post(`${path}/pause`, {}, ifMatch),
  },
  {
    what: 'cancel a change',
    action: 'held',
    of: 'change',
    ask: (path, _, ifMatch) => admin.delete(path, ifMatch),
    done: 204,
  },
]

for (const { what, action, of, ask, done = 200 } of deeds)
  test(`of two who ${what} at the same instant with the same If-Match the second is told 412`, async t => {
    const { id } = await created(admin.post(`${made.asset}/changes`, { action }))
    t.after(() => admin.delete(`/api/changes/${id}`))
    const isWaiting = ({ attributes }: Shown) => attributes.status_code.startsWith('waiting')
    await changeWhen(admin, id, 'waits', isWaiting)
    const waiting = (await stepsOf(admin, id)).find(isWaiting)!
    const path = of === 'step' ? `/api/steps/${waiting.id}` : `/api/changes/${id}`
    await secondIsTold(
      { table: 'activities', id },
      await admin.get(path),
      (by, ifMatch) => ask(path, by, ifMatch),
      done,
    )
  })

async function secondIsTold(
  { table, id }: { table: string; id: string },
  shown: Answer,
  write: (by: string, ifMatch: Record<string, string>) => Promise<Answer>,
  done: number,
): Promise<void> {
  const ifMatch = { 'if-match': shown.headers.get('etag')! }
  let writes: Promise<Answer>[] = []
  await service.database.transaction(async tx => {
    // Locked until both have passed the check of their version.
    await tx.rows(sql`select from ${sql.table(table)} where id = ${id}::uuid for no key update`)
    writes = ['anna', 'ben'].map(by => write(by, ifMatch))
    await until(
      'both wait for the record',
      () =>
        service.database.one(sql<{ n: number }>`
          select count(distinct pid)::int as n from pg_locks where not granted and locktype in ('transactionid', 'tuple')`),
      row => row?.n === 2,
      often,
    )
  })
  const answers = await Promise.all(writes)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [done, 412])
  const [, stale] = answers.toSorted((one, other) => one.status - other.status)
  assert.deepEqual(stale!.body.errors[0].source, { header: 'if-match' })
}
