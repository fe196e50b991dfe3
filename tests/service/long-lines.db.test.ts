import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { ran, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A change with lines of a mebibyte, and filters of lists on them. */

let service: TestService
let admin: Client
let lines: string

before(async () => {
  service = await startTestService({ spares: 0 })
  admin = service.as('admin')
  const { asset } = await shop(service, {
    'web/actions.yaml': 'actions: { work: { description: Nothing, run: "true" } }',
  })
  const { id } = await ran(admin, asset, 'work')
  lines = `/api/changes/${id}/log_lines`
  const long = [`${'a'.repeat(1_000_000)}Needle${'a'.repeat(48_000)}`, `${'ä'.repeat(50_000)}Ende`, 'short needle']
  await service.database.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    select s.id, 1, 1000, ${long.length}::int, s.activity_id, n.at, n.at, array_fill(n.at, array[${long.length}::int]),
           array_fill('stdout'::text, array[${long.length}::int]), ${long}::text[]
      from steps s, (select sluice_now() as at) n
     where s.activity_id = ${id}::uuid limit 1`)
})
after(() => service.stop())

const query = (filters: Readonly<Record<string, string | readonly string[]>>) =>
  Object.entries(filters)
    .flatMap(([name, value]) =>
      typeof value === 'string'
        ? [`filter[${name}]=${encodeURIComponent(value)}`]
        : value.map(each => `filter[${name}][]=${encodeURIComponent(each)}`),
    )
    .join('&')
const numbered = (many: number, last: string) => [...Array.from({ length: many - 1 }, (_, i) => String(i)), last]
const sequences = async (filters: Parameters<typeof query>[0]) => {
  const { status, body, text } = await admin.get(`${lines}?fields[log_line]=sequence&${query(filters)}`)
  assert.equal(status, 200, text)
  return body.data.map(({ attributes }: { attributes: { sequence: number } }) => attributes.sequence)
}

test('lines are found by any of hundreds of texts, wherever in them that stands', async () => {
  assert.deepEqual(await sequences({ message_cont_any: numbered(400, 'nEEdle') }), [1000, 1002])
  assert.deepEqual(await sequences({ message_cont_all: ['aaaa', 'needle'] }), [1000])
  assert.deepEqual(await sequences({ message_end_any: numbered(200, 'ENDE') }), [1001])
  assert.deepEqual(await sequences({ message_start_any: numbered(200, 'ÄÄ') }), [1001])
  assert.deepEqual(await sequences({ message_matches_any: ['a%n__dle%a', 'short%'] }), [1000, 1002])
})

test('more texts than one list looks for are refused, and which limit that is', async () => {
  const refused = async (filters: Parameters<typeof query>[0]) => {
    const { status, body } = await admin.get(`${lines}?${query(filters)}`)
    assert.deepEqual([status, body.errors[0].code], [400, 'too-many'])
    return body.errors[0].detail
  }
  const texts = numbered(1_000, 'needle')
  assert.match(await refused({ message_cont_any: numbered(4_000, 'x') }), /at most 1000 values/)
  const four = { message_end_any: texts, message_start_any: texts, message_cont_any: texts, category_cont_any: texts }
  assert.match(await refused(four), /at most 1000 texts in all of its filters, not 4000/)
  assert.match(
    await refused({ message_matches: `%${'a'.repeat(2_000)}b` }),
    /at most 2000 characters; one of them has 2002/,
  )
  const wide = Array.from({ length: 60 }, (_, i) => `${i}${'a'.repeat(1_900)}`)
  assert.match(await refused({ message_cont_any: wide }), /at most 100000 characters together/)
})

test('4,000 values that are only compared are few', async () => {
  const texts = numbered(1_000, 'short needle')
  const compared = { message_eq_any: texts, message_in: texts, message_lteq_any: texts, message_not_eq_any: texts }
  assert.deepEqual(await sequences(compared), [1002])
})

test('the worst pattern is answered, or said to take too long, while others are served', async () => {
  for (const pattern of [`%${'a'.repeat(1_990)}b%`, `%${'a%'.repeat(990)}b`, `%${'a_'.repeat(990)}b%`]) {
    const { status, body } = await admin.get(`${lines}?${query({ message_matches: pattern })}`)
    if (status === 200) assert.deepEqual(body.data, [])
    else assert.deepEqual([status, body.errors[0].code], [503, 'query-too-slow'])
  }
  assert.equal((await admin.get('/api/info')).status, 200)
})
