import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Rights } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Domain } from '#platform/domain.ts'
import { until } from '../../../client/sluice.ts'
import { type Answer, type Made, startTestApi } from '../../../tests/support/api.ts'
import { moveClock } from '../../../tests/support/database.ts'
import { findNodeAt, nodesDomain } from '../nodes/index.ts'
import { heldMaintenanceMode, readMaintenance, readOverrides, settingsDomain } from './index.ts'

const everything: Rights = { superuser: true, may: () => true, visible: () => sql<boolean>`true` }
const readOnly: Rights = { superuser: false, may: right => right === 'read', visible: () => sql<boolean>`true` }
const nothing: Rights = { superuser: false, may: () => false, visible: () => sql<boolean>`false` }

/** Templates are to the right: what settings add to them has its tests there. */
const withoutTemplates = (domain: Domain): Domain => {
  const { template: _, template_version: __, ...ofNodes } = domain.extends ?? {}
  return { ...domain, extends: ofNodes }
}

let made: Made
let settings: ReturnType<typeof settingsDomain>
const startSettings = (overrides: JsonObject) => settingsDomain({ keyring: made.keyring, overrides }).start(made)

const api = await startTestApi({
  domains: async parts => {
    made = parts
    settings = settingsDomain({ keyring: parts.keyring, overrides: {} })
    await settings.start(parts)
    const domain = withoutTemplates(settings.domain)
    return [nodesDomain({ others: [domain] }), domain]
  },
  users: { admin: everything, reader: readOnly, nobody: nothing },
})
after(() => api.stop())
const admin = api.as('admin')

const configuration = await admin.get('/api/system_configuration')
const global: string = configuration.body.data.relationships.settings.links.related
await admin.post('/api/projects', { code: 'bank', name: 'Bank' })
await admin.post('/api/projects/bank/environments', { code: 'live', name: 'Live' })
await admin.post('/api/projects/bank/environments/live/assets', { code: 'web', name: 'Web' })
const settingsOf = async (path: string): Promise<string> =>
  (await admin.get(`/api${path}`)).body.data.relationships.settings.links.related
const project = await settingsOf('/projects/bank')
const environment = await settingsOf('/projects/bank/environments/live')
const asset = await settingsOf('/projects/bank/environments/live/assets/web')
const converged = async (path = '/projects/bank/environments/live/assets/web', query = '') => {
  const { data } = (await admin.get(`/api${path}/converged_settings${query}`)).body
  return { data: data.attributes.data, sources: data.meta.setting_sources.by_setting }
}
const eventsOf = async (type: string): Promise<Record<string, unknown>[]> =>
  (
    await api.database.rows(sql<{ attributes: Record<string, unknown> }>`
    select attributes from events where type = ${type} order by created_at`)
  ).map(({ attributes }) => attributes)

test('a node begins with settings of its own that say nothing', async () => {
  const { body } = await admin.get(project)
  assert.deepEqual(body.data.attributes.data, {})
  assert.equal(body.data.attributes.version, 1)
  assert.equal(body.data.attributes.owner_type, 'Project')
  assert.equal(body.data.links.owner, '/api/projects/bank')
})

test('a patch merges key by key, null takes a key away, a put replaces', async () => {
  await admin.patch(environment, { data: { repo_folder: 'ops', step_timeout_seconds: 5 } })
  await admin.patch(environment, { data: { step_timeout_seconds: null, 'allow_parallel.changes': false } })
  const patched = await admin.get(environment)
  assert.deepEqual(patched.body.data.attributes.data, { repo_folder: 'ops', 'allow_parallel.changes': false })
  const put = await admin.put(environment, { data: { repo_folder: 'other' } })
  assert.deepEqual(put.body.data.attributes.data, { repo_folder: 'other' })
  assert.equal(put.body.data.attributes.version, 4)
  const [, , last] = (await eventsOf('api:settings:update')).slice(-3)
  assert.equal(last?.['version'], 4)
  assert.deepEqual([...((last?.['changed_pointers'] ?? []) as string[])].sort(), [
    '/allow_parallel.changes',
    '/repo_folder',
  ])
  await admin.put(environment, { data: {} })
})

