import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../client/sluice.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import type { Answer, Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventsOf,
  newAsset,
  readyVersion,
  type Shop,
  type Shown,
  shop,
  statuses,
  stepAt,
  written,
} from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'

const release = `
    steps:
      - prepare
      - { input: Say what, arguments: [{ name: colour, path: /release, default_value: grey }] }
      - { wait: Look at it }
      - finish`
const actions = (more = '') => `
actions:
  release:
    description: x${release}${more}
  tell: { run: echo told }
  fail: { run: exit 1 }
  staged: { steps: [{ name: all, steps: [tell, prepare] }, fail] }
  prepare:
    run: |
      echo prepared; echo done >"$SLUICE_ARTEFACTS/report.txt"
      echo '{ "outputs": { "ports": [80, 443] } }' >"$SLUICE_STEP_RESULT"
  finish: { env: { COLOUR: "{{ release.colour }}", OK: "{{ ok }}" }, run: 'echo "in $COLOUR"; test "$OK" = yes' }
`

let service: TestService
let admin: Client
let maker: Client
let eve: Client
let made: Shop

before(async () => {
  const read = [{ path: '/projects/shop', read: true }]
  const users = { eve: read, reader: read, maker: [{ ...read[0]!, execute: true, update: true }], stranger: [] }
  service = await startTestService({ users })
  admin = service.as('admin')
  maker = service.as('maker')
  eve = service.as('eve')
  made = await shop(service, { 'web/actions.yaml': actions(), 'actions.yaml': actions() })
})
after(() => service.stop())

const retry = (
  client: Client,
  change: string,
  attributes: object = {},
  path = '/api/changes',
  meta: object = {},
): Promise<Answer> =>
  client.send('POST', path, {
    headers: { 'content-type': 'application/json' },
    raw: JSON.stringify({
      data: {
        attributes: { retry: true, ...attributes },
        relationships: { change: { data: { type: 'change', id: change } } },
        meta,
      },
    }),
  })

const waits = (id: string, status = 'waiting') =>
  changeWhen(admin, id, `is ${status}`, ({ attributes }) => attributes.status_code === status)

async function atInput(asset: string, more: object = {}): Promise<{ id: string; input: Shown }> {
  const { id } = await created(
    maker.post(`${asset}/changes`, { action: 'release', property_overrides: { ok: 'no' }, ...more }),
  )
  await waits(id)
  return { id, input: await stepAt(admin, id, 'release/Say what') }
}

/** A change that has passed its input step and was cancelled at its wait. */
async function cancelled(asset: string, more: object = {}): Promise<string> {
  const { id, input } = await atInput(asset, more)
  await pass(id, input)
  await admin.delete(`/api/changes/${id}`)
  assert.equal((await ended(admin, id)).attributes.status_code, 'cancelled')
  return id
}

async function pass(id: string, step: Shown): Promise<void> {
  const answer = await maker.post(`/api/steps/${step.id}/continue`, { input_arguments: { colour: 'blue' } })
  assert.equal(answer.status, 200, answer.text)
  const look = await stepAt(admin, id, 'release/Look at it')
  assert.equal(look.attributes.status_code, 'waiting')
}

const fault = ({ status, body }: Answer) => [
  status,
  body.errors.map((each: { source?: { pointer: string } }) => each.source?.pointer),
]

