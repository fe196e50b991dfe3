import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column } from '#platform/jsonapi/resource.ts'
import { reportedStatuses } from '../rules/states.ts'

type Columns = Readonly<Record<string, Column>>

/** What every step shows, one of a change and one of a workflow run alike; over the alias `s`. */
export const stepColumns = {
  place: {
    step_sequence: column.integer(sql`s.position`, 'Its place among its siblings, from 0.'),
    status_code: column.oneOf(sql`s.reported_status`, reportedStatuses, 'Its reported status.'),
    child_execution_strategy: column.oneOf(
      sql`s.child_execution_strategy`,
      ['sequential', 'parallel'],
      'How its children run: sequential or parallel.',
    ),
    ignore_failure: column.boolean(sql`s.ignore_failure`, 'Whether its failure is no failure.'),
  },
  decisions: {
    requires_approval_from: column.json(sql`s.requires_approval_from`, 'Who may approve it.'),
    approved_by: column.json(sql`s.approved_by`, 'Who approved it, and when.'),
    rejected_by: column.json(sql`s.rejected_by`, 'Who rejected it, and when.'),
    continued_by: column.textOrNull(sql`s.continued_by`, 'Who continued it.'),
    skip_requested: column.boolean(sql`s.skip_requested`, 'Whether the skip mask names it.'),
  },
  end: {
    error_message: column.longTextOrNull(sql`s.error_message`, 'What went wrong.'),
    created_at: column.time(sql`s.created_at`, 'When it was made.'),
    started_at: column.timeOrNull(sql`s.started_at`, 'When its newest attempt began.'),
    finished_at: column.timeOrNull(sql`s.finished_at`, 'When it ended.'),
    updated_at: column.time(sql`s.updated_at`, 'When it last changed.'),
    state_timing: {
      kind: 'json',
      sql: sql`jsonb_build_object(
        'pending_seconds', extract(epoch from coalesce(s.queued_at, s.started_at, s.finished_at) - s.created_at)::float8,
        'queued_seconds', extract(epoch from s.started_at - s.queued_at)::float8,
        'running_seconds', extract(epoch from s.finished_at - s.started_at)::float8)`,
      describe: 'Seconds in each state; null while it lasts.',
      showOnly: true,
    },
  },
} as const satisfies Readonly<Record<string, Columns>>
