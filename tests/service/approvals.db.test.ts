import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventsOf,
  newAsset,
  type Shown,
  shop,
  statuses,
  stepAt,
} from '../support/changes.ts'
import { newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'

const actions = `
actions:
  deploy: { description: x, run: echo deployed }
  guarded:
    description: x
    steps:
      - { wait: Look at it, approvers: { user_names: [eve] } }
      - deploy
  held:
    description: x
    steps:
      - { wait: Have a coffee, steps: [deploy] }
  sneaking:
    description: x
    run_as: parallel
    steps:
      - { wait: Look at it, approvers: { user_names: [maker, eve] } }
      - tell
  tell:
    env: { GATES: "{{ gates }}" }
    run: printf %s "$SLUICE_API_TOKEN" >"$GATES/token"; touch "$GATES/told"; until [ -e "$GATES/go" ]; do sleep 0.02; done
`

let service: TestService
let admin: Client
let eve: Client
let asset: string

before(async () => {
  const read = [{ path: '/projects/shop', read: true }]
  service = await startTestService({
    users: {
      eve: read,
      fay: read,
      reader: read,
      maker: [{ path: '/projects/shop', read: true, execute: true, update: true }],
      stranger: [],
    },
  })
  admin = service.as('admin')
  eve = service.as('eve')
  await shop(service, { 'web/actions.yaml': actions, 'actions.yaml': actions })
  asset = await newAsset(admin, 'guarded')
  await ask(asset, [{ change_filter: { actions: 'dep*' }, user_names: ['EVE', 'maker'] }])
})
after(() => service.stop())

async function ask(node: string, rules: object[]): Promise<void> {
  const { body } = await admin.get(node)
  const { related } = body.data.relationships.settings.links
  assert.equal((await admin.patch(related, { data: { requires_approval_from: rules } })).status, 200)
}

/** A waiting change, and its waiting step. */
async function waiting(
  action = 'deploy',
  on = asset,
  client = service.as('maker'),
): Promise<{ id: string; step: Shown }> {
  const { id } = await created(client.post(`${on}/changes`, { action }))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code.startsWith('waiting'))
  const [step] = (await admin.get(`/api/steps?filter[for_change]=${id}&filter[status_code_start]=waiting`)).body.data
  return { id, step }
}

const decide = (client: Client, verb: string, step: Shown, attributes: object = {}): Promise<Answer> =>
  client.post(`/api/steps/${step.id}/${verb}`, attributes)

const audit = async (changeId: string) =>
  (await eventsOf(admin, changeId))
    .filter(({ attributes }) => attributes.type.startsWith('audit:'))
    .map(({ attributes }) => [
      attributes.type,
      attributes.username,
      attributes.reason ?? attributes.request_body_message,
    ])

test('an approver who may only read approves, and the change runs; who, when and why stand on step and change', async () => {
  const { id, step } = await waiting()
  assert.deepEqual(step.meta.can, [])
  assert.deepEqual((await eve.get(`/api/steps/${step.id}`)).body.data.meta.can, ['approve', 'reject'])
  const answer = await decide(eve, 'approve', step, { message: 'looks right' })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.data.type, 'step')
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'success')
  const [approval] = change.attributes.approved_by
  assert.deepEqual([approval.username, approval.message, approval.step], ['eve', 'looks right', 'Approval'])
  assert.match(approval.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const [ofStep] = (await admin.get(`/api/steps/${step.id}`)).body.data.attributes.approved_by
  assert.deepEqual([ofStep.username, ofStep.rules], ['eve', [0]])
  assert.deepEqual(change.attributes.requires_approval_from[0].user_names, ['EVE', 'maker'])
  assert.deepEqual(await audit(id), [['audit:steps:approve', 'eve', 'looks right']])
  const again = await decide(eve, 'approve', step)
  assert.deepEqual([again.status, again.body.errors[0].code], [409, 'wrong-state'])
})

