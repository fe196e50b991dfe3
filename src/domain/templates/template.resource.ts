import Type from 'typebox'
import { type Sql, sql } from '#platform/db/sql.ts'
import { missing } from '#platform/failure.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import { truth } from '#platform/jsonapi/kinds.ts'
import {
  type Column,
  type ListRoute,
  mostRelated,
  type Relationship,
  type Resource,
} from '#platform/jsonapi/resource.ts'
import { capabilitiesOf, type Node, nodeByPath } from '../nodes/index.ts'
import { templateByPath, templateNamed } from './template.store.ts'

const list = '/api/projects/:project_code/templates'

/**
 * Nodes of a template as JSON; as with the children of a node, `offset 0` keeps rights and other conditions out of the
 * index lookups.
 */
const nodesWhere = (which: Sql): Sql => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', made.id, 'type', made.node_type) order by made.created_at, made.id), '[]')
     from (select n.id, n.node_type, n.created_at
             from (select h.node_id from template_version_histories h
                    where h.template_id = t.id and h.active_to is null
                    order by h.node_id
                   offset 0) h
            cross join lateral (select own.* from nodes own where own.id = h.node_id offset 0) n
            where ${which}
            order by h.node_id
            limit ${sql.raw(String(mostRelated + 1))}) made)`

const nodesOf = (which: Sql): Relationship => ({
  kind: 'many',
  type: 'any',
  sql: nodesWhere(which),
  bounded: ({ visible }) =>
    nodesWhere(sql`${which} and ${visible({ projectId: sql`n.project_id`, path: sql`n.path` })}`),
  describe: 'The nodes that are made from it now, a thousand at most; lists with filter[template_code_eq] have all.',
})

const withoutArchived = {
  parameters: {
    exclude_archived_nodes: { schema: Type.Boolean(), describe: 'Excludes archived nodes from `nodes`.' },
  },
  otherwise: query =>
    truth(String(query['exclude_archived_nodes']))
      ? { nodes: nodesOf(sql`n.destroyed_at is null and not n.archived`) }
      : undefined,
} as const satisfies Pick<ListRoute, 'parameters' | 'otherwise'>

/** JSON:API resource of a template: a folder of a repository, in versions, from which nodes are made. */
export const templateResource: Resource = {
  type: 'template',
  describe: 'Template of assets or agents: a folder of a repository, in versions.',
  // `t` is the template: extensions use this alias.
  from: sql`templates t join nodes p on p.id = t.project_id`,
  id: sql`t.id`,
  where: sql<boolean>`p.destroyed_at is null`,
  lists: [
    { path: '/api/templates', ...withoutArchived },
    {
      path: list,
      ...withoutArchived,
      parent: nodeByPath,
      scope: parent => sql<boolean>`t.project_id = ${parent.id}::uuid`,
      refuse: parent => (capabilitiesOf(parent as unknown as Node).can_have_templates ? undefined : missing()),
    },
  ],
  shows: [
    {
      path: `${list}/:template_id`,
      ...withoutArchived,
      find: params =>
        sql<boolean>`p.path = ${`/projects/${params['project_code']}`} and ${templateNamed(params['template_id'] ?? '')}`,
    },
  ],
  columns: {
    code: { kind: 'text', sql: sql`t.code`, describe: 'Its folder in the repository.' },
    name: { kind: 'text', sql: sql`t.name`, describe: 'Display name.' },
    description: { kind: 'text', sql: sql`t.description`, nullable: true, describe: 'Description.' },
    archived: { kind: 'boolean', sql: sql`t.archived`, describe: 'Archived: kept, accepts nothing new.' },
    disabled: {
      kind: 'boolean',
      sql: sql`t.disabled`,
      describe: 'Whether it accepts no new nodes and no new versions.',
    },
    template_type: column.oneOf(
      sql`t.template_type`,
      ['asset', 'agent'],
      'Type of nodes created from it: asset or agent.',
    ),
    git_remote_name: {
      kind: 'text',
      sql: sql`(select r.name from git_remotes r where r.id = t.git_remote_id)`,
      describe: 'Git remote of its versions.',
    },
    created_at: { kind: 'time', sql: sql`t.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`t.updated_at`, describe: 'When it was last updated.' },
  },
  extra: { path: sql`t.path`, project_path: sql`p.path` },
  relationships: {
    git_remote: {
      kind: 'one',
      type: 'git_remote',
      sql: sql`t.git_remote_id`,
      paths: (row, named) => named.map(({ id }) => `${row['project_path']}/git_remotes/${id}`),
      describe: 'Where new commits of its versions come from.',
    },
    template_versions: {
      kind: 'many',
      type: 'template_version',
      sql: sql`array(select v.id from template_versions v where v.template_id = t.id order by v.created_at, v.id)`,
      describe: 'Its versions, oldest first.',
      related: row => `${self(row)}/versions`,
    },
    nodes: nodesOf(sql`n.destroyed_at is null`),
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`t.project_id`,
      paths: row => [String(row['project_path'])],
      describe: 'Its project.',
      related: row => `/api${row['project_path']}`,
    },
  },
  links: row => ({
    self: self(row),
    template_versions: `${self(row)}/versions`,
    project: `/api${row['project_path']}`,
  }),
  meta: (row, { actor }) => ({
    authorisations: {
      update: actor.rights.may('update', `${row['project_path']}/templates/${row['code']}`),
      delete: actor.rights.may('delete', `${row['project_path']}/templates/${row['code']}`),
    },
  }),
  rights: { projectId: sql`t.project_id`, path: sql`t.path` },
  rowVersion: sql<number>`t.row_version`,
}