test('unknown keys, bad values and keys at the wrong level are all named at once', async () => {
  const { status, body } = await admin.patch(project, {
    data: { maintenance_mode: 'enabled', repo_folder: '/etc', nonsense: 1, 'allow_parallel.changes': 'yes' },
  })
  assert.equal(status, 422)
  assert.deepEqual(body.errors.map((error: { source: { pointer: string } }) => error.source.pointer).toSorted(), [
    '/data/attributes/data/allow_parallel.changes',
    '/data/attributes/data/maintenance_mode',
    '/data/attributes/data/nonsense',
    '/data/attributes/data/repo_folder',
  ])
  assert.equal((await admin.get(project)).body.data.attributes.version, 1)
})

test('what is taken away is a setting that there is, or one that is stored from when there was', async () => {
  const misspelled = await admin.patch(asset, { data: { repo_foldr: null } })
  assert.equal(misspelled.status, 422)
  assert.deepEqual(misspelled.body.errors[0].source, { pointer: '/data/attributes/data/repo_foldr' })
  assert.match(misspelled.body.errors[0].detail, /did you mean "repo_folder"/)
  assert.equal((await admin.patch(asset, { data: { repo_folder: null } })).status, 200)
})

test('the converged settings of an asset name the level that each value comes from', async () => {
  await admin.patch(global, { data: { 'runner.idle_timeout': 10, on_runner_lost: 'restart' } })
  await admin.patch(project, { data: { 'runner.idle_timeout': 20 } })
  await admin.patch(asset, { data: { on_runner_lost: 'error' } })
  const { data, sources } = await converged()
  assert.equal(data['runner.idle_timeout'], 20)
  assert.equal(sources['runner.idle_timeout'], 'Project: Bank (bank)')
  assert.equal(sources['on_runner_lost'], 'Asset: Web (web)')
  assert.deepEqual([data['repo_folder'], sources['repo_folder']], ['.sluice', 'Default'])
  assert.deepEqual(Object.keys(sources), Object.keys(data))
  assert.equal('step_timeout_seconds' in data, false)
})

test('rules of approval add up, and a higher rule takes in the lower approvers when it says so', async () => {
  const rule = (actions: string, user_names: string[], more = {}) => ({
    change_filter: { actions },
    user_names,
    ...more,
  })
  await admin.patch(global, { data: { requires_approval_from: [rule('deploy', ['ann'], { merge_approvers: true })] } })
  await admin.patch(asset, { data: { requires_approval_from: [rule('deploy', ['bob']), rule('all', ['cy'])] } })
  const { data, sources } = await converged()
  assert.deepEqual(data['requires_approval_from'], [
    rule('deploy', ['ann', 'bob'], { merge_approvers: true }),
    rule('all', ['cy']),
  ])
  assert.equal(sources['requires_approval_from'], 'Global, Asset: Web (web)')
})

test('converge_date answers the settings of that moment', async () => {
  await moveClock(api.testDatabase, '1 hour')
  const { at } = (await api.database.one(sql<{ at: string }>`select sluice_now() as at`))!
  await moveClock(api.testDatabase, '1 hour')
  await admin.patch(asset, { data: { 'runner.idle_timeout': 99 } })
  assert.equal((await converged()).data['runner.idle_timeout'], 99)
  assert.equal((await converged(undefined, `?converge_date=${at}`)).data['runner.idle_timeout'], 20)
  const early = await admin.get('/api/projects/bank/converged_settings?converge_date=2020-01-01')
  assert.equal(early.status, 422)
  for (const never of ['tomorrow', '2026-02-30', '0000-01-01', '2026-11-21T10:00:00%2B99:99', '2026-11-21T25:00:00Z'])
    assert.equal((await admin.get(`/api/projects/bank/converged_settings?converge_date=${never}`)).status, 422, never)
  assert.equal((await converged(undefined, '?converge_date=2999-01-01')).data['runner.idle_timeout'], 99)
})