test('nobody else approves or rejects: a superuser, who made it, a reader, a stranger; each attempt is recorded', async () => {
  const { id, step } = await waiting()
  const tried = async (username: string, verb: string) => (await decide(service.as(username), verb, step)).status
  assert.deepEqual(
    [
      await tried('admin', 'approve'),
      await tried('maker', 'approve'),
      await tried('reader', 'reject'),
      await tried('stranger', 'approve'),
      await tried('stranger', 'reject'),
    ],
    [403, 403, 403, 404, 404],
  )
  assert.deepEqual(await audit(id), [
    ['audit:steps:approve:denied', 'admin', 'not_named'],
    ['audit:steps:approve:denied', 'maker', 'creator'],
    ['audit:steps:reject:denied', 'reader', 'not_named'],
    ['audit:steps:approve:denied', 'stranger', 'not_named'],
    ['audit:steps:reject:denied', 'stranger', 'not_named'],
  ])
  const nothing = await service.as('stranger').post('/api/steps/01900000-0000-7000-8000-00000000dead/approve', {})
  const foreign = await decide(service.as('stranger'), 'approve', step)
  const withoutId = ({ body }: Answer) => body.errors.map(({ id: _, ...rest }: { id: string }) => rest)
  assert.deepEqual(withoutId(foreign), withoutId(nothing))
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.status_code, 'waiting_for_approval')
  assert.equal((await decide(admin, 'continue', step)).status, 409)
  await decide(eve, 'reject', step)
})

test('a rejected change is aborted; it and the step alone are rejected, in lists too', async () => {
  const { id, step } = await waiting()
  const answer = await decide(eve, 'reject', step, { message: 'not on a Friday' })
  assert.deepEqual([answer.status, answer.body.data.attributes.status_code], [200, 'rejected'])
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'rejected')
  assert.equal(change.attributes.rejected_by[0].message, 'not on a Friday')
  assert.deepEqual(await statuses(admin, id), [
    ['Approval', 'rejected'],
    ['Approval/deploy', 'aborted'],
  ])
  const listed = async (status: string) =>
    (await admin.get(`/api/changes?filter[status_code_eq]=${status}&filter[id_eq]=${id}`)).body.data.length
  assert.deepEqual([await listed('rejected'), await listed('aborted')], [1, 0])
  assert.deepEqual(await audit(id), [['audit:steps:reject', 'eve', 'not on a Friday']])
})

