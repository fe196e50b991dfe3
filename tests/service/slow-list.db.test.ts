import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { ran, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Hundreds of changes that each failed with a message of ten megabytes: text without an index. */

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({ spares: 0 })
  admin = service.as('admin')
  const { asset } = await shop(service, {
    'web/actions.yaml': 'actions: { work: { description: Nothing, run: "false" } }',
  })
  await ran(admin, asset, 'work')
  await service.database.transaction(async tx => {
    const shown = await tx.rows(sql<{ name: string }>`
      select attname as name from pg_attribute
       where attrelid = 'activities'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
         and attname not in ('id', 'error_message')`)
    const columns = sql.raw(shown.map(({ name }) => name).join(', '))
    await tx.count(sql`update activities set error_message = repeat('one word and another; ', 500000)`)
    await tx.count(sql`
      insert into activities (${columns}, id, error_message)
      select ${columns}, sluice_uuid7(), error_message from activities, generate_series(1, 400)`)
    const ofChange = await tx.rows(sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = 'changes'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`)
    const others = sql.raw(ofChange.map(({ name }) => `c.${name}`).join(', '))
    await tx.count(sql`
      insert into changes (id, ${sql.raw(ofChange.map(({ name }) => name).join(', '))})
      select a.id, ${others} from changes c, activities a where a.id <> c.id`)
  })
})
after(() => service.stop())

const slow = '/api/changes?fields[change]=action&filter[error_message_cont]=zebra'

test('a list that no index serves is ended after its time, and says what would serve it', async () => {
  for (const query of [slow, `${slow}&download=a list.csv`]) {
    const { status, body } = await admin.get(`${query}&filter[sorts]=step_name`)
    assert.deepEqual([status, body.errors[0].code], [503, 'query-too-slow'])
    const { indexed, unserved } = body.errors[0].meta
    assert.deepEqual(unserved, ['error_message_cont', 'the order by step_name'])
    assert.deepEqual(indexed.toSorted(), ['action', 'created_at', 'id', 'node_path', 'status_code'])
    assert.match(
      body.errors[0].detail,
      /longer than its 5 s\. No index serves error_message_cont, the order by step_name\./,
    )
    assert.match(
      body.errors[0].detail,
      /eq, in, lt, lteq, gt or gteq on one of status_code, node_path, created_at, action, id/,
    )
  }
})

test('narrowed as advised it answers', async () => {
  const { status, body } = await admin.get(`${slow}&filter[created_at_gt]=2099-01-01`)
  assert.deepEqual([status, body.data], [200, []])
})

test('it is no bug, and none is recorded', async () => {
  const { body } = await admin.get('/api/events?filter[type_eq]=error:api:controller:unhandled')
  assert.deepEqual(body.data, [])
})
