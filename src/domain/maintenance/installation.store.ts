import type { Database } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { jobsInQueue } from '#platform/jobs/finished-jobs.ts'
import { sealingState } from '../events/index.ts'
import { unfinishedTasks, waitingTasksOf } from '../node-tasks/index.ts'
import { runnersOn, thisHost } from '../runners/index.ts'
import { type MaintenanceMode, modeInForce } from '../settings/index.ts'
import { unfinishedActivities, waitingActivitiesOf } from '../steps/for-maintenance.ts'

interface Counted {
  readonly status: string
  readonly count: number
}

/** Counts of everything at one moment; a kind without any may be absent. */
export interface Installation {
  readonly activities: readonly (Counted & { readonly kind: string })[] | null
  readonly tasks: readonly Counted[] | null
  readonly pools: readonly Pool[] | null
  /** Runners of this host. */
  readonly runners: readonly Counted[] | null
  readonly jobs: readonly Counted[] | null
  /** `unsealed_seconds`: the age of the oldest event that is not sealed. */
  readonly trail: { readonly seq: number; readonly unsealed_seconds: number | null }
  readonly mode: MaintenanceMode
}

interface Pool {
  readonly site: string
  readonly pool: string
  readonly configured: number
  readonly claimed: number
  readonly waiting: number
}

/** Statement timeout, in milliseconds. */
const longest = 2_000

/**
 * Reads the state of the installation by one statement, which reads no more of a table than the rows that it counts.
 */
export const readInstallation = (database: Database): Promise<Installation> =>
  database.transaction(async tx => (await tx.one(installation(thisHost())))!, {
    readOnly: true,
    statementTimeout: longest,
  })

/** @param host as in the rows of runners */
const installation = (host: string) => sql<Installation>`
  select (select json_agg(a) from (${unfinishedActivities}) a) as activities,
         (select json_agg(t) from (${unfinishedTasks}) t) as tasks,
         (select json_agg(json_build_object(
                   'site', p.site, 'pool', p.pool, 'configured', p.configured_limit, 'claimed', p.used,
                   'waiting', ${waitingActivitiesOf(sql`p.site`, sql`p.pool`)} + ${waitingTasksOf(sql`p.site`, sql`p.pool`)})
                   order by p.site, p.pool)
            from slot_pools p) as pools,
         (select json_agg(r) from (${runnersOn(host)}) r) as runners,
         (select json_agg(j) from (${jobsInQueue}) j) as jobs,
         (select to_json(s) from (${sealingState}) s) as trail,
         ${modeInForce} as mode`