test('a first approval of two is kept, one person approves once, and the second lets it go on', async () => {
  const pair = await newAsset(admin, 'pair')
  await ask(pair, [{ change_filter: { actions: 'all' }, user_names: ['eve', 'fay'], required_approvals: 2 }])
  const { id, step } = await waiting('deploy', pair)
  assert.equal((await decide(eve, 'approve', step)).body.data.attributes.status_code, 'waiting_for_approval')
  assert.deepEqual((await eve.get(`/api/steps/${step.id}`)).body.data.meta.can, ['reject'])
  const again = await decide(eve, 'approve', step)
  assert.deepEqual(
    [again.status, again.body.errors[0].detail],
    [403, 'You have approved it already: one person approves a step once.'],
  )
  assert.equal((await decide(service.as('fay'), 'approve', step)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.deepEqual(await audit(id), [
    ['audit:steps:approve', 'eve', undefined],
    ['audit:steps:approve:denied', 'eve', 'already'],
    ['audit:steps:approve', 'fay', undefined],
  ])
})

test('a rule that its maker satisfies alone is not asked, and one that takes two counts the maker', async () => {
  const own = await newAsset(admin, 'own')
  const filter = { change_filter: { actions: 'all' }, allow_self_approval: true }
  await ask(own, [{ ...filter, user_names: ['maker'] }])
  const { id } = await created(service.as('maker').post(`${own}/changes`, { action: 'deploy' }))
  assert.deepEqual((await ended(admin, id)).attributes.requires_approval_from, [])
  await ask(own, [{ ...filter, user_names: ['maker', 'eve'], required_approvals: 2 }])
  const both = await waiting('deploy', own)
  assert.equal((await decide(service.as('maker'), 'approve', both.step)).status, 200)
  assert.equal((await decide(eve, 'approve', both.step)).status, 200)
  assert.equal((await ended(admin, both.id)).attributes.status_code, 'success')
})

test('approvers named in an action are asked beside those of the setting, and a pending approval step is 409', async () => {
  await ask(asset, [{ change_filter: { actions: 'dep*, guarded' }, user_names: ['eve'] }])
  const { id, step } = await waiting('guarded')
  const within = await stepAt(admin, id, 'Approval/guarded/Look at it')
  assert.equal((await decide(eve, 'approve', within)).status, 409)
  assert.equal((await decide(eve, 'approve', step)).status, 200)
  await changeWhen(admin, id, 'asks again', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  assert.equal((await decide(eve, 'approve', within)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})

test('the token of a step neither approves nor rejects its own change, whoever made that', async () => {
  const gates = await newGates()
  const { id } = await created(
    service.as('maker').post(`${asset}/changes`, {
      action: 'sneaking',
      property_overrides: { gates: gates.folder },
    }),
  )
  await gates.reached('told')
  const token = service.bearer(await readFile(join(gates.folder, 'token'), 'utf8'))
  const look = await stepAt(token, id, 'sneaking/Look at it')
  assert.deepEqual([look.attributes.status_code, look.meta.can], ['waiting_for_approval', []])
  assert.deepEqual((await token.get('/api/steps?filter[waiting_for_me]=true')).body.data, [])
  for (const verb of ['approve', 'reject']) {
    const { status, text } = await decide(token, verb, look)
    assert.equal(status, 403)
    assert.match(text, /tokens of steps and agents never approve/)
  }
  assert.deepEqual(await audit(id), [
    ['audit:steps:approve:denied', 'maker', 'program'],
    ['audit:steps:reject:denied', 'maker', 'program'],
  ])
  await gates.open('go')
  assert.equal((await decide(eve, 'approve', look)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  await gates.remove()
})

test('a wait is continued by whoever may run its action, and by nobody else', async () => {
  const { id, step } = await waiting('held')
  assert.equal(step.attributes.status_code, 'waiting')
  assert.deepEqual(step.meta.can, ['continue'])
  assert.equal((await decide(eve, 'continue', step)).status, 403)
  assert.equal((await decide(service.as('stranger'), 'continue', step)).status, 404)
  assert.equal((await decide(admin, 'approve', step)).status, 409)
  const answer = await decide(service.as('maker'), 'continue', step, { message: 'done with it' })
  assert.deepEqual([answer.status, answer.body.data.attributes.continued_by], [200, 'maker'])
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.deepEqual(await audit(id), [['audit:steps:continue', 'maker', 'done with it']])
})

test('lists tell what waits for the caller', async () => {
  const { id, step } = await waiting()
  const held = await waiting('held')
  const mine = async (username: string, type: string) =>
    (await service.as(username).get(`/api/${type}?filter[waiting_for_me]=true`)).body.data.map((each: Shown) => each.id)
  assert.deepEqual(await mine('eve', 'changes'), [id])
  assert.deepEqual(await mine('eve', 'steps'), [step.id])
  assert.deepEqual(await mine('maker', 'steps'), [held.step.id])
  for (const type of ['changes', 'activities']) assert.deepEqual(await mine('admin', type), [held.id])
  assert.deepEqual(await mine('admin', 'steps'), [held.step.id], 'whoever may run the action may let it go on')
  assert.deepEqual(await mine('reader', 'steps'), [])
  const people = (await admin.get('/api/steps?filter[waiting_for_user]=true')).body.data.map((each: Shown) => each.id)
  assert.deepEqual(new Set(people), new Set([step.id, held.step.id]))
  for (const change of [id, held.id]) assert.equal((await admin.delete(`/api/changes/${change}`)).status, 204)
})

test('a member of a group of the directory approves for it, and no longer once they have left it', async () => {
  const grouped = await newAsset(admin, 'grouped')
  const isIn = (groups: string[]) =>
    service.database.count(sql`update users set groupnames = ${groups}::text[] where username = 'fay'`)
  const rules = [{ change_filter: { actions: 'all' }, ldap_groups: ['Release Managers'] }]
  const settings = (await admin.get(grouped)).body.data.relationships.settings.links.related
  const wrong = async (requires_approval_from: object[]) => {
    const { status, body } = await admin.patch(settings, { data: { requires_approval_from } })
    const errors = body.errors.map((each: { source: { pointer: string } }) => each.source.pointer.split('/').slice(-3))
    return [status, ...errors.map((each: string[]) => each.join('/'))]
  }
  assert.deepEqual(await wrong([...rules, { ...rules[0], user_names: ['eve', 'evve'] }]), [
    422,
    '0/ldap_groups/0',
    '1/user_names/1',
    '1/ldap_groups/0',
  ])
  await service.database.count(sql`insert into directory_groups (groupname) values ('release managers')`)
  assert.deepEqual(await wrong(rules), [422, 'requires_approval_from/0/required_approvals'])
  await isIn(['release managers'])
  assert.deepEqual(await wrong([{ ...rules[0], user_names: ['eve', 'Fay'], required_approvals: 3 }]), [
    422,
    'requires_approval_from/0/required_approvals',
  ])
  await ask(grouped, rules)
  await isIn([])
  await service.database.count(sql`delete from directory_groups`)
  const { id, step } = await waiting('deploy', grouped)
  const second = await created(service.as('maker').post(`${grouped}/changes`, { action: 'deploy' }))
  await admin.delete(`/api/changes/${second.id}`)
  assert.equal((await decide(service.as('fay'), 'approve', step)).status, 403)
  await isIn(['release managers'])
  const [mine] = (await service.as('fay').get('/api/steps?filter[waiting_for_me]=true')).body.data
  assert.deepEqual([mine.id, mine.meta.can], [step.id, ['approve', 'reject']])
  await isIn([])
  assert.equal((await decide(service.as('fay'), 'reject', step)).status, 403)
  await isIn(['release managers'])
  assert.equal((await decide(service.as('fay'), 'approve', step)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  const type = 'warn:approval_identity_unresolved'
  const [told, ...others] = (await admin.get(`/api/events?filter[type_eq]=${type}&limit=1000`)).body.data
  assert.deepEqual([told.attributes.user_names, told.attributes.ldap_groups], [[], ['Release Managers']])
  assert.deepEqual([told.attributes.source_id, others], [id, []], 'once an hour for a node')
})

test('a rule that only people could meet who may not sign in is refused, as one that nobody could', async () => {
  const closed = await newAsset(admin, 'closed')
  const { related } = (await admin.get(closed)).body.data.relationships.settings.links
  const requires_approval_from = [
    { change_filter: { actions: 'all' }, user_names: ['reader', 'eve'], required_approvals: 2 },
  ]
  const save = () => admin.patch(related, { data: { requires_approval_from } })
  await admin.patch('/api/users/reader', { disabled: true })
  const { status, body } = await save()
  assert.deepEqual(
    [status, body.errors?.[0].detail],
    [422, 'The rule requires 2 approvals, and names 1 who could give one.'],
  )
  await admin.patch('/api/users/reader', { disabled: false })
  assert.equal((await save()).status, 200)
})

test('rules whose approvers have gone since do not come back with the version that had them', async () => {
  await service.addUser('passing', [])
  const former = await newAsset(admin, 'former')
  const rule = { change_filter: { actions: 'all' } }
  for (const name of ['passing', 'eve']) await ask(former, [{ ...rule, user_names: [name] }])
  assert.equal((await admin.delete('/api/users/passing')).status, 204)
  const { related } = (await admin.get(former)).body.data.relationships.settings.links
  const { version } = (await admin.get(related)).body.data.attributes
  const { status, body } = await admin.post(`${related}/versions/${version - 1}/restore`)
  const pointer = '/data/attributes/data/requires_approval_from/0/user_names/0'
  assert.deepEqual([status, body.errors?.[0].source.pointer], [422, pointer])
  assert.equal((await admin.get(related)).body.data.attributes.version, version)
})

test('rules that nobody could meet are told of beside groups of other rules that there are not', async () => {
  const short = await newAsset(admin, 'short')
  const { related } = (await admin.get(short)).body.data.relationships.settings.links
  const change_filter = { actions: 'all' }
  const requires_approval_from = [
    { change_filter, user_names: ['eve'], required_approvals: 2 },
    { change_filter, ldap_groups: ['ghosts'] },
  ]
  const { status, body } = await admin.patch(related, { data: { requires_approval_from } })
  const at = '/data/attributes/data/requires_approval_from'
  const pointers = body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer).toSorted()
  assert.deepEqual([status, pointers], [422, [`${at}/0/required_approvals`, `${at}/1/ldap_groups/0`]])
})

test('a change of an environment, whose actions are known only later, begins with the approval as well', async () => {
  const other = '/api/projects/shop/environments/other'
  await created(admin.post('/api/projects/shop/environments', { code: 'other', name: 'Other' }))
  const rules = [{ change_filter: { actions: ['stop', 'DEP*'] }, user_names: ['Eve'] }]
  await ask(other, rules)
  const { related } = (await admin.get(other)).body.data.relationships.settings.links
  const asWritten = (await admin.get(related)).body.data.attributes.data.requires_approval_from
  assert.deepEqual(asWritten, rules)
  const origin = { git_remote_name: 'code', git_rev: 'main' }
  const { id } = await created(service.as('maker').post(`${other}/changes`, { action: 'deploy', ...origin }))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  assert.equal((await decide(eve, 'approve', await stepAt(admin, id, 'Approval'))).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})

test('a retry names with each approval the step of its own, also where another approval stands above it now', async () => {
  const moved = await newAsset(admin, 'moved')
  const maker = service.as('maker')
  const { id, step } = await waiting('guarded', moved)
  await maker.post(`/api/changes/${id}/pause`)
  assert.equal((await decide(eve, 'approve', step)).status, 200)
  assert.equal((await maker.delete(`/api/changes/${id}`)).status, 204)
  await ask(moved, [{ change_filter: { actions: 'all' }, user_names: ['fay'] }])
  const relationships = { change: { data: { type: 'change', id } } }
  const raw = JSON.stringify({ data: { attributes: { retry: true }, relationships } })
  const retry = await created(maker.send('POST', `${moved}/changes`, { raw }))
  const { approved_by } = (await admin.get(`/api/changes/${retry.id}`)).body.data.attributes
  assert.deepEqual(
    approved_by.map(({ username, step: at }: { username: string; step: string }) => [username, at]),
    [['eve', 'Approval/guarded/Look at it']],
  )
  assert.equal((await maker.delete(`/api/changes/${retry.id}`)).status, 204)
})

test('approvers are named by properties of the node, never by what was given for the change', async () => {
  const named = await newAsset(admin, 'named')
  const { properties } = (await admin.get(named)).body.data.relationships
  assert.equal((await admin.patch(properties.links.related, { data: { owners: ['eve'] } })).status, 200)
  await ask(named, [{ change_filter: { actions: 'all' }, user_names: ['{{ owners }}'] }])
  const mine = { action: 'deploy', property_overrides: { owners: ['maker'] } }
  const { id } = await created(service.as('maker').post(`${named}/changes`, mine))
  const change = await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code.startsWith('waiting'))
  assert.deepEqual(change.attributes.requires_approval_from[0].user_names, ['eve'])
  const step = await stepAt(admin, id, 'Approval')
  assert.equal((await decide(eve, 'approve', step)).status, 200)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  await ask(named, [{ change_filter: { actions: 'all' }, user_names: ['{{ nobody }}'] }])
  const refused = await admin.post(`${named}/changes`, { action: 'deploy' })
  assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'wrong-state'])
})

test('a change is paused and resumed by whoever may run it, with the reason kept', async () => {
  const { id, step } = await waiting('held')
  const maker = service.as('maker')
  assert.deepEqual((await maker.get(`/api/changes/${id}`)).body.data.meta.can, ['cancel', 'pause'])
  assert.equal((await eve.post(`/api/changes/${id}/pause`)).status, 403)
  const paused = await maker.post(`/api/changes/${id}/pause`, { reason: 'the network is down' })
  assert.deepEqual(
    [paused.status, paused.body.data.attributes.pause_state, paused.body.data.attributes.paused_by],
    [200, 'paused', 'maker'],
  )
  assert.deepEqual(paused.body.data.meta.can, ['cancel', 'resume'])
  assert.equal((await maker.post(`/api/changes/${id}/pause`)).status, 200)
  await decide(maker, 'continue', step)
  assert.deepEqual((await statuses(admin, id)).at(-1), ['held/Have a coffee/deploy', 'queued'])
  const resumed = await maker.post(`/api/changes/${id}/resume`)
  assert.deepEqual([resumed.status, resumed.body.data.attributes.pause_state], [200, 'none'])
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  assert.equal((await maker.post(`/api/changes/${id}/pause`)).status, 409)
  const told = (await eventsOf(admin, id)).filter(each => /:(pause|resume)$/.test(each.attributes.type))
  assert.deepEqual(
    told.map(({ attributes }) => [attributes.type, attributes.username, attributes.request_body_reason]),
    [
      ['api:changes:pause', 'maker', 'the network is down'],
      ['api:changes:resume', 'maker', undefined],
    ],
  )
})

test('while the directory is away approvers are taken as they are named, and that is told once an hour', async () => {
  const global = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  const away = { 'ldap.host': '127.0.0.1', 'ldap.port': 1, 'ldap.tls': 'none', 'ldap.base_dn': 'dc=example,dc=test' }
  assert.equal((await admin.patch(global, { data: away })).status, 200)
  const unchecked = await newAsset(admin, 'unchecked')
  await ask(unchecked, [{ change_filter: { actions: 'all' }, user_names: ['eve', 'nobody.here'] }])
  await ask(unchecked, [{ change_filter: { actions: 'all' }, ldap_groups: ['nobody.there'] }])
  const type = 'warn:approval_identity_validation_skipped'
  const { data } = (await admin.get(`/api/events?filter[type_eq]=${type}`)).body
  assert.deepEqual(
    data.map(({ attributes }: Shown) => attributes.user_names),
    [['nobody.here']],
  )
  assert.match(data[0].attributes.error, /127\.0\.0\.1:1/)
  await admin.patch(global, { data: Object.fromEntries(Object.keys(away).map(key => [key, null])) })
})

test('a plan is told and makes nothing; a change is bound to it, refused when it has moved, and approved under its hash', async () => {
  const planned = await newAsset(admin, 'planned')
  await ask(planned, [{ change_filter: { actions: 'all' }, user_names: ['eve'] }])
  const maker = service.as('maker')
  const plan = (client: Client, attributes: object = {}): Promise<Answer> =>
    client.send('POST', `${planned}/changes`, {
      headers: { 'content-type': 'application/json' },
      raw: JSON.stringify({ data: { attributes: { action: 'deploy', ...attributes }, meta: { plan: true } } }),
    })
  const told = await plan(maker)
  assert.equal(told.status, 200, told.text)
  const { type, attributes } = told.body.data
  assert.deepEqual(
    [type, attributes.steps.step_name, attributes.steps.children[0].action, attributes.requires_approval_from.length],
    ['plan', 'Approval', 'deploy', 1],
  )
  assert.match(attributes.commit_sha, /^[0-9a-f]{40}$/)
  assert.deepEqual([attributes.same_name_predecessors, attributes.slots.pool], [[], 'runner'])
  assert.equal(attributes.converged_settings.on_runner_lost, 'error')
  assert.deepEqual((await plan(maker)).body.data.attributes.sha256, attributes.sha256)
  assert.notEqual((await plan(maker, { property_overrides: { a: 1 } })).body.data.attributes.sha256, attributes.sha256)
  assert.equal((await plan(service.as('reader'))).status, 403)
  assert.deepEqual((await admin.get(`${planned}/changes`)).body.data, [])

  const { plan_sha } = attributes
  const bound = await created(maker.post(`${planned}/changes`, { action: 'deploy', plan_sha }))
  assert.equal(bound.attributes.plan_sha, plan_sha)
  await changeWhen(admin, bound.id, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const step = await stepAt(admin, bound.id, 'Approval')
  await decide(eve, 'approve', step)
  const [approval] = (await ended(admin, bound.id)).attributes.approved_by
  assert.deepEqual([approval.username, approval.plan_sha], ['eve', plan_sha])
  assert.deepEqual((await plan(maker)).body.data.attributes.estimated_seconds >= 0, true)

  const { related } = (await admin.get(planned)).body.data.relationships.properties.links
  await admin.patch(related, { data: { a: 1 } })
  const refused = await maker.post(`${planned}/changes`, { action: 'deploy', plan_sha })
  assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [409, '/data/attributes/plan_sha'])
  assert.match(refused.body.errors[0].detail, /has moved: the properties\./)
  assert.equal((await admin.get(`${planned}/changes`)).body.data.length, 1)
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:abort api:steps:approve api:steps:reject audit:steps:approve audit:steps:approve:denied
     audit:steps:reject audit:steps:reject:denied warn:approval_identity_unresolved
     warn:approval_identity_validation_skipped`,
  ))
