import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { ran, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Many connections of one user request a slow list again and again; other users work meanwhile. */

const connections = 40

let service: TestService
let admin: Client
let asset: string
before(async () => {
  const rules = [{ path: '/projects/shop', read: true, update: true }]
  service = await startTestService({ spares: 0, users: { greedy: rules, calm: rules } })
  admin = service.as('admin')
  ;({ asset } = await shop(service, {
    'web/actions.yaml': 'actions: { work: { description: Nothing, run: "true" } }',
  }))
  const { id } = await ran(admin, asset, 'work')
  await service.database.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    select s.id, 1, 10000 + 1000 * n, 1000, s.activity_id, now(), now(), array_fill(now(), array[1000]),
           array_fill('stdout'::text, array[1000]), array_fill(repeat('one word and another; ', 5), array[1000])
      from (select id, activity_id from steps where activity_id = ${id}::uuid limit 1) s, generate_series(1, 3000) n`)
})
after(() => service.stop())

const slow = '/api/log_lines?limit=10&filter[message_cont]=zebra'

test('while one user takes all that there is, everybody else is served, and so is what they ask for to see why', async () => {
  const greedy = service.as('greedy')
  const calm = service.as('calm')
  const answers: Answer[] = []
  let going = true
  const loops = Array.from({ length: connections }, async () => {
    while (going) answers.push(await greedy.get(slow))
  })
  await until(
    'the first of them has taken its time',
    async () => answers.length,
    many => many > 0,
  )

  for (let round = 0; round < 10; round += 1) {
    for (const path of [asset, '/api/projects', `${asset}/changes`, '/api/me']) {
      const { status, text, headers } = await calm.get(path)
      assert.equal(status, 200, text)
      assert.match(headers.get('server-timing') ?? '', /^db;dur=\d+\.\d, wait;dur=\d+\.\d$/)
    }
    const { status, text } = await calm.patch(asset, { name: `Front ${round}` })
    assert.equal(status, 200, text)
  }
  assert.equal((await greedy.get('/api/info')).status, 200)
  assert.equal((await greedy.patch(asset, { name: 'by greedy' })).status, 200, 'commands have connections of their own')

  const load = await until(
    'the load is told',
    async () => (await admin.get('/api/admin/load')).body.data,
    data => data[0]?.attributes.slow_lane === true,
  )
  assert.equal(load[0].attributes.username, 'greedy')
  assert.ok(load[0].attributes.database_seconds > 10)
  const refused = await until(
    'some have waited too long',
    async () => answers.find(({ body }) => body.errors?.[0].code === 'busy'),
    answer => answer !== undefined,
  )
  assert.equal(refused?.status, 503)
  assert.match(refused?.body.errors[0].detail, /waited 10 s behind other of your requests/)
  assert.ok(Number(refused?.headers.get('retry-after')) > 0)
  going = false
  await Promise.all(loops)
  // A fast machine returns what it can read within the timeout.
  const codes = new Set(answers.map(({ status, body }) => body.errors?.[0].code ?? status))
  for (const fine of [200, 'busy', 'query-too-slow']) codes.delete(fine)
  assert.deepEqual([...codes], [])
})
