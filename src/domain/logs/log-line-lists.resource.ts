import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { logCategories } from '#protocol/runner-protocol.ts'

/**
 * Common part of the lists of lines `l` of `log_lines`, of steps and of tasks: the newest attempt's last line first.
 */
export const linesOfLog = {
  id: sql`l.id`,
  shows: [],
  links: () => ({}),
  order: 'newest last',
  defaultSort: [
    { column: 'attempt', direction: 'desc' },
    { column: 'sequence', direction: 'desc' },
  ],
  limit: { default: 10_000, maximum: 10_000 },
  large: true,
  plainText: 'message',
  listRightsPath: parent => parent?.path ?? '/',
} satisfies Partial<Resource>

/** The columns of all log lines. */
export const columnsOfLog = {
  message: column.longText(sql`l.message collate "C"`, 'The line.'),
  category: column.oneOf(sql`l.category`, logCategories, 'stdout, stderr, action, or runner for what Sluice says.'),
  logged_at: column.time(sql`l.logged_at`, 'When it was written.'),
}
