import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Runtime } from '#platform/domain.ts'
import type { Node } from '../nodes/index.ts'
import { isAnyOpen, type Occurrence } from './occurrence.store.ts'
import { findSchedule, type Schedule } from './schedule.store.ts'
import { aboutSchedule } from './schedule-kinds.ts'

/** A due time that an event is about. */
export interface Subject {
  readonly schedule: Schedule
  readonly node: Node
  readonly occurrence: Occurrence
}

/**
 * Records, once and with the last due time, even a missed one, that the patterns were never met until the schedule
 * ended.
 */
export async function recordUnmetPatternsEvent(
  runtime: Pick<Runtime, 'record'>,
  tx: Tx,
  subject: Subject,
): Promise<void> {
  const { id, commit_file_patterns } = subject.schedule
  if (commit_file_patterns.length === 0) return
  const now = await findSchedule(tx, id)
  if (!now || now.next_run_at !== null || now.run_count > 0 || !now.enabled || (await isAnyOpen(tx, id))) return
  await recordScheduleEvent(runtime, tx, subject, 'warning:scheduled_changes:commit_file_patterns', {
    error: 'The schedule has ended, and no commit touched a file that is meant.',
  })
}

/** An event of a due time, recorded in the transaction that changes it. */
export async function recordScheduleEvent(
  { record }: Pick<Runtime, 'record'>,
  tx: Tx,
  { schedule, node, occurrence }: Subject,
  type: string,
  more: Readonly<Record<string, unknown>> = {},
  activityId?: string,
): Promise<void> {
  const { attributes, ...about } = aboutSchedule(schedule, node)
  await record(tx, {
    ...about,
    type,
    actor: theService,
    ...(activityId && { activityId }),
    attributes: { ...attributes, due_at: occurrence.due_at, ...more },
  })
}
