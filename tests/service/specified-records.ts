import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ran, readyVersion, stepAt, taskWhen } from '../support/changes.ts'
import type { TestService } from '../support/service.ts'
import { runEnded } from '../support/workflows.ts'
import { readDirectory } from './specified-directory.ts'

/** Place of a record of one table of the specification. */
export interface Specimen {
  /** Path of a document that contains it. */
  readonly show: string
  /** A list that contains it; absent: there is none of its kind. */
  readonly list?: string
  /** Paths that its links lead below: the node (or record) above it, and its project. */
  readonly parent: string
  readonly project: string
  /** Selects the record in the document. Default: `data`. */
  readonly pick?: (document: Document) => SpecifiedRecord | undefined
  /** Whether the document is computed, without ETag and sparse fieldsets. */
  readonly view?: true
}

export interface SpecifiedRecord {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { data?: unknown; links?: Record<string, string> }>>
  readonly links?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface Document {
  readonly data: SpecifiedRecord | readonly SpecifiedRecord[]
  readonly included?: readonly SpecifiedRecord[]
}

const files = {
  'tree/actions.yaml': `
actions:
  deliver:
    description: Two things in a row
    steps: [work, { name: both, steps: [work] }]
  work:
    description: Nothing
    run: "true"
  keep:
    description: Says something, and leaves a file
    run: 'echo said; printf kept >"$SLUICE_ARTEFACTS/kept"'
`,
  'robot/actions.yaml': 'actions:\n  work:\n    description: Nothing\n    run: "true"\n',
  'tree/defaults.yaml': 'size: 1\n',
  'tree/model.json.erb': '{"actions": [], "size": <%= properties.size %>}',
  '.sluice/properties/all.json': '{"colour": "red"}\n',
}

const bank = '/api/projects/bank'
const live = `${bank}/environments/live`
const front = `${live}/assets/front`
const robot = `${bank}/agents/helper`
const plain = '/api/projects/plain'

/** One record of every kind, created through the API by `admin`, each of its relationships leading to a record. */
export async function makeSpecifiedRecords(service: TestService): Promise<void> {
  const admin = service.as('admin')
  const post = (path: string, attributes: object) => created(admin.post(path, attributes))
  await readDirectory(service)
  const { url } = await service.repository(files)
  await post('/api/projects', { code: 'bank', name: 'Bank' })
  await post('/api/projects', { code: 'plain', name: 'Plain', project_type: 'Standard' })
  await post(`${bank}/environments`, { code: 'live', name: 'Live' })
  await post(`${plain}/environments`, { code: 'live', name: 'Live' })
  await post(`${bank}/git_remotes`, { name: 'code', url })
  for (const [code, template_type] of [
    ['tree', 'asset'],
    ['robot', 'agent'],
  ] as const) {
    await post(`${bank}/templates`, { code, name: code, template_type, git_remote_name: 'code' })
    await readyVersion(admin, `${bank}/templates/${code}/versions/1`, 'main')
  }
  const tree = { template_code: 'tree', template_version: '1' }
  await post(`${live}/assets`, { code: 'front', name: 'Front', ...tree })
  await post(`${bank}/assets`, { code: 'back', name: 'Back', ...tree })
  await post(`${bank}/agents`, { code: 'helper', name: 'Helper', template_code: 'robot', template_version: '1' })
  const nodes = [bank, live, front, `${bank}/assets/back`, robot, plain, `${plain}/environments/live`]
  await post(`${front}/scheduled_activities`, { action: 'work', cron_schedule: '@yearly', time_zone: 'Europe/Berlin' })
  for (const node of nodes) await post(`${node}/bookmarks`, { description: 'A page', url: 'https://example.test' })
  const owners = [bank, live, front, `${bank}/templates/tree`, `${bank}/templates/tree/versions/1`]
  const rule = await post('/api/authorisation_rules', { path: '/projects/bank', read: true })
  const policy = await post('/api/authorisation_policies', { name: 'readers of the bank' })
  await post('/api/policy_rules', { authorisation_policy_id: policy.id, authorisation_rule_id: rule.id })
  await post('/api/policy_assignments', { authorisation_policy_id: policy.id, username: 'admin', groupname: 'readers' })
  await post('/api/tokens', { description: 'of a test', expires_at: '2099-01-01T00:00:00Z' })
  await created(admin.post('/api/tokens/session'))
  for (const [at, owner] of owners.entries())
    await states(admin, owner, { [`from_${at}`]: { of: at }, next: 'release' })
  const source_yaml = 'steps:\n  - {target: environments/live/assets/front, action: work}\n'
  await post(`${bank}/workflows`, { code: 'release', name: 'Release', source_yaml, draft: false })
  assert.equal((await admin.patch(`${bank}/workflows/release`, { description: 'All of it' })).status, 200)
  await runEnded(admin, (await post(`${bank}/workflows/release/runs`, { skip_steps: ['front*'] })).id)
  await post('/api/data_cleanup_definitions', oldEvents)
  // The run's own log has the reason why a step cannot create its child.
  const source = 'steps:\n  - {type: workflow, target: "{{ next }}"}\n'
  await post(`${bank}/workflows`, { code: 'ring', name: 'Ring', source_yaml: source, draft: false })
  const properties = { property_overrides: { next: 'ring' } }
  await runEnded(admin, (await post(`${bank}/workflows/ring/runs`, properties)).id)
  // One does not begin in this century, the other leaves everything that a change leaves.
  await post(`${front}/changes`, { action: 'work', run_at: '2099-01-01T00:00:00Z' })
  assert.equal((await ran(admin, front, 'keep')).attributes.status_code, 'success')
  await giveBackgroundTasks(service)
  await undoAll(admin, url)
}

const oldEvents = { name: 'old events', kind: 'events', cron_schedule: '@yearly', older_than: 'P1Y' }

/** Records that are created, changed and deleted again, for their events. */
async function undoAll(admin: Client, url: string): Promise<void> {
  const post = (path: string, attributes: object) => created(admin.post(path, attributes))
  const gone = async (path: string) => assert.equal((await admin.delete(path)).status, 204, path)
  const remote = await post(`${bank}/git_remotes`, { name: 'passing', url })
  await gone(`${bank}/git_remotes/${remote.id}`)
  await readyVersion(admin, `${bank}/templates/tree/versions/passing`, 'main')
  await gone(`${bank}/templates/tree/versions/passing`)
  const passing = `${bank}/workflows/passing`
  const source_yaml = 'steps:\n  - {target: environments/live/assets/front, action: work}\n'
  await post(`${bank}/workflows`, { code: 'passing', name: 'Passing', source_yaml, draft: false })
  await post(`${passing}/versions`, { source_yaml })
  const scheduled = { workflow_code: 'passing', cron_schedule: '@yearly' }
  const schedule = `/api/scheduled_activities/${(await post(`${bank}/scheduled_activities`, scheduled)).id}`
  assert.equal((await admin.patch(schedule, { time_zone: 'Europe/Berlin' })).status, 200)
  await gone(schedule)
  const cleaning = `/api/data_cleanup_definitions/${(await post('/api/data_cleanup_definitions', oldEvents)).id}`
  assert.equal((await admin.patch(cleaning, { older_than: 'P2Y' })).status, 200)
  await gone(cleaning)
  await gone(passing)
  const run = `/api/workflow_runs/${(await post(`${bank}/workflows/release/runs`, { run_at: '2099-01-01T00:00:00Z' })).id}`
  for (const verb of ['pause', 'resume']) assert.equal((await admin.post(`${run}/${verb}`, {})).status, 200)
  await gone(run)
  const rule = await post('/api/authorisation_rules', { path: '/projects/plain', read: true })
  const policy = await post('/api/authorisation_policies', { name: 'passing' })
  const both = { authorisation_policy_id: policy.id, authorisation_rule_id: rule.id }
  const tie = await post('/api/policy_rules', both)
  const assignment = await post('/api/policy_assignments', { authorisation_policy_id: policy.id, groupname: 'some' })
  await admin.patch(`/api/authorisation_policies/${policy.id}`, { description: 'soon gone' })
  await admin.patch(`/api/authorisation_rules/${rule.id}`, { read: false })
  await gone(`/api/policy_rules/${tie.id}`)
  await gone(`/api/policy_assignments/${assignment.id}`)
  await gone(`/api/authorisation_policies/${policy.id}`)
  await gone(`/api/authorisation_rules/${rule.id}`)
  await post('/api/users', { username: 'passing', password: 'the password of passing' })
  await gone('/api/users/passing')
  const token = await post('/api/tokens', { description: 'passing', expires_at: '2099-01-01T00:00:00Z' })
  await gone(`/api/tokens/${token.id}`)
}

/** Refreshes by request; building images is not implemented yet, but reading such tasks is promised already. */
async function giveBackgroundTasks({ database, as }: TestService): Promise<void> {
  const admin = as('admin')
  const model = await created(admin.post(`${front}/models/generate`))
  await taskWhen(admin, `${front}/node_background_tasks/${model.id}`, 'success')
  const { id } = await created(admin.post(`${front}/node_background_tasks`))
  await taskWhen(admin, `${front}/node_background_tasks/${id}`, 'success')
  await database.count(sql`
    insert into node_background_tasks (task_type, node_id, project_id, path, status_code, pool, created_by, user_id,
                                       template_version_history_id)
    select 'BuildAgentImageTask', n.id, n.project_id, n.path, 'success', 'image_build', 'admin', u.id, h.id
      from users u, nodes n
      join template_version_histories h on h.node_id = n.id and h.active_to is null
     where n.node_type = 'agent' and u.username = 'admin'`)
}

async function states(admin: Client, owner: string, data: object): Promise<void> {
  const { body } = await admin.get(owner)
  const written = await admin.patch(`/api/properties/${body.data.relationships.properties.data.id}`, { data })
  assert.equal(written.status, 200, written.text)
}

/** Table → place of its record. Ids are looked up here, so that tables contain none. */
export async function specimensOf(service: TestService): Promise<Readonly<Record<string, Specimen>>> {
  const admin = service.as('admin')
  const first = async (list: string) => (await admin.get(list)).body?.data?.[0]?.id ?? 'none'
  const documentOf = async (name: string, of: string) =>
    (await admin.get(of)).body.data.relationships[name].data.id as string
  const inBank = { parent: bank, project: bank }
  const ofFront = { parent: front, project: bank }
  const top = { parent: '/api', project: bank }
  const below = async (list: string, more: { parent: string; project: string }) => ({
    show: `${list}/${await first(list)}`,
    list,
    ...more,
  })
  const typed =
    (type: string) =>
    ({ data }: Document) =>
      [data].flat().find(each => each.type === type)
  const owned = (type: string) => (document: Document) =>
    document.included?.find(each => each.type === 'properties_version' && each.attributes['owner_type'] === type)
  const properties = await documentOf('properties', bank)
  const settings = await documentOf('settings', bank)
  const propertiesVersions = `/api/properties_versions?properties_id=${properties}`
  const settingsVersions = `/api/settings_versions?settings_id=${settings}`
  const tasks = `${front}/node_background_tasks`
  const task = await first(tasks)
  const events = '/api/events?filter[node_path_end]=/assets/front&filter[type_start]=api:nodes'
  const lines = `/api/node_background_task_log_lines?node_background_task_id=${task}`
  const converged = { show: `${front}/converged_properties`, ...ofFront, view: true } as const
  const run = `/api/workflow_runs/${await first(`${bank}/workflow_runs`)}`
  const ring = `/api/workflow_runs/${await first(`${bank}/workflows/ring/runs`)}`
  const change = `/api/changes/${await first(`${front}/changes`)}`
  const keeping = await stepAt(admin, change.split('/').at(-1)!, 'keep')
  const waiting = await first(`${front}/changes?filter[action_eq]=work`)
  const ofKeep = { parent: change, project: bank }
  const job = '/api/admin/jobs?filter[job_class_eq]=templates.fetch_version&filter[status_eq]=success'
  const history = { show: `${front}/properties_history`, ...ofFront, view: true } as const
  return {
    project: { show: bank, list: '/api/projects', ...top },
    standard_project: { show: plain, list: '/api/projects', ...top },
    environment: { show: live, list: `${bank}/environments`, ...inBank },
    standard_environment: {
      show: `${plain}/environments/live`,
      list: `${plain}/environments`,
      parent: plain,
      project: plain,
    },
    agent: { show: robot, list: `${bank}/agents`, ...inBank },
    asset: { show: front, list: `${live}/assets`, parent: live, project: bank },
    project_asset: { show: `${bank}/assets/back`, list: `${bank}/assets`, ...inBank },
    bookmark: await below(`${front}/bookmarks`, ofFront),
    git_remote: await below(`${bank}/git_remotes`, inBank),
    template: { show: `${bank}/templates/tree`, list: `${bank}/templates`, ...inBank },
    template_version: { show: `${bank}/templates/tree/versions/1`, list: `${bank}/templates/tree/versions`, ...inBank },
    agent_template_version: {
      show: `${bank}/templates/robot/versions/1`,
      list: `${bank}/templates/robot/versions`,
      ...inBank,
    },
    workflow: { show: `${bank}/workflows/release`, list: `${bank}/workflows`, ...inBank },
    workflow_version: {
      show: `${bank}/workflows/release/versions/1`,
      list: `${bank}/workflows/release/versions`,
      ...inBank,
    },
    workflow_run: { show: run, list: `${bank}/workflow_runs`, ...inBank },
    workflow_step: {
      show: `/api/workflow_steps/${await first(`${run}/steps`)}`,
      list: `${run}/steps`,
      parent: run,
      project: bank,
    },
    change: { show: change, list: `${front}/changes`, ...ofFront },
    step: { show: `/api/steps/${keeping.id}`, list: `${change}/steps`, ...ofKeep },
    step_attempt: {
      show: `${change}/attempts`,
      list: `${change}/attempts`,
      ...ofKeep,
      pick: typed('step_attempt'),
    },
    log_line: {
      show: `${change}/log_lines`,
      list: `${change}/log_lines`,
      ...ofKeep,
      pick: ({ data }) => [data].flat().find(each => each.attributes['message'] === 'said'),
    },
    log_line_of_run: {
      show: `${ring}/log_lines`,
      list: `${ring}/log_lines`,
      parent: ring,
      project: bank,
      pick: typed('log_line'),
    },
    artefact: {
      show: `/api/artefacts/${await first(`${change}/artefacts`)}`,
      list: `${change}/artefacts`,
      ...ofKeep,
    },
    activity: {
      show: '/api/activities?filter[action_eq]=keep',
      list: '/api/activities',
      ...ofKeep,
      pick: typed('activity'),
    },
    waiting_reason: { show: `/api/changes/${waiting}/waiting_reason`, ...ofFront, view: true },
    drain_status: { show: '/api/admin/drain_status', ...top, view: true },
    resource_slot_pool: await below('/api/admin/resource_slots', top),
    job: { show: `/api/admin/jobs/${await first(job)}`, list: '/api/admin/jobs', ...top },
    site: await below('/api/admin/sites', top),
    data_cleanup_definition: await below('/api/data_cleanup_definitions', top),
    template_version_history: await below(`${front}/version_history`, ofFront),
    refresh_actions_task: await below(tasks, ofFront),
    build_image_task: await below(`${robot}/node_background_tasks`, { parent: robot, project: bank }),
    node_background_task_log_line: { show: lines, list: lines, ...top, pick: typed('node_background_task_log_line') },
    agent_status: { show: `${robot}/status`, parent: robot, project: bank },
    model: await below(`${front}/models`, ofFront),
    properties: { show: `/api/properties/${properties}`, ...top },
    properties_version: { show: `/api/properties_versions/${await first(propertiesVersions)}`, ...top },
    settings: { show: `/api/settings/${settings}`, ...top },
    settings_version: { show: `/api/settings_versions/${await first(settingsVersions)}`, ...top },
    converged_properties: converged,
    included_properties_version: { ...converged, pick: owned('Asset') },
    included_template_properties_version: { ...converged, pick: owned('Template version') },
    repository_properties: {
      ...converged,
      pick: ({ included }) => included?.find(each => each.type === 'repository_properties'),
    },
    converged_settings: { show: `${front}/converged_settings`, ...ofFront, view: true },
    properties_history_project: { ...history, pick: typed('project') },
    properties_history_template: { ...history, pick: typed('template') },
    properties_history_asset: { ...history, pick: typed('asset') },
    scheduled_change: await below('/api/scheduled_activities', ofFront),
    system_configuration: { show: '/api/system_configuration', ...top, view: true },
    user: { show: '/api/users/admin', list: '/api/users', ...top },
    group: await below('/api/groups', top),
    token: await below('/api/tokens', top),
    session: await below('/api/tokens/sessions', top),
    authorisation_policy: await below('/api/authorisation_policies', top),
    authorisation_rule: await below('/api/authorisation_rules', top),
    policy_rule: await below('/api/policy_rules', top),
    policy_assignment: await below('/api/policy_assignments', top),
    event: { show: `/api/events/${await first(events)}`, list: events, ...top },
    info: { show: '/api/info', ...top, view: true },
  }
}
