import Type from 'typebox'
import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { actionObjects } from '#authoring/actions/action-tree.ts'
import { fromJson } from '#json/from-json.ts'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { nodeByPath, nodePathOf, pathsOfType } from '../nodes/index.ts'
import { taskStatuses, taskTypes } from './background-task.ts'

const places = [...pathsOfType.asset, ...pathsOfType.agent].map(path => `/api${path}/node_background_tasks`)

/** JSON:API resource of background work on an asset or agent: refreshing its actions, building its image. */
export const backgroundTaskResource: Resource = {
  type: 'node_background_task',
  describe: 'Background task on an asset or agent.',
  from: sql`node_background_tasks b join nodes n on n.id = b.node_id`,
  id: sql`b.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: places.map(path => ({
    path,
    parent: nodeByPath,
    scope: (parent, query) =>
      query['all_versions'] === 'true'
        ? sql<boolean>`b.node_id = ${parent.id}::uuid`
        : sql<boolean>`b.node_id = ${parent.id}::uuid and b.template_version_history_id in (
            select now.id from template_version_histories now where now.node_id = ${parent.id}::uuid and now.active_to is null)`,
    parameters: {
      all_versions: {
        schema: Type.Boolean(),
        describe: 'Includes those of template versions that the node had before.',
      },
    },
  })),
  shows: places.map(path => ({
    path: `${path}/:id`,
    find: params => sql<boolean>`b.id = ${params['id']}::uuid and n.path = ${nodePathOf(params)}`,
  })),
  columns: {
    request_number: {
      kind: 'integer',
      sql: sql`b.request_number`,
      describe: 'In the requested order.',
    },
    task_type: column.oneOf(sql`b.task_type`, taskTypes, 'Description.'),
    status_code: column.oneOf(sql`b.status_code`, taskStatuses, 'initializing, running, success, error or cancelled.'),
    error_message: { kind: 'text', sql: sql`b.error_message`, nullable: true, long: true, describe: 'Error message.' },
    created_by: { kind: 'text', sql: sql`b.created_by`, describe: 'User who requested it.' },
    actions: {
      kind: 'json',
      sql: sql`(select k.actions from action_catalogues k where k.id = b.catalogue_id and k.state = 'ready')`,
      showOnly: true,
      describe: 'Actions found; empty until it has succeeded.',
      schema: Type.Array(Type.Object({}, { additionalProperties: true })),
      when: row => row['type_of_task'] === 'GenerateActionsRequest',
      read: text => (text === null ? [] : actionObjects(fromJson(text as string) as ActionCatalogue)),
    },
    created_at: { kind: 'time', sql: sql`b.created_at`, describe: 'When it was requested.' },
    updated_at: { kind: 'time', sql: sql`b.updated_at`, describe: 'When it was last updated.' },
  },
  joins: {
    h: sql`left join template_version_histories h on h.id = b.template_version_history_id`,
    v: sql`left join template_versions v on v.id = coalesce(b.template_version_id, h.template_version_id)`,
    t: sql`left join templates t on t.id = v.template_id`,
  },
  extra: {
    node_path: sql`n.path`,
    node_type: sql`n.node_type`,
    template_path: sql`t.path`,
    version: sql`v.version`,
    type_of_task: sql`b.task_type`,
  },
  relationships: {
    template_version_history: {
      kind: 'one',
      type: 'template_version_history',
      sql: sql`b.template_version_history_id`,
      paths: 'own',
      describe: 'Version history entry of the node at the time of the request.',
    },
    owner: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', n.id, 'type', n.node_type)`,
      paths: 'own',
      describe: 'The asset or agent.',
      related: row => `/api${row['node_path']}`,
    },
  },
  links: row => ({
    ...(row['version'] !== null && {
      template_version: `/api${row['template_path']}/versions/${encodeURIComponent(String(row['version']))}`,
    }),
    self: `/api${row['node_path']}/node_background_tasks/${row.id}`,
    [String(row['node_type'])]: `/api${row['node_path']}`,
    log_lines: `/api/node_background_task_log_lines?node_background_task_id=${row.id}`,
  }),
  named: createdByCaller(sql`b.user_id`),
  rights: { projectId: sql`b.project_id`, path: sql`b.path` },
  rowVersion: sql<number>`b.row_version`,
}
