import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { markRun } from '../../src/domain/workflows/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, newAsset, often, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { assertEventsTold } from '../support/told-events.ts'

const actions = `
actions:
  deploy: { description: Roll out, run: echo deployed }
  start: { run: echo started }
`

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService({
    spares: 0,
    users: {
      writer: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/workflows', update: true, delete: true },
      ],
      blinkered: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/properties', read: false },
        { path: '/projects/shop/environments/live/assets/hidden', read: false },
        { path: '/projects/shop/workflows', update: true },
        { path: '/projects/shop/workflows/beta', read: false },
      ],
      reader: [{ path: '/projects/shop', read: true }],
      stranger: [],
    },
  })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': actions, 'actions.yaml': actions })
  await newAsset(admin, 'back')
  await newAsset(admin, 'hidden')
  const { body } = await admin.get('/api/projects/shop')
  const properties = `/api/properties/${body.data.relationships.properties.data.id}`
  assert.equal((await admin.patch(properties, { data: { app: 'front', seconds: 30, code: 'nested' } })).status, 200)
  await created(admin.post('/api/projects', { code: 'plain', name: 'Plain', project_type: 'Standard' }))
})
after(() => service.stop())

const workflows = '/api/projects/shop/workflows'
const step = (target = 'environments/live/assets/front', action = 'deploy') =>
  `  - {target: ${target}, action: ${action}}\n`
const source = (...steps: string[]) => `steps:\n${steps.length > 0 ? steps.join('') : step()}`
const make = (code: string, attributes: object = {}, client = admin) =>
  client.post(workflows, { code, name: code, source_yaml: source(), ...attributes })
const validate = (source_yaml: string, more: object = {}, client = admin) =>
  client.post(`${workflows}/validate`, { source_yaml, ...more })

/** Faults of a source, as `line:column message`. */
function faults(answer: Answer): string[] {
  assert.equal(answer.status, 422, answer.text)
  return answer.body.errors.map(
    ({ source, meta }: { source: { pointer: string }; meta: { line: number; column: number; message: string } }) => {
      assert.equal(source.pointer, '/data/attributes/source_yaml')
      return `${meta.line}:${meta.column} ${meta.message}`
    },
  )
}

function refused(answer: Answer, status: number, detail: RegExp) {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.text, detail)
}

test('a workflow begins as a draft, is changed, and once published never changes', async () => {
  const workflow = await created(make('first', { source_yaml: 'steps: []' }))
  assert.deepEqual(
    [workflow.attributes.draft, workflow.attributes.latest_version, workflow.attributes.latest_published_version],
    [true, 1, null],
  )
  const version = `${workflows}/first/versions/1`
  const faulty = await admin.get(version)
  assert.equal(faulty.body.data.attributes.steps, null)
  assert.deepEqual(faulty.body.data.meta, {
    can: ['update', 'publish'],
    errors: [{ line: 1, column: 8, pointer: '/steps', message: '"steps" holds at least one step.' }],
  })
  assert.deepEqual(faults(await admin.post(`${version}/publish`)), ['1:8 "steps" holds at least one step.'])
  const written = await admin.patch(version, { source_yaml: source() })
  assert.equal(written.status, 200, written.text)
  assert.equal(written.body.data.attributes.source_yaml, source())
  assert.deepEqual(written.body.data.attributes.steps[0].targets, ['/projects/shop/environments/live/assets/front'])
  const published = await admin.post(`${version}/publish`)
  assert.equal(published.status, 200, published.text)
  assert.equal(published.body.data.attributes.draft, false)
  assert.notEqual(published.body.data.attributes.published_at, null)
  refused(await admin.patch(version, { source_yaml: 'steps: []' }), 409, /published and never changes/)
  refused(await admin.post(`${version}/publish`), 409, /published and never changes/)
  const { attributes } = (await admin.get(`${workflows}/first`)).body.data
  assert.deepEqual([attributes.draft, attributes.latest_published_version], [false, 1])
  const types = (await admin.get(`/api/events?filter[source_id_eq]=${workflow.id}`)).body.data.map(
    (event: { attributes: { type: string } }) => event.attributes.type,
  )
  assert.deepEqual(types, ['api:workflows:create', 'api:workflow_versions:update', 'api:workflows:publish'])
})

