import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import type { Client } from '../tests/support/api.ts'
import { created, ended, linesOf, readyVersion, type Shown, statuses } from '../tests/support/changes.ts'
import { startTestService, type TestService } from '../tests/support/service.ts'

/** The example as it stands, run by the whole service. */

const folder = join(import.meta.dirname, 'polyglot')
const files = Object.fromEntries(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => [relative(folder, file), readFileSync(file, 'utf8')]),
)
const project = '/api/projects/words'
let service: TestService
let admin: Client
let change: Shown

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  const { url } = await service.repository(files)
  await created(admin.post('/api/projects', { code: 'words', name: 'Words' }))
  await created(admin.post(`${project}/environments`, { code: 'live', name: 'Live' }))
  await created(admin.post(`${project}/git_remotes`, { name: 'examples', url }))
  const template = { code: 'text', name: 'Text', template_type: 'asset', git_remote_name: 'examples' }
  await created(admin.post(`${project}/templates`, template))
  await readyVersion(admin, `${project}/templates/text/versions/1.0`, 'main')
  const asset = { code: 'poem', name: 'Poem', template_code: 'text', template_version: '1.0' }
  await created(admin.post(`${project}/environments/live/assets`, asset))
  const { id } = await created(admin.post(`${project}/environments/live/assets/poem/changes`, { action: 'tour' }))
  change = await ended(admin, id)
})
after(() => service.stop())

test('actions in bash, Python, JavaScript and TypeScript run in one change', async () => {
  const log = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  assert.deepEqual([change.attributes.status_code, change.attributes.error_message], ['success', null], log.join('\n'))
  assert.deepEqual(
    (await statuses(admin, change.id)).map(([path]) => path),
    ['', '/measure', '/Look closer', '/Look closer/longest', '/Look closer/alphabet', '/density', '/publish'].map(
      path => `tour${path}`,
    ),
  )
  for (const line of ['poem.txt has 4 lines and 20 words', '17 different words', '5 words in a line'])
    assert.ok(log.includes(line), `${line} is not in\n${log.join('\n')}`)
})

test('each reads what those before it wrote, and writes its own', async () => {
  const path = `${project}/environments/live/assets/poem/converged_properties`
  const { data } = (await admin.get(path)).body.data.attributes
  const report = {
    lines: 4,
    words: 20,
    longest: ['trembling', 'neither', 'passing'],
    density: 5,
  }
  const sha256 = createHash('sha256')
    .update(`${JSON.stringify(report, null, 2)}\n`)
    .digest('hex')
  assert.deepEqual(data.text.measured, report)
  assert.deepEqual(data.text.report, { sha256, words: 20 })
})

test('what they left is kept with the change', async () => {
  const { data } = (await admin.get(`/api/changes/${change.id}/artefacts`)).body
  assert.deepEqual(data.map(({ attributes }: Shown) => attributes.name).sort(), ['alphabet.txt', 'report.json'])
})
