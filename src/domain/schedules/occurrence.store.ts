import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

type OccurrenceState = 'due' | 'resolving' | 'created' | 'skipped' | 'missed' | 'failed'

/** A due time of a schedule: its key ensures that it creates at most one activity. */
export interface Occurrence {
  readonly schedule_id: string
  /** ISO 8601. */
  readonly due_at: string
  readonly state: OccurrenceState
}

/** Stores due times; returns those that were not stored before. */
export async function noteOccurrences(
  tx: Tx,
  scheduleId: string,
  state: 'due' | 'missed',
  times: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows(sql<{ due_at: string }>`
    insert into schedule_occurrences (schedule_id, due_at, state)
    select ${scheduleId}::uuid, at, ${state} from unnest(${[...times]}::timestamptz[]) as at
        on conflict do nothing
    returning due_at`)
  return rows.map(({ due_at }) => due_at).toSorted()
}

export const lockOccurrence = (tx: Tx, scheduleId: string, dueAt: string): Promise<Occurrence | undefined> =>
  tx.one(sql<Occurrence>`
    select schedule_id, due_at, state
      from schedule_occurrences
     where schedule_id = ${scheduleId}::uuid and due_at = ${dueAt}::timestamptz
       for no key update`)

export interface Outcome {
  readonly state: OccurrenceState
  readonly reason?: string
  readonly commitSha?: string | null
  readonly activityId?: string
}

export async function moveOccurrence(tx: Tx, { schedule_id, due_at }: Occurrence, to: Outcome): Promise<void> {
  await tx.count(sql`
    update schedule_occurrences
       set state = ${to.state}, reason = ${to.reason ?? null}, commit_sha = ${to.commitSha ?? null},
           activity_id = ${to.activityId ?? null}::uuid, updated_at = sluice_now()
     where schedule_id = ${schedule_id}::uuid and due_at = ${due_at}::timestamptz`)
}

/** Maximum number of due times out of order: one that has to be retried may use a commit after later ones. */
const mostOutOfTurn = 100

/** The commit that it used last, and whether it has ever used this one. */
export async function commitsUsed(
  queries: Queries,
  scheduleId: string,
  commit: string,
): Promise<{ used: boolean; last: string | null }> {
  return (await queries.one(sql<{ used: boolean; last: string | null }>`
    select exists (select from schedule_occurrences
                    where schedule_id = ${scheduleId}::uuid and state = 'created' and commit_sha = ${commit}) as used,
           (select commit_sha
              from (select commit_sha, due_at, updated_at
                      from schedule_occurrences
                     where schedule_id = ${scheduleId}::uuid and state = 'created' and commit_sha is not null
                     order by due_at desc
                     limit ${mostOutOfTurn}) latest
             order by updated_at desc, due_at desc
             limit 1) as last`))!
}

/** Whether an earlier due time is still being processed. */
export async function isEarlierOpen(tx: Tx, { schedule_id, due_at }: Occurrence): Promise<boolean> {
  const row = await tx.one(sql<{ open: boolean }>`
    select exists (select from schedule_occurrences
                    where schedule_id = ${schedule_id}::uuid and due_at < ${due_at}::timestamptz
                      and state in ('due', 'resolving')) as open`)
  return row!.open
}

/** Whether any due time is left that may still create something. */
export async function isAnyOpen(tx: Tx, scheduleId: string): Promise<boolean> {
  const row = await tx.one(sql<{ open: boolean }>`
    select exists (select from schedule_occurrences
                    where schedule_id = ${scheduleId}::uuid and state in ('due', 'resolving')) as open`)
  return row!.open
}

export const idsOfSchedules = async (queries: Queries): Promise<string[]> =>
  (await queries.rows(sql<{ id: string }>`select id from scheduled_activities`)).map(({ id }) => id)

/** Deletes at most `most` due times of a schedule that are no longer needed (`trim-occurrences.jobs.ts`). */
export const deleteOldOccurrences = (queries: Queries, scheduleId: string, most: number): Promise<number> =>
  queries.count(sql`
    delete from schedule_occurrences o
     where o.schedule_id = ${scheduleId}::uuid
       and o.due_at in (
           select old.due_at
             from schedule_occurrences old
            where old.schedule_id = ${scheduleId}::uuid
              and old.due_at < sluice_now() - interval '7 days'
              and old.state not in ('due', 'resolving')
              and not exists (select from activities a where a.id = old.activity_id and not a.final)
              and (old.state <> 'created' or old.commit_sha is null
                   or exists (select from schedule_occurrences later
                               where later.schedule_id = old.schedule_id and later.state = 'created'
                                 and later.commit_sha = old.commit_sha and later.due_at > old.due_at))
            order by old.due_at
            limit ${most})`)
