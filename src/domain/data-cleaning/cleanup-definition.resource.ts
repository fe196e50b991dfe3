import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { nextDueTimesSchema } from '../schedules/index.ts'
import { cleanedKinds, definitionsPath, dueTimesOf } from './cleanup-definition.ts'

/** Retention rule: which old records are removed, and on which schedule. */
export const definitionResource: Resource = {
  type: 'data_cleanup_definition',
  describe: 'Retention rule: what to delete, after how long, on which schedule.',
  from: sql`data_cleanup_definitions d`,
  id: sql`d.id`,
  lists: [{ path: '/api/data_cleanup_definitions' }],
  shows: [{ path: '/api/data_cleanup_definitions/:id', find: ({ id }) => sql<boolean>`d.id = ${id}::uuid` }],
  columns: {
    name: column.text(sql`d.name`, 'Display name.'),
    kind: column.oneOf(
      sql`d.kind`,
      cleanedKinds,
      'Type of records to delete: activities (changes and workflow runs), events, jobs.',
    ),
    cron_schedule: column.text(sql`d.cron_schedule`, 'Due time.'),
    time_zone: column.text(sql`d.time_zone`, 'Time zone of that time.'),
    node_paths: {
      ...column.json(sql`d.node_paths`, 'Paths of nodes; a trailing % matches a prefix.'),
      schema: Type.Array(Type.String()),
    },
    filters: column.json(sql`d.filters`, 'Restricts them to the records that match these list filters.'),
    older_than: column.text(sql`d.older_than`, 'Deletes only what ended (events: was recorded) longer ago than this.'),
    maximum_per_run: column.integerOrNull(sql`d.maximum_per_run`, 'Maximum number, oldest first.'),
    enabled: column.boolean(sql`d.enabled`, 'Whether it is enabled.'),
    last_run_at: column.timeOrNull(sql`d.last_run_at`, 'Last due time at which it started.'),
    next_run_at: column.timeOrNull(sql`d.next_run_at`, 'Next due time; null if it is never due.'),
    next_due_times: {
      ...column.json(sql`null::jsonb`, 'The next five times at which it is due, in its own time zone.'),
      showOnly: true,
      schema: nextDueTimesSchema,
      read: (_, __, row) => dueTimesOf(row as unknown as Parameters<typeof dueTimesOf>[0]),
    },
    created_by: column.text(sql`d.created_by`, 'User who created it.'),
    created_at: column.time(sql`d.created_at`, 'When it was created.'),
    updated_at: column.time(sql`d.updated_at`, 'When it was last updated.'),
  },
  links: row => ({ self: `/api/data_cleanup_definitions/${row.id}` }),
  named: createdByCaller(sql`d.user_id`),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { condition: ({ rights }) => sql<boolean>`${sql.lit(rights.may('read', definitionsPath))}` },
  listRightsPath: () => definitionsPath,
  rowVersion: sql<number>`d.row_version`,
}
