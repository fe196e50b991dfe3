import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, linesOf, often, ran, type Shop, type Shown, shop, stepsOf, taskWhen } from '../support/changes.ts'
import { projectFolder } from '../support/database-server.ts'
import type { TestRepository } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** What programs ask the service for: the actions of the asset's model, and the files of other Git remotes. */

const program = `
import { readFileSync } from 'node:fs'
import { action, catalogue } from '@sluice/actions'
for (const { action: name, description } of catalogue())
  action('twice ' + name, { description: (description ?? name) + ', twice' }, step => step.log.info('twice'))
action('list', { description: 'Tells them' }, async step => {
  const actions = await step.catalogue()
  step.log.info('catalogue: %s', JSON.stringify(actions.map(({ action, stepName, needs }) => [action, stepName, needs])))
})
action('take', { description: 'Takes files' }, async step => {
  const { remote, revision, into } = step.properties as { remote: string; revision: string; into?: string }
  const { folder, commit } = await step.gitClone(remote, revision, into ? { into } : {})
  step.log.info('taken: %s %s', commit, readFileSync(folder + '/hosts.txt', 'utf8').trim())
})
`
/** What the guide says for any other language. */
const guide = readFileSync(join(projectFolder, 'docs/guides/writing-actions.md'), 'utf8')
const [, script = ''] = /^```sh\n(.*?)^```$/ms.exec(guide) ?? []

const files = {
  'web/actions.ts': program,
  'web/actions.yaml': JSON.stringify({
    actions: {
      script: {
        run: `mkdir inventory\n${script.replace('=inventory&', '=hosts&')}\necho "taken: $(cat inventory/hosts.txt)"`,
      },
    },
  }),
  'web/model.json.erb':
    '{"actions": {"restart": {"name": "Restart it", "description": "Restarts", "needs": ["look"], "run": "true"}, "look": {"run": "true"}}}',
}

let service: TestService
let admin: Client
let made: Shop
let hosts: TestRepository
let remoteId: string

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, files)
  hosts = await service.repository({ 'hosts.txt': 'one\n' })
  const remote = await created(admin.post('/api/projects/shop/git_remotes', { name: 'Hosts', url: hosts.url }))
  remoteId = remote.id
  const { body } = await admin.get('/api/system_configuration')
  const always = { 'git_remote.fetch_stale_threshold': 0 }
  await admin.patch(body.data.relationships.settings.links.related, { data: always })
})
after(() => service.stop())

const actionsOf = async (): Promise<string[]> =>
  (await admin.get(made.asset)).body.data.attributes.actions.map(({ action }: { action: string }) => action)
const settled = () =>
  until(
    'no task of the asset is open',
    () => admin.get(made.asset),
    ({ body }) => !body.data.attributes.task_active,
    often,
  )
const eventsOf = async (type: string): Promise<Shown[]> =>
  (await admin.get(`/api/events?filter[type_eq]=${type}&limit=100`)).body.data
async function states(data: object): Promise<void> {
  const { body } = await admin.get(made.asset)
  const written = await admin.patch(`/api/properties/${body.data.relationships.properties.data.id}`, { data })
  assert.equal(written.status, 200, written.text)
}
/** What an action logs behind a word. */
async function said(action: string, word: string): Promise<string | undefined> {
  const change = await ran(admin, made.asset, action)
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  return lines.find(line => line.startsWith(`${word}: `))?.slice(word.length + 2)
}
const unavailable = 'warn:model:actions_unavailable'

test('a file that reads the actions of a model which is not there sees none and is told; a new model has it asked again', async () => {
  await settled()
  assert.deepEqual(await actionsOf(), ['list', 'take'])
  const [warning, ...more] = await eventsOf(unavailable)
  assert.deepEqual([warning?.attributes.name, more], ['front', []])
  const generating = await created(admin.post(`${made.asset}/models/generate`))
  const task = await taskWhen(admin, `${made.asset}/node_background_tasks/${generating.id}`, 'success', 'error')
  assert.equal(task.attributes.status_code, 'success', task.attributes.error_message)
  await settled()
  assert.deepEqual(await actionsOf(), ['twice restart', 'twice look', 'list', 'take', 'restart'])
  const created_ = await eventsOf('api:generate_actions_request:create')
  assert.equal(created_.at(-1)?.attributes.trigger, 'model')
  assert.equal((await ran(admin, made.asset, 'twice look')).attributes.status_code, 'success')
})