test('a failed change is run again from where it failed; what succeeded is there with its times, its log and its artefacts', async () => {
  const { id, input } = await atInput(made.asset)
  assert.deepEqual(fault(await retry(maker, id)), [409, [undefined]])
  await pass(id, input)
  await maker.post(`/api/steps/${(await stepAt(admin, id, 'release/Look at it')).id}/continue`)
  const failed = await ended(admin, id)
  assert.deepEqual([failed.attributes.status_code, failed.meta.can], ['error', ['retry']])
  const answer = await retry(maker, id, { property_overrides: { ok: 'yes' } })
  assert.equal(answer.status, 201, answer.text)
  const { id: again, relationships, attributes } = answer.body.data
  assert.deepEqual(relationships.retry_of.data, { type: 'change', id })
  assert.deepEqual(attributes.property_overrides, { ok: 'yes', release: { colour: 'blue' } })
  assert.equal(attributes.commit_sha, failed.attributes.commit_sha)
  const change = await ended(admin, again)
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const [was, is] = [await stepAt(admin, id, 'release/prepare'), await stepAt(admin, again, 'release/prepare')]
  for (const key of ['status_code', 'attempt', 'exit_code', 'created_at', 'started_at', 'finished_at'])
    assert.equal(is.attributes[key], was.attributes[key], key)
  for (const step of [was, is]) {
    const { attributes } = (await maker.get(`/api/steps/${step.id}`)).body.data
    assert.deepEqual(attributes.outputs, { ports: [80, 443] })
    assert.ok(!('outputs' in step.attributes), 'a list says nothing of them')
  }
  assert.deepEqual(await written(admin, `/api/steps/${is.id}`), ['prepared'])
  assert.deepEqual(await written(admin, `/api/changes/${again}`), ['in blue'])
  const [artefact] = (await admin.get(`/api/changes/${again}/artefacts`)).body.data
  assert.equal((await admin.get(`/api/artefacts/${artefact.id}/content`)).text, 'done\n')
  assert.equal((await ended(admin, id)).attributes.status_code, 'error')
  const [event] = (await eventsOf(admin, again)).filter(each => each.attributes.type === 'api:changes:create')
  assert.deepEqual([event?.attributes.retry_of, event?.attributes.username], [id, 'maker'])
  assert.deepEqual(fault(await retry(maker, again)), [409, [undefined]])
})