test('a new draft stands beside what is published, and a source in the workflow itself goes into the newest draft', async () => {
  await created(make('second', { draft: false }))
  const drafted = await admin.patch(`${workflows}/second`, { source_yaml: source(step(), step()) })
  assert.equal(drafted.status, 200, drafted.text)
  assert.deepEqual(
    [drafted.body.data.attributes.latest_version, drafted.body.data.attributes.latest_published_version],
    [2, 1],
  )
  await admin.patch(`${workflows}/second`, { source_yaml: source(step('environments/live/assets/back')) })
  const listed = (await admin.get(`${workflows}/second/versions`)).body.data
  assert.deepEqual(
    listed.map((each: { attributes: { version: number; draft: boolean } }) => [
      each.attributes.version,
      each.attributes.draft,
    ]),
    [
      [2, true],
      [1, false],
    ],
  )
  assert.ok(!('source_yaml' in listed[0].attributes))
  const both = await admin.patch(`${workflows}/second`, { draft: false, name: 'The second' })
  assert.deepEqual([both.body.data.attributes.draft, both.body.data.attributes.name], [false, 'The second'])
  refused(await admin.patch(`${workflows}/second`, { draft: true }), 422, /published and stays so/)
  assert.equal((await created(admin.post(`${workflows}/second/versions`, { source_yaml: 'no' }))).attributes.version, 3)
  const told = (await admin.get(`/api/events?filter[source_id_eq]=${both.body.data.id}&limit=100`)).body.data.map(
    ({ attributes }: { attributes: { type: string; version?: number } }) => [attributes.type, attributes.version],
  )
  assert.deepEqual(told, [
    ['api:workflows:publish', 1],
    ['api:workflows:create', undefined],
    ['api:workflow_versions:create', 2],
    ['api:workflows:update', undefined],
    ['api:workflow_versions:update', 2],
    ['api:workflows:update', undefined],
    ['api:workflows:publish', 2],
    ['api:workflows:update', undefined],
    ['api:workflow_versions:create', 3],
  ])
})

test('a source is validated into its steps, properties of the project under the overrides put in', async () => {
  const written = source(
    '  - {target: "environments/live/assets/{{app}}", action: deploy}\n',
    '  - {seconds: "{{seconds}}"}\n',
  )
  const stepsWith = async (more: object) => {
    const answer = await validate(written, more)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.attributes.steps.map((each: { name: string; targets?: string[] }) => [
      each.name,
      each.targets?.[0],
    ])
  }
  assert.deepEqual(await stepsWith({}), [
    ['deploy front', '/projects/shop/environments/live/assets/front'],
    ['wait 30 s', undefined],
  ])
  assert.deepEqual(await stepsWith({ property_overrides: { app: 'back', seconds: 5 } }), [
    ['deploy back', '/projects/shop/environments/live/assets/back'],
    ['wait 5 s', undefined],
  ])
})

test('everything that is not there is told at once, each at its place', async () => {
  const answer = await validate(`steps:
  - target: environments/live/assets/nowhere
    action: deploy
  - target: environments/live/assets/front
    action: deplo
  - target: environments/live/assets/front
    action: deploy
    template_version: "9.9"
  - target: environments/live
    action: deploy
  - target: environments/live
    action: deploy
    git_remote_name: lost
    git_rev: main
  - target: environments/live
    action: deploy
    git_remote_name: code
    git_rev: elsewhere
  - target: environments/live
    action: stop
    git_remote_name: code
    git_rev: main
  - target: environments/live/assets/front
    action: deploy
    git_remote_name: code
    git_rev: main
  - type: workflow
    target: nobody
`)
  assert.deepEqual(faults(answer), [
    '2:13 There is no node /projects/shop/environments/live/assets/nowhere, or you may not read it.',
    '5:13 /projects/shop/environments/live/assets/front offers no action "deplo" in version 1.0 of its template. Did you mean "deploy"?',
    '8:23 There is no version 9.9 of its template that is ready to run.',
    '9:5 A change of an environment says where its actions come from: git_remote_name is missing.',
    '13:22 The project has no Git remote lost.',
    '18:14 The Git remote code has no revision elsewhere.',
    '20:13 /projects/shop/environments/live offers no action "stop" at main of code.',
    `25:22 An asset's actions come from its template version: git_remote_name is for projects and environments.`,
    '28:13 The project has no workflow "nobody".',
  ])
  assert.deepEqual(faults(await validate(source('  - {target: "assets/{{lost.far}}", action: x}\n'))), [
    '2:14 The project has no property "lost.far".',
  ])
  assert.deepEqual(faults(await validate('steps:\n  - {target: web, acton: go}\n')).length, 2)
  await created(
    make('absent', { source_yaml: source('  - {action: deplo, target: environments/live/assets/front}\n') }),
  )
  assert.deepEqual(faults(await admin.post(`${workflows}/absent/versions/1/publish`)), [
    '2:14 /projects/shop/environments/live/assets/front offers no action "deplo" in version 1.0 of its template. Did you mean "deploy"?',
  ])
})

