import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../client/sluice.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, often, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Two people who read the same version of a record and write at the same instant. */

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': 'actions:\n  hello: { description: Greets, run: echo hello }\n' })
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
    const ifMatch = { 'if-match': shown.headers.get('etag')! }
    let writes: Promise<Answer>[] = []
    await service.database.transaction(async tx => {
      // Held until both have been let through by the version that they have seen.
      await tx.rows(sql`select from ${sql.table(table)} where id = ${shown.body.data.id}::uuid for no key update`)
      writes = ['anna', 'ben'].map(by => admin.patch(path, attributes(by), ifMatch))
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
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
    const [, stale] = answers.toSorted((one, other) => one.status - other.status)
    assert.deepEqual(stale!.body.errors[0].source, { header: 'if-match' })
  })
