import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Answer, Client } from '../support/api.ts'
import {
  created,
  ended,
  eventsOf,
  eventTypes,
  fetchedVersion,
  linesOf,
  newAsset,
  often,
  ran,
  type Shop,
  shop,
  statuses,
  stepsOf,
  written,
} from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { gitServer } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'

const actions = `
actions:
  deploy:
    description: Roll the release out
    steps: [stop, start]
  stop: { run: echo stopped }
  start:
    env: { COLOUR: "{{ colour }}" }
    run: echo "started in $COLOUR"
  misplaced:
    run: |
      echo '{"properties_diffs":{"asset":[{"op":"add","path":"/a","value":1}]}}' >"$SLUICE_STEP_RESULT"
`
const files = {
  'web/defaults.yaml': 'colour: grey\n',
  'web/actions.yaml': actions,
  'actions.yaml': actions,
  '.sluice/properties/projects/shop/colour.yaml': 'colour: green\n',
}

let service: TestService
let admin: Client
let made: Shop
let asset: string

before(async () => {
  service = await startTestService({
    users: {
      reader: [{ path: '/projects/shop', read: true }],
      starter: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/environments/live/assets/front/actions/start', execute: true },
      ],
      stranger: [],
      outsider: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/environments/live/assets/front/properties', read: false },
        { path: '/projects/shop/environments/live/assets/front/settings', read: false },
      ],
    },
  })
  admin = service.as('admin')
  made = await shop(service, files)
  asset = made.asset
})
after(() => service.stop())

const project = '/api/projects/shop'
const environment = '/api/projects/shop/environments/live'
const make = (attributes: object, on = asset, client = admin) => client.post(`${on}/changes`, attributes)

function refused(answer: Answer, status: number, detail: RegExp, pointer?: string) {
  assert.equal(answer.status, status, answer.text)
  const faults = answer.body.errors as { detail: string; source?: { pointer: string } }[]
  const fault = faults.find(each => detail.test(each.detail))
  assert.ok(fault, answer.text)
  if (pointer) assert.equal(fault.source?.pointer, pointer)
}

test('a change of a project or an environment takes its actions from the root of a branch, a tag or a commit', async () => {
  made.repository.git('tag', 'v1', made.commit)
  const revisions = [
    [project, 'main'],
    [environment, 'v1'],
    [environment, made.commit],
  ] as const
  for (const [node, git_rev] of revisions) {
    const change = await ran(admin, node, 'deploy', { git_remote_name: 'code', git_rev })
    const { status_code, commit_sha, error_message } = change.attributes
    assert.deepEqual([status_code, commit_sha, error_message], ['success', made.commit, null], `${node} ${git_rev}`)
    assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['stopped', 'started in green'])
  }
})

test('a change of a revision that is a branch and a tag ends, with the names that say which is meant', async () => {
  for (const kind of ['branch', 'tag']) made.repository.git(kind, 'both', made.commit)
  const { attributes } = await ran(admin, project, 'deploy', { git_remote_name: 'code', git_rev: 'both' })
  assert.deepEqual(
    [attributes.status_code, attributes.commit_sha, attributes.error_message],
    [
      'error',
      null,
      '"both" is ambiguous: the repository has refs/tags/both and refs/heads/both. Give one of them as the revision.',
    ],
  )
  const named = await ran(admin, project, 'deploy', { git_remote_name: 'code', git_rev: 'refs/heads/both' })
  assert.deepEqual([named.attributes.status_code, named.attributes.commit_sha], ['success', made.commit])
})

test('a step that writes to an owner which its change does not have fails, and is told which there are', async () => {
  const change = await ran(admin, environment, 'misplaced', { git_remote_name: 'code', git_rev: 'main' })
  assert.equal(change.attributes.status_code, 'error')
  const [step] = await stepsOf(admin, change.id)
  assert.match(
    step!.attributes.error_message,
    /knows no owner asset; here there are (?=.*project)(?=.*environment).*change\./,
  )
})

