import { fromJson } from '#json/from-json.ts'
import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { missing } from '#platform/failure.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Column, ListRoute, ParentRow, Resource, Row } from '#platform/jsonapi/resource.ts'
import { switched } from '#platform/jsonapi/switched.ts'
import { isUnder, underNode } from '#platform/jsonapi/under.ts'
import { capabilitiesOf, isProjectOf, type Node, nodeByPath, nodePaths, projectPathOf } from '../nodes/index.ts'
import { activityMovesOf, reportedStatuses } from '../steps/for-changes.ts'
import { relationshipsWithSteps } from '../steps/index.ts'
import { activeOver } from './active-over.resource.ts'
import { actionPath, documentAad } from './change.ts'
import { waitsForMe } from './step-can.resource.ts'

/** JSON:API resource of changes: the row of `changes` with the activity that it extends. */
export const changeResource = (keyring: Keyring): Resource => ({
  type: 'change',
  describe: 'A run of one action on a node, as a tree of steps.',
  id: sql`a.id`,
  from: sql`changes c join activities a on a.id = c.id join nodes n on n.id = a.node_id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [{ path: '/api/changes' }, ...nodePaths.map(changesOfNode)],
  shows: [{ path: '/api/changes/:id', find: ({ id }) => sql`a.id = ${id}::uuid` }],
  columns: {
    ...activityColumns,
    action: column.text(sql`c.action`, 'Name of the action that it runs.'),
    step_name: column.text(sql`c.step_name`, 'Name of its root step.'),
    metadata: column.json(sql`c.metadata`, 'Metadata attached by its creator.'),
    scheduled: column.boolean(sql`(c.scheduled_activity_id is not null)`, 'Whether a schedule created it.'),
    git_remote_name: column.textOrNull(sql`c.git_remote_name`, 'Git remote that its actions come from.'),
    git_rev: column.textOrNull(sql`c.git_rev`, 'Requested revision.'),
    commit_sha: column.textOrNull(sql`c.commit_sha`, 'Commit that the revision resolved to at creation.'),
    template_version: column.textOrNull(sql`c.template_version`, 'Template version that its actions come from.'),
    skip_steps: column.json(sql`to_jsonb(c.skip_steps)`, 'Globs of the paths of steps to skip.'),
    starting_step: column.textOrNull(sql`c.starting_step`, 'Full path of the first step to run.'),
    auto_continue_wait_steps: column.boolean(
      sql`c.auto_continue_wait_steps`,
      'Whether wait steps without approvers continue automatically.',
    ),
    build_without_cache: column.boolean(sql`c.build_without_cache`, 'Whether its image is rebuilt.'),
    property_overrides: overridesColumn(keyring, sql`c.property_overrides`),
    settings_overrides: {
      ...column.opaque(sql`c.settings_overrides`, 'Settings of this change only.'),
      read: (sealed, _, { id }) => fromJson(keyring.openText(sealed as Buffer, documentAad(id, 'settings_overrides'))),
    },
    plan_sha: column.textOrNull(sql`c.plan_sha`, 'Hash of the plan that it must match.'),
  },
  dynamic: metadataColumns(sql`c.metadata`),
  extra: {
    node_type: sql`n.node_type`,
    ...activityExtras(isChangeRetried),
  },
  named: activityFilters(sql`s.path || '/actions/' || c.action`),
  relationships: {
    parent: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', n.id, 'type', n.node_type)`,
      paths: 'own',
      describe: 'The node that it runs on.',
      related: row => `/api${row['node_path']}`,
    },
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`a.project_id`,
      paths: row => [projectPathOf(String(row['node_path']))],
      describe: 'The project of that node.',
    },
    ...relationshipsWithSteps('step', 'The top of its tree; null while its revision is resolved.'),
    retry_of: {
      kind: 'one',
      type: 'change',
      sql: sql`c.retry_of`,
      paths: 'own',
      describe: 'The change that it is a retry of.',
    },
    workflow_step: {
      kind: 'one',
      type: 'workflow_step',
      sql: sql`a.workflow_step_id`,
      // Runs belong to projects.
      paths: row => [projectPathOf(String(row['node_path']))],
      describe: 'The step of a workflow run that made it.',
    },
    scheduled_activity: {
      kind: 'one',
      type: 'scheduled_change',
      sql: sql`c.scheduled_activity_id`,
      paths: row => [`${row['node_path']}/scheduled_activities`],
      describe: 'The schedule that made it.',
    },
  },
  links: row => ({
    self: `/api/changes/${row.id}`,
    parent: `/api${row['node_path']}`,
    steps: `/api/changes/${row.id}/steps`,
    log_lines: `/api/changes/${row.id}/log_lines`,
    artefacts: `/api/changes/${row.id}/artefacts`,
  }),
  meta: (row, { actor }) => ({ can: movesForChange(row, actor) }),
  // Searches the metadata and overrides.
  large: 'seldom',
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { projectId: sql`a.project_id`, path: sql`a.path` },
  rowVersion: sql<number>`a.row_version`,
})

/** `metadata.ticket` reaches into the document by dotted names, `metadata_text` is all of it. */
export const metadataColumns =
  (metadata: Sql) =>
  (name: string): Column | undefined => {
    if (name === 'metadata_text')
      return column.longText(sql`${metadata}::text collate "C"`, 'The metadata as one text.')
    if (!name.startsWith('metadata.')) return undefined
    const keys = name.slice('metadata.'.length).split('.')
    return column.longTextOrNull(
      sql`(${metadata} #>> ${keys}::text[]) collate "C"`,
      'A value within the metadata, as text.',
    )
  }

