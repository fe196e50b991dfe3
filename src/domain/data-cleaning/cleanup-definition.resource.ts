import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { madeByCaller } from '#platform/jsonapi/made-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { nextDueTimesSchema } from '../schedules/index.ts'
import { cleanedKinds, definitionsPath, dueTimesOf } from './cleanup-definition.ts'

/** What is removed once it is old, and when that is looked after. */
export const definitionResource: Resource = {
  type: 'data_cleanup_definition',
  describe: 'What is removed once it is old, and when.',
  from: sql`data_cleanup_definitions d`,
  id: sql`d.id`,
  lists: [{ path: '/api/data_cleanup_definitions' }],
  shows: [{ path: '/api/data_cleanup_definitions/:id', find: ({ id }) => sql<boolean>`d.id = ${id}::uuid` }],
  columns: {
    name: column.text(sql`d.name`, 'What people call it.'),
    kind: column.oneOf(
      sql`d.kind`,
      cleanedKinds,
      'What it removes: activities (changes and workflow runs), events, jobs.',
    ),
    cron_schedule: column.text(sql`d.cron_schedule`, 'When it is due.'),
    time_zone: column.text(sql`d.time_zone`, 'The zone whose clock that speaks of.'),
    node_paths: {
      ...column.json(sql`d.node_paths`, 'Of which nodes: paths, or with % at their end what they begin with.'),
      schema: Type.Array(Type.String()),
    },
    filters: column.json(sql`d.filters`, 'Of these only what the list of that kind shows with such filters.'),
    older_than: column.text(sql`d.older_than`, 'And only what ended (of events: was recorded) longer ago than this.'),
    maximum_per_run: column.integerOrNull(sql`d.maximum_per_run`, 'So many at once at most, the oldest first.'),
    enabled: column.boolean(sql`d.enabled`, 'Whether it ever comes due.'),
    last_run_at: column.timeOrNull(sql`d.last_run_at`, 'When it was last due and began.'),
    next_run_at: column.timeOrNull(sql`d.next_run_at`, 'When it is due next; null when never.'),
    next_due_times: {
      ...column.json(sql`null::jsonb`, 'The next five times at which it is due, in its own time zone.'),
      showOnly: true,
      schema: nextDueTimesSchema,
      read: (_, __, row) => dueTimesOf(row as unknown as Parameters<typeof dueTimesOf>[0]),
    },
    created_by: column.text(sql`d.created_by`, 'Who made it.'),
    created_at: column.time(sql`d.created_at`, 'When it was made.'),
    updated_at: column.time(sql`d.updated_at`, 'When it last changed.'),
  },
  links: row => ({ self: `/api/data_cleanup_definitions/${row.id}` }),
  named: madeByCaller(sql`d.user_id`),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { condition: ({ rights }) => sql<boolean>`${sql.lit(rights.may('read', definitionsPath))}` },
  listRightsPath: () => definitionsPath,
  rowVersion: sql<number>`d.row_version`,
}
