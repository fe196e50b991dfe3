import { isInFuture } from '#platform/db/clock.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { CleanedKind, Written } from './cleanup-definition.ts'
import type { Definition } from './definition.store.ts'
import type { Place } from './removable.store.ts'

/** A run of a definition, as the definition was when it was due. */
export interface CleanupRun
  extends Pick<Written, 'name' | 'node_paths' | 'filters' | 'older_than' | 'maximum_per_run'> {
  readonly definition_id: string
  readonly kind: CleanedKind
  readonly cutoff: string
  readonly claim: string
  readonly seen_at: string | null
  readonly seen_id: string | null
  readonly removed_count: number
  readonly failed_count: number
  readonly last_error: string | null
}

const columns = sql`
  r.definition_id, r.name, r.kind, r.node_paths, r.filters, r.older_than, r.maximum_per_run, r.cutoff, r.claim, r.seen_at,
  r.seen_id, r.removed_count, r.failed_count, r.last_error`

export const placeOf = ({ seen_at, seen_id }: CleanupRun): Place =>
  seen_at === null || seen_id === null ? undefined : { created_at: seen_at, id: seen_id }

/** Whether it began: not while the previous one is running. */
export async function beginRun(tx: Tx, definition: Definition): Promise<boolean> {
  const begun = await tx.count(sql`
    insert into data_cleanup_runs (definition_id, revision, name, kind, node_paths, filters, older_than, maximum_per_run,
                                   cutoff)
    select id, revision, name, kind, node_paths, filters, older_than, maximum_per_run,
           sluice_now() - older_than::interval
      from data_cleanup_definitions
     where id = ${definition.id}::uuid
        on conflict do nothing`)
  return begun > 0
}

/**
 * Claims a run that no process works on. Never a claimed one: it would resume at the last stored place of a process
 * that is still working.
 */
export const claimRun = (queries: Queries): Promise<CleanupRun | undefined> =>
  queries.one(sql<CleanupRun>`
    update data_cleanup_runs r
       set claim = sluice_uuid7(), updated_at = sluice_now()
     where r.definition_id = (select definition_id from data_cleanup_runs
                               where claim is null
                               order by updated_at
                               limit 1
                                 for update skip locked)
    returning ${columns}`)

/** The run, locked, while the claim is valid. `wanted`: its definition is unchanged since the run began. */
export const lockRun = (
  tx: Tx,
  { definition_id, claim }: CleanupRun,
): Promise<(CleanupRun & { readonly wanted: boolean }) | undefined> =>
  tx.one(sql<CleanupRun & { wanted: boolean }>`
    select ${columns},
           exists (select from data_cleanup_definitions d
                    where d.id = r.definition_id and d.enabled and d.revision = r.revision) as wanted
      from data_cleanup_runs r
     where r.definition_id = ${definition_id}::uuid and r.claim = ${claim}::uuid
       for update`)

/** Stores that all records up to here were visited, and how many of them were removed. */
export const countRemoved = (
  tx: Tx,
  { definition_id }: CleanupRun,
  removed: number,
  seen: NonNullable<Place>,
): Promise<number> =>
  tx.count(sql`
    update data_cleanup_runs
       set removed_count = removed_count + ${removed}, seen_at = ${seen.created_at}::timestamptz,
           seen_id = ${seen.id}::uuid, updated_at = sluice_now()
     where definition_id = ${definition_id}::uuid`)

export const noteFailed = (tx: Tx, run: CleanupRun, failed: number, error: string): Promise<number> =>
  tx.count(sql`
    update data_cleanup_runs
       set failed_count = failed_count + ${failed}, last_error = coalesce(last_error, ${error}), updated_at = sluice_now()
     where definition_id = ${run.definition_id}::uuid and claim = ${run.claim}::uuid`)

/** Releases a claimed run, so that other runs have their turn. */
export const releaseRun = (queries: Queries, { definition_id, claim }: CleanupRun): Promise<number> =>
  queries.count(sql`
    update data_cleanup_runs set claim = null, updated_at = sluice_now()
     where definition_id = ${definition_id}::uuid and claim = ${claim}::uuid`)

/** Stores that all records up to here were visited: another process that takes over continues behind it. */
export const noteSeen = (queries: Queries, run: CleanupRun, seen: NonNullable<Place>): Promise<number> =>
  queries.count(sql`
    update data_cleanup_runs
       set seen_at = ${seen.created_at}::timestamptz, seen_id = ${seen.id}::uuid, updated_at = sluice_now()
     where definition_id = ${run.definition_id}::uuid and claim = ${run.claim}::uuid`)

export const endRun = (tx: Tx, { definition_id }: CleanupRun): Promise<number> =>
  tx.count(sql`delete from data_cleanup_runs where definition_id = ${definition_id}::uuid`)

export const doesAnyRunWait = async (queries: Queries): Promise<boolean> =>
  (await queries.one(sql`select from data_cleanup_runs where claim is null limit 1`)) !== undefined

/**
 * Releases runs that were not updated for longer than a turn takes, because their job was given up, or their process is
 * gone: another process may continue them. A process that still works on one stops at its next batch. A locked run is
 * within a batch, and is not awaited: that batch may take any time, while other definitions are due.
 */
export const releaseLeft = (tx: Tx): Promise<number> =>
  tx.count(sql`
    update data_cleanup_runs
       set claim = null, updated_at = sluice_now()
     where definition_id in (select definition_id from data_cleanup_runs
                              where ${isLeft}
                                for update skip locked)`)

const isLeft = sql<boolean>`(updated_at < sluice_now() - interval '20 seconds' or ${isInFuture(sql`updated_at`)})`
