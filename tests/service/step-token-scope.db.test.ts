import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, ended, newAsset, often, ran, readyVersion, type Shown, shop } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, changeOfStep, published, runEnded, stepsOfRun } from '../support/workflows.ts'

/** Records created with the token of a step act with the rights of that token, also long after the step. */

const actions = `
actions:
  deploy: { description: x, run: echo deployed }
  fail: { description: x, run: exit 3 }
  outwards:
    description: x
    run: |
      echo '{"properties_diffs":{"environment":[{"op":"add","path":"/planted","value":true}]}}' >"$SLUICE_STEP_RESULT"
  tell:
    env: { GATES: "{{ gates }}" }
    run: printf %s "$SLUICE_API_TOKEN" >"$GATES/token"; touch "$GATES/told"; until [ -e "$GATES/go" ]; do sleep 0.02; done
`
const source = 'steps: [{ target: "{{ tgt }}", action: "{{ act }}", name: reach }]'
const within = '/projects/shop/environments/live/assets/front'
const outside = '/projects/bank/environments/live/assets/vault'
const outwards = { property_overrides: { tgt: outside, act: 'deploy' } }
const refused = new RegExp(`admin may not execute ${outside}/actions/deploy.*token of a step`)

let service: TestService
let admin: Client
let gates: Gates
let token: Client
let told: string

before(async () => {
  service = await startTestService({ spares: 1 })
  admin = service.as('admin')
  gates = await newGates()
  const made = await shop(service, { 'web/actions.yaml': actions, 'actions.yaml': actions })
  const bank = '/api/projects/bank'
  await created(admin.post('/api/projects', { code: 'bank', name: 'Bank' }))
  await created(admin.post(`${bank}/environments`, { code: 'live', name: 'Live' }))
  await created(admin.post(`${bank}/git_remotes`, { name: 'code', url: made.repository.url }))
  await created(
    admin.post(`${bank}/templates`, { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: 'code' }),
  )
  await readyVersion(admin, `${bank}/templates/web/versions/1.0`, 'main')
  const vault = { code: 'vault', name: 'vault', template_code: 'web', template_version: '1.0' }
  await created(admin.post(`${bank}/environments/live/assets`, vault))
  await properties({ tgt: within, act: 'deploy' })
  await published(admin, 'of-people', source)
  await newAsset(admin, 'teller')
  const change = await created(
    admin.post('/api/projects/shop/environments/live/assets/teller/changes', {
      action: 'tell',
      property_overrides: { gates: gates.folder },
    }),
  )
  told = change.id
  await gates.reached('told')
  token = service.bearer(await readFile(join(gates.folder, 'token'), 'utf8'))
})
after(async () => {
  if (!gates.has('go')) await gates.open('go')
  await ended(admin, told)
  await service.stop()
  await gates.remove()
})

async function properties(data: object, client = admin): Promise<void> {
  const { body } = await admin.get('/api/projects/shop')
  const answer = await client.patch(body.data.relationships.properties.links.related, { data })
  assert.equal(answer.status, 200, answer.text)
}

const retry = (client: Client, id: string, attributes: object = {}): Promise<Answer> => {
  const relationships = { workflow_run: { data: { type: 'workflow_run', id } } }
  const raw = JSON.stringify({ data: { attributes: { retry: true, ...attributes }, relationships } })
  return client.send('POST', '/api/workflow_runs', { raw })
}

/** Outcome of the step `reach` of a run: its failure, or success. */
async function reach(id: string): Promise<string> {
  await runEnded(admin, id)
  const step = (await stepsOfRun(admin, id)).find(({ attributes }) => attributes.name === 'reach')
  return step.attributes.error_message ?? step.attributes.status_code
}

const refusedForTokens = ({ status, text }: Answer) => {
  assert.equal(status, 403, text)
  assert.match(text, /token of a step may not/)
}

test('a run that a step started makes no change outside of the project of the step, and says why', async () => {
  assert.match(await reach(await began(token, 'of-people', outwards)), refused)
  assert.equal(await reach(await began(token, 'of-people')), 'success')
  assert.equal(await reach(await began(admin, 'of-people', outwards)), 'success')
})

test('nor does one whose target a step has put into the properties of its own project', async () => {
  await properties({ tgt: outside, act: 'deploy' }, token)
  try {
    assert.match(await reach(await began(token, 'of-people')), refused)
  } finally {
    await properties({ tgt: within, act: 'deploy' })
  }
})

