import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { sql } from '#platform/db/sql.ts'
import { missing } from '#platform/failure.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Column, ListRoute, Resource } from '#platform/jsonapi/resource.ts'
import { isUnder, underNode } from '#platform/jsonapi/under.ts'
import { notifySchema } from '../changes/index.ts'
import { capabilitiesOf, isProjectOf, type Node, nodeByPath, nodePaths, projectPathOf } from '../nodes/index.ts'
import { hideSecrets } from '../settings/index.ts'
import { openNotify } from './schedule.store.ts'
import { documentAad, nextDueTimes, type SealedDocument } from './schedule.ts'
import { nextDueTimesSchema } from './schedule-attributes.ts'

/** JSON:API resource of a schedule. */
export const scheduleResource = (keyring: Keyring): Resource => ({
  type: 'scheduled_change',
  types: { all: ['scheduled_change', 'scheduled_workflow'], of: row => String(row['kind']) },
  describe: 'Schedule that starts a change on a node, or a run of a workflow of a project, when it is due.',
  from: sql`scheduled_activities s join nodes n on n.id = s.node_id`,
  id: sql`s.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [{ path: '/api/scheduled_activities' }, ...nodePaths.map(schedulesOfNode)],
  shows: [{ path: '/api/scheduled_activities/:id', find: ({ id }) => sql`s.id = ${id}::uuid` }],
  columns: {
    action: column.textOrNull(sql`s.action`, 'The action that its changes run.'),
    workflow_code: column.textOrNull(sql`s.workflow_code`, 'The workflow that its runs are of.'),
    version: column.integerOrNull(sql`s.version`, 'Published version; null: the latest.'),
    cron_schedule: column.textOrNull(
      sql`s.cron_schedule`,
      'Cron expression: five fields, six with seconds first, or @daily and the like.',
    ),
    run_at: column.timeOrNull(sql`s.run_at`, 'Single due time.'),
    time_zone: column.text(sql`s.time_zone`, 'Time zone of the cron expression.'),
    repeat: column.boolean(sql`s.repeat`, 'Whether it is recurring.'),
    maximum_run_count: column.integerOrNull(sql`s.maximum_run_count`, 'Maximum number of changes that it starts.'),
    end_at: column.timeOrNull(sql`s.end_at`, 'It is not due after this time.'),
    enabled: column.boolean(sql`s.enabled`, 'Whether it is enabled.'),
    disabled_reason: column.textOrNull(sql`s.disabled_reason`, 'Reason why the service disabled it.'),
    new_commits_only: column.boolean(sql`s.new_commits_only`, 'Whether it starts only for a new commit.'),
    commit_file_patterns: column.json(
      sql`s.commit_file_patterns`,
      'Patterns of files, one of which such a commit must touch.',
    ),
    commit_file_pattern_match: column.oneOf(
      sql`s.commit_file_pattern_match`,
      ['any', 'all'],
      'Whether a file must match any of the patterns or all.',
    ),
    allow_parallel_execution: column.boolean(
      sql`s.allow_parallel_execution`,
      'Whether it starts one while an earlier one is still running.',
    ),
    git_remote_name: column.textOrNull(sql`s.git_remote_name`, 'On projects and environments: folder of the actions.'),
    git_rev: column.textOrNull(sql`s.git_rev`, 'On projects and environments: the revision.'),
    template_version: column.textOrNull(
      sql`s.template_version`,
      'On assets: a template version other than the current one.',
    ),
    metadata: column.json(sql`s.metadata`, 'Metadata of its changes, for filters.'),
    skip_steps: column.json(sql`to_jsonb(s.skip_steps)`, 'Globs of the paths of steps that its changes skip.'),
    starting_step: column.textOrNull(sql`s.starting_step`, 'Full path of the first step to run.'),
    auto_continue_wait_steps: column.boolean(
      sql`s.auto_continue_wait_steps`,
      'Whether wait steps without approvers in its changes continue automatically.',
    ),
    build_without_cache: column.boolean(sql`s.build_without_cache`, 'Whether the image of its changes is rebuilt.'),
    notify: {
      ...column.opaque(sql`s.notify`, 'Notifications about what it starts.'),
      nullable: true,
      schema: Type.Union([notifySchema, Type.Null()]),
      read: (stored, _, { id }) => openNotify(keyring, { id, notify: stored as Buffer | null }),
    },
    property_overrides: sealed(
      keyring,
      'property_overrides',
      'The most specific layer of the properties of its changes.',
    ),
    settings_overrides: sealed(keyring, 'settings_overrides', 'Settings of its changes only.'),
    next_run_at: column.timeOrNull(sql`s.next_run_at`, 'Next due time; null if it is never due again.'),
    next_due_times: {
      ...column.json(sql`null::jsonb`, 'The next five times at which it is due, in its own time zone.'),
      showOnly: true,
      schema: nextDueTimesSchema,
      read: (_, __, row) => nextDueTimes(row as unknown as Parameters<typeof nextDueTimes>[0]),
    },
    run_count: column.integer(sql`s.run_count`, 'Number of changes that it has started.'),
    created_by: column.text(sql`s.created_by`, 'User who created it, and on whose behalf its changes run.'),
    created_at: column.time(sql`s.created_at`, 'When it was created.'),
    updated_at: column.time(sql`s.updated_at`, 'When it was last updated.'),
  },
  extra: { kind: sql`s.kind`, node_path: sql`n.path`, own_path: sql`s.path` },
  relationships: {
    parent: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', n.id, 'type', n.node_type)`,
      paths: row => [String(row['node_path'])],
      describe: 'The node that its changes run on.',
      related: row => `/api${row['node_path']}`,
    },
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`s.project_id`,
      paths: row => [projectPathOf(String(row['node_path']))],
      describe: 'The project of that node.',
    },
  },
  links: row => ({ self: `/api/scheduled_activities/${row.id}`, parent: `/api${row['node_path']}` }),
  meta: (row, { actor }) => ({
    can: (['update', 'delete'] as const).filter(right => actor.rights.may(right, String(row['own_path']))),
  }),
  named: {
    ...createdByCaller(sql`s.user_id`),
    ...underNode(sql`n.path`, path => isProjectOf(sql`s.project_id`, path)),
  },
  // Searches the metadata and overrides.
  large: 'seldom',
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
  rowVersion: sql<number>`s.row_version`,
})

const sealed = (keyring: Keyring, which: SealedDocument, describe: string): Column => ({
  ...column.opaque(sql.ref(`s.${which}`), describe),
  read: (stored, _, { id }) => hideSecrets(fromJson(keyring.openText(stored as Buffer, documentAad(id, which)))),
})

function schedulesOfNode(path: string): ListRoute {
  return {
    path: `/api${path}/scheduled_activities`,
    parent: params => nodeByPath(params),
    refuse: parent => (capabilitiesOf(parent as unknown as Node).can_have_changes ? undefined : missing()),
    scope: (parent, query) =>
      query['include_children'] === 'true'
        ? isUnder(sql`n.path`, parent.path)
        : sql<boolean>`s.node_id = ${parent.id}::uuid`,
    parameters: {
      include_children: {
        schema: Type.Boolean(),
        describe: 'Whether to include the schedules of all nodes below.',
      },
    },
  }
}
