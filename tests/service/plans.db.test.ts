import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { changeWhen, created, ended, newAsset, ran, readyVersion, type Shop, shop, stepAt } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Contents of a plan before anything runs, and which changes invalidate it. */

const actions = `
actions:
  both: { steps: [one, { wait: Look at it }, two] }
  one: { run: echo one }
  two: { run: echo two }
`

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService({
    users: {
      eve: [{ path: '/projects/shop', read: true }],
      blind: [
        { path: '/projects/shop', read: true, execute: true },
        { path: '/projects/shop/environments/live/assets/front/properties', read: false },
        { path: '/projects/shop/environments/live/assets/front/settings', read: false },
      ],
    },
  })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': actions, 'actions.yaml': actions })
})
after(() => service.stop())

const planned = (on: string, attributes: object, client = admin, relationships: object = {}): Promise<Answer> =>
  client.send('POST', `${on}/changes`, {
    headers: { 'content-type': 'application/json' },
    raw: JSON.stringify({ data: { attributes, relationships, meta: { plan: true } } }),
  })

async function planOf(on: string, attributes: object, client = admin) {
  const answer = await planned(on, attributes, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.attributes
}

async function set(owner: string, data: object): Promise<void> {
  const { related } = (await admin.get(owner)).body.data.relationships.settings.links
  const answer = await admin.patch(related, { data })
  assert.equal(answer.status, 200, answer.text)
}

test('a plan names what of its name it would queue behind, oldest first, and nothing where it would not', async () => {
  const asset = await newAsset(admin, 'busy')
  const run_at = '2099-01-01T00:00:00Z'
  const ahead: string[] = []
  for (let at = 0; at < 2; at += 1)
    ahead.push((await created(admin.post(`${asset}/changes`, { action: 'both', run_at }))).id)
  const behind = async (attributes: object) => (await planOf(asset, attributes)).same_name_predecessors
  assert.deepEqual(await behind({ action: 'both' }), ahead)
  assert.deepEqual(await behind({ action: 'one' }), [])
  await set(asset, { 'allow_parallel.runs_of_same_change': true })
  assert.deepEqual(await behind({ action: 'both' }), [], 'it may run beside them')
  await set(asset, { 'allow_parallel.runs_of_same_change': null })
  await admin.delete(`/api/changes/${ahead[0]}`)
  assert.deepEqual(await behind({ action: 'both' }), [ahead[1]])

  const change = { data: { type: 'change', id: ahead[0] } }
  const retry = await planned(asset, { retry: true }, admin, { change })
  assert.deepEqual([retry.status, retry.body.data.attributes.same_name_predecessors], [200, [ahead[1]]])
  await admin.delete(`/api/changes/${ahead[1]}`)
  const alone = await planned(asset, { retry: true }, admin, { change })
  assert.deepEqual(alone.body.data.attributes.same_name_predecessors, [], 'least of all behind itself')
})

test('a plan tells how many slots there are and are taken, and how long such changes took that went well', async () => {
  const asset = await newAsset(admin, 'timed')
  const { slots, estimated_seconds } = await planOf(asset, { action: 'one' })
  assert.equal(estimated_seconds, null)
  const [pool] = (await admin.get('/api/admin/resource_slots?filter[pool_eq]=runner')).body.data
  const { configured_limit, claimed_count } = pool.attributes
  assert.deepEqual(slots, { pool: 'runner', configured_limit, claimed_count })
  const took: number[] = []
  for (let times = 0; times < 3; times += 1) {
    const { attributes } = await ran(admin, asset, 'one')
    assert.equal(attributes.status_code, 'success')
    took.push(attributes.state_timing.running_seconds)
  }
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'one', run_at: '2099-01-01T00:00:00Z' }))
  await admin.delete(`/api/changes/${id}`)
  assert.equal((await planOf(asset, { action: 'one' })).estimated_seconds, took.toSorted((a, b) => a - b)[1])
})