export const overridesColumn = (keyring: Keyring, sealed: Sql): Column => ({
  ...column.opaque(sealed, 'The layer "change" of its converged properties.'),
  read: (bytes, _, { id }) => fromJson(keyring.openText(bytes as Buffer, documentAad(id, 'property_overrides'))),
})

/** Columns that every activity shows, a change and a workflow run alike; over the alias `a`. */
export const activityColumns: Readonly<Record<string, Column>> = {
  status_code: column.oneOf(sql`a.reported_status`, reportedStatuses, 'Its reported status.'),
  // Codes never change, so the path copied at creation is always the path of its node.
  node_path: { ...column.text(sql`a.path`, 'Path of the node that it runs on.'), beginnings: true },
  created_by: column.text(sql`a.created_by`, 'User who created it.'),
  error_message: column.longTextOrNull(
    sql`a.error_message`,
    'Why it failed: the first failed step with its reason, or why it could not run.',
  ),
  requires_approval_from: column.json(sql`a.requires_approval_from`, 'Approval rules, as of its creation.'),
  approved_by: column.json(sql`a.approved_by`, 'Approvals: by whom and when.'),
  rejected_by: column.json(sql`a.rejected_by`, 'Rejections: by whom and when.'),
  cancelled_by: column.textOrNull(sql`a.cancelled_by`, 'User who cancelled it.'),
  pause_state: column.oneOf(sql`a.pause_state`, ['none', 'pausing', 'paused'], 'none, pausing or paused.'),
  paused_by: column.textOrNull(sql`a.paused_by`, 'User who paused it.'),
  created_at: column.time(sql`a.created_at`, 'When it was created.'),
  started_at: column.timeOrNull(sql`a.started_at`, 'When it was admitted.'),
  finished_at: column.timeOrNull(sql`a.finished_at`, 'When it ended.'),
  updated_at: column.time(sql`a.updated_at`, 'When it was last updated.'),
  state_timing: {
    kind: 'json',
    sql: sql`jsonb_build_object(
      'pending_seconds', extract(epoch from coalesce(a.started_at, a.finished_at) - a.created_at)::float8,
      'running_seconds', extract(epoch from a.finished_at - a.started_at)::float8)`,
    describe: 'Seconds from creation to start, and from start to end; null while in progress.',
    showOnly: true,
  },
}

/**
 * Extras of an activity that determine what may be done to it, over the alias `a`.
 *
 * @param isRetried whether a retry of it is in progress
 */
export const activityExtras = (isRetried: Sql<boolean>): NonNullable<Resource['extra']> => ({
  // Only these have anything to retry, by one retry at a time.
  to_retry: sql`(a.final and a.status <> 'success' and not ${isRetried})`,
  stored_status: sql`a.status`,
  cancel_requested: sql`(a.cancel_requested_at is not null)`,
  rejected: sql`a.rejected`,
  paused: sql`(a.pause_state <> 'none')`,
})

export const isChangeRetried = sql<boolean>`
  exists (select from changes again join activities t on t.id = again.id where again.retry_of = a.id and not t.final)`

function changesOfNode(path: string): ListRoute {
  return {
    path: `/api${path}/changes`,
    parent: params => nodeByPath(params),
    refuse: parent => (capabilitiesOf(parent as unknown as Node).can_have_changes ? undefined : missing()),
    scope: (parent: ParentRow, query) =>
      query['include_children'] === 'true'
        ? isUnder(sql`a.path`, parent.path)
        : sql<boolean>`a.node_id = ${parent.id}::uuid`,
    parameters: {
      include_children: {
        schema: { type: 'boolean' } as never,
        describe: 'Whether to include the changes of all nodes below.',
      },
    },
  }
}

/**
 * Named filters of changes, of runs and of both, over the alias `a`.
 *
 * @param executePath path of the right to continue a step of theirs, `steps s`
 */
export const activityFilters = (executePath: Sql): NonNullable<Resource['named']> => ({
  active: { describe: 'Those that have not ended.', sql: value => switched(value, sql`not a.final`) },
  finished: { describe: 'Those that have ended.', sql: value => switched(value, sql`a.final`) },
  waiting_for_me: {
    describe: 'Those with a step that waits for the caller.',
    sql: (value, actor) =>
      switched(
        value,
        // It follows that it has not ended, which has an index.
        sql`not a.final and a.n_waiting > 0
            and exists (select from steps s where s.activity_id = a.id and ${waitsForMe(actor, executePath)})`,
      ),
  },
  ...createdByCaller(sql`a.user_id`),
  ...underNode(sql`a.path`, path => isProjectOf(sql`a.project_id`, path)),
  ...activeOver,
})

/** Moves that this caller may make with it now, so that clients need not repeat the rules. */
export function movesForChange(row: Row, actor: Actor): string[] {
  const path = actionPath(String(row['node_path']), String(row['action']))
  return actor.rights.may('execute', path) ? movesOfActivity(row) : []
}

/** Moves of any activity, for callers who may execute it; uses `activityExtras`. */
export function movesOfActivity(row: Row): string[] {
  if (row['to_retry']) return ['retry']
  if (row['cancel_requested']) return []
  if (!activityMovesOf(String(row['stored_status'])).includes('cancel')) return []
  if (row['paused']) return ['cancel', 'resume']
  return row['rejected'] ? ['cancel'] : ['cancel', 'pause']
}
