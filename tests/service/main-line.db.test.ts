import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { verifyAuditTrail } from '../../src/domain/events/index.ts'
import type { Client } from '../support/api.ts'
import { eventsOf, linesOf, often, ran, type Shop, type Shown, shop, stepAt, stepsOf } from '../support/changes.ts'
import { gitServer } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'

const files = {
  'web/defaults.yaml': 'release: { version: 1, colour: grey }\nport: 80\n',
  '.sluice/properties/projects/shop/environments/live/colour.yaml': 'release: { colour: blue }\n',
  'web/actions.yaml': `
actions:
  deploy:
    description: Roll the release out
    steps: [stop, { name: Install, run_as: parallel, steps: [app, database] }, start]
  stop: { run: echo stopped }
  app:
    run: |
      echo one; echo two >&2; echo three
      echo '{"properties_diffs": {"asset": [{"op": "add", "path": "/release", "value": {"version": 2}}]}}' >"$SLUICE_STEP_RESULT"
  database: { run: "true" }
  start:
    env: { VERSION: "{{ release.version }}", COLOUR: "{{ release.colour }}" }
    run: echo "started $VERSION in $COLOUR"
`,
}

let service: TestService
let admin: Client
let made: Shop
let change: Shown

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, files)
  change = await ran(admin, made.asset, 'deploy')
})
after(() => service.stop())

test('a change on an asset runs to success at the commit of its template version', async () => {
  const { attributes } = change
  assert.equal(attributes.error_message, null)
  assert.deepEqual(
    [attributes.status_code, attributes.commit_sha, attributes.template_version, attributes.created_by],
    ['success', made.commit, '1.0', 'admin'],
  )
  assert.deepEqual(change.meta.can, [])
  const times = [attributes.created_at, attributes.started_at, attributes.finished_at]
  assert.deepEqual(times, times.toSorted())
})

/** Seconds between two times, which have microseconds. */
const seconds = (from: string, to: string): number => {
  const micro = (time: string) => Date.parse(`${time.slice(0, 19)}Z`) * 1_000 + Number(time.slice(20, 26))
  return (micro(to) - micro(from)) / 1_000_000
}

test('a change and its steps tell how long they waited and ran', async () => {
  const { created_at, started_at, finished_at, state_timing } = change.attributes
  assert.deepEqual(state_timing, {
    pending_seconds: seconds(created_at, started_at),
    running_seconds: seconds(started_at, finished_at),
  })
  const { id } = await stepAt(admin, change.id, 'deploy/start')
  const { attributes: step } = (await admin.get(`/api/steps/${id}`)).body.data
  const { pending_seconds, queued_seconds, running_seconds } = step.state_timing
  assert.equal(running_seconds, seconds(step.started_at, step.finished_at))
  const before = Math.round((pending_seconds + queued_seconds) * 1_000_000)
  assert.equal(before, Math.round(seconds(step.created_at, step.started_at) * 1_000_000))
})

test('its steps are the tree that the actions file describes, with how each ended', async () => {
  const steps = await stepsOf(admin, change.id)
  assert.deepEqual(
    steps.map(({ attributes: step }) => [
      step.full_path,
      step.step_type,
      step.status_code,
      step.exit_code,
      step.attempt,
      step.child_execution_strategy,
    ]),
    [
      ['deploy', 'stage', 'success', null, 0, 'sequential'],
      ['deploy/stop', 'standard', 'success', 0, 1, 'sequential'],
      ['deploy/Install', 'stage', 'success', null, 0, 'parallel'],
      ['deploy/Install/app', 'standard', 'success', 0, 1, 'sequential'],
      ['deploy/Install/database', 'standard', 'success', 0, 1, 'sequential'],
      ['deploy/start', 'standard', 'success', 0, 1, 'sequential'],
    ],
  )
})

test('lines of a step are numbered as they were written, each with where it was written to', async () => {
  const app = await stepAt(admin, change.id, 'deploy/Install/app')
  const lines = (await linesOf(admin, `/api/steps/${app.id}`)).filter(
    ({ attributes }) => attributes.category !== 'runner',
  )
  assert.deepEqual(lines.map(({ attributes }) => `${attributes.category} ${attributes.message}`).toSorted(), [
    'stderr two',
    'stdout one',
    'stdout three',
  ])
  const numbers = lines.map(({ attributes }) => attributes.sequence)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  const start = await stepAt(admin, change.id, 'deploy/start')
  const whole = await linesOf(admin, `/api/changes/${change.id}`)
  assert.equal(whole.at(-1)?.attributes.step_id, start.id)
})