test('/api/changes makes the same change of the node that parent_path names', async () => {
  const attributes = { action: 'start', parent_path: asset.replace('/api', '') }
  const answer = await admin.post('/api/changes', attributes)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.get('location'), `/api/changes/${answer.body.data.id}`)
  assert.equal(answer.body.data.relationships.parent.links.related, asset)
  assert.equal((await ended(admin, answer.body.data.id)).attributes.status_code, 'success')
})

test('an action that there is not is 422 and names the nearest', async () => {
  refused(await make({ action: 'deplyo' }), 422, /did you mean deploy\?/, '/data/attributes/action')
})

test('a change at a revision that is known and fresh stands in line at once; what is wrong with it is told as ever', async () => {
  const settings = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  const freshFor = (seconds: number) => admin.patch(settings, { data: { 'git_remote.fetch_stale_threshold': seconds } })
  assert.equal((await freshFor(3_600)).status, 200)
  const at = { git_remote_name: 'code', git_rev: 'main' }
  await ran(admin, environment, 'deploy', at)
  const answer = await make({ action: 'deploy', ...at }, environment)
  assert.equal(answer.status, 201, answer.text)
  const { status_code, commit_sha } = answer.body.data.attributes
  assert.deepEqual([status_code, commit_sha], ['pending', made.commit])
  assert.equal((await ended(admin, answer.body.data.id)).attributes.status_code, 'success')
  assert.deepEqual(await written(admin, `/api/changes/${answer.body.data.id}`), ['stopped', 'started in green'])
  const wrong = await ran(admin, environment, 'deplyo', at)
  await saysWhy(wrong.id, /did you mean deploy\?/)
  assert.equal((await freshFor(0)).status, 200)
  const asked = await make({ action: 'deploy', ...at }, environment)
  assert.equal(asked.body.data.attributes.status_code, 'initializing')
  assert.equal((await ended(admin, asked.body.data.id)).attributes.status_code, 'success')
})

test('an attribute that there is not is 400 and named; a missing action is 422', async () => {
  refused(await make({ action: 'deploy', colour: 'red' }), 400, /colour/, '/data/attributes/colour')
  refused(await make({}), 422, /action is required/, '/data/attributes/action')
})

test('what is for projects is refused on an asset, and what is for assets on a project', async () => {
  refused(await make({ action: 'deploy', git_rev: 'main' }), 422, /git_rev is for projects/, '/data/attributes/git_rev')
  const nothing = await make({ action: 'deploy', template_version: '1.0' }, project)
  refused(nothing, 422, /git_remote_name is missing/, '/data/attributes/git_remote_name')
  refused(nothing, 422, /git_rev is missing/, '/data/attributes/git_rev')
  refused(nothing, 422, /template_version is for assets/, '/data/attributes/template_version')
  const elsewhere = await make({ action: 'deploy', git_remote_name: 'cod', git_rev: 'main' }, project)
  refused(elsewhere, 422, /no Git remote cod/, '/data/attributes/git_remote_name')
})

test('a change is made at once whatever Git does meanwhile, and cancelled at once while it is not prepared', async () => {
  const git = await gitServer(made.repository)
  try {
    await created(admin.post('/api/projects/shop/git_remotes', { name: 'slow', url: git.url }))
    await until(
      'the new remote has been fetched',
      async () => git.fetches(),
      count => count > 0,
      often,
    )
    made.repository.commit({ 'actions.yaml': actions }, { branch: 'pushed' })
    git.hold()
    const at = { git_remote_name: 'slow', git_rev: 'pushed' }
    const [unwanted, wanted] = await Promise.all(
      ['deploy', 'stop'].map(action => created(make({ action, ...at }, environment))),
    )
    await git.held()
    for (const { id } of [unwanted!, wanted!]) {
      assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.status_code, 'initializing')
      assert.deepEqual(await statuses(admin, id), [])
    }
    assert.equal((await admin.delete(`/api/changes/${unwanted!.id}`)).status, 204)
    const isCancelled = async () => {
      const { attributes } = (await admin.get(`/api/changes/${unwanted!.id}`)).body.data
      assert.deepEqual([attributes.status_code, attributes.cancelled_by], ['cancelled', 'admin'])
      assert.deepEqual(await eventTypes(admin, unwanted!.id), ['api:changes:create', 'api:changes:cancel'])
    }
    await isCancelled()
    git.release()
    assert.equal((await ended(admin, wanted!.id)).attributes.status_code, 'success')
    await isCancelled()
  } finally {
    await git.stop()
  }
})