test('a value that chooses isolation is taken below global only when the installation lists it', async () => {
  const refused = await admin.patch(asset, { data: { 'runner.sandbox': false } })
  assert.equal(refused.status, 422)
  await admin.patch(global, { data: { 'allowed.runner.sandbox': [false] } })
  assert.equal((await admin.patch(asset, { data: { 'runner.sandbox': false } })).status, 200)
  assert.equal((await admin.patch(global, { data: { 'runner.sandbox': true } })).status, 200)
})

test('whoever states a setting that nothing obeys so far is told so, and one that takes it back is not', async () => {
  const stated = await admin.patch(asset, { data: { 'image_reuse.ttl_days': 9, 'allow_parallel.changes': true } })
  assert.deepEqual(stated.body.meta.warnings, [
    {
      setting: 'image_reuse.ttl_days',
      detail: 'image_reuse.ttl_days is stored, and has no effect so far. Nothing builds images yet.',
    },
  ])
  const { properties } = (await admin.get('/api/settings_schema')).body
  assert.equal(properties['image_reuse.ttl_days']['x-unheeded'], 'Nothing builds images yet.')
  const removed = await admin.patch(asset, { data: { 'image_reuse.ttl_days': null } })
  assert.deepEqual([removed.status, removed.body.meta?.warnings], [200, undefined])
})

test('secrets are answered as hidden, kept when hidden is written back, and stored under seal', async () => {
  const password = 'correct horse battery'
  const { body } = await admin.patch(global, { data: { 'ldap.password': password, 'ldap.host': 'ldap.example' } })
  assert.equal(body.data.attributes.data['ldap.password'], '{{hidden}}')
  assert.equal((await converged()).data['ldap.password'], '{{hidden}}')
  await admin.put(global, { data: { ...body.data.attributes.data, 'ldap.cache_ttl': 30 } })
  assert.equal((await settings.reader.global(api.database)).data['ldap.password'], password)
  const list = await admin.get(`${global}/versions`)
  assert.ok(!list.text.includes(password))
  const raw = await api.database.one(sql<{ found: boolean }>`
    select exists (select from settings_versions where position(convert_to(${password}, 'UTF8') in data) > 0)
        or exists (select from events where attributes::text like ${`%${password}%`}) as found`)
  assert.equal(raw?.found, false)
  const nothingStored = await admin.patch(project, {
    data: { vault: { address: 'https://v', auth_method: 'token', token: '{{hidden}}' } },
  })
  assert.equal(nothingStored.status, 422)
})

test('a version says where it differs from another, also where both values are hidden', async () => {
  const written = async (data: object) => (await admin.patch(global, { data })).body.data.attributes.version as number
  const before = await written({ 'ldap.password': 'old', 'ldap.host': 'ldap.example', 'ldap.port': 636 })
  const after = await written({ 'ldap.password': 'new', 'ldap.port': null })
  const shown = (version: number, query = '') => admin.get(`${global}/versions/${version}${query}`)
  const { body } = await shown(after)
  assert.deepEqual(body.data.meta.changed_pointers.toSorted(), ['/ldap.password', '/ldap.port'])
  const other = await shown(before, `?against=${after}`)
  assert.equal(other.body.data.attributes.data['ldap.password'], body.data.attributes.data['ldap.password'])
  assert.deepEqual(other.body.data.meta.changed_pointers.toSorted(), ['/ldap.password', '/ldap.port'])
  assert.deepEqual((await shown(after, `?against=${after}`)).body.data.meta.changed_pointers, [])
  const byId = await admin.get(`/api/settings_versions/${body.data.id}?fields[settings_version]=created_by`)
  assert.deepEqual(byId.body.data.meta.changed_pointers, body.data.meta.changed_pointers)
  assert.equal((await shown(after, '?against=999')).status, 422)
  assert.equal((await shown(after, '?against=-1')).status, 400)
  assert.ok(!JSON.stringify([body, other.body]).includes('"new"'))
})

