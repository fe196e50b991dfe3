import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { isInFuture } from '#platform/db/clock.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type Conditions, documentAad, type SealedDocument, type Times } from './schedule.ts'

/** Action, or workflow of the schedule's project, that it runs. */
interface Made {
  readonly action: string | null
  readonly workflow_code: string | null
  /** Version of the workflow. */
  readonly version: number | null
  readonly git_remote_name: string | null
  readonly git_rev: string | null
  readonly template_version: string | null
  readonly metadata: JsonObject
  readonly skip_steps: readonly string[]
  readonly starting_step: string | null
  readonly auto_continue_wait_steps: boolean
  readonly build_without_cache: boolean
}

export interface Schedule extends Times, Conditions, Made {
  readonly id: string
  readonly kind: 'scheduled_change' | 'scheduled_workflow'
  readonly node_id: string
  readonly project_id: string
  readonly path: string
  readonly enabled: boolean
  readonly disabled_reason: string | null
  readonly property_overrides: Buffer
  readonly settings_overrides: Buffer
  readonly notify: Buffer | null
  readonly next_run_at: string | null
  readonly created_by: string
  readonly user_id: string | null
  readonly row_version: number
}

const columns = sql`
  s.id, s.kind, s.node_id, s.project_id, s.path, s.action, s.workflow_code, s.version, s.cron_schedule, s.run_at, s.time_zone, s.repeat,
  s.maximum_run_count, s.end_at, s.enabled, s.disabled_reason, s.new_commits_only, s.commit_file_patterns,
  s.commit_file_pattern_match, s.allow_parallel_execution, s.git_remote_name, s.git_rev, s.template_version, s.metadata,
  s.skip_steps, s.starting_step, s.auto_continue_wait_steps, s.build_without_cache, s.notify, s.property_overrides,
  s.settings_overrides, s.next_run_at, s.run_count, s.created_by, s.user_id, s.row_version`

const byId = (id: string): Sql<Schedule> =>
  sql<Schedule>`select ${columns} from scheduled_activities s where s.id = ${id}::uuid`

export const findSchedule = (queries: Queries, id: string): Promise<Schedule | undefined> => queries.one(byId(id))

export const lockSchedule = (tx: Tx, id: string): Promise<Schedule | undefined> =>
  tx.one(sql<Schedule>`${byId(id)} for no key update`)

/** Locks a due schedule. Undefined when another process has it, or it is no longer due. */
export const lockDue = (tx: Tx, id: string): Promise<(Schedule & { next_run_at: string; now: string }) | undefined> =>
  tx.one(sql<Schedule & { next_run_at: string; now: string }>`
    select ${columns}, sluice_now() as now
      from scheduled_activities s
     where s.id = ${id}::uuid and s.enabled and s.next_run_at <= sluice_now()
       for no key update skip locked`)

/** Condition: the next due time was computed from a time in the future, because the clock was set back since. */
const isAhead = sql<boolean>`s.enabled and s.next_run_at > sluice_now() and ${isInFuture(sql`s.updated_at`)}`

export async function schedulesAhead(queries: Queries): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`select s.id from scheduled_activities s where ${isAhead}`)
  return rows.map(({ id }) => id)
}

export const lockAhead = (tx: Tx, id: string): Promise<(Schedule & { now: string }) | undefined> =>
  tx.one(sql<Schedule & { now: string }>`
    select ${columns}, sluice_now() as now
      from scheduled_activities s
     where s.id = ${id}::uuid and ${isAhead}
       for no key update skip locked`)

/** The database's time, and times of a request in the form of the database. */
export async function instants(
  queries: Queries,
  given: { run_at: string | null; end_at: string | null },
): Promise<{ now: string; run_at: string | null; end_at: string | null }> {
  return (await queries.one(sql<{ now: string; run_at: string | null; end_at: string | null }>`
    select sluice_now() as now, ${given.run_at}::timestamptz as run_at, ${given.end_at}::timestamptz as end_at`))!
}

/** Attributes of a schedule that people write. */
export interface Written extends Omit<Times, 'run_count'>, Conditions, Made {
  readonly enabled: boolean
  readonly property_overrides: JsonObject
  readonly settings_overrides: JsonObject
  readonly notify: JsonObject | null
}

