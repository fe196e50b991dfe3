import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Client } from '../support/api.ts'
import { created, ended, often, type Shop, shop, taskWhen, written } from '../support/changes.ts'
import { newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The setting repo_folder determines the folder of property files in a commit: at any level, with immediate effect. */

const files = {
  'web/actions.yaml': `
actions:
  both: { description: Tells twice, steps: [hold, tell] }
  hold:
    env: { GATES: "{{ gates }}" }
    run: touch "$GATES/held"; until [ -e "$GATES/go" ]; do sleep 0.05; done
  tell: { env: { OF: "{{ of }}" }, run: echo "of $OF" }
`,
  'web/actions.ts': `
import { action, properties } from '@sluice/actions'
action('of ' + properties().of, { description: 'Named by a property' }, () => {})
`,
  'web/model.json.erb': '{"actions": {}, "of": "<%= properties.of %>"}',
  '.sluice/properties/all.yaml': 'of: sluice',
  'ops/properties/all.yaml': 'of: ops',
  'wrong/properties/all.yaml': 'of: [',
}

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, files)
})
after(() => service.stop())

const environment = '/api/projects/shop/environments/live'
async function lieIn(node: string, folder: string | null): Promise<void> {
  const { body } = await admin.get(node)
  const stated = await admin.patch(body.data.relationships.settings.links.related, { data: { repo_folder: folder } })
  assert.equal(stated.status, 200, stated.text)
}
const ofAsset = async () => (await admin.get(`${made.asset}/converged_properties`)).body.data?.attributes.data.of

test('the files of another folder count as soon as the setting names it, whatever is made of them', async () => {
  assert.equal(await ofAsset(), 'sluice')
  await lieIn(environment, 'ops')
  await until(
    'its first actions are derived',
    () => admin.get(made.asset),
    ({ body }) => !body.data.attributes.task_active,
    often,
  )
  const task = await created(admin.post(`${made.asset}/node_background_tasks`))
  const refreshed = await taskWhen(admin, `${made.asset}/node_background_tasks/${task.id}`, 'success', 'error')
  assert.equal(refreshed.attributes.status_code, 'success', refreshed.attributes.error_message)
  assert.ok(refreshed.attributes.actions.some(({ action }: { action: string }) => action === 'of ops'))
  assert.equal(await ofAsset(), 'ops')
  const explained = await admin.get(`${made.asset}/converged_properties/explain?pointer=/of`)
  assert.equal(explained.status, 200, explained.text)
})

test('the folder of an asset alone, one that is not there and one that does not parse are read when they are asked for', async () => {
  await lieIn(made.asset, 'elsewhere')
  assert.equal(await ofAsset(), undefined)
  await lieIn(made.asset, 'wrong')
  const refused = await admin.get(`${made.asset}/converged_properties`)
  assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'wrong-state'])
  assert.match(refused.body.errors[0].detail, /wrong\/properties\/all\.yaml:1:/)
  await lieIn(made.asset, '.sluice')
  const generating = await created(admin.post(`${made.asset}/models/generate`))
  const generated = await taskWhen(admin, `${made.asset}/node_background_tasks/${generating.id}`, 'success', 'error')
  assert.equal(generated.attributes.status_code, 'success', generated.attributes.error_message)
  await lieIn(made.asset, null)
})

test('a change goes on with the folder that it began with', async () => {
  const gates = await newGates()
  try {
    const asked = { action: 'both', property_overrides: { gates: gates.folder } }
    const { id } = await created(admin.post(`${made.asset}/changes`, asked))
    await gates.reached('held')
    await lieIn(environment, 'third')
    await gates.open('go')
    const change = await ended(admin, id)
    assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
    assert.deepEqual(await written(admin, `/api/changes/${id}`), ['of ops'])
  } finally {
    await gates.remove()
  }
})
