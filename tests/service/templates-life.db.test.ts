import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { changeWhen, created, ran, readyVersion, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Templates, their versions and Git remotes from beginning to end, as the assembled service answers over HTTP. */

const files = {
  'web/actions.yaml': `
actions:
  hello: { description: Greets, run: echo hello }
  linger: { description: Stays, run: sleep 300 }
`,
}
const versions = '/api/projects/shop/templates/web/versions'

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, files)
})
after(() => service.stop())

test('what a change ran is not deleted, though no node ever had that version', async () => {
  await readyVersion(admin, `${versions}/ran`, 'main')
  const { id } = await ran(admin, made.asset, 'hello', { template_version: 'ran' })
  for (const path of [`${versions}/ran`, '/api/projects/shop/templates/web']) {
    const refused = await admin.delete(path)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'in-use'])
    assert.ok(refused.body.errors[0].meta.in_use.some((use: { id: string }) => use.id === id))
  }
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.template_version, 'ran')
})

test('of a version that is deleted while a change of it is being made, either goes through and never both', async () => {
  for (let round = 1; round <= 6; round++) {
    await readyVersion(admin, `${versions}/contested`, 'main')
    const asked = { action: 'hello', template_version: 'contested' }
    const [change, deletion] = await Promise.all([
      admin.post(`${made.asset}/changes`, asked),
      admin.delete(`${versions}/contested`),
    ])
    assert.ok(
      [
        [201, 409],
        [409, 204],
      ].some(([one, other]) => change.status === one && deletion.status === other),
      `${change.status} and ${deletion.status}`,
    )
    if (change.status === 201) return
  }
})

test('a Git remote that a change still takes its files from is not deleted', async () => {
  const { url } = await service.repository({ 'actions.yaml': files['web/actions.yaml'] })
  const remote = await created(admin.post('/api/projects/shop/git_remotes', { name: 'of a change', url }))
  const asked = { action: 'linger', git_remote_name: 'of a change', git_rev: 'main' }
  const change = await created(admin.post('/api/projects/shop/environments/live/changes', asked))
  const path = `/api/projects/shop/git_remotes/${remote.id}`
  const refused = await admin.delete(path)
  assert.deepEqual([refused.status, refused.body.errors[0].meta.in_use[0].id], [409, change.id])
  assert.ok((await admin.delete(`/api/changes/${change.id}`)).status < 300)
  await changeWhen(admin, change.id, 'is cancelled', ({ attributes }) => attributes.status_code === 'cancelled')
  assert.equal((await admin.delete(path)).status, 204)
})
