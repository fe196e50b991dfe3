import Type from 'typebox'
import type { Keyring } from '#platform/crypto/index.ts'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column, Resource, Row } from '#platform/jsonapi/resource.ts'
import {
  activityColumns,
  activityExtras,
  activityFilters,
  isChangeRetried,
  metadataColumns,
  movesForChange,
  overridesColumn,
} from '../changes/index.ts'
import { isRunRetried, movesForRun, overridesOfRun } from './workflow-run.resource.ts'

// Shown on single records only, which are shown as what they are.
const { state_timing: _, ...commonColumns } = activityColumns

/**
 * Counted for activities in progress only: lists are mostly ended ones, and each has up to tens of thousands of steps. The
 * counters of the activity leave out groups that are running.
 */
const progress = sql`
  (case when not a.final
        then (select jsonb_build_object('step_count', count(*), 'ended_step_count', count(*) filter (where s.final))
                from steps s
               where s.activity_id = a.id) end)`

/**
 * Changes and workflow runs in one list, by their common attributes. Attributes that only one of them has are null on
 * the other; the record itself is its `target`.
 */
export const activityResource = (keyring: Keyring): Resource => ({
  type: 'activity',
  describe: 'A change or a workflow run, in one list of all activities: queued, running and ended.',
  id: sql`a.id`,
  from: sql`activities a join nodes n on n.id = a.node_id left join changes c on c.id = a.id
             left join workflow_runs r on r.id = a.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [{ path: '/api/activities' }],
  shows: [],
  columns: {
    type: column.oneOf(sql`a.kind`, ['change', 'workflow_run'], 'change or workflow_run.'),
    path: column.text(sql`a.path`, 'Path of the node that it runs on.'),
    name: column.text(
      sql`coalesce(c.action, r.workflow_code)`,
      'What it runs: the action of a change, the code of the workflow of a run.',
    ),
    action: column.textOrNull(sql`c.action`, 'Changes: name of the action.'),
    workflow_code: column.textOrNull(sql`r.workflow_code`, 'Workflow runs: code of the workflow.'),
    revision: column.textOrNull(
      sql`coalesce(c.git_rev, r.version::text collate "C")`,
      'Changes: the requested revision; workflow runs: the version.',
    ),
    ...commonColumns,
    metadata: column.json(sql`coalesce(c.metadata, r.metadata)`, 'Metadata attached by its creator.'),
    scheduled: column.boolean(
      sql`(coalesce(c.scheduled_activity_id, r.scheduled_activity_id) is not null)`,
      'Whether a schedule created it.',
    ),
    progress: {
      ...column.json(
        progress,
        'In progress: number of its steps, groups included, and of those that have ended; null once it has ended.',
      ),
      schema: Type.Object({ step_count: Type.Integer(), ended_step_count: Type.Integer() }),
      nullable: true,
    },
    skip_steps: column.json(sql`to_jsonb(coalesce(c.skip_steps, r.skip_steps))`, 'Globs of the steps to skip.'),
    property_overrides: sealedOverrides(keyring),
  },
  dynamic: metadataColumns(sql`coalesce(c.metadata, r.metadata)`),
  extra: {
    kind: sql`a.kind`,
    project_path: sql`n.path`,
    ...activityExtras(sql<boolean>`(${isChangeRetried} or ${isRunRetried})`),
  },
  named: activityFilters(sql`s.path || coalesce('/actions/' || c.action, '/workflows/' || r.workflow_code)`),
  relationships: {
    target: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', a.id, 'type', a.kind)`,
      paths: 'own',
      describe: 'The change or the workflow run itself.',
      related: targetPath,
    },
  },
  links: row => ({ target: targetPath(row) }),
  meta: (row, { actor }) => ({ can: row['kind'] === 'change' ? movesForChange(row, actor) : movesForRun(row, actor) }),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  limit: { default: 100, maximum: 1_000 },
  // Searches the metadata and overrides.
  large: 'seldom',
  rights: { projectId: sql`a.project_id`, path: sql`a.path` },
  rowVersion: sql<number>`a.row_version`,
})

/** Column of the overrides of changes and runs, each encrypted for its own kind of record. */
function sealedOverrides(keyring: Keyring): Column {
  const both = sql`coalesce(c.property_overrides, r.property_overrides)`
  const [ofChange, ofRun] = [overridesColumn(keyring, both), overridesOfRun(keyring, both)]
  return {
    ...column.opaque(both, 'Overrides of the properties of its node.'),
    read: (sealed, reader, row) => (row['kind'] === 'change' ? ofChange : ofRun).read!(sealed, reader, row),
  }
}

const targetPath = (row: Row): string => `/api/${row['kind']}s/${row.id}`
