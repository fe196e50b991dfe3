import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import {
  created,
  ended,
  eventsOf,
  linesOf,
  newAsset,
  ran,
  type Shown,
  shop,
  statuses,
  stepAt,
  stepsOf,
  written,
} from '../support/changes.ts'
import { newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'
import { runningActions } from './running-actions.ts'

const files = { 'web/actions.yaml': runningActions, 'web/defaults.yaml': 'colour: grey\n' }
const password = 'correct horse battery'

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({
    users: {
      operator: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/environments/live/assets', execute: true },
      ],
    },
  })
  admin = service.as('admin')
  asset = (await shop(service, files)).asset
  await created(admin.post('/api/projects', { code: 'other', name: 'Other' }))
})
after(() => service.stop())

const outcome = ({ attributes }: Shown) => [attributes.status_code, attributes.error_message]

test('a sequence runs in order, and what stands at once runs at once, however deep', async () => {
  const change = await ran(admin, asset, 'order')
  assert.deepEqual(outcome(change), ['success', null])
  const lines = await written(admin, `/api/changes/${change.id}`)
  assert.equal(lines[0], 'first')
  assert.equal(lines.at(-1), 'last')
  assert.ok(lines.indexOf('inner-1') < lines.indexOf('inner-2'))
  assert.deepEqual(
    (await statuses(admin, change.id)).map(([path]) => path),
    [
      'order',
      'order/first',
      'order/At once',
      'order/At once/left',
      'order/At once/Inner',
      'order/At once/Inner/inner-1',
      'order/At once/Inner/inner-2',
      'order/last',
    ],
  )
})

test('prerequisites run in the same step, in order, before its body', async () => {
  const change = await ran(admin, asset, 'needing')
  assert.deepEqual(await statuses(admin, change.id), [['needing', 'success']])
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['prepare', 'body'])
})

test('a script ends with the first of its commands that fails, and is run by the shell or program that its action names', async () => {
  const strict = await ran(admin, asset, 'strict')
  assert.equal(strict.attributes.status_code, 'error')
  assert.deepEqual(await written(admin, `/api/changes/${strict.id}`), ['before'])
  const shells = await ran(admin, asset, 'shells')
  assert.deepEqual(outcome(shells), ['success', null])
  assert.deepEqual(await written(admin, `/api/changes/${shells.id}`), ['by sh', 'by perl, with 1'])
})

test('a step is told what it is and where it stands, for whom it runs, and what is in force and who states it', async () => {
  const more = { metadata: { ticket: 'T-1' }, property_overrides: { size: 1 } }
  const change = await ran(admin, asset, 'telling', more)
  const { id } = await stepAt(admin, change.id, 'telling/Deep/context')
  const [line = ''] = await written(admin, `/api/changes/${change.id}`)
  const { context, properties, converged } = JSON.parse(line)
  const { api_url, git_remotes, parents, change: ofChange, ...own } = context
  assert.deepEqual(own, {
    user: { name: 'admin' },
    template: { code: 'web' },
    template_version: { version: '1.0', commit_sha: change.attributes.commit_sha },
    model: null,
    step: { id, name: 'context', full_path: 'telling/Deep/context', action: 'context', attempt: 1 },
    parent_order: ['telling', 'Deep'],
    api_token: '***',
  })
  assert.equal(api_url, service.address)
  assert.deepEqual(Object.keys(parents), ['telling', 'Deep'])
  assert.equal(git_remotes[0].commit_sha, change.attributes.commit_sha)
  const { created_at } = change.attributes
  const path = '/projects/shop/environments/live/assets/front'
  assert.deepEqual(ofChange, { id: change.id, action: 'telling', path, metadata: more.metadata, created_at })
  assert.deepEqual([converged.colour, converged.size, properties.change], ['grey', 1, { size: 1 }])
})