test('a source is as large as a run may be, and asks no more of Git and of the reader than that takes', async () => {
  const targets = ['front', 'back'].map(code => `environments/live/assets/${code}`)
  const all = Array.from({ length: 10_000 }, (_, at) => step(targets[at % 2], at === 9_999 ? 'nothing' : 'deploy'))
  const large = await validate(source(...all))
  assert.equal(large.status, 422)
  assert.deepEqual(
    large.body.errors.map(({ meta }: { meta: { line: number } }) => meta.line),
    [10_001],
  )
  const more = await validate(source(...all, step()))
  assert.match(more.text, /more than 10000/)
  const tokens = await validate(`steps:\n${'-\n'.repeat(500_000)}`)
  assert.equal(tokens.status, 422)
  assert.match(tokens.text, /more than 400000 tokens of YAML/)
  const revisions = Array.from(
    { length: 201 },
    (_, at) => `  - {target: ., action: deploy, git_remote_name: code, git_rev: v${at}}\n`,
  )
  const many = await validate(source(...revisions))
  assert.equal(many.body.errors.length, 1)
  assert.match(many.text, /more than 200 revisions/)
})

test('what is written wrongly hides nothing of what is not there, and is told of once', async () => {
  const answer = await validate(`steps:
  - target: environments/live/assets/nowhere
    action: deploy
    acton: deploy
  - targets: ["{{lost}}", environments/live/assets/nowhere]
    action: deploy
  - name: Both
    children:
      - target: environments/live/assets/front
        action: deplo
        run_as: sideways
      - target: environments/live/assets/front
  - type: workflow
    target: nobody
    version: soon
  - type: workflow
    target: nobody
    children: []
  - requires_approval_from: { user_names: [ann], required_approvals: 2 }
`)
  assert.deepEqual(faults(answer), [
    '2:13 There is no node /projects/shop/environments/live/assets/nowhere, or you may not read it.',
    '4:5 Unknown key "acton"; did you mean "action"?',
    '5:15 The project has no property "lost".',
    '10:17 /projects/shop/environments/live/assets/front offers no action "deplo" in version 1.0 of its template. Did you mean "deploy"?',
    '11:17 "run_as" is sequential or parallel.',
    '12:9 A step with a "target" is a change with its "action", or a workflow with "type: workflow"; this says neither.',
    '15:14 "version" is a whole number from 1 to 2147483647.',
    '17:13 The project has no workflow "nobody".',
    '18:5 A workflow cannot have "children"; it has target, version, name, start_time, property_overrides, run_as.',
    '19:70 2 approvals are asked of 1 person.',
  ])
})

test('actions that were pushed just now are offered', async () => {
  const configuration = (await admin.get('/api/system_configuration')).body.data
  const settings = configuration.relationships.settings.links.related
  const always = { 'git_remote.fetch_stale_threshold': 0 }
  assert.equal((await admin.patch(settings, { data: always })).status, 200)
  made.repository.commit({ 'actions.yaml': `${actions}  fresh: { run: echo fresh }\n` })
  const written = `steps:\n  - {target: ., action: fresh, git_remote_name: code, git_rev: main}\n`
  const answer = await validate(written)
  assert.equal(answer.status, 200, answer.text)
})