export async function insertSchedule(
  tx: Tx,
  keyring: Keyring,
  place: { nodeId: string; projectId: string; path: string; createdBy: string; userId: string | null },
  written: Written,
  nextRunAt: string | null,
): Promise<string> {
  const { id } = (await tx.one(sql<{ id: string }>`select sluice_uuid7() as id`))!
  await tx.count(sql`
    insert into scheduled_activities (id, kind, node_id, project_id, path, action, workflow_code, property_overrides, settings_overrides,
                                      cron_schedule, run_at, created_by, user_id)
    values (${id}, ${written.action === null ? 'scheduled_workflow' : 'scheduled_change'}, ${place.nodeId},
            ${place.projectId}, ${place.path}, ${written.action}, ${written.workflow_code},
            ${seal(keyring, id, 'property_overrides', {})}, ${seal(keyring, id, 'settings_overrides', {})},
            ${written.cron_schedule}, ${written.run_at}::timestamptz, ${place.createdBy}, ${place.userId}::uuid)`)
  await writeSchedule(tx, keyring, id, written, nextRunAt)
  return id
}

export async function writeSchedule(
  tx: Tx,
  keyring: Keyring,
  id: string,
  written: Written,
  nextRunAt: string | null,
): Promise<void> {
  await tx.count(sql`
    update scheduled_activities
       set action = ${written.action}, workflow_code = ${written.workflow_code}, version = ${written.version},
           cron_schedule = ${written.cron_schedule},
           run_at = ${written.run_at}::timestamptz, time_zone = ${written.time_zone}, repeat = ${written.repeat},
           maximum_run_count = ${written.maximum_run_count}, end_at = ${written.end_at}::timestamptz,
           enabled = ${written.enabled}, disabled_reason = case when ${written.enabled} then null else disabled_reason end, new_commits_only = ${written.new_commits_only},
           commit_file_patterns = ${JSON.stringify(written.commit_file_patterns)}::jsonb,
           commit_file_pattern_match = ${written.commit_file_pattern_match},
           allow_parallel_execution = ${written.allow_parallel_execution},
           git_remote_name = ${written.git_remote_name}, git_rev = ${written.git_rev},
           template_version = ${written.template_version}, metadata = ${JSON.stringify(written.metadata)}::jsonb,
           skip_steps = ${[...written.skip_steps]}, starting_step = ${written.starting_step},
           auto_continue_wait_steps = ${written.auto_continue_wait_steps},
           build_without_cache = ${written.build_without_cache},
           notify = ${written.notify && seal(keyring, id, 'notify', written.notify)},
           property_overrides = ${seal(keyring, id, 'property_overrides', written.property_overrides)},
           settings_overrides = ${seal(keyring, id, 'settings_overrides', written.settings_overrides)},
           next_run_at = ${nextRunAt}::timestamptz, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)
  tx.hint('schedules')
}

const seal = (keyring: Keyring, id: string, which: SealedDocument, document: JsonObject) =>
  keyring.seal(JSON.stringify(document), documentAad(id, which))

export const openDocument = (
  keyring: Keyring,
  schedule: Pick<Schedule, 'id' | SealedDocument>,
  which: Exclude<SealedDocument, 'notify'>,
): JsonObject => fromJson(keyring.openText(schedule[which], documentAad(schedule.id, which)))

export const openNotify = (keyring: Keyring, { id, notify }: Pick<Schedule, 'id' | 'notify'>): JsonObject | null =>
  notify && fromJson(keyring.openText(notify, documentAad(id, 'notify')))

export const deleteSchedule = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from scheduled_activities where id = ${id}::uuid`)

/** Disables a schedule: it creates nothing until a person enables it again. */
export const disableSchedule = (tx: Tx, id: string, reason: string): Promise<number> =>
  tx.count(sql`
    update scheduled_activities
       set enabled = false, disabled_reason = ${reason}, next_run_at = null, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)

export const setNextRun = (tx: Tx, id: string, next: string | null): Promise<number> =>
  tx.count(sql`
    update scheduled_activities
       set next_run_at = ${next}::timestamptz, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)

/** Counts a run. After its maximum number of runs it is never due again. */
export const countRun = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`
    update scheduled_activities
       set run_count = run_count + 1,
           next_run_at = case when run_count + 1 >= maximum_run_count then null else next_run_at end,
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)

/** Whether one of its last activities is still running. */
export async function isAtWork(tx: Tx, { id }: Pick<Schedule, 'id'>): Promise<boolean> {
  const row = await tx.one(sql<{ busy: boolean }>`
    select exists (select from (select activity_id
                                  from schedule_occurrences
                                 where schedule_id = ${id}::uuid and state = 'created'
                                 order by due_at desc
                                 limit 100) made
                     join activities a on a.id = made.activity_id
                    where not a.final) as busy`)
  return row!.busy
}
