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

/** Requests of programs to the service: the actions of the asset's model, and the files of other Git remotes. */

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
const others = `
action('secret', { description: 'Has one made' }, async step => {
  const { forget = '', key = 'password' } = step.properties as { forget?: string; key?: string }
  const made = await step.secrets.get('database', key, { length: 40, characters: 'abcdef' })
  step.log.info('secret: %s of %d, %s', made, made.length, Buffer.from(made).toString('base64'))
  console.log('as hex ' + Buffer.from(made).toString('hex'))
  await step.exec('sh', ['-c', 'echo "by a program: $1"', 'sh', made])
  if (forget === 'key') await step.secrets.remove('database', key)
  if (forget === 'path') await step.secrets.removePath('database')
})
action('there', { description: 'Takes what is there' }, async step => {
  step.log.info('there: %s', (await step.secrets.get('database', 'password', { make: false })).length)
})
action('elsewhere', { description: 'Asks for another one\\'s' }, step => step.secrets.get('../back', 'password'))
const look = action('look for it', { needs: ['first'] }, step => step.log.info('looked in %s', step.context.step.name))
action('runs others', { description: 'Runs others in itself' }, async step => {
  await step.runAction(look)
  await step.runAction('scripted')
})
action('runs another', { description: 'Runs one' }, step => step.runAction(step.properties['other'] as string))
action('asks of', { description: 'Asks of nodes' }, async step => {
  const { node, what } = step.properties as { node: string; what: 'node' }
  step.log.info('answer: %s', JSON.stringify(await step.query(node, what)))
})
`
/** The guide's instructions for any other language. */
const guide = readFileSync(join(projectFolder, 'docs/guides/writing-actions.md'), 'utf8')
const [, script = ''] = /^```sh\n(.*?)^```$/ms.exec(guide) ?? []