test('a name in {{…}} that is no converged property fails the step before anything of it runs, and says which', async () => {
  const change = await ran(admin, asset, 'unknown')
  const step = await stepAt(admin, change.id, 'unknown')
  assert.deepEqual([change.attributes.status_code, step.attributes.status_code], ['error', 'error'])
  assert.match(step.attributes.error_message, /nowhere\.to\.be\.found/)
  assert.equal(step.attributes.exit_code, null)
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), [])
  assert.match(JSON.stringify(await linesOf(admin, `/api/steps/${step.id}`)), /nowhere\.to\.be\.found/)
})

test('a failure aborts what follows it; what runs beside it runs to its end', async () => {
  const change = await ran(admin, asset, 'broken')
  assert.equal(change.attributes.status_code, 'error')
  assert.deepEqual(await statuses(admin, change.id), [
    ['broken', 'error'],
    ['broken/good', 'success'],
    ['broken/Both', 'error'],
    ['broken/Both/bad', 'error'],
    ['broken/Both/slow', 'success'],
    ['broken/after', 'aborted'],
  ])
  const bad = await stepAt(admin, change.id, 'broken/Both/bad')
  assert.equal(bad.attributes.exit_code, 7)
  assert.match(bad.attributes.error_message, /exit code 7/)
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['good', 'bad', 'slow to the end'])
  const error = (await eventsOf(admin, change.id)).find(({ attributes }) => attributes.type === 'error:step:action')
  assert.match(error?.attributes.error, /exit code 7/)
})

test('with ignore_failure a step that fails is a success that keeps its exit code, and so is a group', async () => {
  const change = await ran(admin, asset, 'forgiving')
  assert.deepEqual(await statuses(admin, change.id), [
    ['forgiving', 'success'],
    ['forgiving/shrug', 'success'],
    ['forgiving/Group', 'success'],
    ['forgiving/Group/bad', 'error'],
    ['forgiving/Group/after', 'aborted'],
    ['forgiving/last', 'success'],
  ])
  const shrug = await stepAt(admin, change.id, 'forgiving/shrug')
  assert.equal(shrug.attributes.exit_code, 4)
  assert.match(shrug.attributes.error_message, /exit code 4/)
  const told = (await eventsOf(admin, change.id)).filter(each => each.attributes.type === 'error:step:action')
  assert.deepEqual(
    told.map(({ attributes: { name, error } }) => [name, error]),
    [
      ['forgiving/shrug', 'exit code 4'],
      ['forgiving/Group/bad', 'exit code 7'],
    ],
  )
  assert.equal(shrug.attributes.outcome_reason, 'It failed, which is ignored.')
  const group = await stepAt(admin, change.id, 'forgiving/Group')
  assert.equal(group.attributes.outcome_reason, 'A step below it did not succeed, which is ignored.')
})

test('a step that takes longer than its time is stopped, and says that it timed out', async () => {
  const own = await ran(admin, asset, 'late')
  const late = await stepAt(admin, own.id, 'late')
  assert.equal(late.attributes.status_code, 'error')
  assert.match(late.attributes.error_message, /timed out/)
  assert.deepEqual(await written(admin, `/api/changes/${own.id}`), ['begun'])
  const change = await ran(admin, asset, 'by-setting', { settings_overrides: { step_timeout_seconds: 1 } })
  assert.match((await stepAt(admin, change.id, 'by-setting')).attributes.error_message, /timed out/)
})

test('what a step writes to its asset and its change, the next one sees', async () => {
  const target = await newAsset(admin, 'relay')
  const change = await ran(admin, target, 'relay')
  assert.deepEqual(outcome(change), ['success', null])
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['1 two'])
  assert.deepEqual(change.attributes.property_overrides, { from_change: 'two' })
  const { properties } = (await admin.get(target)).body.data.relationships
  const { attributes } = (await admin.get(`/api/properties/${properties.data.id}`)).body.data
  assert.deepEqual([attributes.data, attributes.version], [{ from_asset: 1 }, 2])
  // Each step got the values at its start; the change as a whole, those at its end.
  await admin.patch(`/api/properties/${properties.data.id}`, { data: { from_asset: 9 } })
  const used = async (record: string) => (await admin.get(`${record}/converged_properties`)).body.data.attributes.data
  const steps = await Promise.all(['write', 'read'].map(name => stepAt(admin, change.id, `relay/${name}`)))
  const given = await Promise.all(steps.map(({ id }) => used(`/api/steps/${id}`)))
  assert.deepEqual(
    given.map(({ from_asset }) => from_asset),
    [undefined, 1],
  )
  assert.deepEqual(await used(`/api/changes/${change.id}`), { colour: 'grey', from_asset: 1, from_change: 'two' })
})

