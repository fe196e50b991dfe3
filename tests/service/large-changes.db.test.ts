import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Answer } from '../support/api.ts'
import { created, shop } from '../support/changes.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService({ spares: 0 })
after(() => service.stop())
const admin = service.as('admin')

test('changes with much metadata are listed in pages by what they come to, and each once', async () => {
  const { asset } = await shop(service, { 'web/actions.yaml': 'actions:\n  tell: { run: echo told }\n' })
  // They stay pending.
  const { settings } = (await admin.get('/api/system_configuration')).body.data.relationships
  await admin.patch(`/api/settings/${settings.data.id}`, { data: { maintenance_mode: 'enabled' } })
  const made: string[] = []
  for (let number = 0; number < 40; number++) {
    const metadata = { number, text: 'x'.repeat(1_000_000) }
    made.unshift((await created(admin.post(`${asset}/changes`, { action: 'tell', metadata }))).id)
  }
  for (const first of ['/api/changes?limit=1000', '/api/activities?limit=1000']) {
    const listed: string[] = []
    let pages = 0
    for (let path: string | undefined = first; path; pages++) {
      const { status, body, text }: Answer = await admin.get(path)
      assert.ok(text.length < 36 * 1_048_576, `a page of ${text.length} characters`)
      assert.equal(status, body.links.next ? 206 : 200)
      listed.push(...body.data.map(({ id }: { id: string }) => id))
      path = body.links.next
    }
    assert.deepEqual([pages, listed], [2, made], first)
  }
})
