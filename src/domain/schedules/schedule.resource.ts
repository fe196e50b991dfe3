import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { sql } from '#platform/db/sql.ts'
import { missing } from '#platform/failure.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { madeByCaller } from '#platform/jsonapi/made-by-caller.ts'
import type { Column, ListRoute, Resource } from '#platform/jsonapi/resource.ts'
import { isUnder, underNode } from '#platform/jsonapi/under.ts'
import { notifySchema } from '../changes/index.ts'
import { capabilitiesOf, isProjectOf, type Node, nodeByPath, nodePaths, projectPathOf } from '../nodes/index.ts'
import { hideSecrets } from '../settings/index.ts'
import { nextDueTimesSchema } from './schedule.attributes.ts'
import { openNotify } from './schedule.store.ts'
import { documentAad, nextDueTimes, type SealedDocument } from './schedule.ts'

/** The face of a schedule. */
export const scheduleResource = (keyring: Keyring): Resource => ({
  type: 'scheduled_change',
  types: { all: ['scheduled_change', 'scheduled_workflow'], of: row => String(row['kind']) },
  describe: 'What makes a change of a node, or a run of a workflow of a project, whenever it comes due.',
  from: sql`scheduled_activities s join nodes n on n.id = s.node_id`,
  id: sql`s.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [{ path: '/api/scheduled_activities' }, ...nodePaths.map(schedulesOfNode)],
  shows: [{ path: '/api/scheduled_activities/:id', find: ({ id }) => sql`s.id = ${id}::uuid` }],
  columns: {
    action: column.textOrNull(sql`s.action`, 'The action that its changes run.'),
    workflow_code: column.textOrNull(sql`s.workflow_code`, 'The workflow that its runs are of.'),
    version: column.integerOrNull(sql`s.version`, 'The published version of that; null: the latest.'),
    cron_schedule: column.textOrNull(sql`s.cron_schedule`, 'When it is due: five fields, six with seconds, or @daily.'),
    run_at: column.timeOrNull(sql`s.run_at`, 'When it is due, where that is once.'),
    time_zone: column.text(sql`s.time_zone`, 'Whose clock the cron expression speaks of.'),
    repeat: column.boolean(sql`s.repeat`, 'Whether it comes due again after the first time.'),
    maximum_run_count: column.integerOrNull(sql`s.maximum_run_count`, 'So many changes it makes at most.'),
    end_at: column.timeOrNull(sql`s.end_at`, 'After this time it is not due any more.'),
    enabled: column.boolean(sql`s.enabled`, 'Whether it makes anything.'),
    disabled_reason: column.textOrNull(sql`s.disabled_reason`, 'Why the service has disabled it.'),
    new_commits_only: column.boolean(sql`s.new_commits_only`, 'Whether it waits for commits that it has not used.'),
    commit_file_patterns: column.json(sql`s.commit_file_patterns`, 'Files that such a commit has to touch.'),
    commit_file_pattern_match: column.oneOf(
      sql`s.commit_file_pattern_match`,
      ['any', 'all'],
      'Whether a file is meant by any of the patterns or by all.',
    ),
    allow_parallel_execution: column.boolean(
      sql`s.allow_parallel_execution`,
      'Whether it makes one while an earlier one is at work.',
    ),
    git_remote_name: column.textOrNull(sql`s.git_remote_name`, 'Of a project or environment: where its actions are.'),
    git_rev: column.textOrNull(sql`s.git_rev`, 'Of a project or environment: the revision.'),
    template_version: column.textOrNull(sql`s.template_version`, 'Of an asset: another version of its template.'),
    metadata: column.json(sql`s.metadata`, 'What its changes carry to be found by.'),
    skip_steps: column.json(sql`to_jsonb(s.skip_steps)`, 'Globs of step paths that its changes leave out.'),
    starting_step: column.textOrNull(sql`s.starting_step`, 'Full path of the step that they begin with.'),
    auto_continue_wait_steps: column.boolean(
      sql`s.auto_continue_wait_steps`,
      'Whether wait steps of its changes without approvers continue by themselves.',
    ),
    build_without_cache: column.boolean(sql`s.build_without_cache`, 'Whether the image of its changes is built anew.'),
    notify: {
      ...column.opaque(sql`s.notify`, 'Whom to tell of what becomes of what it makes.'),
      nullable: true,
      schema: Type.Union([notifySchema, Type.Null()]),
      read: (stored, _, { id }) => openNotify(keyring, { id, notify: stored as Buffer | null }),
    },
    property_overrides: sealed(
      keyring,
      'property_overrides',
      'The most specific layer of the properties of its changes.',
    ),
    settings_overrides: sealed(keyring, 'settings_overrides', 'Settings of its changes alone.'),
    next_run_at: column.timeOrNull(sql`s.next_run_at`, 'When it is due next; null when never again.'),
    next_due_times: {
      ...column.json(sql`null::jsonb`, 'The next five times at which it is due, in its own time zone.'),
      showOnly: true,
      schema: nextDueTimesSchema,
      read: (_, __, row) => nextDueTimes(row as unknown as Parameters<typeof nextDueTimes>[0]),
    },
    run_count: column.integer(sql`s.run_count`, 'So many changes it has made.'),
    created_by: column.text(sql`s.created_by`, 'Who made it, and in whose name its changes are made.'),
    created_at: column.time(sql`s.created_at`, 'When it was made.'),
    updated_at: column.time(sql`s.updated_at`, 'When it last changed.'),
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
  named: { ...madeByCaller(sql`s.user_id`), ...underNode(sql`n.path`, path => isProjectOf(sql`s.project_id`, path)) },
  // By its metadata and overrides.
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
        describe: 'Whether the schedules of all nodes beneath are listed too.',
      },
    },
  }
}
