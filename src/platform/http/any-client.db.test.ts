import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { everything, prepareSpecimens, specimenEvents, specimensDomain } from '../../../tests/contract/specimen.ts'
import { basicOf, startTestApi } from '../../../tests/support/api.ts'
import { sql } from '../db/sql.ts'

/** What HTTP lets any client ask, and our own ones never do. */

const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: { admin: everything },
  prepare: prepareSpecimens,
})
after(() => api.stop())

test('a wish for another protocol is passed over, where there is one for runners too', async t => {
  // As the runners' endpoint takes what Node calls an upgrade.
  api.server.fastify.server.on('upgrade', (_, socket) => socket.destroy())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const headers = {
    authorization: basicOf('admin', 'secret'),
    'content-type': 'application/json',
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  }
  const ask = async (method: string, path: string, attributes?: object) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${api.address}${path}`, { method, headers, agent })
      sent.once('response', resolve).once('error', reject)
      sent.end(attributes && JSON.stringify({ data: { attributes } }))
    })
    return { status: answer.statusCode, body: await text(answer) }
  }
  const { id } = (await api.database.one(sql<{ id: string }>`
    insert into specimens (code, path, size) values ('ant', '/projects/a', 7) returning id`))!
  for (const size of [8, 9]) {
    const changed = await ask('PATCH', `/api/specimens/${id}`, { size })
    assert.equal(changed.status, 200, changed.body)
    const shown = await ask('GET', `/api/specimens/${id}`)
    assert.equal(JSON.parse(shown.body).data.attributes.size, size)
  }
})
