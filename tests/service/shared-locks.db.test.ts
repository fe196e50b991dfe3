import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Sql, sql } from '../../src/platform/db/sql.ts'
import { created, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Compatible writes do not wait for each other: each is made while another transaction is still open. */
const live = '/api/projects/shop/environments/live'
let service: TestService
before(async () => {
  service = await startTestService({ spares: 0, users: { ann: [] } })
  await shop(service, { 'web/actions.yaml': 'actions:\n  go: { run: "true" }\n' })
})
after(() => service.stop())

/** While a transaction that has sent this statement is open. */
const beside = (statement: Sql, work: () => Promise<void>) =>
  service.database.transaction(async tx => {
    await tx.count(statement)
    await work()
  })

test('an asset is created while another one is given the same version of a template', async () => {
  const asset = { code: 'next', name: 'Next', template_code: 'web', template_version: '1.0' }
  await beside(sql`select from template_versions for share`, async () => {
    await created(service.as('admin').post(`${live}/assets`, asset))
  })
  const path = `${live.slice('/api'.length)}/assets/front`
  await beside(sql`select from template_versions for share`, async () => {
    const moved = { asset_paths: [path] }
    const answer = await service
      .as('admin')
      .post('/api/projects/shop/templates/web/versions/1.0/assign_to_assets', moved)
    assert.ok(answer.status < 300, answer.text)
  })
})

const policy = (name: string) => sql`
  insert into authorisation_policies (name, created_by) values (${name}, 'admin')`
const epoch = async () => (await service.database.one(sql<{ epoch: number }>`select epoch from rights_epoch`))!.epoch

test('a policy is created while another one is being created, and each of them moves the epoch of rights', async () => {
  const before = await epoch()
  let during = 0
  await beside(policy('first'), async () => {
    await created(service.as('admin').post('/api/authorisation_policies', { name: 'second' }))
    during = await epoch()
    await beside(policy('third'), async () => {
      await created(service.as('admin').post('/api/authorisation_policies', { name: 'fourth' }))
    })
    assert.ok((await epoch()) > during)
  })
  assert.ok(during > before)
  const [all, names] = [
    await epoch(),
    sql<{ n: number }>`select count(*)::int as n from authorisation_policies
    where name in ('first', 'second', 'third', 'fourth')`,
  ]
  assert.equal((await service.database.one(names))!.n, 4)
  assert.ok(all > during)
})

test('more writers of rights at once than there are counters wait for each other, and none fails', async () => {
  const before = await epoch()
  const writers = Array.from({ length: 9 }, (_, i) => `many ${i}`)
  const nested = async ([name, ...others]: readonly string[]): Promise<void> => {
    if (name) await beside(policy(name), () => nested(others))
  }
  await nested(writers.slice(0, 4))
  await Promise.all(writers.slice(4).map(name => beside(policy(name), async () => {})))
  assert.equal((await epoch()) - before, writers.length)
})