test('a revision that there is not makes a change that is an error, and says so on itself, in its log and as an event', async () => {
  const change = await ran(admin, environment, 'deploy', { git_remote_name: 'code', git_rev: 'no-such-branch' })
  await saysWhy(change.id, /no revision no-such-branch/)
  const used = await admin.get(`/api/changes/${change.id}/converged_properties`)
  refused(used, 409, /which commit no-such-branch of code is has not been found out/)
})

test('a Git remote that cannot be fetched makes a change that is an error, and is told of itself', async () => {
  const away = await service.repository({ 'actions.yaml': 'actions: {}' })
  const { id } = await created(admin.post('/api/projects/shop/git_remotes', { name: 'away', url: away.url }))
  await away.remove()
  const change = await ran(admin, environment, 'deploy', { git_remote_name: 'away', git_rev: 'main' })
  await saysWhy(change.id, /does not appear to be a git repository/)
  const { body } = await admin.get(`/api/events?filter[source_id_eq]=${id}&filter[type_eq]=error:git_remote:fetch`)
  const [event, ...others] = body.data
  assert.deepEqual([event.attributes.name, others], ['away', []])
  assert.match(event.attributes.error, /does not appear to be a git repository/)
})

test('an actions file that is broken at that commit makes a change that is an error, naming file and line', async () => {
  made.repository.commit({ 'actions.yaml': 'actions:\n  deploy: { run: [1] }\n' }, { branch: 'broken' })
  const change = await ran(admin, environment, 'deploy', { git_remote_name: 'code', git_rev: 'broken' })
  await saysWhy(change.id, /actions\.yaml.*2/s)
})

test('an action that is not at the commit makes a change that is an error', async () => {
  const change = await ran(admin, environment, 'deplyo', { git_remote_name: 'code', git_rev: 'main' })
  await saysWhy(change.id, /did you mean deploy\?/)
})

async function saysWhy(id: string, why: RegExp) {
  const { attributes } = (await admin.get(`/api/changes/${id}`)).body.data
  assert.equal(attributes.status_code, 'error')
  assert.match(attributes.error_message, why)
  const event = (await eventsOf(admin, id)).find(each => each.attributes.type === 'api:changes:error')
  assert.match(event?.attributes.error, why)
  const lines = await linesOf(admin, `/api/changes/${id}`)
  assert.ok(
    lines.some(({ attributes }) => why.test(attributes.message)),
    `its log says: ${JSON.stringify(lines.map(({ attributes }) => attributes.message))}`,
  )
}

test('a version of the template that is not ready, or not there, is 409', async () => {
  const broken = await fetchedVersion(admin, `${project}/templates/web/versions/2.0`, 'no-such-branch')
  assert.equal(broken.attributes.state, 'broken')
  refused(await make({ action: 'deploy', template_version: '2.0' }), 409, /no version 2\.0 .* ready/)
  refused(await make({ action: 'deploy', template_version: '9.9' }), 409, /no version 9\.9/)
})

test('another version of the template runs the actions that it has', async () => {
  made.repository.commit(
    { 'web/actions.yaml': 'actions: { other: { description: x, run: echo other } }' },
    { branch: 'b' },
  )
  const version = await fetchedVersion(admin, `${project}/templates/web/versions/3.0`, 'b')
  const change = await ran(admin, asset, 'other', { template_version: '3.0' })
  assert.deepEqual(
    [change.attributes.status_code, change.attributes.commit_sha],
    ['success', version.attributes.commit_sha],
  )
})

