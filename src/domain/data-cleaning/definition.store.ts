import { isInFuture } from '#platform/db/clock.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Written } from './cleanup-definition.ts'

export interface Definition extends Written {
  readonly id: string
  readonly revision: number
  readonly next_run_at: string | null
  readonly row_version: number
}

const columns = sql`
  d.id, d.name, d.kind, d.cron_schedule, d.time_zone, d.node_paths, d.filters, d.older_than, d.maximum_per_run, d.enabled,
  d.revision, d.next_run_at, d.row_version`

export const findDefinition = (queries: Queries, id: string): Promise<Definition | undefined> =>
  queries.one(sql<Definition>`select ${columns} from data_cleanup_definitions d where d.id = ${id}::uuid`)

export const lockDefinition = (tx: Tx, id: string): Promise<Definition | undefined> =>
  tx.one(sql<Definition>`select ${columns} from data_cleanup_definitions d where d.id = ${id}::uuid for update`)

/** The database's time, ISO 8601. */
export const timeNow = async (queries: Queries): Promise<string> =>
  (await queries.one(sql<{ now: string }>`select sluice_now() as now`))!.now

/** Instant before which a record must have ended to be removed now. */
export const cutoffOf = async (queries: Queries, { older_than }: Pick<Written, 'older_than'>): Promise<string> =>
  (await queries.one(sql<{ cutoff: string }>`select sluice_now() - ${older_than}::interval as cutoff`))!.cutoff

export async function insertDefinition(
  tx: Tx,
  by: { readonly createdBy: string; readonly userId: string | null },
  written: Written,
  next: string | null,
): Promise<string> {
  const row = await tx.one(sql<{ id: string }>`
    insert into data_cleanup_definitions (name, kind, cron_schedule, time_zone, node_paths, filters, older_than,
                                          maximum_per_run, enabled, next_run_at, created_by, user_id)
    values (${written.name}, ${written.kind}, ${written.cron_schedule}, ${written.time_zone},
            ${JSON.stringify(written.node_paths)}::jsonb, ${JSON.stringify(written.filters)}::jsonb,
            ${written.older_than}, ${written.maximum_per_run}, ${written.enabled}, ${next}::timestamptz,
            ${by.createdBy}, ${by.userId}::uuid)
    returning id`)
  return row!.id
}

export async function writeDefinition(
  tx: Tx,
  id: string,
  written: Written,
  next: string | null,
  revision: number,
): Promise<void> {
  await tx.count(sql`
    update data_cleanup_definitions
       set name = ${written.name}, kind = ${written.kind}, cron_schedule = ${written.cron_schedule},
           time_zone = ${written.time_zone}, node_paths = ${JSON.stringify(written.node_paths)}::jsonb,
           filters = ${JSON.stringify(written.filters)}::jsonb, older_than = ${written.older_than},
           maximum_per_run = ${written.maximum_per_run}, enabled = ${written.enabled},
           next_run_at = ${next}::timestamptz, revision = ${revision}, row_version = row_version + 1,
           updated_at = sluice_now()
     where id = ${id}::uuid`)
}

export const deleteDefinition = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from data_cleanup_definitions where id = ${id}::uuid`)

const isDue = sql<boolean>`(d.enabled and d.next_run_at <= sluice_now())`
/** Condition: the next due time was computed from a time in the future, because the clock was set back since. */
const isAhead = sql<boolean>`(d.enabled and d.next_run_at > sluice_now() and ${isInFuture(sql`d.updated_at`)})`

export async function dueDefinitions(queries: Queries, postponed: readonly string[], most: number): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select d.id
      from data_cleanup_definitions d
     where (${isDue} or ${isAhead}) and d.id <> all(${[...postponed]}::uuid[])
     order by d.next_run_at
     limit ${most}`)
  return rows.map(({ id }) => id)
}

type Due = Definition & { readonly now: string; readonly ahead: boolean }

/**
 * Locks a definition that is due, or whose next due time has to be computed again (`ahead`), unless another process has
 * it.
 */
export const lockDue = (tx: Tx, id: string): Promise<Due | undefined> =>
  tx.one(sql<Due>`
    select ${columns}, sluice_now() as now, ${isAhead} as ahead
      from data_cleanup_definitions d
     where d.id = ${id}::uuid and (${isDue} or ${isAhead})
       for no key update skip locked`)

export const noteRun = (tx: Tx, id: string, next: string | null, begun: boolean): Promise<number> =>
  tx.count(sql`
    update data_cleanup_definitions
       set next_run_at = ${next}::timestamptz, last_run_at = case when ${begun} then sluice_now() else last_run_at end,
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)