test('a retry says what it is a retry of and little else, and takes the right to run the action', async () => {
  const id = await cancelled(made.asset)
  const post = (attributes: object, path = '/api/changes') => maker.post(path, attributes)
  assert.deepEqual(fault(await post({ retry: true })), [422, ['/data/relationships/change']])
  assert.deepEqual(fault(await post({})), [422, ['/data/attributes/action', '/data/attributes/parent_path']])
  assert.deepEqual(fault(await post({ action: 'release', refresh_sha: true }, `${made.asset}/changes`)), [
    422,
    ['/data/attributes/refresh_sha'],
  ])
  assert.deepEqual(fault(await retry(maker, id, { action: 'finish', run_at: '2030-01-01T00:00:00Z' })), [
    422,
    ['/data/attributes/action', '/data/attributes/run_at'],
  ])
  assert.deepEqual(fault(await retry(maker, id, { skip_steps: ['release'] })), [422, ['/data/attributes/skip_steps']])
  const tried = async (username: string, ...given: [string, object?, string?]) =>
    (await retry(service.as(username), ...given)).status
  assert.deepEqual(
    [await tried('reader', id), await tried('stranger', id), await tried('maker', 'none')],
    [403, 404, 404],
  )
  const other = await newAsset(admin, 'other')
  assert.equal(await tried('maker', id, {}, `${other}/changes`), 404)
  const both = await Promise.all([retry(maker, id), retry(maker, id, {}, `${made.asset}/changes`)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
  const again = both.find(({ status }) => status === 201)!.body.data.id
  await waits(again)
  assert.equal(await tried('maker', id), 409)
  const stands = new Map(await statuses(admin, again))
  assert.deepEqual(
    ['prepare', 'Say what', 'Look at it'].map(name => stands.get(`release/${name}`)),
    ['success', 'success', 'waiting'],
  )
  await admin.delete(`/api/changes/${again}`)
})

test('a retry is planned, which makes nothing, and bound to its plan; it is refused when that has moved', async () => {
  const asset = await newAsset(admin, 'planned')
  const id = await cancelled(asset)
  const plan = (attributes: object = {}) => retry(maker, id, attributes, '/api/changes', { plan: true })
  const told = await plan()
  assert.equal(told.status, 200, told.text)
  const { type, attributes } = told.body.data
  assert.deepEqual(
    [type, attributes.action, attributes.steps.step_name, attributes.kept_steps, attributes.commit_sha],
    ['plan', 'release', 'release', ['release/prepare', 'release/Say what'], made.commit],
  )
  assert.equal((await plan()).body.data.id, told.body.data.id)
  assert.notEqual((await plan({ skip_steps: ['**/finish'] })).body.data.id, told.body.data.id)
  assert.equal((await plan({ refresh_sha: true })).status, 200)
  assert.deepEqual(fault(await plan({ skip_steps: ['release'] })), [422, ['/data/attributes/skip_steps']])
  assert.equal((await admin.get(`${asset}/changes`)).body.data.length, 1)
  const events = (await eventsOf(admin, id)).length

  const { plan_sha } = attributes
  assert.equal((await plan({ plan_sha })).body.data.id, told.body.data.id)
  const bound = (await retry(maker, id, { plan_sha })).body.data
  assert.equal(bound.attributes.plan_sha, plan_sha)
  await waits(bound.id)
  const can = async () => (await maker.get(`/api/changes/${id}`)).body.data.meta.can
  const canInLists = async () =>
    (await maker.get(`/api/activities?filter[id_eq]=${id}`)).body.data.map((each: Shown) => each.meta.can)
  assert.deepEqual([await can(), await canInLists()], [[], [[]]], 'it is being retried already')
  await admin.delete(`/api/changes/${bound.id}`)
  await ended(admin, bound.id)
  assert.deepEqual([await can(), await canInLists()], [['retry'], [['retry']]])
  const { related } = (await admin.get(asset)).body.data.relationships.properties.links
  await admin.patch(related, { data: { size: 2 } })
  const refused = await retry(maker, id, { plan_sha })
  assert.deepEqual(fault(refused), [409, ['/data/attributes/plan_sha']])
  assert.match(refused.text, /has moved: the properties\./)
  assert.deepEqual(fault(await plan({ plan_sha })), [409, ['/data/attributes/plan_sha']])
  assert.deepEqual(
    [(await admin.get(`${asset}/changes`)).body.data.length, (await eventsOf(admin, id)).length],
    [2, events],
  )
})

test('an approval counts for a retry while nothing that was approved has changed', async () => {
  const asset = await newAsset(admin, 'guarded')
  const { data } = (await admin.get(asset)).body
  const rules = [{ change_filter: { actions: 'all' }, user_names: ['eve'] }]
  await admin.patch(data.relationships.settings.links.related, { data: { requires_approval_from: rules } })
  const { id } = await created(maker.post(`${asset}/changes`, { action: 'release', property_overrides: { ok: 'no' } }))
  await waits(id, 'waiting_for_approval')
  const approval = await stepAt(admin, id, 'Approval')
  assert.equal((await eve.post(`/api/steps/${approval.id}/approve`, {})).status, 200)
  await waits(id)
  const end = async (change: string) => {
    await admin.delete(`/api/changes/${change}`)
    await ended(admin, change)
  }
  await end(id)
  const approvedInPlan = async (attributes: object = {}) =>
    (await retry(maker, id, attributes, '/api/changes', { plan: true })).body.data.attributes.approved_steps
  assert.deepEqual(await approvedInPlan(), ['Approval'])
  assert.deepEqual(await approvedInPlan({ skip_steps: ['**/finish'] }), [], 'another mask is approved anew')
  const counting = (await retry(maker, id)).body.data
  assert.deepEqual(
    counting.attributes.approved_by.map((each: { username: string }) => each.username),
    ['eve'],
  )
  assert.equal((await waits(counting.id)).attributes.requires_approval_from[0].user_names[0], 'eve')
  await end(counting.id)
  const masked = (await retry(maker, counting.id, { skip_steps: ['**/finish'] })).body.data
  await waits(masked.id, 'waiting_for_approval')
  await end(masked.id)
  await admin.patch(data.relationships.properties.links.related, { data: { ok: 'yes' } })
  const changed = (await retry(maker, counting.id)).body.data
  await waits(changed.id, 'waiting_for_approval')
  assert.deepEqual(changed.attributes.approved_by, [])
  const again = await stepAt(admin, changed.id, 'Approval')
  assert.equal((await eve.post(`/api/steps/${again.id}/reject`, {})).status, 200)
  const rejected = (await admin.get(`/api/changes/${changed.id}`)).body.data
  assert.deepEqual([rejected.attributes.status_code, rejected.meta.can], ['rejected', ['retry']])
  const asked = (await retry(maker, changed.id)).body.data
  await waits(asked.id, 'waiting_for_approval')
  await end(asked.id)
})

test('what is before the starting step of a change stays left out in the retries of it, whatever their masks', async () => {
  const asked = { action: 'staged', starting_step: 'staged/all/prepare' }
  let { id } = await created(maker.post(`${made.asset}/changes`, asked))
  for (const more of [{}, { skip_steps: ['**/nothing'] }, {}]) {
    await ended(admin, id)
    id = (await created(retry(maker, id, more))).id
  }
  await ended(admin, id)
  assert.deepEqual(await statuses(admin, id), [
    ['staged', 'error'],
    ['staged/all', 'success'],
    ['staged/all/tell', 'skipped'],
    ['staged/all/prepare', 'success'],
    ['staged/fail', 'error'],
  ])
})

test('a retry leaves out what its original did, unless it is given another mask', async () => {
  const id = await cancelled(made.asset, { skip_steps: ['**/finish'] })
  for (const [given, mask, status] of [
    [{}, ['**/finish'], 'skipped'],
    [{ skip_steps: [] }, [], 'error'],
  ] as const) {
    const { id: again, attributes } = (await retry(maker, id, given)).body.data
    assert.deepEqual(attributes.skip_steps, mask)
    await waits(again)
    await maker.post(`/api/steps/${(await stepAt(admin, again, 'release/Look at it')).id}/continue`)
    await ended(admin, again)
    assert.equal((await stepAt(admin, again, 'release/finish')).attributes.status_code, status)
  }
})

const keyringOfService = async () =>
  openKeyring({
    database: service.database,
    rootKey: Buffer.from((await readFile(join(service.dataDir, 'root.key'), 'latin1')).trim(), 'base64'),
  })

test('settings that cannot be overridden any more are left out of a retry, and it says which', async () => {
  const id = await cancelled(made.asset, { settings_overrides: { parallel_change_worker_steps: 2 } })
  // Stored by an older release: a setting that changes no longer have.
  const keyring = await keyringOfService()
  const then = keyring.seal(
    '{"parallel_change_worker_steps":2,"runner.sandbox":false}',
    `changes:${id}:settings_overrides`,
  )
  await service.database.count(sql`update changes set settings_overrides = ${then} where id = ${id}`)
  const { id: again, attributes } = (await retry(maker, id)).body.data
  assert.deepEqual(attributes.settings_overrides, { parallel_change_worker_steps: 2 })
  const told = (await eventsOf(admin, again)).find(each => each.attributes.type === 'api:changes:retry_settings_pruned')
  assert.deepEqual(told?.attributes.dropped_settings, ['runner.sandbox'])
  await waits(again)
  await admin.delete(`/api/changes/${again}`)
  await ended(admin, again)
  const given = await retry(maker, id, { settings_overrides: { 'runner.sandbox': false } })
  assert.deepEqual(fault(given), [422, ['/data/attributes/settings_overrides/runner.sandbox']])
  const others = (await retry(maker, id, { settings_overrides: { step_timeout_seconds: 9 } })).body.data
  assert.deepEqual(others.attributes.settings_overrides, { step_timeout_seconds: 9 })
  const { data } = (await admin.get(`/api/changes/${others.id}/converged_settings`)).body.data.attributes
  assert.deepEqual([data.step_timeout_seconds, data.parallel_change_worker_steps], [9, 5])
  await waits(others.id)
  await admin.delete(`/api/changes/${others.id}`)
  await ended(admin, others.id)
})

test('a retry has the settings of its original and tells where they were from, but for those that say where it runs and for new ones', async () => {
  const target = await newAsset(admin, 'kept')
  const { related } = (await admin.get(target)).body.data.relationships.settings.links
  const set = async (step_timeout_seconds: number, disk: string, parallel_change_worker_steps: number) => {
    const data = { step_timeout_seconds, 'runner.node_selector': { disk }, parallel_change_worker_steps }
    assert.equal((await admin.patch(related, { data })).status, 200)
  }
  await set(600, 'slow', 2)
  const id = await cancelled(target)
  // As resolved by an older release, which did not have one of them yet.
  const aad = `changes:${id}:resolved_settings`
  const keyring = await keyringOfService()
  const row = await service.database.one(sql<{ resolved_settings: Buffer }>`
    select resolved_settings from changes where id = ${id}`)
  const { parallel_change_worker_steps: _, ...older } = JSON.parse(keyring.openText(row!.resolved_settings, aad))
  const sealed = keyring.seal(JSON.stringify(older), aad)
  await service.database.count(sql`update changes set resolved_settings = ${sealed} where id = ${id}`)
  await set(60, 'fast', 3)
  const { id: again } = (await retry(maker, id)).body.data
  const { attributes, meta } = (await admin.get(`/api/changes/${again}/converged_settings`)).body.data
  assert.deepEqual(
    [attributes.data.step_timeout_seconds, meta.setting_sources.by_setting.step_timeout_seconds],
    [600, 'Asset: kept (kept)'],
  )
  assert.deepEqual(
    [attributes.data['runner.node_selector'], attributes.data.parallel_change_worker_steps],
    [{ disk: 'fast' }, 3],
  )
  await waits(again)
  await admin.delete(`/api/changes/${again}`)
  await ended(admin, again)
})

test('with refresh_sha the newest commit runs, and the original tree where its actions are not to be had', async () => {
  const asset = await newAsset(admin, 'refreshed')
  const onAsset = await cancelled(asset)
  const live = '/api/projects/shop/environments/live/changes'
  const asked = { action: 'release', git_remote_name: 'code', git_rev: 'main', property_overrides: { ok: 'no' } }
  const { id: onLive } = await created(maker.post(live, asked))
  await waits(onLive)
  await admin.delete(`/api/changes/${onLive}`)
  await ended(admin, onLive)
  const commit = made.repository.commit({
    'web/actions.yaml': actions('\n      - tell'),
    'actions.yaml': 'actions: {}',
  })
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/2.0', commit)
  assert.equal((await admin.patch(asset, { template_version: '2.0' })).status, 200)

  const same = (await retry(maker, onAsset)).body.data
  assert.deepEqual([same.attributes.commit_sha, same.attributes.template_version], [made.commit, '1.0'])
  await waits(same.id)
  await admin.delete(`/api/changes/${same.id}`)
  await ended(admin, same.id)

  const refreshed = (await retry(maker, onAsset, { refresh_sha: true })).body.data
  assert.deepEqual([refreshed.attributes.commit_sha, refreshed.attributes.template_version], [commit, '2.0'])
  await waits(refreshed.id)
  assert.deepEqual(await statuses(admin, refreshed.id), [
    ['release', 'running'],
    ['release/prepare', 'success'],
    ['release/Say what', 'success'],
    ['release/Look at it', 'waiting'],
    ['release/finish', 'pending'],
    ['release/tell', 'pending'],
  ])

  const { id: unrefreshed } = (await retry(maker, onLive, { refresh_sha: true })).body.data
  const change = await waits(unrefreshed)
  assert.equal(change.attributes.commit_sha, made.commit)
  const told = (await eventsOf(admin, unrefreshed)).find(
    each => each.attributes.type === 'warn:changes:catalog_not_refreshed',
  )
  assert.deepEqual([told?.attributes.action, told?.attributes.catalog_request_status], ['release', 'error'])
  assert.deepEqual((await statuses(admin, unrefreshed)).slice(0, 3), [
    ['release', 'running'],
    ['release/prepare', 'success'],
    ['release/Say what', 'waiting'],
  ])
})

test('with refresh_sha a floating version is fetched, and the newest commit of what it follows runs', async () => {
  const asset = await newAsset(admin, 'floating')
  const branch = (files: Record<string, string>) => made.repository.commit(files, { branch: 'floats' })
  const first = branch({ 'web/actions.yaml': actions() })
  const version = '/api/projects/shop/templates/web/versions/floats'
  await created(admin.put(version, { git_rev: 'floats', float_git_rev: true }))
  await until(
    'the version is ready',
    async () => (await admin.get(version)).body.data as Shown,
    ({ attributes }) => attributes.state === 'ready',
  )
  assert.equal((await admin.patch(asset, { template_version: 'floats' })).status, 200)
  const original = await cancelled(asset)
  // Commits pushed after the change ended, and a tag with the name of the branch.
  const newest = branch({ 'web/actions.yaml': actions('\n      - tell') })
  made.repository.git('tag', 'floats', made.commit)
  const { id } = (await retry(maker, original, { refresh_sha: true })).body.data
  const { attributes } = await waits(id)
  assert.deepEqual([attributes.commit_sha, attributes.template_version], [newest, 'floats'])
  assert.ok((await statuses(admin, id)).some(([path]) => path === 'release/tell'))
  const followed = await until(
    'the version has moved, too',
    async () => (await admin.get(version)).body.data as Shown,
    ({ attributes }) => attributes.commit_sha === newest,
  )
  assert.equal(followed.attributes.state, 'ready')
  await admin.delete(`/api/changes/${id}`)
  await ended(admin, id)

  const runsOriginal = async (status: RegExp) => {
    const { id } = (await retry(maker, original, { refresh_sha: true })).body.data
    const { attributes } = await waits(id)
    assert.deepEqual([attributes.commit_sha, attributes.template_version], [first, 'floats'])
    const warning = (await eventsOf(admin, id)).find(
      each => each.attributes.type === 'warn:changes:catalog_not_refreshed',
    )!.attributes
    assert.deepEqual(
      [warning.action, warning.template_version, warning.catalog_request_status],
      ['release', 'floats', 'error'],
    )
    assert.match(warning.error, status)
    await admin.delete(`/api/changes/${id}`)
    await ended(admin, id)
  }
  branch({ 'web/actions.yaml': 'actions: [' })
  await runsOriginal(/web\/actions\.yaml:1:\d+: /)
  branch({ 'web/actions.yaml': 'actions:\n  other: { run: "true" }\n' })
  await runsOriginal(/release/)
  made.repository.git('branch', '-D', 'floats')
  await runsOriginal(/has no revision floats/)
  made.repository.git('tag', '-d', 'floats')
})

test('a retry that can run neither what is newest nor what its original ran ends, saying why', async () => {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const freshFor = (seconds: number) =>
    admin.patch(relationships.settings.links.related, { data: { 'git_remote.fetch_stale_threshold': seconds } })
  assert.equal((await freshFor(0)).status, 200)
  made.repository.commit({ 'actions.yaml': actions() }, { branch: 'neither' })
  const live = '/api/projects/shop/environments/live/changes'
  const { id } = await created(maker.post(live, { action: 'fail', git_remote_name: 'code', git_rev: 'neither' }))
  await ended(admin, id)
  const masked = (await retry(maker, id, { refresh_sha: true, skip_steps: ['*'] })).body.data
  const { attributes } = await ended(admin, masked.id)
  assert.deepEqual(
    [attributes.status_code, attributes.error_message],
    ['error', 'skip_steps would skip fail, which is the whole change.'],
  )
  made.repository.commit({ 'actions.yaml': 'actions: {}' }, { branch: 'neither' })
  const other = (await retry(maker, id, { refresh_sha: true, skip_steps: ['*'] })).body.data
  const both = (await ended(admin, other.id)).attributes.error_message
  assert.match(both, /^There is no action fail at this commit.*\nNor can .*: skip_steps would skip fail/)
  assert.equal((await freshFor(3)).status, 200)
})

/** The runner of a change that has just ended may take a moment to end. */
const purged = (client: Client, id: string): Promise<Answer> =>
  until(
    `change ${id} is purged`,
    () => client.delete(`/api/changes/${id}?purge=true`),
    ({ status, text }) => status !== 409 || !text.includes('in a moment'),
  )

test('a change that has ended is purged for good by whoever may delete, and its retry keeps what it took over', async () => {
  const { id, input } = await atInput(made.asset)
  const unfinished = await admin.delete(`/api/changes/${id}?purge=true`)
  assert.deepEqual([unfinished.status, unfinished.body.errors[0].code], [409, 'wrong-state'])
  await pass(id, input)
  await admin.delete(`/api/changes/${id}`)
  await ended(admin, id)
  const { id: again } = (await retry(maker, id)).body.data
  await waits(again)
  assert.equal((await purged(maker, id)).status, 403)
  assert.match((await purged(admin, id)).text, /is being retried/)
  await admin.delete(`/api/changes/${again}`)
  await ended(admin, again)
  assert.equal((await purged(admin, id)).status, 204)
  for (const path of [
    `/api/changes/${id}`,
    `/api/changes/${id}/steps`,
    `/api/steps/${input.id}`,
    `/api/changes/${id}/log_lines`,
  ])
    assert.equal((await admin.get(path)).status, 404, path)
  assert.equal((await retry(maker, id)).status, 404)
  assert.deepEqual((await admin.get(`/api/changes/${again}`)).body.data.relationships.retry_of.data, null)
  const [artefact] = (await admin.get(`/api/changes/${again}/artefacts`)).body.data
  assert.equal((await admin.get(`/api/artefacts/${artefact.id}/content`)).text, 'done\n')
  const [told] = (await admin.get(`/api/events?filter[type_eq]=api:changes:destroy&filter[source_id_eq]=${id}`)).body
    .data
  assert.equal(told.attributes.username, 'admin')
  const left = () => service.database.rows(sql`select from log_chunks where activity_id = ${id}`)
  await until('its log is deleted', left, rows => rows.length === 0)
})

test('a purge and a retry meet: one of them finds the change, and the other is told', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id } = await atInput(made.asset)
    await admin.delete(`/api/changes/${id}`)
    await ended(admin, id)
    const [gone, again] = await Promise.all([purged(admin, id), retry(maker, id)])
    const either = again.status === 201 ? [409, 201] : [204, 404]
    assert.deepEqual([gone.status, again.status], either)
    if (again.status !== 201) continue
    await waits(again.body.data.id)
    await admin.delete(`/api/changes/${again.body.data.id}`)
    await ended(admin, again.body.data.id)
  }
})

