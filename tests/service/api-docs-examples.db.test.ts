import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runProgram } from '../cli/command-line.ts'
import { created, ran, readyVersion, shop } from '../support/changes.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

const folder = join(import.meta.dirname, '../../docs/api')
const examples = readdirSync(folder).flatMap(file =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/^```console\n\$ (.*?)^```$/gms)].map(
    ([, command]) => command!,
  ),
)

let service: TestService
const names: Record<string, string> = {}
before(async () => {
  service = await startTestService()
  const admin = service.as('admin')
  const { asset } = await shop(service, {
    'web/actions.yaml': 'actions: { deploy: { run: "true" } }',
    'watch/actions.yaml': 'actions: { watch: { run: "true" } }',
  })
  const template = { code: 'watch', name: 'Watch', template_type: 'agent', git_remote_name: 'code' }
  await created(admin.post('/api/projects/shop/templates', template))
  await readyVersion(admin, '/api/projects/shop/templates/watch/versions/1.0', 'main')
  const agent = { code: 'watcher', name: 'Watcher', template_code: 'watch', template_version: '1.0' }
  await created(admin.post('/api/projects/shop/agents', agent))
  const source_yaml = 'steps:\n  - { target: environments/live/assets/front, action: deploy }\n'
  await created(admin.post('/api/projects/shop/workflows', { code: 'release', name: 'Release', source_yaml }))
  const { body } = await admin.get(asset)
  names['PROPERTIES_ID'] = body.data.relationships.properties.data.id
  names['SETTINGS_ID'] = body.data.relationships.settings.data.id
  names['CHANGE_ID'] = (await ran(admin, asset, 'deploy')).id
  const [step] = (await admin.get(`/api/steps?filter[change_id_eq]=${names['CHANGE_ID']}&limit=1`)).body.data
  names['STEP_ID'] = step.id
  names['NODE_BACKGROUND_TASK_ID'] = (await created(admin.post(`${asset}/node_background_tasks`, {}))).id
})
after(() => service.stop())

test('every example of the pages on the interface is answered', async () => {
  assert.ok(examples.length > 25)
  const env = {
    PATH: process.env['PATH']!,
    SLUICE: service.address,
    SLUICE_USER: `admin:${passwordOf('admin')}`,
    ...names,
  }
  for (const command of examples) {
    const shown = `${command.replace('curl', 'curl --silent --show-error --fail-with-body')}`
    const { status, stdout, stderr } = await runProgram('bash', ['-uc', shown], { env })
    assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
    assert.ok(JSON.parse(stdout).data, command)
  }
})