test('the history of settings has the versions of each layer that the caller may read', async () => {
  await admin.patch(project, { data: { step_timeout_seconds: 60 } })
  const historyOf = async (path: string, client = admin) => {
    const { body } = await client.get(`/api${path}/settings_history`)
    return (body.data as { type: string; attributes: Record<string, unknown> }[]).map(({ type, attributes }) => ({
      type,
      level: attributes['level'],
      versions: attributes['settings_versions'] as { version: number; start_date: string }[],
    }))
  }
  const layers = await historyOf('/projects/bank/environments/live/assets/web')
  assert.deepEqual(
    layers.map(({ type, level }) => [type, level]),
    [
      ['system_configuration', 0],
      ['project', 1],
      ['environment', 2],
      ['asset', 3],
    ],
  )
  assert.deepEqual(
    (await historyOf('/projects/bank')).map(({ type }) => type),
    ['system_configuration', 'project'],
  )
  for (const [at, record] of [global, project].entries()) {
    const stored = (await admin.get(`${record}/versions?exclude_data=true&limit=1000`)).body.data
    assert.deepEqual(
      layers[at]!.versions,
      stored
        .map((each: { attributes: { version: number; active_from: string } }) => ({
          version: each.attributes.version,
          start_date: each.attributes.active_from,
        }))
        .toReversed(),
    )
  }
  assert.equal(
    (await api.as('nobody').get(`/api/projects/bank/environments/live/assets/web/settings_history`)).status,
    404,
  )
  await admin.patch(project, { data: { step_timeout_seconds: null } })
})

test('no password stands in an address, which is shown and told', async () => {
  const vault = (address: string) => ({ vault: { address, auth_method: 'token', token: 'a token' } })
  for (const address of ['https://user:word@v', 'https://user@v:8200/x', 'http://:word@v'])
    assert.equal((await admin.patch(global, { data: vault(address) })).status, 422, address)
  for (const address of ['https://v:8200', 'http://[::1]:8200/vault', 'https://v/@x'])
    assert.equal((await admin.patch(global, { data: vault(address) })).status, 200, address)
  await admin.patch(global, { data: { vault: null } })
})

test('the password of the directory goes nowhere that it was not given for', async () => {
  const before = await admin.patch(global, { data: { 'ldap.password': 'correct horse', 'ldap.host': 'ldap.example' } })
  const shown = before.body.data.attributes.data
  const refused = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    assert.deepEqual([status, body.errors[0].source.pointer], [422, '/data/attributes/data/ldap.password'])
    return body.errors[0].detail
  }
  const detail = await refused(admin.patch(global, { data: { 'ldap.host': 'other.example' } }))
  assert.equal(detail, 'ldap.password was given for another ldap.host: write it itself, or take it away.')
  await refused(admin.put(global, { data: { ...shown, 'ldap.host': 'other.example' } }))
  await refused(admin.patch(global, { data: { 'ldap.tls': 'none', 'ldap.password': '{{hidden}}' } }))
  // Nor by taking the host away before.
  assert.equal((await admin.patch(global, { data: { 'ldap.host': null } })).status, 200)
  await refused(admin.patch(global, { data: { 'ldap.host': 'other.example' } }))
  const given = { 'ldap.host': 'other.example', 'ldap.password': 'correct horse' }
  assert.equal((await admin.patch(global, { data: given })).status, 200)
  assert.equal(
    (await admin.patch(global, { data: { 'ldap.host': 'ldap.example', 'ldap.password': null } })).status,
    200,
  )
})

