import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { changeWhen, created, newAsset, often, ran, readyVersion, shop, stepsOf, taskWhen } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'

const actions = `
actions:
  hello: { run: 'echo hello > "$SLUICE_ARTEFACTS/greeting"; echo hello' }
  linger: { run: sleep 300 }
`

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({ users: { tenant: [{ path: '/projects/flat', read: true, execute: true }] } })
  admin = service.as('admin')
  ;({ asset } = await shop(service, { 'web/actions.yaml': actions }))
})
after(() => service.stop())

const destroy = async (path: string) => assert.equal((await admin.delete(`${path}?ignore_in_use=true`)).status, 204)
const statusesOf = async (asked: readonly Promise<Answer>[]) => (await Promise.all(asked)).map(({ status }) => status)

test('rights and secrets of a destroyed project are not those of the next one with its code', async () => {
  const tenant = service.as('tenant')
  await created(admin.post('/api/projects', { code: 'flat', name: 'Flat' }))
  await created(admin.post('/api/projects/flat/environments', { code: 'live', name: 'Live' }))
  const secret = { node_path: '/projects/flat/environments/live', path: 'db', key: 'password', value: 'old secret' }
  const stored = await admin.post('/api/secrets/encrypt', secret)
  const { reference } = stored.body.data.attributes
  const resolved = { node_path: secret.node_path, reference }
  assert.equal((await tenant.post('/api/secrets/resolve', resolved)).status, 200)
  await admin.post('/api/authorisation_rules', { path: '/projects/flats', read: true })

  await destroy('/api/projects/flat')
  await created(admin.post('/api/projects', { code: 'flat', name: 'Somebody else’s' }))
  await created(admin.post('/api/projects/flat/environments', { code: 'live', name: 'Live' }))
  assert.equal((await tenant.get('/api/projects/flat')).status, 404)
  assert.equal((await admin.post('/api/secrets/resolve', resolved)).status, 422)
  const left = await admin.get('/api/authorisation_rules?filter[path_start]=/projects/flat')
  assert.deepEqual(
    left.body.data.map((rule: { attributes: { path: string } }) => rule.attributes.path),
    ['/projects/flats'],
  )
  const events = await admin.get('/api/events?filter[type_eq]=api:authorisation_rules:destroy')
  assert.deepEqual(
    events.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes['rule_path'],
      attributes['forced'],
    ]),
    [['/projects/flat', true]],
  )
})

test('what ran on a destroyed node is gone with it, and what runs is cancelled', async () => {
  const { id } = await ran(admin, asset, 'hello')
  const [step] = await stepsOf(admin, id)
  const artefact = (await admin.get(`/api/changes/${id}/artefacts`)).body.data[0].id
  const running = await created(admin.post(`${asset}/changes`, { action: 'linger' }))
  await changeWhen(admin, running.id, 'runs', ({ attributes }) => attributes.status_code === 'running')
  const paths = [
    `/api/changes/${id}`,
    `/api/changes/${id}/steps`,
    `/api/changes/${id}/log_lines`,
    `/api/changes/${id}/artefacts`,
    `/api/steps/${step!.id}`,
    `/api/steps/${step!.id}/log_lines`,
    `/api/artefacts/${artefact}`,
    `/api/artefacts/${artefact}/content`,
  ]
  const other = await newAsset(admin, 'other')
  const kept = await ran(admin, other, 'hello')
  const shownIn = async (list: string) =>
    [
      ...new Set(
        (await admin.get(list)).body.data.map(
          (each: { id: string; attributes: { change_id?: string } }) => each.attributes.change_id ?? each.id,
        ),
      ),
    ].toSorted()
  const streams = [id, running.id].map(each => `/api/changes/${each}/live`)
  const opened = () => statusesOf(streams.map(path => admin.send('HEAD', path)))
  assert.deepEqual([...new Set(await statusesOf(paths.map(path => admin.send('GET', path))))], [200])
  assert.deepEqual(await opened(), [200, 200])

  await destroy(asset)
  assert.deepEqual([...new Set(await statusesOf(paths.map(path => admin.get(path))))], [404])
  assert.deepEqual(await opened(), [404, 404])
  assert.equal((await admin.delete(`/api/changes/${running.id}`)).status, 404)
  for (const list of ['/api/changes', '/api/steps', '/api/log_lines']) assert.deepEqual(await shownIn(list), [kept.id])
})