test('a retry keeps the scope, whoever asks for it, and takes it on when a step asks for it', async () => {
  const ofStep = await began(token, 'of-people', outwards)
  assert.match(await reach(ofStep), refused)
  const byAdmin = await created(retry(admin, ofStep))
  assert.match(await reach(byAdmin.id), refused)
  const other = await created(retry(admin, byAdmin.id, outwards))
  assert.match(await reach(other.id), refused)
  const failing = { property_overrides: { tgt: outside, act: 'fail' } }
  const ofAdmin = await began(admin, 'of-people', failing)
  assert.notEqual(await reach(ofAdmin), 'success')
  const byStep = await created(retry(token, ofAdmin))
  assert.match(await reach(byStep.id), /may not execute .*\/assets\/vault\/actions\/fail.*token of a step/)
})

test('a workflow that a step published runs within its project, also as part of another and by a schedule', async () => {
  await created(
    token.post('/api/projects/shop/workflows', { code: 'of-step', name: 'x', source_yaml: source, draft: false }),
  )
  assert.match(await reach(await began(admin, 'of-step', outwards)), refused)
  assert.equal(await reach(await began(admin, 'of-step')), 'success')
  const nesting = 'steps: [{ type: workflow, target: of-step, name: inner, property_overrides: { tgt: "{{ tgt }}" } }]'
  await published(admin, 'nesting', nesting)
  const above = await began(admin, 'nesting', outwards)
  await runEnded(admin, above)
  const inner = (await stepsOfRun(admin, above)).find(({ attributes }) => attributes.name === 'inner')
  assert.match(await reach(inner.relationships.workflow_runs.data[0].id), refused)
  const run_at = new Date(Date.now() + 3_600_000).toISOString()
  const schedule = { workflow_code: 'of-step', run_at, property_overrides: outwards.property_overrides }
  await created(admin.post('/api/projects/shop/scheduled_activities', schedule))
  await moveClock(service.testDatabase, '61 minutes')
  const runs = await until(
    'the schedule has made its run',
    async () => (await admin.get(`/api/workflow_runs?filter[scheduled_eq]=true`)).body.data as Shown[],
    ([first]) => first !== undefined,
    often,
  )
  assert.match(await reach(runs[0]!.id), refused)
})

test('the latest version is as far-reaching as whoever published it', async () => {
  await published(admin, 'both', source)
  assert.equal(await reach(await began(admin, 'both', outwards)), 'success')
  const renewed = await token.patch('/api/projects/shop/workflows/both', { source_yaml: `${source} # 2`, draft: false })
  assert.equal(renewed.status, 200, renewed.text)
  assert.match(await reach(await began(admin, 'both', outwards)), refused)
  assert.equal(await reach(await began(admin, 'both', { ...outwards, version: 1 })), 'success')
})

test('schedules and drafts are not made by steps, nor changed', async () => {
  const schedule = { action: 'deploy', cron_schedule: '0 3 * * *' }
  const made = await created(admin.post(`/api${within}/scheduled_activities`, schedule))
  const draft = await created(
    admin.post('/api/projects/shop/workflows', { code: 'draft', name: 'x', source_yaml: source }),
  )
  assert.ok(draft.id)
  const workflow = { name: 'x', source_yaml: source }
  const versions = '/api/projects/shop/workflows/of-people/versions'
  for (const ask of [
    () => token.post(`/api${within}/scheduled_activities`, schedule),
    () => token.post('/api/scheduled_activities', { ...schedule, parent_path: within }),
    () => token.patch(`/api/scheduled_activities/${made.id}`, { enabled: false }),
    () => token.patch(`/api/scheduled_activities/${made.id}`, { property_overrides: { tgt: outside } }),
    () => token.post('/api/projects/shop/workflows', { code: 'one', ...workflow }),
    () => token.post('/api/projects/shop/workflows', { code: 'one', ...workflow, draft: true }),
    () => token.patch('/api/projects/shop/workflows/draft', { source_yaml: `${source} # x` }),
    () => token.post(versions, { source_yaml: source }),
    () => token.patch('/api/projects/shop/workflows/draft/versions/1', { source_yaml: `${source} # x` }),
  ])
    refusedForTokens(await ask())
})

test('a change that a step made keeps the scope in its retries and in its results', async () => {
  const scopeOf = (id: string) =>
    service.database.one(sql<{ scope: string | null }>`
      select p.code as scope from activities a left join nodes p on p.id = a.scope_project_id where a.id = ${id}::uuid`)
  const change = await ran(token, `/api${within}`, 'fail')
  assert.deepEqual(await scopeOf(change.id), { scope: 'shop' })
  const again = (client: Client, id: string) => {
    const relationships = { change: { data: { type: 'change', id } } }
    const raw = JSON.stringify({ data: { attributes: { retry: true }, relationships } })
    return created(client.send('POST', `/api${within}/changes`, { raw }))
  }
  const retried = await again(admin, change.id)
  await ended(admin, retried.id)
  assert.deepEqual(await scopeOf(retried.id), { scope: 'shop' })
  const ofAdmin = await ran(admin, `/api${within}`, 'fail')
  assert.deepEqual(await scopeOf(ofAdmin.id), { scope: null })
  const byToken = await again(token, ofAdmin.id)
  await ended(admin, byToken.id)
  assert.deepEqual(await scopeOf(byToken.id), { scope: 'shop' })
  const run = await began(token, 'of-people')
  const ofRun = await changeOfStep(admin, run, 'reach')
  assert.deepEqual(await scopeOf(ofRun), { scope: 'shop' })
  // Within the project its results are stored as usual.
  assert.equal((await ran(token, `/api${within}`, 'outwards')).attributes.status_code, 'success')
})

