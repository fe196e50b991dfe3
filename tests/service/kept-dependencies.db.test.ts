import assert from 'node:assert/strict'
import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { linesOf, ran, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** npm dependencies of a commit, through the whole service, and attacks of a step on them. */

const files = {
  'package.json': JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { greeting: 'file:greeting' } }),
  'package-lock.json': JSON.stringify({
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'x', version: '1.0.0', dependencies: { greeting: 'file:greeting' } },
      greeting: { version: '1.0.0' },
      'node_modules/greeting': { resolved: 'greeting', link: true },
    },
  }),
  'greeting/package.json': '{"name":"greeting","version":"1.0.0","type":"module","exports":"./index.js"}',
  'greeting/index.js': "export const greeting = 'Hello'\n",
  'web/actions.yaml': `
actions:
  greet: { run: "node --input-type=module -e \\"console.log((await import('greeting')).greeting)\\"" }
  plant:
    env: { DATA: "{{ data }}" }
    run: |
      for folder in "$DATA" "$DATA/runners" "$DATA"/runners/*/ "$DATA/runners/kept-dependencies" "$DATA/runners/trees"; do
        echo planted 2> /dev/null > "$folder/planted" || true
      done
      for found in $(find "$DATA/runners" -name '*.tar' -not -path "$PWD/*" 2> /dev/null); do echo planted > "$found"; done
`,
}

let service: TestService
let admin: Client
let made: Shop
before(async () => {
  service = await startTestService({ spares: 0 })
  admin = service.as('admin')
  made = await shop(service, files)
})
after(() => service.stop())

const said = async (action: string, more: object = {}) => {
  const change = await ran(admin, made.asset, action, more)
  assert.equal(change.attributes.status_code, 'success', change.attributes.error_message)
  return (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => String(attributes.message))
}
const installing = 'npm ci: what the lock file names is installed'

test('what npm installs is taken over by the next change, and a step without a sandbox can neither find nor change it', async () => {
  const first = await said('greet')
  assert.equal(first.includes(installing), true)
  assert.equal(first.at(-1), 'Hello')
  const kept = join(service.dataDir, 'runners/kept-dependencies')
  const before = readdirSync(kept)
  const global = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  const own = (await admin.get(made.asset)).body.data.relationships.settings.links.related
  assert.equal((await admin.patch(global, { data: { 'allowed.runner.sandbox': [true, false] } })).status, 200)
  for (const sandbox of process.getuid?.() === 0 ? [true, false] : [true]) {
    assert.equal((await admin.patch(own, { data: { 'runner.sandbox': sandbox } })).status, 200)
    await said('plant', { property_overrides: { data: service.dataDir } })
  }
  // Files written in its sandbox were gone with that.
  assert.deepEqual(globSync('**/planted', { cwd: service.dataDir }), [])
  assert.deepEqual(readdirSync(kept), before)
  const next = await said('greet')
  assert.deepEqual(next, ['Hello'])
})