test('why a task of a destroyed node waits is told to nobody, also while its row is still there', async () => {
  const path = await newAsset(admin, 'asked')
  const { id } = await created(admin.post(`${path}/node_background_tasks`))
  await taskWhen(admin, `${path}/node_background_tasks/${id}`, 'success')
  const reason = `/api/node_background_tasks/${id}/waiting_reason`
  assert.equal((await admin.get(reason)).status, 200)
  await service.database.transaction(async tx => {
    // Rows are deleted soon after: this one not yet.
    await tx.rows(sql`select from node_background_tasks where id = ${id}::uuid for key share`)
    await destroy(path)
    assert.equal((await admin.get(reason)).status, 404)
  })
})

test('what cannot be cancelled on a destroyed node holds up nothing else there', async () => {
  const doomed = await newAsset(admin, 'stubborn')
  const asked = { action: 'hello', run_at: '2999-01-01T00:00:00Z' }
  const [first, second] = [
    await created(admin.post(`${doomed}/changes`, asked)),
    await created(admin.post(`${doomed}/changes`, { ...asked, action: 'linger' })),
  ]
  const owner = (statements: string) =>
    withClient(service.testDatabase.superuserUrl, async client => void (await client.query(statements)))
  await owner(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before update on activities for each row
      when (new.id = '${first.id}' and new.cancel_requested_at is not null) execute function refuse()`)
  const unfinished = async () =>
    (
      await service.database.rows(sql<{ id: string }>`
        select id from activities where id = any(${[first.id, second.id]}::uuid[]) and not final`)
    ).map(({ id }) => id)
  await destroy(doomed)
  await until('the other is cancelled', unfinished, ids => !ids.includes(second.id), often)
  assert.deepEqual(await unfinished(), [first.id])
  await owner('drop function refuse() cascade')
  await until('that is cancelled, too', unfinished, ids => ids.length === 0, often)
})

/** Rows that refer to nodes of a project, table by table; those of `properties_versions` by their record. */
const rowsOf = async (project: string): Promise<Record<string, number>> => {
  const of = (table: string, where: string) =>
    `select '${table}' as name, count(*)::int as n from ${table} where ${where}`
  const inProject = `project_id = '${project}'`
  const ofRemotes = `git_remote_id = any($1)`
  const tables = [
    of('nodes', inProject),
    of('bookmarks', inProject),
    ...['activities', 'steps', 'artefacts', 'node_background_tasks', 'template_version_histories'].map(table =>
      of(table, inProject),
    ),
    ...['templates', 'template_versions', 'git_remotes', 'models', 'properties', 'settings', 'vault_entries'].map(
      table => of(table, inProject),
    ),
    of('changes', `not exists (select from activities a where a.id = changes.id)`),
    of(
      'log_chunks',
      `not exists (select from activities a where a.id = activity_id)
                      and not exists (select from node_background_tasks b where b.id = log_chunks.activity_id)`,
    ),
    of('runners', `not exists (select from activities a where a.id = activity_id) and activity_id is not null`),
    of('artefact_chunks', `not exists (select from artefacts a where a.sha256 = artefact_chunks.sha256)`),
    of('node_actions', `not exists (select from nodes n where n.id = node_id)`),
    of('agent_statuses', `not exists (select from nodes n where n.id = node_id)`),
    ...[
      'git_commits',
      'action_catalogues',
      'model_files',
      'repository_folders',
      'repository_files',
      'template_version_commits',
    ].map(table => of(table, ofRemotes.replace('$1', `array(select id from gone_remotes)`))),
  ]
  const rows = await service.database.rows<{ name: string; n: number }>(
    sql.raw(
      `with gone_remotes as (select unnest('{${remotesOf[project]}}'::uuid[]) as id) ${tables.join(' union all ')}`,
    ),
  )
  return Object.fromEntries(rows.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]))
}
const remotesOf: Record<string, string> = {}

test('in time no row and no mirror of a destroyed project is left, its events stay, and nothing of another one is touched', async () => {
  const repository = await service.repository({
    'web/actions.ts': `
import { action, properties } from '@sluice/actions'
action('hello ' + (properties().of ?? 'you'), { description: 'x' }, step => step.log.info('hello'))
action('keep', { description: 'x' }, step => step.exec('sh', ['-c', 'echo the same > "$SLUICE_ARTEFACTS/file"']))
`,
    'web/model.json.erb': '{"actions": {}}',
    'bot/agent.sh': 'true',
    '.sluice/properties/all.yaml': 'of: it',
  })
  const build = async (code: string) => {
    const api = `/api/projects/${code}`
    const { id } = await created(admin.post('/api/projects', { code, name: code }))
    await created(admin.post(`${api}/environments`, { code: 'live', name: 'Live' }))
    const remote = await created(admin.post(`${api}/git_remotes`, { name: 'code', url: repository.url }))
    remotesOf[id] = remote.id
    for (const [template, template_type] of [
      ['web', 'asset'],
      ['bot', 'agent'],
    ]) {
      await created(
        admin.post(`${api}/templates`, { code: template, name: 'x', template_type, git_remote_name: 'code' }),
      )
      await readyVersion(admin, `${api}/templates/${template}/versions/1`, 'main')
    }
    const made = { name: 'x', template_version: '1' }
    const path = `${api}/environments/live/assets/front`
    await created(admin.post(`${api}/environments/live/assets`, { ...made, code: 'front', template_code: 'web' }))
    await created(admin.post(`${api}/agents`, { ...made, code: 'bot', template_code: 'bot' }))
    await created(admin.post(`${path}/bookmarks`, { description: 'mark' }))
    await created(
      admin.post('/api/secrets/encrypt', { node_path: path.slice(4), path: 'db', key: 'x', value: 'hidden' }),
    )
    await until(
      'derived',
      () => admin.get(path),
      ({ body }) => !body.data.attributes.task_active,
      often,
    )
    const { id: task } = await created(admin.post(`${path}/models/generate`))
    await taskWhen(admin, `${path}/node_background_tasks/${task}`, 'success')
    const change = await ran(admin, path, 'keep')
    assert.equal(change.attributes.status_code, 'success')
    return { id, path, change: change.id, mirror: join(service.dataDir, 'mirrors', `${remote.id}.git`) }
  }
  const [gone, stays] = [await build('brief'), await build('lasting')]
  const running = await created(admin.post(`${gone.path}/changes`, { action: 'hello it' }))
  const before = await rowsOf(stays.id)
  assert.ok(Object.keys(await rowsOf(gone.id)).length > 18, JSON.stringify(await rowsOf(gone.id)))
  await destroy('/api/projects/brief')
  await until(
    'no row is left',
    async () => {
      // A minute in which folders of runners are removed, and then the job that would run again.
      await service.database.count(
        sql`update runners set gone_at = gone_at - interval '1 minute' where gone_at is not null`,
      )
      await service.database.rows(
        sql`select graphile_worker.add_job('nodes.delete_destroyed', job_key => 'nodes.delete_destroyed')`,
      )
      return rowsOf(gone.id)
    },
    rows => Object.keys(rows).length === 0,
    { seconds: 60, pause: 500 },
  )
  await until(
    'its mirror is gone',
    async () => existsSync(gone.mirror),
    is => !is,
    often,
  )
  const events = await admin.get(`/api/events?filter[for_change]=${running.id}`)
  assert.ok(events.body.data.length > 0)
  assert.deepEqual(await rowsOf(stays.id), before)
  const [artefact] = (await admin.get(`/api/changes/${stays.change}/artefacts`)).body.data
  assert.equal((await admin.get(`/api/artefacts/${artefact.id}/content`)).text, 'the same\n')
  assert.equal((await ran(admin, stays.path, 'keep')).attributes.status_code, 'success')
})
