import { removalType, stretchesText } from '#audit/removals.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import type { EnqueueOptions } from '#platform/jobs/enqueue-options.ts'
import { jobsInOrder, removeJobs } from '#platform/jobs/finished-jobs.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { isNeededByNoRetry, removeOldChange } from '../changes/index.ts'
import { eventResource, isRemovableEvent, removeEvents } from '../events/index.ts'
import { jobResource } from '../maintenance/index.ts'
import type { Vaults } from '../secrets/index.ts'
import { isPurgeable } from '../steps/index.ts'
import { activityResource, isNeededByNoRun, removeOldRun } from '../workflow-runs/index.ts'
import type { CleanedKind, Written } from './cleanup-definition.ts'
import { conditionOf } from './definition-filters.sql.ts'

/** A kind of record that is removed when it is old. */
export interface Removable {
  /** List of the records, whose filters definitions take. */
  readonly resource: Resource
  /** Table of the records, each with `created_at` and `id`: the order of the walk. */
  readonly walked: Sql
  /** Columns `created_at`, `id` and path, over the aliases of the resource. */
  readonly createdAt: Sql
  readonly id: Sql
  readonly path: Sql
  /** Whether a record of that age may be removed. */
  readonly isRemovable: (cutoff: Sql) => Sql<boolean>
  /** Number of records removed in one transaction. */
  readonly together: number
  /** @throws Failure if the record may not be removed after all */
  readonly remove: (removing: Removing, ids: readonly string[]) => Promise<Removed>
  /** Whether each batch is recorded, in its transaction; otherwise the whole run once, at its end. */
  readonly recordsEachBatch?: true
  /** Events: some were removed; some could not be. */
  readonly removed: string
  readonly failed: string
}

interface Removed {
  readonly count: number
  /** Further attributes for the event of a batch. */
  readonly told?: object
}

interface Removing extends Pick<Runtime, 'enqueue'> {
  readonly tx: Tx
}

export interface RemovingParts {
  readonly keyring: Keyring
  readonly vaults: Pick<Vaults, 'removeBelow'>
}

export type Removables = Readonly<Record<CleanedKind, Removable>>

/**
 * Removable records by kind. Every ended record was created no later than it ended: walking by time of creation finds
 * all that has ended before a time, and that order has an index.
 */
export const removables = ({ keyring, vaults }: RemovingParts): Removables => ({
  activities: {
    resource: activityResource(keyring),
    walked: sql`activities`,
    createdAt: sql`a.created_at`,
    id: sql`a.id`,
    path: sql`a.path`,
    isRemovable: cutoff => sql<boolean>`
      a.finished_at < ${cutoff} and n.destroyed_at is null and ${isPurgeable} and ${isNeededByNoRetry}
      and ${isNeededByNoRun}
      and not exists (select from steps maker join activities making on making.id = maker.activity_id
                       where maker.id = a.workflow_step_id and not making.final)`,
    // A transaction locks one activity at most.
    together: 1,
    remove: async ({ tx, enqueue }, ids) => {
      const enqueueHere = (job: string, payload: object, options?: EnqueueOptions) => enqueue(tx, job, payload, options)
      const context = { tx, enqueue: enqueueHere }
      let removed = 0
      for (const id of ids)
        if ((await removeOldChange(vaults, context, id)) || (await removeOldRun(context, id))) removed += 1
      return { count: removed }
    },
    removed: 'info:data_cleanup:activities',
    failed: 'error:data_cleanup:activities',
  },
  events: {
    resource: eventResource,
    walked: sql`events`,
    createdAt: sql`e.created_at`,
    id: sql`e.id`,
    path: sql`e.path`,
    isRemovable: cutoff => sql<boolean>`e.created_at < ${cutoff} and ${isRemovableEvent}`,
    together: 5_000,
    // The audit trail is complete only if it reports its own removals: both are in one transaction.
    recordsEachBatch: true,
    remove: async ({ tx }, ids) => {
      const removed = await removeEvents(tx, ids)
      return { count: removed.length, told: { removed_seals: stretchesText(removed) } }
    },
    removed: removalType,
    failed: 'error:data_cleanup:events',
  },
  jobs: {
    resource: jobResource,
    walked: sql`(${jobsInOrder})`,
    createdAt: sql`j.created_at`,
    id: sql`j.id`,
    path: sql`j.node_path`,
    isRemovable: cutoff => sql<boolean>`j.finished_at < ${cutoff} and j.status in ('success', 'error')`,
    together: 1_000,
    remove: async ({ tx }, ids) => ({ count: await removeJobs(tx, ids) }),
    removed: 'info:data_cleanup:jobs',
    failed: 'error:data_cleanup:jobs',
  },
})

/** Position up to which records were examined; undefined: none yet. */
export type Place = { readonly created_at: string; readonly id: string } | undefined

/** Number of records examined at once, removable or not, so that no statement takes long. */
export const stretch = 1_000

/** The last record of the next stretch of records created before an instant; undefined when there is none. */
export const endOfStretch = (
  queries: Queries,
  { walked }: Removable,
  cutoff: string,
  after: Place,
  most = stretch,
): Promise<Place> => queries.one(lastOfStretch(walked, cutoff, after, most), { plannedAnew: true })

export const lastOfStretch = (walked: Sql, cutoff: string, after: Place, most: number) =>
  sql<NonNullable<Place>>`
    select created_at, id
      from (select w.created_at, w.id
              from ${walked} w
             where w.created_at < ${cutoff}::timestamptz ${after ? sql`and ${isBehind(sql`w.created_at`, sql`w.id`, after)}` : sql``}
             order by w.created_at, w.id
             limit ${most}) next
     order by created_at desc, id desc
     limit 1`

export type RemovalQuery = Pick<Written, 'node_paths' | 'filters'> & { readonly cutoff: string }

/** Places of the records to remove within a range, from the oldest on. */
export const removableIn = (kind: Removable, sought: RemovalQuery, after: Place, end: NonNullable<Place>) =>
  sql<NonNullable<Place>>`
    select ${kind.createdAt} as created_at, ${kind.id} as id
      from ${kind.resource.from}
     where (${kind.createdAt}, ${kind.id}) <= (${end.created_at}::timestamptz, ${end.id}::uuid)
       and ${kind.createdAt} <= ${end.created_at}::timestamptz
       ${after ? sql`and ${isBehind(kind.createdAt, kind.id, after)}` : sql``}
       and ${kind.isRemovable(sql`${sought.cutoff}::timestamptz`)}
       and ${isBelow(kind.path, sought.node_paths)}
       and ${conditionOf(kind.resource, sought.filters)}
     order by ${kind.createdAt}, ${kind.id}`

/**
 * Condition on records behind a place. The times are repeated by themselves: from them the planner knows how few
 * records are between two places.
 */
const isBehind = (createdAt: Sql, id: Sql, after: NonNullable<Place>) =>
  sql<boolean>`((${createdAt}, ${id}) > (${after.created_at}::timestamptz, ${after.id}::uuid)
                and ${createdAt} >= ${after.created_at}::timestamptz)`

/** `%` alone matches everything, including records without a node. */
function isBelow(path: Sql, nodePaths: readonly string[]): Sql<boolean> {
  if (nodePaths.includes('%')) return sql<boolean>`true`
  const [begins, same] = [nodePaths.filter(each => each.endsWith('%')), nodePaths.filter(each => !each.endsWith('%'))]
  const beginnings = begins.map(each => each.slice(0, -1))
  return sql<boolean>`(${path} = any(${same}::text[]) or ${path} ^@ any(${beginnings}::text[]))`
}