const self = (row: { readonly [name: string]: unknown }): string =>
  `/api${row['project_path']}/templates/${row['code']}`

/** JSON:API resource of a template version: a fixed state of a template, with its commit. */
export const templateVersionResource: Resource = {
  type: 'template_version',
  describe: 'A version of a template: a revision of its repository and the commit that it resolves to.',
  // `v` is the version: extensions use this alias.
  from: sql`template_versions v
            join templates t on t.id = v.template_id
            join git_remotes r on r.id = v.git_remote_id
            join nodes p on p.id = v.project_id`,
  id: sql`v.id`,
  where: sql<boolean>`p.destroyed_at is null`,
  lists: [
    {
      path: `${list}/:template_id/versions`,
      parent: templateByPath,
      scope: parent => sql<boolean>`v.template_id = ${parent.id}::uuid`,
    },
  ],
  shows: [
    {
      path: `${list}/:template_id/versions/:version`,
      find: params => sql<boolean>`
        p.path = ${`/projects/${params['project_code']}`}
        and ${templateNamed(params['template_id'] ?? '')}
        and v.version = ${params['version'] ?? ''}`,
    },
  ],
  columns: {
    version: { kind: 'text', sql: sql`v.version`, describe: 'Name.' },
    description: { kind: 'text', sql: sql`v.description`, describe: 'Result of the task.' },
    state: column.oneOf(sql`v.state`, ['initializing', 'ready', 'broken'], 'initializing, ready or broken.'),
    created_by: { kind: 'text', sql: sql`v.created_by`, describe: 'User who created it.' },
    archived: { kind: 'boolean', sql: sql`v.archived`, describe: 'Archived: kept, cannot be assigned to a node.' },
    initialization_error: text(
      sql`v.initialization_error`,
      'Why it is broken: one line for each error, with its position.',
    ),
    locked: { kind: 'boolean', sql: sql`v.locked`, describe: 'Whether its commit is fixed.' },
    float_git_rev: { kind: 'boolean', sql: sql`v.float_git_rev`, describe: 'Whether it follows its branch or tag.' },
    float_refresh_error: text(
      sql`v.float_refresh_error`,
      'Reason why it could not follow its revision; it keeps its commit.',
    ),
    created_at: { kind: 'time', sql: sql`v.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`v.updated_at`, describe: 'When it was last updated.' },
    has_model: {
      kind: 'boolean',
      // An attribute that is absent is null: filters and sorts see what a response shows.
      sql: sql`case when t.template_type = 'asset' then v.has_model end`,
      nullable: true,
      schema: Type.Boolean(),
      describe: 'Whether its folder contains a model.',
      when: row => row['type_of_template'] === 'asset',
    },
    git_rev: { kind: 'text', sql: sql`v.git_rev`, describe: 'Branch, tag or commit.' },
    commit_sha: text(sql`v.commit_sha`, 'Commit that it resolves to; null before the first fetch.'),
    git_remote_name: { kind: 'text', sql: sql`r.name`, describe: 'Git remote that it is fetched from.' },
  },
  extra: {
    path: sql`t.path`,
    template_code: sql`t.code`,
    type_of_template: sql`t.template_type`,
    project_path: sql`p.path`,
  },
  relationships: {
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`v.project_id`,
      paths: row => [String(row['project_path'])],
      describe: 'The project of its template.',
      related: row => `/api${row['project_path']}`,
    },
    template: {
      kind: 'one',
      type: 'template',
      sql: sql`v.template_id`,
      paths: 'own',
      describe: 'What it is a version of.',
      related: row => templateOf(row),
    },
    pending_commit: {
      kind: 'one',
      type: 'any',
      sql: sql`case when v.pending_commit is not null then jsonb_build_object('id', v.pending_commit, 'type', 'git_commit') end`,
      paths: 'own',
      describe: 'The commit that it is about to move to.',
    },
  },
  links: row => ({
    self: `${templateOf(row)}/versions/${encodeURIComponent(String(row['version']))}`,
    template: templateOf(row),
  }),
  named: createdByCaller(sql`v.user_id`),
  rights: { projectId: sql`t.project_id`, path: sql`t.path` },
  rowVersion: sql<number>`v.row_version`,
}

const templateOf = (row: { readonly [name: string]: unknown }): string =>
  `/api${row['project_path']}/templates/${row['template_code']}`

function text(expression: Sql, describe: string): Column {
  return { kind: 'text', sql: expression, nullable: true, describe }
}
