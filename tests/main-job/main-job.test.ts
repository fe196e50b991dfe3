import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, Refused, type Sluice, until, waitForChange } from '../../client/sluice.ts'
import { loadPost, type Post, processesOfActions, runAction, stepsOf, written } from './post.ts'
import { processesNaming } from './process-table.ts'
import { type Installation, newInstallation, type ServiceProcess } from './service-process.ts'

let installation: Installation
let service: ServiceProcess
let sluice: Sluice
let post: Post

before(async () => {
  installation = await newInstallation()
  service = await installation.start()
  sluice = installation.asAdmin()
  post = await loadPost(sluice, installation.folder)
})
after(() => installation.remove())

test('a change runs its tree in order, and what one step writes the next one reads', async () => {
  const { id } = await runAction(post, sluice, 'deliver')
  const { attributes } = await waitForChange(sluice, id)
  const steps = await stepsOf(sluice, id)
  assert.deepEqual(
    steps.map(step => [step.attributes.full_path, step.attributes.status_code]),
    [
      ['deliver', 'success'],
      ['deliver/pack', 'success'],
      ['deliver/Make ready', 'success'],
      ['deliver/Make ready/label', 'success'],
      ['deliver/Make ready/weigh', 'success'],
      ['deliver/send', 'success'],
    ],
  )
  assert.deepEqual([attributes.status_code, attributes.commit_sha], ['success', post.commit])

  const logs = await Promise.all(steps.map(step => written(sluice, `/api/steps/${step.id}`)))
  assert.deepEqual(logs, [
    [],
    ['looked inside', 'packed books'],
    [],
    ['for Camden $(id) "Lock"'],
    ['braces are left alone'],
    ['sent books as L-1 by canal'],
  ])
  const whole = await written(sluice, `/api/changes/${id}`)
  assert.deepEqual(whole.toSorted(), logs.flat().toSorted())
})

test('converged properties say where each value comes from, what a step wrote among them', async () => {
  const converged = await sluice.show<{ data: object }>(`${post.asset}/converged_properties`)
  assert.deepEqual(converged.attributes.data, {
    parcel: { contents: 'books', label: 'L-1' },
    address: { town: 'Camden $(id) "Lock"' },
    carrier: 'canal',
    gates: post.gates,
  })
  const sources = converged.meta?.['property_sources'] as { by_property: object }
  assert.deepEqual(sources.by_property, {
    parcel: { contents: 'Repository: parcel/defaults.yaml', label: 'Asset: A parcel (parcel-1)' },
    address: { town: 'Repository: .sluice/properties/projects/post/environments/live/town.yaml' },
    carrier: 'Repository: .sluice/properties/environments.json',
    gates: 'Project: Post (post)',
  })
})

test('a failure in a sequence aborts what follows, and the change is an error', async () => {
  const { id } = await runAction(post, sluice, 'lose')
  const { attributes } = await waitForChange(sluice, id)
  assert.equal(attributes.status_code, 'error')
  const steps = await stepsOf(sluice, id)
  assert.deepEqual(
    steps.map(({ attributes: step }) => [step.full_path, step.status_code, step.exit_code]),
    [
      ['lose', 'error', null],
      ['lose/pack', 'success', 0],
      ['lose/fall-into-the-water', 'error', 3],
      ['lose/send', 'aborted', null],
    ],
  )
  assert.match(String(steps[2]?.attributes.error_message), /exit code 3/)
  assert.deepEqual(await written(sluice, `/api/steps/${steps[2]?.id}`), ['splash'])
})

test('a change on an environment runs the actions at the root of the repository, at the revision that it names', async () => {
  const { id } = await sluice.create('/api/projects/post/environments/live/changes', {
    action: 'inspect',
    git_remote_name: 'deliveries',
    git_rev: 'main',
  })
  const { attributes } = await waitForChange(sluice, id)
  assert.deepEqual([attributes.status_code, attributes.commit_sha], ['success', post.commit])
  assert.deepEqual(await written(sluice, `/api/changes/${id}`), ['all is well on the canal', 'actions.yaml', 'parcel'])
})

test('cancelling a change ends its processes, those too that left their session', async () => {
  const { id } = await runAction(post, sluice, 'wander')
  await until(
    'the action says that it runs',
    () => written(sluice, `/api/changes/${id}`),
    lines => lines.length > 0,
  )
  const commands = processesOfActions(post).map(({ command }) => command)
  assert.ok(commands.includes('sleep 1001') && commands.includes('sleep 1002'), commands.join('; '))
  await sluice.remove(`/api/changes/${id}`)
  const { attributes } = await waitForChange(sluice, id)
  assert.equal(attributes.status_code, 'cancelled')
  assert.deepEqual(processesOfActions(post), [])
})

interface Event {
  type: string
  username: string
  hash: string | null
}

test('the audit trail tells the whole story, who did it, and is sealed', async () => {
  const events = await until(
    'every event is sealed',
    () => sluice.list<Event>('/api/events', { limit: 1000 }),
    all => all.every(({ attributes }) => attributes.hash !== null),
  )
  const types = events.map(({ attributes }) => attributes.type)
  const story = [
    'api:projects:create',
    'api:nodes:create',
    'api:git_remotes:create',
    'api:templates:create',
    'info:template_version:fetch_initialize',
    'api:template_versions:update',
    'info:template_version:fetch',
    'info:template_version:fetch_complete',
    'api:nodes:create',
    'api:properties:update',
    'api:changes:create',
    'api:changes:start',
    'api:steps:start',
    'api:steps:success',
    'api:changes:success',
    'api:changes:create',
    'error:step:action',
    'api:steps:abort',
    'api:changes:error',
    'api:changes:create',
    'api:changes:cancel',
  ]
  let from = 0
  for (const type of story) {
    const found = types.indexOf(type, from)
    assert.notEqual(found, -1, `${type} does not come after ${types.slice(0, from).join(', ')}`)
    from = found + 1
  }
  const made = events.filter(({ attributes }) => /^api:.*:create$/.test(attributes.type))
  assert.deepEqual(
    [...new Set(made.map(({ attributes }) => `${attributes.type} by ${attributes.username}`))].toSorted(),
    [
      'api:changes:create by admin',
      'api:git_remotes:create by admin',
      'api:nodes:create by admin',
      'api:projects:create by admin',
      'api:templates:create by admin',
      // The first superuser, created automatically.
      'api:users:create by system',
    ],
  )
})

test('whoever has no rights finds nothing, and whoever has no password nothing either', async () => {
  const [change] = await sluice.list('/api/changes', { limit: 1 })
  await sluice.create('/api/users', { username: 'passer-by', password: 'a passer-by walks past' })
  const stranger = connect(sluice.url, { user: 'passer-by', password: 'a passer-by walks past' })
  assert.equal(await stranger.find(`/api/changes/${change?.id}`), undefined)
  assert.deepEqual(await stranger.list('/api/changes'), [])
  assert.deepEqual(await stranger.list('/api/projects'), [])
  await assert.rejects(runAction(post, stranger, 'deliver'), refusedWith(404))
  await assert.rejects(connect(sluice.url, { user: 'admin', password: 'wrong' }).show('/api/me'), refusedWith(401))
  await assert.rejects(connect(sluice.url).show('/api/me'), refusedWith(401))
})

const refusedWith = (status: number) => (error: unknown) => {
  assert.ok(error instanceof Refused, String(error))
  assert.equal(error.status, status)
  return true
}

test('an orderly stop ends well and leaves no process behind', async () => {
  assert.equal(await service.stop(), 0, service.output())
  assert.deepEqual(processesNaming(installation.folder), [])
})
