import { sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import { mostRelated, type Resource, type Row } from '#platform/jsonapi/resource.ts'
import { nodeByPath, nodePathOf, pathsOfType } from '../nodes/index.ts'

const places = [...pathsOfType.asset, ...pathsOfType.agent].map(path => `/api${path}/version_history`)

/** Background tasks of one period of a version that follows a branch; there may be thousands of periods. */
const tasksOfTime = sql`
  array(select b.id from node_background_tasks b where b.template_version_history_id = h.id
         order by b.request_number desc limit ${sql.raw(String(mostRelated + 1))})`

/** JSON:API resource of a period in which an asset or agent had a version of its template. */
export const versionHistoryResource: Resource = {
  type: 'template_version_history',
  describe: 'A period in which an asset or agent had one version of its template.',
  from: sql`template_version_histories h
            join nodes n on n.id = h.node_id
            join nodes p on p.id = h.project_id
            join templates t on t.id = h.template_id
            join template_versions v on v.id = h.template_version_id`,
  id: sql`h.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: places.map(path => ({
    path,
    parent: nodeByPath,
    scope: parent => sql<boolean>`h.node_id = ${parent.id}::uuid`,
  })),
  shows: places.map(path => ({
    path: `${path}/:id`,
    find: params => sql<boolean>`h.id = ${params['id']}::uuid and n.path = ${nodePathOf(params)}`,
  })),
  columns: {
    created_by: { kind: 'text', sql: sql`h.created_by`, describe: 'User who assigned this version.' },
    active_from: { kind: 'time', sql: sql`h.active_from`, describe: 'Start of the period, inclusive.' },
    active_to: { kind: 'time', sql: sql`h.active_to`, nullable: true, describe: 'End of the period; null: current.' },
  },
  extra: {
    node_path: sql`n.path`,
    node_type: sql`n.node_type`,
    project_path: sql`p.path`,
    template_code: sql`t.code`,
    version: sql`v.version`,
  },
  relationships: {
    owner: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', n.id, 'type', n.node_type)`,
      paths: 'own',
      describe: 'The asset or agent.',
      related: row => `/api${row['node_path']}`,
    },
    template_version: {
      kind: 'one',
      type: 'template_version',
      sql: sql`h.template_version_id`,
      paths: row => [templatePathOf(row)],
      describe: 'The version that it had.',
      related: row => versionLink(row),
    },
    node_background_tasks: {
      kind: 'many',
      type: 'node_background_task',
      sql: tasksOfTime,
      bounded: () => tasksOfTime,
      describe: 'Background tasks of that time, newest first, a thousand at most; their list has all.',
    },
  },
  links: row => ({
    template_version: versionLink(row),
    self: `/api${row['node_path']}/version_history/${row.id}`,
    [String(row['node_type'])]: `/api${row['node_path']}`,
  }),
  included: ['owner', 'template_version'],
  defaultSort: [{ column: 'active_from', direction: 'desc' }],
  named: createdByCaller(sql`h.user_id`),
  rights: { projectId: sql`h.project_id`, path: sql`h.path` },
}

const templatePathOf = (row: Row): string => `${row['project_path']}/templates/${row['template_code']}`

const versionLink = (row: Row): string =>
  `/api${templatePathOf(row)}/versions/${encodeURIComponent(String(row['version']))}`