test('{{hidden}} keeps the secret of the vault that it stood for, wherever that now stands in a list', async () => {
  const vault = (address: string, token: string, more = {}) => ({ address, auth_method: 'token', token, ...more })
  const stored = async () => (await settings.reader.global(api.database)).data['allowed.vault']
  const write = (...vaults: object[]) => admin.patch(global, { data: { 'allowed.vault': vaults } })
  const [a, b] = [vault('https://a', 'of a'), vault('https://b', 'of b')]
  await write(a, b)
  assert.equal((await write(vault('https://b', '{{hidden}}'), vault('https://a', '{{hidden}}'))).status, 200)
  assert.deepEqual(await stored(), [b, a])
  await write(vault('https://n', 'of n'), vault('https://b', '{{hidden}}', { mount_path: 'kv' }))
  assert.deepEqual(await stored(), [vault('https://n', 'of n'), { ...b, mount_path: 'kv' }])

  const twins = [vault('https://t', '1'), vault('https://b', '2'), vault('https://t', '3')]
  await write(...twins)
  const shown = (await admin.get(global)).body.data.attributes.data['allowed.vault']
  await write(...shown)
  assert.deepEqual(await stored(), twins)
  for (const [refused, pointer] of [
    // It is ambiguous which of the two is meant.
    [[shown[0], shown[1]], '/0/token'],
    // Nothing is stored for that address: the token of another one is not sent there.
    [[...shown, vault('https://elsewhere', '{{hidden}}')], '/3/token'],
  ] as const) {
    const answer = await write(...refused)
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.body.errors[0].source.pointer, `/data/attributes/data/allowed.vault${pointer}`)
    assert.match(answer.body.errors[0].detail, /none is stored for this address: write the value itself/)
  }
  assert.deepEqual(await stored(), twins)
  await admin.patch(global, { data: { 'allowed.vault': null } })
})

test('a token of a vault is kept for the address that it was given for, and for no other', async () => {
  const vault = { address: 'https://v', auth_method: 'token', token: 'of v' }
  await admin.patch(global, { data: { vault } })
  const kept = { ...vault, token: '{{hidden}}' }
  const moved = await admin.patch(global, { data: { vault: { ...kept, address: 'https://elsewhere' } } })
  assert.equal(moved.status, 422, moved.text)
  assert.equal(moved.body.errors[0].source.pointer, '/data/attributes/data/vault/token')
  assert.equal((await admin.patch(global, { data: { vault: { ...kept, mount_path: 'kv' } } })).status, 200)
  assert.deepEqual((await settings.reader.global(api.database)).data['vault'], { ...vault, mount_path: 'kv' })
  await admin.patch(global, { data: { vault: null } })
})

test('a stale version is 409, the same document again is no version and no event', async () => {
  const { version } = (await admin.get(environment)).body.data.attributes
  const events = (await eventsOf('api:settings:update')).length
  const same = await admin.patch(environment, { data: {}, version })
  assert.equal(same.body.data.attributes.version, version)
  assert.equal((await eventsOf('api:settings:update')).length, events)
  await admin.patch(environment, { data: { dockerfile: 'Other' }, version })
  const stale = await admin.patch(environment, { data: { dockerfile: 'Third' }, version })
  assert.equal(stale.status, 409)
  assert.equal(stale.body.errors[0].code, 'stale-version')
  assert.deepEqual(stale.body.errors[0].meta, { version: version + 1 })
  const restored = await admin.send('POST', `${environment}/versions/${version}/restore`)
  assert.equal(restored.status, 200, restored.text)
  assert.equal('dockerfile' in restored.body.data.attributes.data, false)
  assert.equal((await admin.send('POST', `${environment}/versions/999/restore`)).status, 404)
})

test('of many writers at once each makes a version, and the times in force neither overlap nor leave a gap', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, i) => admin.patch(environment, { data: { 'image_reuse.ttl_days': i + 1 } })),
  )
  const id = environment.split('/').at(-1)
  const rows = await api.database.rows(sql<{ version: number; from: string; to: string | null }>`
    select version, active_from as from, active_to as to from settings_versions where settings_id = ${id}::uuid order by version`)
  assert.deepEqual(
    rows.map(({ version }) => version),
    rows.map((_, index) => index + 1),
  )
  for (const [index, row] of rows.entries()) assert.equal(row.to, rows[index + 1]?.from ?? null)
})