test('an archived node, a Standard project and an agent have no changes: 409', async () => {
  const old = await newAsset(admin, 'old')
  assert.equal((await admin.patch(old, { archived: true })).status, 200)
  refused(await make({ action: 'deploy' }, old), 409, /archived/)
  await created(admin.post('/api/projects', { code: 'plain', name: 'Plain', project_type: 'Standard' }))
  const revision = { git_remote_name: 'code', git_rev: 'main' }
  refused(await make({ action: 'deploy', ...revision }, '/api/projects/plain'), 409, /Standard project/)
  const robot = { code: 'robot', name: 'Robot', template_type: 'agent', git_remote_name: 'code' }
  await created(admin.post(`${project}/templates`, robot))
  made.repository.commit({ 'robot/actions.yaml': actions }, { branch: 'robot' })
  await fetchedVersion(admin, `${project}/templates/robot/versions/1`, 'robot')
  const agent = { code: 'helper', name: 'Helper', template_code: 'robot', template_version: '1' }
  await created(admin.post(`${project}/agents`, agent))
  refused(await make({ action: 'deploy' }, `${project}/agents/helper`), 409, /Agents have no changes/)
})

test('settings_overrides are checked like settings, and only what a change may set', async () => {
  const wrong = await make({
    action: 'deploy',
    settings_overrides: { 'no.such.setting': 1, maintenance_mode: 'enabled', step_timeout_seconds: 'soon' },
  })
  const at = '/data/attributes/settings_overrides'
  refused(wrong, 422, /no\.such\.setting/, `${at}/no.such.setting`)
  refused(wrong, 422, /maintenance_mode/, `${at}/maintenance_mode`)
  refused(wrong, 422, /step_timeout_seconds/, `${at}/step_timeout_seconds`)
  const approvals = { requires_approval_from: [] }
  refused(await make({ action: 'deploy', settings_overrides: approvals }), 422, /requires_approval_from/)
})

test('property_overrides are what steps see, and the change alone', async () => {
  const change = await ran(admin, asset, 'start', { property_overrides: { colour: 'red "$(id)"' } })
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['started in red "$(id)"'])
  assert.deepEqual(change.attributes.property_overrides, { colour: 'red "$(id)"' })
  const converged = await admin.get(`${asset}/converged_properties`)
  assert.equal(converged.body.data.attributes.data.colour, 'green')
  const [step] = await stepsOf(admin, change.id)
  for (const record of [`/api/changes/${change.id}`, `/api/steps/${step!.id}`]) {
    const { body, headers } = await admin.get(`${record}/converged_properties`)
    const { id, type, attributes, links, meta, relationships } = body.data
    assert.deepEqual([type, links.self], ['converged_properties', `${record}/converged_properties`])
    assert.ok(record.endsWith(id))
    assert.deepEqual(attributes.data, { colour: 'red "$(id)"' })
    assert.deepEqual(meta.property_sources.by_property, { colour: 'Change' })
    const files = relationships.repository_properties.data.map((each: { id: string }) => each.id)
    assert.deepEqual(files, ['web/defaults.yaml', '.sluice/properties/projects/shop/colour.yaml'])
    const again = await admin.get(links.self, { 'if-none-match': headers.get('etag')! })
    assert.equal(again.status, 304)
  }
})

test('a change tells the settings that it was made with, and where each is from, whatever is written afterwards', async () => {
  const target = await newAsset(admin, 'configured')
  const { related } = (await admin.get(target)).body.data.relationships.settings.links
  await admin.patch(related, { data: { step_timeout_seconds: 600 } })
  const change = await ran(admin, target, 'stop', { settings_overrides: { parallel_change_worker_steps: 2 } })
  await admin.patch(related, { data: { step_timeout_seconds: null, on_runner_lost: 'restart' } })
  const [step] = await stepsOf(admin, change.id)
  for (const record of [`/api/changes/${change.id}`, `/api/steps/${step!.id}`]) {
    const { body, headers } = await admin.get(`${record}/converged_settings`)
    const { type, attributes, links, meta } = body.data
    assert.deepEqual([type, links.self], ['converged_settings', `${record}/converged_settings`])
    const told = (key: string) => [attributes.data[key], meta.setting_sources.by_setting[key]]
    assert.deepEqual(told('step_timeout_seconds'), [600, 'Asset: configured (configured)'])
    assert.deepEqual(told('parallel_change_worker_steps'), [2, 'Change'])
    assert.deepEqual(told('on_runner_lost'), ['error', 'Default'])
    assert.equal((await admin.get(links.self, { 'if-none-match': headers.get('etag')! })).status, 304)
  }
})

