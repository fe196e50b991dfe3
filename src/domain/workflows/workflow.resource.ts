import Type from 'typebox'
import type { Keyring } from '#platform/crypto/index.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { versionNumber } from '#platform/documents/document.resource.ts'
import { missing } from '#platform/failure.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource, Row } from '#platform/jsonapi/resource.ts'
import { capabilitiesOf, type Node, nodeByPath } from '../nodes/index.ts'
import { shownSteps } from './shown-steps.ts'
import { openParsed, openSource, workflowByPath, workflowNamed } from './workflow.store.ts'

const list = '/api/projects/:project_code/workflows'
const notDestroyed = sql<boolean>`p.destroyed_at is null`
const byPath = (params: Readonly<Record<string, string>>): Sql<boolean> =>
  sql<boolean>`p.path = ${`/projects/${params['project_code']}`} and ${workflowNamed(params['workflow_code'] ?? '')}`

/** JSON:API resource of a workflow of a project: several steps on several nodes, in versions. */
export const workflowResource: Resource = {
  type: 'workflow',
  describe: 'A versioned sequence of changes on several nodes, waits and other workflows.',
  // `w` is the workflow: extensions use this alias.
  from: sql`workflows w join nodes p on p.id = w.project_id`,
  id: sql`w.id`,
  where: notDestroyed,
  lists: [
    { path: '/api/workflows' },
    {
      path: list,
      parent: nodeByPath,
      scope: parent => sql<boolean>`w.project_id = ${parent.id}::uuid`,
      refuse: parent => (capabilitiesOf(parent as unknown as Node).can_have_workflows ? undefined : missing()),
    },
  ],
  shows: [{ path: `${list}/:workflow_code`, find: byPath }],
  columns: {
    code: { kind: 'text', sql: sql`w.code`, describe: 'Code in paths; cannot be changed.' },
    name: { kind: 'text', sql: sql`w.name`, describe: 'Display name.' },
    description: { kind: 'text', sql: sql`w.description`, nullable: true, describe: 'Description.' },
    draft: {
      kind: 'boolean',
      sql: sql`(w.latest_version is distinct from w.latest_published_version)`,
      describe: 'Whether its newest version is a draft.',
    },
    archived: { kind: 'boolean', sql: sql`w.archived`, describe: 'Archived: kept, can no longer run.' },
    latest_version: { kind: 'integer', sql: sql`w.latest_version`, describe: 'Number of its newest version, from 1.' },
    latest_published_version: {
      kind: 'integer',
      sql: sql`w.latest_published_version`,
      nullable: true,
      describe: 'Number of the version that runs by default.',
    },
    created_by: { kind: 'text', sql: sql`w.created_by`, describe: 'User who created it.' },
    created_at: { kind: 'time', sql: sql`w.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`w.updated_at`, describe: 'When it was last updated.' },
  },
  extra: { project_path: sql`p.path`, workflow_path: sql`w.path` },
  relationships: {
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`w.project_id`,
      paths: row => [String(row['project_path'])],
      describe: 'Its project.',
      related: row => `/api${row['project_path']}`,
    },
    versions: {
      kind: 'many',
      type: 'workflow_version',
      sql: sql`array(select v.id from workflow_versions v where v.workflow_id = w.id order by v.version)`,
      describe: 'Its versions, oldest first.',
      related: row => `${self(row)}/versions`,
      showOnly: true,
    },
  },
  links: row => ({ self: self(row), versions: `${self(row)}/versions`, project: `/api${row['project_path']}` }),
  meta: (row, { actor }) => {
    const may = (right: 'update' | 'execute' | 'delete') => actor.rights.may(right, String(row['workflow_path']))
    return { authorisations: { update: may('update'), execute: may('execute'), delete: may('delete') } }
  },
  named: createdByCaller(sql`w.user_id`),
  rights: { projectId: sql`w.project_id`, path: sql`w.path` },
  rowVersion: sql<number>`w.row_version`,
}

const self = (row: Readonly<Record<string, unknown>>): string => `/api${row['workflow_path']}`

/** JSON:API resource of a version of a workflow: a draft until it is published, and never changed after that. */
export const workflowVersionResource = (keyring: Keyring): Resource => ({
  type: 'workflow_version',
  describe: 'A version of a workflow: its source and the steps parsed from it.',
  from: sql`workflow_versions v join workflows w on w.id = v.workflow_id join nodes p on p.id = w.project_id`,
  id: sql`v.id`,
  where: notDestroyed,
  lists: [
    {
      path: `${list}/:workflow_code/versions`,
      parent: workflowByPath,
      scope: parent => sql<boolean>`v.workflow_id = ${parent.id}::uuid`,
    },
  ],
  shows: [
    {
      path: `${list}/:workflow_code/versions/:version`,
      find: params => sql<boolean>`${byPath(params)} and v.version = ${versionNumber(params['version'])}`,
    },
  ],
  columns: {
    version: { kind: 'integer', sql: sql`v.version`, describe: 'Its number, from 1.' },
    draft: {
      kind: 'boolean',
      sql: sql`(v.published_at is null)`,
      describe: 'Whether it is a draft, which can be edited but not run.',
    },
    source_yaml: {
      kind: 'opaque',
      sql: sql`v.source_yaml`,
      showOnly: true,
      schema: Type.String(),
      describe: 'Source as written. Stored encrypted.',
      read: (sealed, _, row) => openSource(keyring, { id: row.id, source_yaml: sealed as Buffer }),
    },
    steps: {
      kind: 'opaque',
      sql: sql`v.parsed`,
      showOnly: true,
      nullable: true,
      schema: Type.Union([Type.Array(Type.Object({}, { additionalProperties: true })), Type.Null()]),
      describe:
        'Steps with types, generated names and absolute targets; null for a draft with errors, see meta.errors.',
      read: (sealed, _, row) => {
        const parsed = openParsed(keyring, { id: row.id, parsed: sealed as Buffer })
        return 'errors' in parsed ? null : shownSteps(parsed.steps, String(row['project_path']))
      },
    },
    created_by: { kind: 'text', sql: sql`v.created_by`, describe: 'User who created it.' },
    created_at: { kind: 'time', sql: sql`v.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`v.updated_at`, describe: 'When it was last updated.' },
    published_at: {
      kind: 'time',
      sql: sql`v.published_at`,
      nullable: true,
      describe: 'When it was published; null for a draft.',
    },
  },
  extra: {
    project_path: sql`p.path`,
    workflow_path: sql`w.path`,
    is_draft: sql`v.published_at is null`,
    is_archived: sql`w.archived`,
  },
  relationships: {
    workflow: {
      kind: 'one',
      type: 'workflow',
      sql: sql`v.workflow_id`,
      paths: 'own',
      describe: 'What it is a version of.',
      related: self,
    },
  },
  links: row => ({ self: `${self(row)}/versions/${row['version']}`, workflow: self(row) }),
  meta: (row, { actor }) => {
    const open = row['is_draft'] === true && row['is_archived'] === false
    const may = open && actor.rights.may('update', String(row['workflow_path']))
    return { can: may ? ['update', 'publish'] : [], ...errorsOf(keyring, row) }
  },
  defaultSort: [{ column: 'version', direction: 'desc' }],
  named: createdByCaller(sql`v.user_id`),
  rights: { projectId: sql`w.project_id`, path: sql`w.path` },
  rowVersion: sql<number>`v.row_version`,
})

/** Faults in the source of a draft. */
function errorsOf(keyring: Keyring, row: Row): { errors?: readonly object[] } {
  if (row['is_draft'] !== true || !Buffer.isBuffer(row['steps'])) return {}
  const parsed = openParsed(keyring, { id: row.id, parsed: row['steps'] })
  return 'errors' in parsed ? { errors: parsed.errors } : {}
}