test('rights: reading needs read, writing update on the area, the configuration is always 403', async () => {
  const reader = api.as('reader')
  assert.equal((await reader.get(project)).status, 200)
  assert.equal((await reader.patch(project, { data: {} })).status, 403)
  assert.equal((await api.as('nobody').get(project)).status, 404)
  assert.equal((await api.as('nobody').get('/api/system_configuration')).status, 403)
  assert.equal((await reader.patch(global, { data: { maintenance_mode: 'enabled' } })).status, 403)
})

test('the catalogue is answered as a schema', async () => {
  const { body } = await admin.get('/api/settings_schema')
  assert.deepEqual(body.properties.maintenance_mode.enum, ['disabled', 'enabled', 'superuser_override'])
  assert.equal(body.properties['concurrent.runner_limit'].default, 15)
  assert.equal(body.properties['allowed.runner.sandbox'].type, 'array')
})

test('a new limit of slots is told to the engine by a job', async () => {
  await admin.patch(global, { data: { 'concurrent.runner_limit': 3 } })
  const job = await api.database.one(sql<{ task: string }>`
    select t.identifier as task
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     order by j.id desc limit 1`)
  assert.equal(job?.task, 'steps.limits')
})

test('switching maintenance at once from many clients records exactly one event for each real switch', async () => {
  const modes = ['enabled', 'superuser_override', 'disabled'] as const
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 9 }, (_, i) => admin.patch(global, { data: { maintenance_mode: modes[(i + round) % 3] } })),
    )
  await admin.patch(global, { data: { maintenance_mode: 'disabled' } })
  const switches = await api.database.rows(sql<{ type: string }>`
    select type from events where type like 'info:maintenance_mode:%' order by created_at`)
  assert.ok(switches.length >= 2)
  for (const [index, { type }] of switches.entries())
    assert.equal(type, `info:maintenance_mode:${index % 2 === 0 ? 'enabled' : 'disabled'}`)
  assert.equal(switches.length % 2, 0)
})

test('a switch waits for what is being admitted, and what is admitted after it sees it', async () => {
  const admitting = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<string>()
  const admission = api.database.transaction(async tx => {
    seen.resolve(await heldMaintenanceMode(tx))
    await admitting.promise
  })
  assert.equal(await seen.promise, 'disabled')
  let answered = false
  const switching = admin.patch(global, { data: { maintenance_mode: 'enabled' } }).then(() => {
    answered = true
  })
  const waits = async () =>
    (await api.database.one(sql<{ waits: boolean }>`
      select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`))!.waits
  while (!(await waits())) assert.equal(answered, false)
  admitting.resolve()
  await Promise.all([admission, switching])
  assert.equal(await api.database.transaction(heldMaintenanceMode), 'enabled')
  await admin.patch(global, { data: { maintenance_mode: 'disabled' } })
})

test('what the environment states beats what is stored, is named as source, warned of and recorded', async () => {
  const { values, errors } = readOverrides({ MAINTENANCE_MODE: 'enabled', RUNNER__IDLE_TIMEOUT: '7' })
  assert.deepEqual(errors, [])
  const overridden = settingsDomain({ keyring: made.keyring, overrides: values })
  await overridden.start(made)
  assert.equal((await readMaintenance(api.database)).mode, 'enabled')
  assert.deepEqual(
    (await eventsOf('warn:settings:override')).map(({ setting }) => setting),
    ['maintenance_mode', 'runner.idle_timeout'],
  )
  const told = await api.database.rows(sql`
    select distinct e.source_type, e.source_id = s.id as is_settings
      from events e, settings s join installation i on i.id = s.owner_id
     where e.type = 'warn:settings:override'`)
  assert.deepEqual(told, [{ source_type: 'settings', is_settings: true }])
  const { data, sources } = await overridden.reader.global(api.database)
  assert.deepEqual([data['runner.idle_timeout'], sources['runner.idle_timeout']], [7, 'Environment variable'])
  const second = await startTestApi({
    domains: async parts => {
      const other = settingsDomain({ keyring: parts.keyring, overrides: values })
      await other.start(parts)
      const domain = withoutTemplates(other.domain)
      return [nodesDomain({ others: [domain] }), domain]
    },
    users: { admin: everything },
  })
  try {
    const client = second.as('admin')
    const related = (await client.get('/api/system_configuration')).body.data.relationships.settings.links.related
    const written = await client.patch(related, { data: { maintenance_mode: 'disabled' } })
    assert.equal(written.body.meta.warnings[0].setting, 'maintenance_mode')
    assert.equal((await readMaintenance(second.database)).mode, 'enabled')
  } finally {
    await second.stop()
  }
  await startSettings({})
  assert.equal((await readMaintenance(api.database)).mode, 'disabled')
})