test('a step writes to its project only where whoever made the change may', async () => {
  const operator = service.as('operator')
  const refused = await ran(operator, asset, 'foreign')
  const step = await stepAt(operator, refused.id, 'foreign')
  assert.equal(step.attributes.status_code, 'error')
  assert.match(step.attributes.error_message, /operator lacks update on \/projects\/shop\/properties/)
  assert.equal((await ran(admin, asset, 'foreign')).attributes.status_code, 'success')
  const converged = (await admin.get(`${asset}/converged_properties`)).body.data
  assert.equal(converged.meta.property_sources.by_property.written, 'Project: Shop (shop)')
})

test('a step writes to the environment, the template and the version of its node, all of it or nothing', async () => {
  const owners = ['environments/live', 'templates/web', 'templates/web/versions/1.0']
  const stated = async () => {
    const documents = owners.map(async owner => {
      const { relationships } = (await admin.get(`/api/projects/shop/${owner}`)).body.data
      return (await admin.get(`/api/properties/${relationships.properties.data.id}`)).body.data.attributes.data
    })
    return Promise.all(documents)
  }
  const operator = service.as('operator')
  const refused = await ran(operator, asset, 'everywhere')
  const { error_message } = (await stepAt(operator, refused.id, 'everywhere')).attributes
  for (const [owner, path] of [
    ['environment', 'environments/live'],
    ['template', 'templates/web'],
    ['template_version', 'templates/web'],
  ])
    assert.ok(
      error_message.includes(`${owner}, and operator lacks update on /projects/shop/${path}/properties.`),
      error_message,
    )
  assert.deepEqual(await stated(), [{}, {}, {}])
  assert.equal((await ran(admin, asset, 'everywhere')).attributes.status_code, 'success')
  assert.deepEqual(await stated(), [{ of_environment: 1 }, { of_template: 2 }, { of_version: 3 }])
})

test('a patch that no longer applies fails the step, writes nothing, and the log shows why', async () => {
  const gates = await newGates()
  const target = await newAsset(admin, 'conflict')
  const { properties } = (await admin.get(target)).body.data.relationships
  const own = `/api/properties/${properties.data.id}`
  await admin.patch(own, { data: { counter: 1 } })
  const more = { property_overrides: { gates: gates.folder } }
  const { id } = await created(admin.post(`${target}/changes`, { action: 'conflicting', ...more }))
  await gates.reached('counting')
  await admin.patch(own, { data: { counter: 2 } })
  await gates.open('counted')
  await ended(admin, id)
  await gates.remove()

  const step = await stepAt(admin, id, 'conflicting')
  assert.deepEqual([step.attributes.status_code, step.attributes.exit_code], ['error', 0])
  const why =
    "The step's patch of the asset's properties no longer applies: operation 1 (test /counter): the value there is another one"
  assert.equal(step.attributes.error_message, why)
  const lines = (await linesOf(admin, `/api/steps/${step.id}`)).map(({ attributes }) => attributes.message)
  assert.deepEqual(lines, [
    'done its work',
    why,
    'What the step was given at /counter: 1',
    'Its patch: [{"op":"add","path":"/new","value":1},{"op":"test","path":"/counter","value":1},{"op":"replace","path":"/counter","value":5}]',
    'What the patch makes of that: 5',
    'Current value (version 3): 2',
  ])
  assert.deepEqual((await admin.get(own)).body.data.attributes.data, { counter: 2 })
})

test('a malformed step_result.json fails its step', async () => {
  const change = await ran(admin, asset, 'malformed')
  const step = await stepAt(admin, change.id, 'malformed')
  assert.equal(step.attributes.status_code, 'error')
  assert.match(step.attributes.error_message, /step_result\.json is malformed/)
})

