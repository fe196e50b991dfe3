import { fromJson } from '#json/from-json.ts'
import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { missing } from '#platform/failure.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column, ListRoute, Resource, Row } from '#platform/jsonapi/resource.ts'
import { activityColumns, activityExtras, activityFilters, metadataColumns, movesOfActivity } from '../changes/index.ts'
import { capabilitiesOf, type Node, nodeByPath } from '../nodes/index.ts'
import { relationshipsWithSteps } from '../steps/index.ts'
import { runAad, runPath } from './run.ts'

/** JSON:API resource of a workflow run: the row of `workflow_runs` with the activity that it extends. */
export const workflowRunResource = (keyring: Keyring): Resource => ({
  type: 'workflow_run',
  describe: 'A run of a version of a workflow, as a tree of steps.',
  id: sql`a.id`,
  from: sql`workflow_runs r join activities a on a.id = r.id join nodes n on n.id = a.node_id`,
  // Among a thousand times as many changes, runs have indexes of their own.
  where: sql<boolean>`a.kind = 'workflow_run' and n.destroyed_at is null`,
  lists: [{ path: '/api/workflow_runs' }, runsOfProject, runsOfWorkflow],
  shows: [{ path: '/api/workflow_runs/:id', find: ({ id }) => sql`a.id = ${id}::uuid` }],
  columns: {
    ...activityColumns,
    workflow_code: column.text(sql`r.workflow_code`, 'Code of the workflow that it runs.'),
    version: column.integer(sql`r.version`, 'The version of the workflow.'),
    name: column.text(sql`r.name`, 'Name of the workflow when it was made.'),
    metadata: column.json(sql`r.metadata`, 'Metadata attached by its creator.'),
    scheduled: column.boolean(sql`(r.scheduled_activity_id is not null)`, 'Whether a schedule created it.'),
    skip_steps: column.json(sql`to_jsonb(r.skip_steps)`, 'Globs of the names of steps to skip.'),
    property_overrides: overridesOfRun(keyring, sql`r.property_overrides`),
  },
  dynamic: metadataColumns(sql`r.metadata`),
  extra: {
    project_path: sql`n.path`,
    ...activityExtras(isRunRetried),
  },
  named: activityFilters(sql`s.path || '/workflows/' || r.workflow_code`),
  relationships: {
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`a.project_id`,
      paths: 'own',
      describe: 'The project of its workflow.',
      related: row => `/api${row['project_path']}`,
    },
    workflow: {
      kind: 'one',
      type: 'workflow',
      sql: sql`r.workflow_id`,
      paths: row => [workflowOf(row)],
      describe: 'The workflow that it runs.',
      related: row => `/api${workflowOf(row)}`,
    },
    workflow_version: {
      kind: 'one',
      type: 'workflow_version',
      sql: sql`r.workflow_version_id`,
      paths: row => [workflowOf(row)],
      describe: 'The version of it.',
      related: row => `/api${workflowOf(row)}/versions/${row['version']}`,
    },
    ...relationshipsWithSteps('workflow_step', 'The top of its tree.'),
    retry_of: {
      kind: 'one',
      type: 'workflow_run',
      sql: sql`r.retry_of`,
      paths: 'own',
      describe: 'The run that it is a retry of.',
    },
    parent_step: {
      kind: 'one',
      type: 'workflow_step',
      sql: sql`a.workflow_step_id`,
      // Runs create runs of their own project.
      paths: 'own',
      describe: 'The step of another run that made it.',
    },
    scheduled_activity: {
      kind: 'one',
      type: 'scheduled_workflow',
      sql: sql`r.scheduled_activity_id`,
      paths: row => [`${row['project_path']}/scheduled_activities`],
      describe: 'The schedule that made it.',
    },
  },
  links: row => ({
    self: `/api/workflow_runs/${row.id}`,
    project: `/api${row['project_path']}`,
    workflow: `/api${workflowOf(row)}`,
    steps: `/api/workflow_runs/${row.id}/steps`,
    log_lines: `/api/workflow_runs/${row.id}/log_lines`,
  }),
  meta: (row, { actor }) => ({ can: movesForRun(row, actor) }),
  // Searches the metadata and overrides.
  large: 'seldom',
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { projectId: sql`a.project_id`, path: sql`a.path` },
  rowVersion: sql<number>`a.row_version`,
})

export const overridesOfRun = (keyring: Keyring, sealed: Sql): Column => ({
  ...column.opaque(sealed, 'Overrides of the properties of its project.'),
  read: (bytes, _, { id }) => fromJson(keyring.openText(bytes as Buffer, runAad(id, 'property_overrides'))),
})

export const isRunRetried = sql<boolean>`
  exists (select from workflow_runs again join activities t on t.id = again.id where again.retry_of = a.id and not t.final)`

const runsOfProject: ListRoute = {
  path: '/api/projects/:project_code/workflow_runs',
  parent: params => nodeByPath(params),
  refuse: parent => (capabilitiesOf(parent as unknown as Node).can_have_workflows ? undefined : missing()),
  scope: parent => sql<boolean>`a.node_id = ${parent.id}::uuid`,
}

const runsOfWorkflow: ListRoute = {
  path: '/api/projects/:project_code/workflows/:workflow_code/runs',
  parent: ({ workflow_code = '', ...params }) => sql`
    select w.id, n.path || '/workflows/' || w.code as path, n.id as project_id
      from (${nodeByPath(params)}) n
      join workflows w on w.project_id = n.id and w.code = ${workflow_code}`,
  scope: parent => sql<boolean>`r.workflow_id = ${parent.id}::uuid`,
}

/** Moves that this caller may make with it now, so that clients need not repeat the rules. */
export function movesForRun(row: Row, actor: Actor): string[] {
  return actor.rights.may('execute', workflowOf(row)) ? movesOfActivity(row) : []
}

const workflowOf = (row: Row): string => runPath(String(row['project_path']), String(row['workflow_code']))