test('a process that starts while somebody switches maintenance on leaves it on', async () => {
  assert.equal((await readMaintenance(api.database)).mode, 'disabled')
  const lines = async () =>
    (await api.database.one(sql<{ count: number }>`
      select count(*)::int as count from pg_locks
       where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`))!.count
  let both: Promise<unknown>[] = []
  await api.database.transaction(async tx => {
    await heldMaintenanceMode(tx)
    // Its document is written, and it waits for the admission in progress.
    both = [admin.patch(global, { data: { maintenance_mode: 'enabled' } })]
    await until('somebody switches', lines, count => count === 1, { seconds: 30, pause: 10 })
    both.push(startSettings({}))
    await until('a process starts', lines, count => count === 2, { seconds: 30, pause: 10 })
  })
  await Promise.all(both)
  assert.equal((await readMaintenance(api.database)).mode, 'enabled')
  await admin.patch(global, { data: { maintenance_mode: null } })
})

test('an override that nobody understands is named, so that the start can refuse it', () => {
  const { errors } = readOverrides({ NONSENSE: '1', MAINTENANCE_MODE: 'perhaps' })
  assert.equal(errors.length, 2)
  assert.match(errors[0]!, /SERVICE_OVERRIDE_NONSENSE/)
  assert.match(errors[1]!, /maintenance_mode should be one of/)
})

const dataOf = async (record: string) => (await admin.get(record)).body.data.attributes.data
const explained = async (pointer: string, as = admin) =>
  as.get(`/api/projects/bank/environments/live/assets/web/converged_settings/explain?pointer=${pointer}`)
const toldOf = ({ body }: { body: { data: { attributes: { layers: { source: string; wins: boolean }[] } } } }) =>
  body.data.attributes.layers.map(({ source, wins }) => `${source}${wins ? ' wins' : ''}`)

test('every level that states a setting is told, and which one is in force', async () => {
  await admin.patch(project, { data: { repo_folder: 'one' } })
  await admin.patch(asset, { data: { repo_folder: 'two' } })
  const answer = await explained('/repo_folder')
  assert.deepEqual(toldOf(answer), ['Default', 'Project: Bank (bank)', 'Asset: Web (web) wins'])
  assert.deepEqual([answer.body.data.attributes.value, answer.body.data.attributes.layers[1].value], ['two', 'one'])
  assert.equal(answer.body.data.attributes.layers[1].created_by, 'admin')
  await admin.patch(asset, { data: { repo_folder: null } })
  assert.deepEqual(toldOf(await explained('/repo_folder')), ['Default', 'Project: Bank (bank) wins'])
  await admin.patch(project, { data: { repo_folder: null } })
  assert.deepEqual(toldOf(await explained('/repo_folder')), ['Default wins'])
  const rules = [{ change_filter: { actions: 'deploy' }, user_names: ['ann'] }]
  await admin.patch(project, { data: { requires_approval_from: rules } })
  await admin.patch(asset, { data: { requires_approval_from: rules } })
  // Rules of all levels add up: so those of the installation, from a test above, are in force too.
  const levels = ['Global', 'Project: Bank (bank)', 'Asset: Web (web)'].map(level => `${level} wins`)
  assert.deepEqual(toldOf(await explained('/requires_approval_from')), ['Default', ...levels])
  for (const record of [project, asset]) await admin.patch(record, { data: { requires_approval_from: null } })
  const unknown = await explained('/repo_foldr')
  assert.deepEqual([unknown.status, unknown.body.errors[0].source], [422, { parameter: 'pointer' }])
  assert.match(unknown.body.errors[0].detail, /did you mean "\/repo_folder"/)
})

