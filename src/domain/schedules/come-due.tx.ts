import { theService } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { findNodeById } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { makeJob } from './make.jobs.ts'
import { noteOccurrences } from './occurrence.store.ts'
import { lockDue, setNextRun } from './schedule.store.ts'
import { comeDue, nodeOfSchedules } from './schedule.ts'
import { recordUnmetPatternsEvent } from './schedule-events.tx.ts'
import { aboutSchedule } from './schedule-kinds.ts'

/** Seconds by which a due time may have been missed and still count. */
export async function catchUpOf(settings: SettingsReader, queries: Queries): Promise<number> {
  const { data } = await settings.global(queries)
  return Number(data['schedule_catch_up'])
}

/** Records the due times of a schedule, unless another process does; the next due time is computed from now. */
export async function noteDue(
  { record, enqueue }: Pick<Runtime, 'record' | 'enqueue'>,
  tx: Tx,
  id: string,
  catchUp: number,
): Promise<void> {
  const schedule = await lockDue(tx, id)
  if (!schedule) return
  const { due, missed, next } = comeDue(schedule, schedule.now, catchUp)
  await setNextRun(tx, id, next)
  if (missed) {
    await noteOccurrences(tx, id, 'missed', missed.times)
    const node = await findNodeById(tx, schedule.node_id)
    if (node) {
      const { attributes, ...about } = aboutSchedule(schedule, node)
      const told = { missed_count: missed.count, first_due_at: missed.times[0], last_due_at: missed.last }
      await record(tx, {
        ...about,
        type: 'warning:scheduled_activity:missed',
        actor: theService,
        attributes: { ...attributes, ...told },
      })
      const occurrence = { schedule_id: id, due_at: missed.last, state: 'missed' } as const
      if (due.length === 0) await recordUnmetPatternsEvent({ record }, tx, { schedule, node, occurrence })
    }
  }
  for (const dueAt of await noteOccurrences(tx, id, 'due', due))
    await enqueue(
      tx,
      makeJob,
      { scheduleId: id, dueAt },
      { key: `${makeJob}:${id}:${dueAt}`, nodePath: nodeOfSchedules(schedule.path), afterPeople: true },
    )
  failpoint('schedule-due-before-commit')
}