const files = {
  'web/actions.ts': program + others,
  'web/actions.yaml': JSON.stringify({
    actions: {
      first: { run: 'echo first' },
      scripted: {
        env: { SIZE: '{{ remote }}' },
        shell: 'python3',
        run: 'import os; print("script of", os.environ["SIZE"])',
      },
      unfilled: { env: { SIZE: '{{ nowhere }}' }, run: 'true' },
      grouped: { steps: ['first'] },
      'fails itself': { run: 'exit 3' },
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
/** Logged values of an action after a word. */
async function said(action: string, word: string): Promise<string | undefined> {
  const change = await ran(admin, made.asset, action)
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  return lines.find(line => line.startsWith(`${word}: `))?.slice(word.length + 2)
}
const ofFile = ['list', 'take', 'secret', 'there', 'elsewhere', 'runs others', 'runs another', 'asks of']
const node = '/projects/shop/environments/live/assets/front'
const eventsOfChange = async (id: string): Promise<string[]> =>
  (await admin.get(`/api/events?filter[for_change]=${id}&limit=1000`)).body.data.map(
    ({ attributes }: Shown) => attributes.type,
  )
const unavailable = 'warn:model:actions_unavailable'

test('a file that reads the actions of a model which is not there sees none and is told; a new model has it asked again', async () => {
  await settled()
  assert.deepEqual(await actionsOf(), ofFile)
  const [warning, ...more] = await eventsOf(unavailable)
  assert.deepEqual([warning?.attributes.name, more], ['front', []])
  const generating = await created(admin.post(`${made.asset}/models/generate`))
  const task = await taskWhen(admin, `${made.asset}/node_background_tasks/${generating.id}`, 'success', 'error')
  assert.equal(task.attributes.status_code, 'success', task.attributes.error_message)
  await settled()
  assert.deepEqual(await actionsOf(), ['twice restart', 'twice look', ...ofFile, 'restart'])
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
  // Not the clock: runners would be considered lost.
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

test('a step takes the files of an archived remote as they were known: that is fetched no more', async () => {
  await states({ remote: 'hosts', revision: 'main' })
  const known = await said('take', 'taken')
  const archive = async (archived: boolean) =>
    assert.equal((await admin.patch(`/api/projects/shop/git_remotes/${remoteId}`, { archived })).status, 200)
  await archive(true)
  hosts.commit({ 'hosts.txt': 'nobody asked for this\n' })
  assert.equal(
    await said('take', 'warn'),
    'hosts could not be fetched (it is archived): main is taken as it was known.',
  )
  assert.equal(await said('take', 'taken'), known)
  await archive(false)
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

test('a secret is made the first time that a step asks for it, is the same ever after, and no log shows it', async () => {
  await states({ remote: 'hosts' })
  const value = async () => {
    const { body } = await admin.post('/api/secrets/resolve', {
      node_path: node,
      reference: `secret:/${node}/database/password`,
    })
    return body.data.attributes.value as string
  }
  assert.equal(await said('secret', 'secret'), '*** of 40, ***==')
  const first = await value()
  assert.match(first, /^[a-f]{40}$/)
  const change = await ran(admin, made.asset, 'secret')
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  assert.deepEqual(lines.toSorted(), ['as hex ***', 'by a program: ***', 'secret: *** of 40, ***=='])
  assert.equal(await value(), first)
  const types = (await eventsOfChange(change.id)).filter(type => type.startsWith('api:secrets:'))
  assert.deepEqual(types, ['api:secrets:resolve'])
  assert.equal(await said('there', 'there'), '40')
  // Two concurrent requests get the same one.
  await states({ remote: 'hosts', key: 'shared' })
  const both = await Promise.all([ran(admin, made.asset, 'secret'), ran(admin, made.asset, 'secret')])
  const told = (await Promise.all(both.map(({ id }) => eventsOfChange(id)))).flat()
  assert.deepEqual(told.filter(type => type.startsWith('api:secrets:')).toSorted(), [
    'api:secrets:encrypt',
    'api:secrets:resolve',
  ])
})

test('secrets are erased one by one or all under a path, and another node is out of reach', async () => {
  await states({ remote: 'hosts', forget: 'path' })
  const change = await ran(admin, made.asset, 'secret')
  assert.ok((await eventsOfChange(change.id)).includes('api:secrets:remove'))
  const without = await ran(admin, made.asset, 'there')
  const [step] = await stepsOf(admin, without.id)
  assert.match(step!.attributes.error_message, /There is no secret secret:\/.*\/database\/password\.$/)
  await states({ remote: 'hosts', forget: 'key' })
  const again = await eventsOfChange((await ran(admin, made.asset, 'secret')).id)
  assert.deepEqual(
    again.filter(type => type.startsWith('api:secrets:')),
    ['api:secrets:encrypt', 'api:secrets:remove'],
  )
  const [refused] = await stepsOf(admin, (await ran(admin, made.asset, 'elsewhere')).id)
  assert.match(refused!.attributes.error_message, /This path is that of another node/)
})

test('a step runs other actions in itself, what they need first, and fails with them', async () => {
  await states({ remote: 'hosts' })
  const change = await ran(admin, made.asset, 'runs others')
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  assert.deepEqual(lines, ['first', 'looked in runs others', 'script of hosts'])
  for (const [other, why] of [
    ['fails itself', /: exit code 3$/],
    ['unfilled', /unfilled: env\.SIZE asks for \{\{ nowhere \}\}, and there is no such converged property\.$/],
    ['grouped', /"grouped" has steps, so it cannot run within another step/],
    ['nothing', /There is no action "nothing" at this commit/],
  ] as const) {
    await states({ other })
    const [step] = await stepsOf(admin, (await ran(admin, made.asset, 'runs another')).id)
    assert.match(step!.attributes.error_message, why)
  }
})

test('a step asks of nodes what whoever made the change may read', async () => {
  const asked = async (what: string, of = node) => {
    await states({ node: of, what })
    return JSON.parse((await said('asks of', 'answer'))!)
  }
  assert.equal((await asked('node')).code, 'front')
  assert.equal((await asked('properties')).what, 'properties')
  assert.equal(typeof (await asked('settings')).pod_per_change_step, 'boolean')
  assert.ok((await asked('actions')).some((each: { action: string }) => each.action === 'asks of'))
  assert.deepEqual(
    (await asked('assets', '/projects/shop/environments/live')).map((each: { code: string }) => each.code),
    ['front'],
  )
  assert.deepEqual(await asked('agents', '/projects/shop'), [])
  // One more than a list returns at once.
  for (let at = 1; at <= 100; at += 1)
    await created(admin.post('/api/projects/shop/environments', { code: `e${at}`, name: `E${at}` }))
  const environments: { code: string }[] = await asked('environments', '/projects/shop')
  assert.equal(new Set(environments.map(({ code }) => code)).size, 101)
  for (const [of, what, why] of [
    ['/projects/other', 'node', /no such|not there|There is no/i],
    ['projects/shop', 'node', /the path of a node begins with \/projects\/\./],
    [node, 'people', /what can be asked is node, properties, settings, actions, environments, assets, agents\./],
  ] as const) {
    await states({ node: of, what })
    const [step] = await stepsOf(admin, (await ran(admin, made.asset, 'asks of')).id)
    assert.match(step!.attributes.error_message, why)
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