test('a workflow that would run itself is refused, and the circle is named', async () => {
  const runs = (code: string, more = '') => source(`  - {type: workflow, target: ${code}${more}}\n`)
  await created(make('alpha', { draft: false }))
  assert.deepEqual(faults(await admin.patch(`${workflows}/alpha`, { source_yaml: runs('alpha'), draft: false })), [
    '2:30 The workflow would run itself: alpha → alpha.',
  ])
  await created(make('beta', { source_yaml: runs('alpha'), draft: false }))
  await created(make('gamma', { source_yaml: runs('beta', ', version: 1'), draft: false }))
  assert.deepEqual(faults(await admin.patch(`${workflows}/alpha`, { source_yaml: runs('gamma'), draft: false })), [
    '2:30 The workflow would run itself: alpha → gamma → beta → alpha.',
  ])
  const several = source(
    '  - {type: workflow, target: beta}\n',
    '  - {type: wait, seconds: soon}\n',
    '  - {type: workflow, target: nobody}\n',
    '  - {type: workflow, target: gamma}\n',
  )
  assert.deepEqual(faults(await admin.patch(`${workflows}/alpha`, { source_yaml: several, draft: false })), [
    '2:30 The workflow would run itself: alpha → beta → alpha.',
    '3:27 "seconds" is a whole number from 1 to 31536000.',
    '4:30 The project has no workflow "nobody".',
    '5:30 The workflow would run itself: alpha → gamma → beta → alpha.',
  ])
  assert.deepEqual(
    faults(await service.as('blinkered').patch(`${workflows}/alpha`, { source_yaml: several, draft: false })),
    [
      '2:30 The project has no workflow "beta".',
      '3:27 "seconds" is a whole number from 1 to 31536000.',
      '4:30 The project has no workflow "nobody".',
      '5:30 The workflow would run itself: alpha → gamma → … → alpha.',
    ],
  )
  assert.equal((await admin.get(`${workflows}/alpha`)).body.data.attributes.latest_version, 1)
  await created(make('draft'))
  assert.deepEqual(faults(await validate(runs('draft'))), ['2:30 No version of the workflow "draft" is published.'])
  assert.deepEqual(faults(await validate(runs('alpha', ', version: 7'))), [
    '2:46 Version 7 of the workflow "alpha" is not published.',
  ])
  refused(await admin.delete(`${workflows}/alpha`), 409, /in use/)
})

test('a workflow that never ran is deleted, one that ran is archived and keeps its code', async () => {
  await created(make('passing'))
  assert.equal((await admin.delete(`${workflows}/passing`)).status, 204)
  assert.equal((await admin.get(`${workflows}/passing`)).status, 404)
  const kept = await created(make('kept', { draft: false }))
  await service.database.transaction(tx => markRun(tx, kept.id))
  assert.equal((await admin.delete(`${workflows}/kept`)).status, 204)
  assert.equal((await admin.get(`${workflows}/kept`)).body.data.attributes.archived, true)
  refused(await make('KEPT'), 409, /is taken/)
  refused(await admin.patch(`${workflows}/kept`, { name: 'Another' }), 409, /archived/)
  refused(await admin.post(`${workflows}/kept/versions`, { source_yaml: source() }), 409, /archived/)
  assert.deepEqual(faults(await validate(source('  - {type: workflow, target: kept}\n'))), [
    '2:30 The workflow "kept" is archived.',
  ])
  const restored = await admin.patch(`${workflows}/kept`, { archived: false })
  assert.equal(restored.body.data.attributes.archived, false)
})

test('a workflow is not deleted while another is being published that runs it', async () => {
  await created(make('used', { draft: false }))
  await created(make('using', { source_yaml: source('  - {type: workflow, target: used}\n') }))
  const waiting = (statement: string) =>
    service.database.rows(
      sql`select from pg_stat_activity where wait_event_type = 'Lock' and position(${statement} in query) > 0`,
    )
  const [published, deleted] = await withClient(service.testDatabase.superuserUrl, async holder => {
    await holder.query('begin')
    await holder.query(`
      select from workflow_versions
       where workflow_id = (select id from workflows where code = 'using') for no key update`)
    const publishing = admin.post(`${workflows}/using/versions/1/publish`)
    const isHeld = () => waiting('set published_at')
    await until('it has been checked, and is to be published', isHeld, rows => rows.length > 0, often)
    let isAnswered = false
    const deleting = admin.delete(`${workflows}/used`).finally(() => {
      isAnswered = true
    })
    const isOver = async () => isAnswered || (await waiting('from workflows where id')).length > 0
    await until('the other is deleted, or that waits', isOver, Boolean, often)
    await holder.query('rollback')
    return Promise.all([publishing, deleting])
  })
  assert.equal(published.status, 200, published.text)
  refused(deleted, 409, /in use/)
  refused(await admin.patch(`${workflows}/used`, { archived: true }), 409, /in use/)
})