test('what a step of a superuser makes is held by maintenance that spares superusers', async () => {
  const mode = async (maintenance_mode: string) => {
    const { relationships } = (await admin.get('/api/system_configuration')).body.data
    const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data: { maintenance_mode } })
    assert.equal(answer.status, 200, answer.text)
  }
  await mode('superuser_override')
  try {
    const held = await created(token.post(`/api${within}/changes`, { action: 'deploy' }))
    const task = await created(token.post(`/api${within}/node_background_tasks`, {}))
    assert.equal(
      (await ran(admin, `/api${within.replace('front', 'teller')}`, 'deploy')).attributes.status_code,
      'success',
    )
    const { attributes } = (await admin.get(`/api/changes/${held.id}/waiting_reason`)).body.data
    assert.equal(attributes.kind, 'maintenance')
    const { body } = await admin.get(`/api${within}/node_background_tasks/${task.id}`)
    assert.equal(body.data.attributes.status_code, 'initializing')
    await mode('disabled')
    assert.equal((await ended(admin, held.id)).attributes.status_code, 'success')
  } finally {
    await mode('disabled')
  }
})

test('a step makes no token, session, account, policy, override or clean-up that lasts', async () => {
  const { settings } = (await admin.get('/api/system_configuration')).body.data.relationships
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const session = await created(admin.post('/api/tokens/session'))
  assert.deepEqual((await token.get('/api/tokens/sessions')).body.data, [])
  for (const [method, path, attributes] of [
    ['POST', '/api/tokens', { description: 'x', expires_at }],
    ['POST', '/api/tokens/session', {}],
    ['DELETE', `/api/tokens/sessions/${session.id}`, undefined],
    ['POST', '/api/users', { username: 'made', password: 'a long password' }],
    ['POST', '/api/authorisation_policies', { name: 'made' }],
    ['PATCH', `/api/settings/${settings.data.id}`, { data: { maintenance_mode: 'enabled' } }],
    [
      'POST',
      '/api/data_cleanup_definitions',
      { name: 'old', kind: 'activities', cron_schedule: '@yearly', older_than: 'P3D' },
    ],
    ['POST', `/api${outside}/changes`, { action: 'deploy' }],
    ['POST', `/api${outside}/scheduled_activities`, { action: 'deploy', cron_schedule: '0 3 * * *' }],
  ] as const) {
    const { status, text } = await token.send(method, path, attributes ? { attributes } : {})
    assert.ok([401, 403, 404].includes(status), `${method} ${path}: ${status} ${text}`)
  }
})

/** Reasons for each table with a user's id: how it prevents the token of a step from acting beyond its bounds later. */
const tables: Readonly<Record<string, readonly string[]>> = {
  'kept with the scope of the token, which whatever acts later is held to': [
    'activities',
    'node_background_tasks',
    'template_versions',
    'workflow_versions',
  ],
  'not written by steps': [
    'authorisation_policies',
    'authorisation_rules',
    'data_cleanup_definitions',
    'key_rotations',
    'policy_assignments',
    'policy_rules',
    'scheduled_activities',
    'tokens',
    'users',
  ],
  'told apart from those of the user by the id of the step': ['idempotency_keys'],
  'who did it, and nothing acts in that name later': [
    'bookmarks',
    'events',
    'git_remotes',
    'models',
    'nodes',
    'properties',
    'properties_versions',
    'saved_views',
    'settings',
    'settings_versions',
    'template_version_histories',
    'templates',
    'user_preferences',
    'vault_entries',
    'workflows',
  ],
}

test('every table that stores a user is accounted for', async () => {
  const rows = await service.database.rows(sql<{ name: string; scoped: boolean }>`
    select c.table_name as name, bool_or(c.column_name = 'scope_project_id') as scoped
      from information_schema.columns c
     where c.table_schema = 'public' and c.column_name in ('user_id', 'scope_project_id') and c.table_name !~ '^events_'
     group by 1 having bool_or(c.column_name = 'user_id')`)
  const [scoped] = Object.values(tables)
  assert.deepEqual(
    rows.map(({ name }) => name).sort(),
    Object.values(tables).flat().sort(),
    'Whoever stores a user says here what becomes of that when a step does it.',
  )
  for (const each of rows) assert.equal(each.scoped, scoped!.includes(each.name), each.name)
})
