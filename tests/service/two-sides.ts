import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, eventsOf, readyVersion, stepsOf, taskWhen } from '../support/changes.ts'
import type { TestService } from '../support/service.ts'
import { runEnded } from '../support/workflows.ts'

/** Two projects of the same shape: a user has all rights on `orchard`, and none on `quarry`. */
export type Side = 'orchard' | 'quarry'

const actions = `
actions:
  work:
    description: Leaves a line and a file
    run: echo done; echo kept >"$SLUICE_ARTEFACTS/file"
`

/** Every kind of record in a project, below names that nothing else has. */
export async function buildSide(service: TestService, side: Side): Promise<void> {
  const admin = service.as('admin')
  const repository = await service.repository({
    'tree/actions.yaml': actions,
    'tree/model.json.erb': '{"actions": []}',
    'robot/actions.yaml': actions,
  })
  const project = `/api/projects/${side}`
  const post = (path: string, attributes: object) => created(admin.post(path, attributes))
  await post('/api/projects', { code: side, name: `The ${side}` })
  await post(`${project}/environments`, { code: 'live', name: `Live of the ${side}` })
  await post(`${project}/git_remotes`, { name: 'code', url: repository.url })
  for (const [code, template_type] of [
    ['tree', 'asset'],
    ['robot', 'agent'],
  ] as const) {
    await post(`${project}/templates`, { code, name: code, template_type, git_remote_name: 'code' })
    await readyVersion(admin, `${project}/templates/${code}/versions/1`, 'main')
  }
  const tree = { template_code: 'tree', template_version: '1' }
  await post(`${project}/environments/live/assets`, { code: 'front', name: `Front of the ${side}`, ...tree })
  await post(`${project}/assets`, { code: 'front', name: `Back of the ${side}`, ...tree })
  await post(`${project}/agents`, {
    code: 'helper',
    name: `Helper of the ${side}`,
    template_code: 'robot',
    template_version: '1',
  })
  for (const path of nodes) await post(`/api${path(side)}/bookmarks`, { description: `A page of the ${side}` })
  const source_yaml = 'steps:\n  - {target: environments/live/assets/front, action: work}\n'
  await post(`${project}/workflows`, { code: 'release', name: `Release of the ${side}`, source_yaml })
  const change = await post(`${project}/environments/live/assets/front/changes`, { action: 'work' })
  const end = await ended(admin, change.id)
  assert.equal(end.attributes.status_code, 'success', end.attributes.error_message)
  // Disabled, because it would block archiving its node.
  const scheduled = { action: 'work', cron_schedule: '@yearly', enabled: false }
  await post(`${project}/environments/live/assets/front/scheduled_activities`, scheduled)
  await giveRun(service, side)
  await giveBackgroundTasks(service, side)
}

/** A workflow of its own: the version of the other is a draft, which a test may be refused to change. */
async function giveRun(service: TestService, side: Side): Promise<void> {
  const admin = service.as('admin')
  const workflows = `/api/projects/${side}/workflows`
  const source_yaml = 'steps: [{ target: environments/live/assets/front, action: work }]'
  const routine = { code: 'routine', name: `Routine of the ${side}`, source_yaml, draft: false }
  await created(admin.post(workflows, routine))
  const { id } = await created(admin.post(`${workflows}/routine/runs`, {}))
  const end = await runEnded(admin, id)
  assert.equal(end.attributes.status_code, 'success', end.attributes.error_message)
}

/** Refreshes by request; building images is not implemented yet, but reading such tasks is promised already. */
async function giveBackgroundTasks(service: TestService, side: Side): Promise<void> {
  const admin = service.as('admin')
  for (const asset of [`${side}/environments/live/assets/front`, `${side}/assets/front`]) {
    const tasks = `/api/projects/${asset}/node_background_tasks`
    await taskWhen(admin, `${tasks}/${(await created(admin.post(tasks))).id}`, 'success')
    const generating = await created(admin.post(`/api/projects/${asset}/models/generate`))
    await taskWhen(admin, `${tasks}/${generating.id}`, 'success')
  }
  await service.database.count(sql`
    insert into node_background_tasks (task_type, node_id, project_id, path, status_code, pool, created_by,
                                       template_version_history_id)
    select 'BuildAgentImageTask', n.id, n.project_id, n.path, 'success', 'image_build', 'test', h.id
      from nodes n join template_version_histories h on h.node_id = n.id and h.active_to is null
     where n.path = ${`/projects/${side}/agents/helper`}`)
}