test('what a change used is read by whoever may read it and the properties and settings of its node', async () => {
  const change = await ran(admin, asset, 'stop')
  const [step] = await stepsOf(admin, change.id)
  for (const record of [`/api/changes/${change.id}`, `/api/steps/${step!.id}`])
    for (const area of ['properties', 'settings']) {
      const path = `${record}/converged_${area}`
      assert.equal((await service.as('reader').get(path)).status, 200)
      assert.equal((await service.as('stranger').get(path)).status, 404)
      const answer = await service.as('outsider').get(path)
      assert.equal(answer.status, 403, answer.text)
      const needed = { right: 'read', path: `/projects/shop/environments/live/assets/front/${area}` }
      assert.deepEqual(answer.body.errors[0].meta, needed)
    }
})

test('skip_steps leaves out what its globs name, and never the whole change', async () => {
  const change = await ran(admin, asset, 'deploy', { skip_steps: ['*/STOP'] })
  assert.deepEqual(await statuses(admin, change.id), [
    ['deploy', 'success'],
    ['deploy/stop', 'skipped'],
    ['deploy/start', 'success'],
  ])
  const whole = await make({ action: 'deploy', skip_steps: ['**'] })
  refused(whole, 422, /the whole change/, '/data/attributes/skip_steps')
})

test('starting_step begins with a step that there is', async () => {
  const change = await ran(admin, asset, 'deploy', { starting_step: 'deploy/START' })
  assert.equal(change.attributes.starting_step, 'deploy/START')
  assert.deepEqual(await statuses(admin, change.id), [
    ['deploy', 'success'],
    ['deploy/stop', 'skipped'],
    ['deploy/start', 'success'],
  ])
  const wrong = await make({ action: 'deploy', starting_step: 'deploy/strat' })
  refused(wrong, 422, /no step deploy\/strat; did you mean deploy\/start\?/, '/data/attributes/starting_step')
})

test('a change with run_at stays pending until that time, by the database’s clock', async () => {
  const run_at = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await created(make({ action: 'start', run_at }))
  const younger = await created(make({ action: 'stop' }))
  await ended(admin, younger.id)
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.status_code, 'pending')
  await moveClock(service.testDatabase, '61 minutes')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})

