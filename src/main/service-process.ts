import { hostname } from 'node:os'
import type { KnownKeys } from '../platform/crypto/index.ts'
import type { Database } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { UserLoad } from '../platform/fair-share.ts'
import type { FailingLoop } from '../platform/jobs/failing-loops.ts'

/** Row of this process among those that serve; renewed until `stop`. */
export interface ServiceProcess {
  readonly id: string
  /** Records at once the names under which this process runs jobs. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/**
 * Registers this process and renews its row every 5 s. A process that finds a row older than 30 s (on its own host: of
 * a dead process) frees the jobs of that process (`jobWorkers`, the names it used in the job queue) and deletes the
 * row. Jobs of a process that died before it recorded its names are freed after 30 s too.
 */
export async function registerProcess(options: {
  database: Database
  role: 'all' | 'api' | 'worker'
  release: string
  /** Number of the newest migration that this release knows. */
  schemaVersion: number
  jobWorkers: () => readonly string[]
  /** Failing loops of the process, shown in its record. */
  failingLoops: () => readonly FailingLoop[]
  /** The users who used most database time in this process, for GET /api/admin/load. */
  userLoad: () => readonly UserLoad[]
  /** Called at each heartbeat with the number of processes that serve the API, including this one. */
  serving: (apiProcesses: number) => void
  /** Isolation of the steps that this process starts; absent if it starts none. */
  isolation?: { readonly sandboxed: boolean; readonly ownUser: boolean }
  /**
   * Reads the keys that this process encrypts with again: what it knows of them is reported in its row. Its errors
   * count as errors of `renew`.
   */
  keys: () => Promise<KnownKeys>
  onError: (error: unknown) => void
}): Promise<ServiceProcess> {
  const { database, isolation } = options
  const [sandboxed, ownUser] = [isolation?.sandboxed ?? null, isolation?.ownUser ?? null]
  const { id } = (await database.one(sql<{ id: string }>`
    insert into service_processes (role, host, pid, release, schema_version, steps_sandboxed, steps_own_user)
    values (${options.role}, ${hostname()}, ${process.pid}, ${options.release}, ${options.schemaVersion}, ${sandboxed},
            ${ownUser})
    returning id`))!
  await freeJobsOf(database, sql<boolean>`id = any(${await deadOnThisHost(database, id)}::uuid[])`)

  let wasThere = false
  const keysNow = keysOf(options.keys)
  const beat = async () => {
    const { knows, sealsWith, nextRoot, unread } = await keysNow()
    const renewed = await database.one(sql<{ away: boolean; serving: number }>`
      update service_processes p
         set heartbeat_at = sluice_now(), job_workers = ${[...options.jobWorkers()]},
             failing_loops = ${JSON.stringify(options.failingLoops())}::jsonb,
             user_load = ${JSON.stringify(options.userLoad())}::jsonb,
             knows_key = ${knows}, seals_with = ${sealsWith}, next_root = ${nextRoot}
        from (select sluice_now() - heartbeat_at > interval '15 seconds' as away
                from service_processes where id = ${id}::uuid) before
       where p.id = ${id}::uuid
      returning before.away,
                (select count(*)::int from service_processes s
                  where s.role <> 'worker' and s.heartbeat_at > sluice_now() - interval '30 seconds') as serving`)
    if (renewed) options.serving(renewed.serving)
    if (!renewed) {
      // We were suspended for so long that another process considered us dead and freed our jobs.
      await database.rows(sql`
        insert into service_processes
          (id, role, host, pid, release, schema_version, job_workers, knows_key, seals_with, next_root, steps_sandboxed,
           steps_own_user)
        values (${id}::uuid, ${options.role}, ${hostname()}, ${process.pid}, ${options.release}, ${options.schemaVersion},
                ${[...options.jobWorkers()]}, ${knows}, ${sealsWith}, ${nextRoot}, ${sandboxed}, ${ownUser})`)
    }
    // After a leap of the clock (the machine of the database was suspended) all processes look dead, although they
    // work: each gets one interval to report, also from a process that has only just started.
    const isThere = renewed?.away === false
    if (isThere && wasThere) await freeJobsOfSilent(database)
    wasThere = isThere
    if (unread) throw unread.error
  }
  const underWay = new Set<Promise<void>>()
  let stopped = false
  const renew = async () => {
    if (stopped) return
    const one = beat()
    underWay.add(one)
    await one.finally(() => underWay.delete(one))
  }
  const timer = setInterval(() => renew().catch(options.onError), 5_000)
  await renew()

  return {
    id,
    renew,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      // A process without a row would otherwise create one for a process that is stopping.
      await Promise.allSettled(underWay)
      await database.rows(sql`delete from service_processes where id = ${id}::uuid`)
    },
  }
}

/**
 * Reads the known keys. A process that can no longer read the keys (root.key was lost, or opened to others) continues
 * with those in memory, and must still be seen as alive: if it were considered dead, its jobs would also run elsewhere.
 * A rotation to another root key does not wait for it.
 */
function keysOf(read: () => Promise<KnownKeys>): () => Promise<KnownKeys & { unread?: { error: unknown } }> {
  let last: KnownKeys | undefined
  return async () => {
    try {
      last = await read()
      return last
    } catch (error) {
      // At its start a process must be able to read them.
      if (!last) throw error
      return { ...last, nextRoot: null, unread: { error } }
    }
  }
}

/**
 * Ids of dead processes on this host. A process on its own host is dead when its pid is, so that a restart after
 * a crash does not have to wait 30 s.
 */
async function deadOnThisHost(database: Database, self: string): Promise<string[]> {
  const here = await database.rows(sql<{ id: string; pid: number }>`
    select id, pid from service_processes where host = ${hostname()} and id <> ${self}::uuid`)
  return here.filter(({ pid }) => pid === process.pid || !isAlive(pid)).map(({ id }) => id)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function freeJobsOfSilent(database: Database): Promise<void> {
  await freeJobsOf(database, sql<boolean>`heartbeat_at < sluice_now() - interval '30 seconds'`)
  const nameless = await database.rows(sql<{ locked_by: string }>`
    select distinct locked_by
      from graphile_worker.jobs
     where locked_at < now() - interval '30 seconds'
       and not exists (select from service_processes where locked_by = any(job_workers))`)
  await unlock(
    database,
    nameless.map(({ locked_by }) => locked_by),
  )
}

/** Frees the jobs of dead processes, whose rows are deleted. */
async function freeJobsOf(database: Database, areDead: Sql<boolean>): Promise<void> {
  const dead = await database.rows(sql<{ job_workers: string[] }>`
    delete from service_processes where ${areDead} returning job_workers`)
  await unlock(
    database,
    dead.flatMap(({ job_workers }) => job_workers),
  )
}

async function unlock(database: Database, workers: readonly string[]): Promise<void> {
  if (workers.length > 0) await database.rows(sql`select graphile_worker.force_unlock_workers(${[...workers]}::text[])`)
}