test('whatever decides what runs moves the plan, and what has moved is named; what does not moves nothing', async () => {
  const asset = await newAsset(admin, 'moving')
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/again', 'main')
  const asked = { action: 'both', property_overrides: { a: 1, b: 2 } }
  const { plan_sha, sha256 } = await planOf(asset, asked)
  const moved = async (attributes: object): Promise<string | undefined> => {
    const answer = await planned(asset, { ...asked, plan_sha, ...attributes })
    if (answer.status === 200) return undefined
    assert.deepEqual([answer.status, answer.body.errors[0].source.pointer], [409, '/data/attributes/plan_sha'])
    return /^The plan has moved: (.+)\. Ask/.exec(answer.body.errors[0].detail)?.[1]
  }
  const steps = 'the steps or who approves them'
  assert.equal(await moved({ property_overrides: { a: 1 } }), 'the properties')
  assert.equal(await moved({ settings_overrides: { step_timeout_seconds: 9 } }), 'the settings')
  assert.equal(await moved({ skip_steps: ['*/two'] }), steps)
  assert.equal(await moved({ starting_step: 'both/two' }), steps)
  assert.equal(await moved({ auto_continue_wait_steps: true }), steps)
  assert.equal(await moved({ template_version: 'again' }), 'the commit or the template version')
  assert.equal(await moved({ skip_steps: ['*/two'], property_overrides: {} }), `${steps}, the properties`)
  for (const same of [
    { property_overrides: { b: 2, a: 1 } },
    { metadata: { ticket: 'T-1' }, run_at: '2099-01-01T00:00:00Z' },
    { plan_sha: sha256 },
  ])
    assert.equal(await moved(same), undefined, JSON.stringify(same))
  await set(asset, { requires_approval_from: [{ change_filter: { actions: 'both' }, user_names: ['eve'] }] })
  assert.equal(await moved({}), steps)
  await set('/api/system_configuration', { 'concurrent.runner_limit': 9 })
  await set(asset, { requires_approval_from: null })
  assert.equal(await moved({}), undefined, 'how many may run at once decides when, not what')
  await set('/api/system_configuration', { 'concurrent.runner_limit': null })
})

test('whoever has to approve a change finds the plan that they approve on it, though nobody asked for one', async () => {
  const asset = await newAsset(admin, 'signed')
  await set(asset, { requires_approval_from: [{ change_filter: { actions: 'all' }, user_names: ['eve'] }] })
  const { plan_sha, requires_approval_from } = await planOf(asset, { action: 'one' })
  assert.deepEqual(
    requires_approval_from.map(({ user_names }: { user_names: string[] }) => user_names),
    [['eve']],
  )
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'one' }))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const eve = service.as('eve')
  assert.equal((await eve.get(`/api/changes/${id}`)).body.data.attributes.plan_sha, plan_sha)
  assert.equal((await eve.post(`/api/steps/${(await stepAt(admin, id, 'Approval')).id}/approve`, {})).status, 200)
  const [{ username, plan_sha: signed }] = (await ended(admin, id)).attributes.approved_by
  assert.deepEqual([username, signed], ['eve', plan_sha])
})

test('what a revision stands for is taken as it is known, and what was never read has no plan', async () => {
  const environment = '/api/projects/shop/environments/live'
  const at = { action: 'one', git_remote_name: 'code', git_rev: 'of-plans' }
  made.repository.git('branch', 'of-plans')
  const unread = await planned(environment, at)
  assert.equal(unread.status, 409, unread.text)
  assert.match(unread.body.errors[0].detail, /not known here yet/)
  await set('/api/system_configuration', { 'git_remote.fetch_stale_threshold': 0 })
  assert.equal((await ran(admin, environment, 'one', at)).attributes.commit_sha, made.commit)
  await ran(admin, environment, 'one', { ...at, git_rev: 'main' })
  const { commit_sha, plan_sha, steps } = await planOf(environment, at)
  assert.deepEqual([commit_sha, steps.step_name], [made.commit, 'one'])
  const newer = made.repository.commit(
    { 'actions.yaml': actions.replace('echo one', 'echo 1') },
    { branch: 'of-plans' },
  )
  const bound = await created(admin.post(`${environment}/changes`, { ...at, plan_sha }))
  assert.equal((await ended(admin, bound.id)).attributes.commit_sha, made.commit, 'the one that was looked at')
  assert.equal((await ran(admin, environment, 'one', at)).attributes.commit_sha, newer)
  const refused = await admin.post(`${environment}/changes`, { ...at, plan_sha })
  assert.equal(refused.status, 409)
  assert.match(refused.body.errors[0].detail, /the commit or the template version/)
})

test('a plan shows no secret, and properties and settings to those alone who may read them; its hash is the same for all', async () => {
  const vault = { address: 'https://vault.invalid', auth_method: 'token', token: 'the token of a vault' }
  await set('/api/system_configuration', { 'allowed.vault': [vault] })
  await set('/api/projects/shop/environments/live', { vault })
  const before = (await admin.get('/api/events?limit=1')).body.data[0].id
  const whole = await planned(made.asset, { action: 'one', property_overrides: { colour: 'grey' } })
  assert.equal(whole.status, 200, whole.text)
  assert.ok(!whole.text.includes(vault.token))
  const { converged_properties, converged_settings, sha256 } = whole.body.data.attributes
  assert.deepEqual(converged_properties, { colour: 'grey' })
  assert.deepEqual(converged_settings.vault, { ...vault, token: '{{hidden}}' })
  const asked = { action: 'one', property_overrides: { colour: 'grey' } }
  const blind = await planOf(made.asset, asked, service.as('blind'))
  assert.deepEqual([blind.converged_properties, blind.converged_settings, blind.sha256], [null, null, sha256])
  assert.equal((await admin.get('/api/events?limit=1')).body.data[0].id, before, 'no event tells of a plan')
  await set('/api/projects/shop/environments/live', { vault: null })
  await set('/api/system_configuration', { 'allowed.vault': null })
})