test('the log of a group holds the lines of what is beneath it where they are asked for', async () => {
  const group = await stepAt(admin, change.id, 'deploy/Install')
  const app = await stepAt(admin, change.id, 'deploy/Install/app')
  const linesUnder = async (query: string): Promise<Shown[]> =>
    (await admin.get(`/api/steps/${group.id}/log_lines${query}`)).body.data
  const own = await linesOf(admin, `/api/steps/${app.id}`)
  assert.ok(own.length >= 3)
  assert.deepEqual(await linesUnder(''), [])
  assert.deepEqual(await linesUnder('?include_child_steps=false'), [])
  const all = await linesUnder('?include_child_steps=true')
  assert.deepEqual(
    all.filter(({ attributes }) => attributes.step_id === app.id),
    own,
  )
  const steps = new Set(all.map(({ attributes }) => attributes.step_id))
  assert.ok(!steps.has((await stepAt(admin, change.id, 'deploy/start')).id))
})

test('what one step writes the next one reads, and converged properties say whose it is', async () => {
  const start = await stepAt(admin, change.id, 'deploy/start')
  const lines = await linesOf(admin, `/api/steps/${start.id}`)
  assert.ok(lines.some(({ attributes }) => attributes.message === 'started 2 in blue'))
  const { data } = (await admin.get(`${made.asset}/converged_properties`)).body
  assert.deepEqual(data.attributes.data, { release: { version: 2, colour: 'blue' }, port: 80 })
  assert.deepEqual(data.meta.property_sources.by_property, {
    release: {
      version: 'Asset: front (front)',
      colour: 'Repository: .sluice/properties/projects/shop/environments/live/colour.yaml',
    },
    port: 'Repository: web/defaults.yaml',
  })
})

test('its events tell who asked for it, what began and ended, and on which node', async () => {
  const events = (await eventsOf(admin, change.id)).map(({ attributes }) => attributes)
  const types = events.map(({ type }) => type)
  assert.deepEqual(types.slice(0, 2), ['api:changes:create', 'api:changes:start'])
  assert.equal(types.at(-1), 'api:changes:success')
  const count = (type: string) => types.filter(each => each === type).length
  assert.deepEqual([count('api:steps:start'), count('api:steps:success'), count('api:properties:update')], [6, 6, 1])
  for (const event of events) assert.equal(event.node_path, made.asset.replace('/api', ''))
  const [create, start] = events
  assert.deepEqual([create.username, create.source_type, create.source_id], ['admin', 'change', change.id])
  assert.equal(create.request_body_action, 'deploy')
  assert.deepEqual([start.username, start.source_id], ['system', change.id])
  const ofStep = events.find(({ type }) => type === 'api:steps:success')
  assert.equal(ofStep.source_type, 'step')
  const byStep = events.find(({ type }) => type === 'api:properties:update')
  assert.equal(byStep.username, 'admin')
})

test('every event is sealed, and the chain of seals verifies', async () => {
  await until(
    'every event is sealed',
    () => admin.get('/api/events?limit=1000&filter[hash_null]=1'),
    ({ body }) => body.data.length === 0,
    often,
  )
  const verdict = await verifyAuditTrail(service.database)
  assert.deepEqual(verdict.faults, [])
  assert.ok(verdict.sealed > 20)
})

test('a repository behind a password over http does as well as a folder', async () => {
  const git = await gitServer(made.repository, { user: 'robot', password: 'a password for git' })
  try {
    const remote = { name: 'guarded', url: git.url, user: 'robot', password: 'a password for git' }
    assert.equal((await admin.post('/api/projects/shop/git_remotes', remote)).status, 201)
    made.repository.commit(
      { 'actions.yaml': 'actions: { greet: { description: Hello, run: echo hello } }' },
      { branch: 'root' },
    )
    const ended = await ran(admin, '/api/projects/shop', 'greet', { git_remote_name: 'guarded', git_rev: 'root' })
    assert.deepEqual([ended.attributes.status_code, ended.attributes.error_message], ['success', null])
  } finally {
    await git.stop()
  }
})
