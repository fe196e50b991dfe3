import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { startTestApi } from '../../../tests/support/api.ts'
import { superuserRights } from '../../../tests/support/rights.ts'
import { sealEverything } from '../../../tests/support/sealed-trail.ts'
import { endOfPage, eventsDomain } from './index.ts'

const api = await startTestApi({ domains: [eventsDomain], users: { admin: superuserRights } })
after(() => api.stop())

test('a stream reads no more events at once than fit into the memory of a process that has many, and all of them', async () => {
  const large = { type: 'told', note: 'x'.repeat(900_000) }
  for (let at = 0; at < 20; at += 1) assert.equal((await api.as('admin').post('/api/events', large)).status, 201)
  await sealEverything(api.database)
  const sealed = await api.database.rows(sql<{ seq: number; bytes: number }>`
    select s.seq, octet_length(e.body) as bytes from event_seals s join events e on e.id = s.event_id order by s.seq`)
  const last = sealed.at(-1)!.seq
  const pages: number[] = []
  for (let at = 0; at < last; ) {
    const end = await endOfPage(api.database, at, last)
    assert.ok(end > at)
    pages.push(sealed.filter(({ seq }) => seq > at && seq <= end).reduce((sum, { bytes }) => sum + bytes, 0))
    at = end
  }
  assert.ok(
    pages.every(bytes => bytes <= 16 * 1024 * 1024),
    `bytes of each page: ${pages}`,
  )
})