test('changes are found by what their metadata holds, by dotted names and as one text', async () => {
  const metadata = { ticket: 'OPS-7', team: { name: 'Night shift', size: 3 } }
  const { id } = (await admin.post(`${asset}/changes`, { action: 'stop', metadata })).body.data
  const found = async (filter: string) => {
    const { body, status } = await admin.get(`/api/changes?${filter}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.map((change: { id: string }) => change.id)
  }
  assert.deepEqual(await found('filter[metadata.ticket_eq]=OPS-7'), [id])
  assert.deepEqual(await found('filter[metadata.team.name_start]=night&filter[metadata.team.size_eq]=3'), [id])
  assert.deepEqual(await found('filter[metadata_text_cont]=shift'), [id])
  assert.deepEqual(await found('filter[metadata.ticket_eq]=OPS'), [])
  assert.equal((await admin.get('/api/changes?filter[metadat.ticket_eq]=x')).status, 400)
  assert.equal((await admin.get('/api/changes?fields[change]=metadat')).status, 400)
})

test('a node lists its own changes, and with include_children those of all beneath it as well', async () => {
  const beside = await newAsset(admin, 'front-2')
  const later = { run_at: '2099-01-01T00:00:00Z' }
  const at = { action: 'deploy', git_remote_name: 'code', git_rev: 'main', ...later }
  const ofAsset = await created(make({ action: 'stop', ...later }))
  const ofOther = await created(make({ action: 'stop', ...later }, beside))
  const ofEnvironment = await created(make(at, environment))
  const ofProject = await created(make(at, project))
  const all = [ofAsset, ofOther, ofEnvironment, ofProject].map(({ id }) => id)
  const listed = async (path: string, client = admin): Promise<string[]> => {
    const { body } = await client.get(path)
    return body.data.map(({ id }: { id: string }) => id).filter((id: string) => all.includes(id))
  }
  const beneath = (node: string) => listed(`${node}/changes?include_children=true`)
  assert.deepEqual(await listed('/api/changes'), all.toReversed())
  assert.deepEqual(await listed(`${project}/changes`), [ofProject.id])
  assert.deepEqual(await listed(`${project}/changes?include_children=false`), [ofProject.id])
  assert.deepEqual(await listed(`${environment}/changes`), [ofEnvironment.id])
  assert.deepEqual(await beneath(asset), [ofAsset.id], 'and none of the asset whose code begins alike')
  assert.deepEqual(await beneath(environment), all.slice(0, 3).toReversed())
  assert.deepEqual(await beneath(project), all.toReversed())
  assert.equal((await admin.get(`${project}/changes?include_children=perhaps`)).status, 400)
  for (const id of all) await admin.delete(`/api/changes/${id}`)
})

test('an Idempotency-Key makes one change, however often it is sent', async () => {
  const key = { 'idempotency-key': 'only-once' }
  const first = await admin.post(`${asset}/changes`, { action: 'stop' }, key)
  await ended(admin, first.body.data.id)
  const again = await admin.post(`${asset}/changes`, { action: 'stop' }, key)
  assert.deepEqual([again.status, again.text], [201, first.text])
  const other = await admin.post(`${asset}/changes`, { action: 'start' }, key)
  assert.equal(other.status, 422)
  const all = await admin.get(
    `/api/events?filter[type_eq]=api:changes:create&filter[source_id_eq]=${first.body.data.id}`,
  )
  assert.equal(all.body.data.length, 1)
})

test('a node that the caller may not read is 404, and by parent_path just like one that never was', async () => {
  const stranger = service.as('stranger')
  const unreadable = await stranger.post('/api/changes', { action: 'start', parent_path: asset.replace('/api', '') })
  const never = await stranger.post('/api/changes', { action: 'start', parent_path: '/projects/never/assets/was' })
  assert.deepEqual([unreadable.status, never.status], [404, 404])
  assert.deepEqual(withoutIds(unreadable), withoutIds(never))
  assert.equal((await make({ action: 'start' }, asset, stranger)).status, 404)
})

const withoutIds = ({ body }: Answer) => body.errors.map((error: object) => ({ ...error, id: '' }))

test('without execute on the action a reader is refused with the right and the path that it needs', async () => {
  const path = '/projects/shop/environments/live/assets/front/actions/deploy'
  for (const username of ['reader', 'starter']) {
    const answer = await make({ action: 'deploy' }, asset, service.as(username))
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.body.errors[0].meta, { right: 'execute', path })
    assert.equal(answer.body.errors[0].detail, `This needs execute on ${path}.`)
  }
  const allowed = await created(make({ action: 'start' }, asset, service.as('starter')))
  const change = await ended(service.as('starter'), allowed.id)
  assert.deepEqual([change.attributes.status_code, change.attributes.created_by], ['success', 'starter'])
})

test('a refused request leaves neither a change nor an event', async () => {
  const before = await eventCount()
  await make({ action: 'deplyo' })
  await make({ action: 'deploy' }, asset, service.as('reader'))
  await make({ action: 'deploy', settings_overrides: { nonsense: 1 } })
  assert.equal(await eventCount(), before)
})

const eventCount = async () =>
  (await admin.get('/api/events?limit=1&total=true&filter[type_eq]=api:changes:create')).body.meta.total

test('a change that failed before it began has no step and has never started', async () => {
  const change = await ran(admin, environment, 'deploy', { git_remote_name: 'code', git_rev: 'nowhere' })
  assert.deepEqual(await statuses(admin, change.id), [])
  assert.equal(change.attributes.started_at, null)
  assert.deepEqual(await eventTypes(admin, change.id), ['api:changes:create', 'api:changes:error'])
})