test('a file that a step leaves is kept as it is', async () => {
  const change = await ran(admin, asset, 'keep')
  const { data } = (await admin.get(`/api/changes/${change.id}/artefacts`)).body
  assert.deepEqual(
    data.map(({ attributes }: Shown) => [attributes.name, attributes.byte_size]),
    [['a file.bin', 10]],
  )
  const content = await admin.get(`/api/artefacts/${data[0].id}/content`)
  assert.equal(content.text, 'kept\0bytes')
  assert.match(content.headers.get('content-disposition')!, /^attachment; filename\*=UTF-8''a%20file\.bin$/)
})

test('sluice.env and sluice.files of the properties are there before the step', async () => {
  const sluice = {
    env: { GREETING: 'good "morning" $HOME' },
    files: {
      'web/etc/conf.json': { mode: '640', format: 'json', content: { a: [1] } },
      'web/etc/raw': { content: 'as it is\n' },
    },
  }
  const change = await ran(admin, asset, 'given', { property_overrides: { sluice } })
  assert.deepEqual(outcome(change), ['success', null])
  const lines = await written(admin, `/api/changes/${change.id}`)
  assert.deepEqual(lines.slice(0, 2), ['good "morning" $HOME', '640'])
  assert.deepEqual(JSON.parse(lines.slice(2, -1).join('')), { a: [1] })
  assert.equal(lines.at(-1), 'as it is')
})

test('a secret reaches the step and nothing else: it is masked, and recorded without its value', async () => {
  const stored = await admin.post('/api/secrets/encrypt', {
    node_path: '/projects/shop',
    path: 'database',
    key: 'password',
    value: password,
  })
  assert.equal(stored.status, 201, stored.text)
  const reference = stored.body.data.attributes.reference
  const change = await ran(admin, asset, 'secret', { property_overrides: { database: { password: reference } } })
  assert.deepEqual(outcome(change), ['success', null])
  const lines = await written(admin, `/api/changes/${change.id}`)
  assert.equal(lines.length, 4)
  const hash = createHash('sha256').update(password).digest('hex')
  assert.ok(lines[3]!.startsWith(hash))
  for (const text of [
    password,
    Buffer.from(password).toString('base64'),
    Buffer.from(`x${password}`).toString('base64').slice(4),
  ])
    assert.ok(!lines.join('\n').includes(text), lines.join('\n'))
  assert.match(lines[0]!, /^plain /)
  const resolved = (await eventsOf(admin, change.id)).find(each => each.attributes.type === 'api:secrets:resolve')
  assert.deepEqual(resolved?.attributes.references, [reference])
  assert.ok(!JSON.stringify(resolved).includes(password))
  assert.deepEqual(change.attributes.property_overrides, { database: { password: reference } })
})

test('a secret of a node beside is not to be had: naming it is refused', async () => {
  const stolen = 'secret://projects/other/database/password'
  const answer = await admin.post(`${asset}/changes`, { action: 'given', property_overrides: { stolen } })
  assert.equal(answer.status, 422)
  assert.equal(answer.body.errors[0].source.pointer, '/data/attributes/property_overrides/stolen')
})

test('the token of a step works while it runs, with rights cut to its project, and never afterwards', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'token' }))
  await ended(admin, id)
  const [step] = await stepsOf(admin, id)
  assert.deepEqual([step?.attributes.status_code, step?.attributes.error_message], ['success', null])
  assert.deepEqual(await written(admin, `/api/changes/${id}`), [
    'GET /api/projects/shop 200',
    'GET /api/projects/other 404',
    'GET /api/system_configuration 403',
    'POST /api/users 403',
    'POST /api/tokens 403',
    'POST /api/authorisation_policies 403',
    'POST /api/projects/shop/bookmarks 201',
  ])
  const { data } = (await admin.get(`/api/changes/${id}/artefacts`)).body
  const token = (await admin.get(`/api/artefacts/${data[0].id}/content`)).text
  assert.ok(token.length > 20)
  assert.equal((await service.bearer(token).get('/api/projects/shop')).status, 401)
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:error api:changes:success api:steps:abort api:steps:start api:steps:success
     error:step:action`,
  ))