test('neither an explanation nor an impact tells a secret', async () => {
  const vault = (token: string) => ({ vault: { address: 'https://vault.test', auth_method: 'token', token } })
  await admin.patch(global, {
    data: { 'allowed.vault': [vault('first secret').vault, vault('second secret').vault], ...vault('first secret') },
  })
  const answers = [
    await explained('/vault'),
    await explained('/vault/token'),
    await admin.post(`${global}/impact`, { data: { ...(await dataOf(global)), ...vault('second secret') } }),
  ]
  for (const { status, text } of answers) {
    assert.equal(status, 200, text)
    assert.ok(!text.includes('secret"'), text)
  }
  const [first] = answers[2]!.body.data
  assert.deepEqual(
    first.attributes.changes.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`),
    ['replace /vault'],
  )
  const stays = await admin.post(`${global}/impact`, { data: await dataOf(global) })
  assert.deepEqual(stays.body.data, [])
  await admin.patch(global, { data: { vault: null, 'allowed.vault': null } })
})

test('the impact of settings is told for each node, and is nothing where a lower level or the environment states them', async () => {
  await admin.patch(asset, { data: { step_timeout_seconds: 5 } })
  const { body } = await admin.post(`${project}/impact`, {
    data: { ...(await dataOf(project)), step_timeout_seconds: 60 },
  })
  assert.deepEqual(
    body.data.map(({ attributes }: { attributes: object }) => attributes),
    ['/projects/bank', '/projects/bank/environments/live'].map((node_path, index) => ({
      node_path,
      node_type: ['project', 'environment'][index],
      changes: [{ op: 'add', path: '/step_timeout_seconds', value: 60 }],
    })),
  )
  await admin.patch(asset, { data: { step_timeout_seconds: null } })
  const wrong = await admin.post(`${project}/impact`, { data: { maintenance_mode: 'enabled' } })
  assert.deepEqual([wrong.status, wrong.body.errors[0].source.pointer], [422, '/data/attributes/data/maintenance_mode'])
})

test('converged settings are not sent again to whoever has them, until a level, a name or a setting is another one', async () => {
  const path = '/api/projects/bank/environments/live/assets/web/converged_settings'
  const etag = async () => (await admin.get(path)).headers.get('etag')!
  const first = await etag()
  const unchanged = await admin.get(path, { 'if-none-match': first })
  assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get('etag')], [304, '', first])
  const seen = [first]
  for (const change of [
    () => admin.patch(global, { data: { step_timeout_seconds: 7 } }),
    () => admin.patch(project, { data: { step_timeout_seconds: 8 } }),
    () => admin.patch('/api/projects/bank', { name: 'The bank' }),
  ]) {
    const changed = await change()
    assert.equal(changed.status, 200, changed.text)
    const now = await admin.get(path, { 'if-none-match': seen.at(-1)! })
    assert.equal(now.status, 200)
    seen.push(now.headers.get('etag')!)
  }
  assert.equal(new Set(seen).size, 4)
  for (const level of [global, project]) await admin.patch(level, { data: { step_timeout_seconds: null } })
  await admin.patch('/api/projects/bank', { name: 'Bank' })
})

test('the tag of converged settings is no test of guesses at a secret that the environment states', async () => {
  const node = (await findNodeAt(api.database, '/projects/bank/environments/live/assets/web'))!
  const tagWith = async (overrides: JsonObject) => {
    const { domain } = settingsDomain({ keyring: made.keyring, overrides })
    const shown = domain.views!.find(({ name }) => name === 'converged_settings.show')!
    return (await shown.run(node as never, { database: api.database, query: {} } as never)).headers?.['etag']
  }
  const tag = await tagWith({ 'ldap.password': 'correct horse' })
  assert.ok(tag)
  assert.equal(await tagWith({ 'ldap.password': 'battery staple' }), tag)
  assert.notEqual(await tagWith({ repo_folder: 'ops' }), tag)
})