const nodes = [
  (side: Side) => `/projects/${side}`,
  (side: Side) => `/projects/${side}/environments/live`,
  (side: Side) => `/projects/${side}/environments/live/assets/front`,
  (side: Side) => `/projects/${side}/assets/front`,
  (side: Side) => `/projects/${side}/agents/helper`,
]

/** Values of path parameters on each side, if their name is sufficient. */
export const codes: Readonly<Record<string, (side: Side, path: string) => string>> = {
  project_code: side => side,
  environment_code: () => 'live',
  asset_code: () => 'front',
  agent_code: () => 'helper',
  template_id: () => 'tree',
  workflow_code: () => 'release',
  version: () => '1',
  username: side => `the keeper of the ${side}`,
}

/** Ids of one record of each top-level collection, by the collection's name. */
export async function idsOf(service: TestService, side: Side): Promise<Record<string, string>> {
  const admin = service.as('admin')
  const keeper = service.as(`the keeper of the ${side}`)
  const change = await first(admin, `/api/projects/${side}/environments/live/assets/front/changes`)
  const [step] = await stepsOf(admin, change)
  const run = await first(admin, `/api/projects/${side}/workflow_runs`)
  const project = (await admin.get(`/api/projects/${side}`)).body.data
  const { properties, settings } = project.relationships
  const inPolicies = await admin.get(`/api/authorisation_policies?filter[name_cont]=${side}`)
  const [policy] = inPolicies.body.data
  const at = async (path: string): Promise<string> => (await admin.get(`/api/projects/${side}${path}`)).body.data.id
  return {
    environments: await at('/environments/live'),
    assets: await at('/environments/live/assets/front'),
    agents: await at('/agents/helper'),
    changes: change,
    steps: step!.id,
    workflow_runs: run,
    workflow_steps: await first(admin, `/api/workflow_runs/${run}/steps`),
    node_background_tasks: await first(admin, `/api/projects/${side}/assets/front/node_background_tasks`),
    node_background_task: await first(admin, `/api/projects/${side}/assets/front/node_background_tasks`),
    scheduled_activities: await first(
      admin,
      `/api/projects/${side}/environments/live/assets/front/scheduled_activities`,
    ),
    artefacts: await first(admin, `/api/changes/${change}/artefacts`),
    events: (await eventsOf(admin, change))[0]!.id,
    properties: properties.data.id,
    settings: settings.data.id,
    properties_versions: await first(admin, `/api/properties_versions?properties_id=${properties.data.id}`),
    settings_versions: await first(admin, `/api/settings_versions?settings_id=${settings.data.id}`),
    authorisation_policies: policy.id,
    authorisation_rules: policy.relationships.authorisation_rules.data[0].id,
    policy_rules: await first(admin, `/api/policy_rules?filter[authorisation_policy_id_eq]=${policy.id}`),
    policy_assignments: policy.relationships.policy_assignments.data[0].id,
    tokens: await first(keeper, '/api/tokens'),
    sessions: await aSession(keeper),
    saved_views: await aView(keeper),
    groups: await aGroup(service),
    data_cleanup_definitions: await aDefinition(admin),
  }
}

/** Groups of a directory, which belong to no project; `directory.db.test.ts` reads a real one. */
async function aGroup({ database }: TestService): Promise<string> {
  const group = await database.one(sql<{ id: string }>`
    insert into directory_groups (groupname) values ('operators')
    on conflict (groupname) do update set groupname = excluded.groupname
    returning id`)
  return group!.id
}

/** Retention rules, which belong to no project. */
async function aDefinition(admin: Client): Promise<string> {
  const kept = { name: 'old jobs', kind: 'jobs', cron_schedule: '@yearly', older_than: 'P10Y', enabled: false }
  return (await created(admin.post('/api/data_cleanup_definitions', kept))).id
}

/** Session of a keeper. */
async function aSession(keeper: Client): Promise<string> {
  const { body } = await keeper.get('/api/tokens/sessions?filter[mine]=true')
  return body.data[0]?.id ?? (await created(keeper.post('/api/tokens/session'))).id
}

/** Saved view of a keeper; a private one unless they have one already. */
async function aView(keeper: Client): Promise<string> {
  const { body } = await keeper.get('/api/saved_views?filter[mine]=true')
  const view = { name: 'a view', list: 'activities', query: 'filter[active]=true' }
  return body.data[0]?.id ?? (await created(keeper.post('/api/saved_views', view))).id
}

async function first(client: Client, path: string): Promise<string> {
  const { body } = await client.get(path)
  assert.ok(body.data.length > 0, `${path} is empty`)
  return body.data[0].id
}