test('a change whose Git remote was deleted is not tried again, but with what is of that name now', async () => {
  const remotes = '/api/projects/shop/git_remotes'
  const brief = { name: 'brief', url: made.repository.url }
  const remote = await created(admin.post(remotes, brief))
  const origin = { git_remote_name: 'brief', git_rev: made.commit }
  const { id } = await created(admin.post('/api/projects/shop/changes', { action: 'fail', ...origin }))
  assert.equal((await ended(admin, id)).attributes.status_code, 'error')
  assert.equal((await admin.delete(`${remotes}/${remote.id}`)).status, 204)

  const gone = /The Git remote brief that its actions came from has been deleted/
  for (const answer of [await retry(admin, id), await retry(admin, id, { refresh_sha: true })]) {
    assert.equal(answer.status, 409)
    assert.match(answer.body.errors[0].detail, gone)
  }
  await created(admin.post(remotes, brief))
  assert.equal((await retry(admin, id)).status, 409)
  const again = await created(retry(admin, id, { refresh_sha: true }))
  const { attributes } = await ended(admin, again.id)
  assert.equal(attributes.status_code, 'error')
  assert.deepEqual(await statuses(admin, again.id), [['fail', 'error']])
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:create api:changes:destroy api:changes:retry_settings_pruned error:step:action
     warn:changes:catalog_not_refreshed`,
  ))