test('rights decide who writes workflows, and what may not be read does not exist for them', async () => {
  const [writer, reader, blinkered, stranger] = ['writer', 'reader', 'blinkered', 'stranger'].map(name =>
    service.as(name),
  )
  await created(make('guarded', { draft: false }, writer))
  assert.deepEqual((await writer!.get(`${workflows}/guarded`)).body.data.meta.authorisations, {
    update: true,
    execute: false,
    delete: true,
  })
  refused(await make('other', {}, reader), 403, /update on \/projects\/shop\/workflows|may not/)
  assert.equal((await reader!.post(`${workflows}/guarded/versions`, { source_yaml: source() })).status, 403)
  assert.equal((await reader!.get(`${workflows}/guarded/versions/1`)).body.data.meta.can.length, 0)
  assert.equal((await stranger!.get(`${workflows}/guarded`)).status, 404)
  assert.deepEqual((await stranger!.get('/api/workflows')).body.data, [])
  const all = (await reader!.get('/api/workflows?filter[code_eq]=guarded')).body.data
  assert.equal(all.length, 1)
  const withProperty = source('  - {target: "environments/live/assets/{{app}}", action: deploy}\n')
  assert.equal((await validate(withProperty, {}, blinkered)).status, 403)
  assert.equal((await validate(source(), {}, blinkered)).status, 200)
  await created(make('hers', { source_yaml: withProperty }, blinkered))
  for (const asked of [
    blinkered!.post(`${workflows}/hers/versions/1/publish`),
    blinkered!.patch(`${workflows}/hers`, { draft: false }),
    make('his', { source_yaml: withProperty, draft: false }, blinkered),
  ])
    refused(await asked, 403, /read.*\/projects\/shop\/properties/)
  assert.deepEqual(faults(await validate(source(step('environments/live/assets/hidden')), {}, blinkered)), [
    '2:14 There is no node /projects/shop/environments/live/assets/hidden, or you may not read it.',
  ])
})

test('a Standard project has no workflows, and says so', async () => {
  const plain = '/api/projects/plain/workflows'
  assert.equal((await admin.get(plain)).status, 404)
  refused(await admin.post(plain, { code: 'x', name: 'x', source_yaml: source() }), 409, /Standard project/)
  refused(await admin.post(`${plain}/validate`, { source_yaml: source() }), 409, /Standard project/)
  assert.ok(!('workflows' in (await admin.get('/api/projects/plain')).body.data.links))
  assert.equal((await admin.get('/api/projects/plain/workflow_runs')).status, 404)
  const run = { parent_path: '/projects/plain', workflow_code: 'x' }
  refused(await admin.post('/api/workflow_runs', run), 409, /Standard project/)
  const nightly = { workflow_code: 'x', cron_schedule: '@daily' }
  refused(await admin.post('/api/projects/plain/scheduled_activities', nightly), 409, /Standard project/)
})

test('a stale writer is told, by If-Match of the draft as of the workflow', async () => {
  await created(make('raced'))
  const version = `${workflows}/raced/versions/1`
  const etag = (await admin.get(version)).headers.get('etag')
  assert.equal((await admin.patch(version, { source_yaml: 'steps: []' }, { 'if-match': etag! })).status, 200)
  assert.equal((await admin.patch(version, { source_yaml: source() }, { 'if-match': etag! })).status, 412)
})

test('sources lie sealed in the database', async () => {
  const marked = source('  - {type: wait, name: "a word that nobody else says"}\n')
  await created(make('sealed', { source_yaml: marked }))
  assert.equal((await admin.get(`${workflows}/sealed/versions/1`)).body.data.attributes.source_yaml, marked)
  const holding = await service.database.rows(sql`
    select id from workflow_versions where position('a word that nobody else says' in workflow_versions::text) > 0`)
  assert.deepEqual(holding, [])
  refused(
    await admin.get(`${workflows}/sealed/versions?filter[source_yaml_cont]=word`),
    400,
    /attribute-not-filterable/,
  )
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:workflow_versions:create api:workflow_versions:update api:workflows:create api:workflows:destroy
     api:workflows:publish api:workflows:update`,
  ))