test('a step sees the actions of the model that is right, and none, with a warning an hour, while there is none', async () => {
  assert.equal(await said('list', 'catalogue'), '[["restart","Restart it",["look"]],["look","look",[]]]')
  await states({ size: 1 })
  assert.equal(await said('list', 'catalogue'), '[]')
  assert.equal((await ran(admin, made.asset, 'twice look')).attributes.status_code, 'success', 'of the model before')
  assert.equal((await eventsOf(unavailable)).length, 1, 'within the hour of the first')
  // Not the clock: runners would be taken for lost.
  await service.database.count(sql`update event_throttles set recorded_at = recorded_at - interval '61 minutes'`)
  assert.equal(await said('list', 'catalogue'), '[]')
  const events = await eventsOf(unavailable)
  assert.deepEqual([events.length, events.at(-1)?.attributes.reason], [2, 'properties_changed'])
})

test('a step takes the files of another remote as they are now, and as they were known while it is away', async () => {
  const taken = (commit: string, line: string) => `${commit} ${line}`
  await states({ remote: 'hosts', revision: 'main' })
  const first = hosts.git('rev-parse', 'main')
  assert.equal(await said('take', 'taken'), taken(first, 'one'))
  const second = hosts.commit({ 'hosts.txt': 'two\n' })
  assert.equal(await said('take', 'taken'), taken(second, 'two'))
  assert.equal(await said('script', 'taken'), 'two')
  await states({ remote: 'hosts', revision: first })
  assert.equal(await said('take', 'taken'), taken(first, 'one'))

  await states({ remote: 'hosts', revision: 'main' })
  await rename(`${hosts.folder}/HEAD`, `${hosts.folder}/HEAD.away`)
  const warned = await said('take', 'warn')
  assert.match(warned!, /^hosts could not be fetched \(.+\): main is taken as it was known\.$/)
  const [event, ...others] = await eventsOf('warn:git_remote:mountable_fetch_failed')
  assert.deepEqual([event?.attributes.source_id, event?.attributes.name, others], [remoteId, 'Hosts', []])
  await rename(`${hosts.folder}/HEAD.away`, `${hosts.folder}/HEAD`)
})

test('a remote, a revision or a folder that cannot be is what the step fails with', async () => {
  for (const [properties, why] of [
    [{ remote: 'nobody', revision: 'main' }, 'The project has no Git remote "nobody".'],
    [{ remote: 'Hosts', revision: 'nowhere' }, 'The Git remote "Hosts" has no revision "nowhere".'],
    [{ remote: 'Hosts', revision: '--upload-pack=x' }, 'revision'],
    [{ remote: 'Hosts', revision: 'main', into: '.' }, 'is not empty.'],
  ] as const) {
    await states(properties)
    const change = await ran(admin, made.asset, 'take')
    assert.equal(change.attributes.status_code, 'error')
    const [step] = await stepsOf(admin, change.id)
    assert.ok(step!.attributes.error_message.includes(why), step!.attributes.error_message)
  }
})

test('people who may run the action are shown neither, unless they may read the model and the remotes', async () => {
  const path = '/projects/shop/environments/live/assets/front'
  await service.addUser('runner', [{ path, read: true, execute: true }])
  await service.addUser('reader', [
    { path, read: true, execute: true },
    { path: '/projects/shop/git_remotes', read: true },
  ])
  const { id } = await ran(admin, made.asset, 'list')
  const [step] = await stepsOf(admin, id)
  const clone = `/api/steps/${step!.id}/git_clone?git_remote_name=Hosts&git_rev=main`
  assert.equal((await service.as('runner').get(clone)).status, 403)
  assert.equal((await service.as('reader').get(clone)).status, 200)
  assert.equal((await service.as('reader').get(`/api/steps/${step!.id}/catalogue`)).status, 200)
  await service.addUser('kept out', [
    { path, read: true, execute: true },
    { path: `${path}/model`, read: false },
  ])
  assert.equal((await service.as('kept out').get(`/api/steps/${step!.id}/catalogue`)).status, 403)
})
