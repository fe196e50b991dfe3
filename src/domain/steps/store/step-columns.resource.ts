import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column } from '#platform/jsonapi/resource.ts'
import { errorLineCount, logLineCount } from '../../logs/index.ts'
import { expectedSeconds, expectingActivity } from '../expected-seconds.sql.ts'
import { reportedStatuses } from '../rules/states.ts'

/** The step `s`, or the one that it was taken over from, under which its log is stored. */
const writer = sql`coalesce(s.ran_as, s.id)`

type Columns = Readonly<Record<string, Column>>

/** Columns that every step shows, of changes and workflow runs alike; over the aliases `s`, and `a` for the activity. */
export const stepColumns = {
  place: {
    step_sequence: column.integer(sql`s.position`, 'Position among its siblings, from 0.'),
    status_code: column.oneOf(sql`s.reported_status`, reportedStatuses, 'Its reported status.'),
    child_execution_strategy: column.oneOf(
      sql`s.child_execution_strategy`,
      ['sequential', 'parallel'],
      'Order of its children: sequential or parallel.',
    ),
    ignore_failure: column.boolean(sql`s.ignore_failure`, 'Whether its failure is ignored.'),
  },
  decisions: {
    requires_approval_from: column.json(sql`s.requires_approval_from`, 'Approval rules.'),
    approved_by: column.json(sql`s.approved_by`, 'Approvals: by whom and when.'),
    rejected_by: column.json(sql`s.rejected_by`, 'Rejections: by whom and when.'),
    continued_by: column.textOrNull(sql`s.continued_by`, 'User who continued it.'),
    skip_requested: column.boolean(sql`s.skip_requested`, 'Whether the skip mask matches it.'),
  },
  end: {
    error_message: column.longTextOrNull(sql`s.error_message`, 'Error message.'),
    created_at: column.time(sql`s.created_at`, 'When it was created.'),
    started_at: column.timeOrNull(sql`s.started_at`, 'Start of its latest attempt.'),
    finished_at: column.timeOrNull(sql`s.finished_at`, 'When it ended.'),
    updated_at: column.time(sql`s.updated_at`, 'When it was last updated.'),
    state_timing: {
      kind: 'json',
      sql: sql`jsonb_build_object(
        'pending_seconds', extract(epoch from coalesce(s.queued_at, s.started_at, s.finished_at) - s.created_at)::float8,
        'queued_seconds', extract(epoch from s.started_at - s.queued_at)::float8,
        'running_seconds', extract(epoch from s.finished_at - s.started_at)::float8)`,
      describe: 'Seconds in each state; null while in that state.',
      showOnly: true,
    },
    expected_seconds: {
      kind: 'number',
      sql: sql`(select x.seconds from (${expectedSeconds(expectingActivity)}) x where x.full_path = s.full_path)`,
      describe:
        'Median duration of its last ten successes in earlier activities of the same name on the same node; null: unknown. The tree has it for all steps.',
      nullable: true,
      showOnly: true,
    },
  },
  log: {
    log_line_count: {
      ...column.integer(
        logLineCount(writer),
        'Number of lines in its own log, all attempts together; 0: none. Lines of steps below it, and of changes that it made, do not count.',
      ),
      showOnly: true,
    },
    error_line_count: {
      ...column.integer(errorLineCount(writer), 'How many of these were written to stderr.'),
      showOnly: true,
    },
  },
} as const satisfies Readonly<Record<string, Columns>>
