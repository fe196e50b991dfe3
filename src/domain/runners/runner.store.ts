import type { Queries, Tx } from '#platform/db/database.ts'
import { equalsUnindexed, raw, type Sql, sql } from '#platform/db/sql.ts'
import type { Holder, LiveRunner, ProcessName, RunnerKind, RunnerOptions, SpareRunner } from './runner.ts'
import type { RecordedRunner, RunnerName } from './runner-driver.port.ts'
import { begun, type RunnerStatus } from './runner-status.sql.ts'

/** Columns of a runner's holder, and its kind; a spare runner has none (`Holder`). */
export const worksFor = (alias: string) =>
  raw(`coalesce(${alias}.activity_id, ${alias}.task_id) as "activityId", ${alias}.step_id as "stepId",
       case when ${alias}.activity_id is not null then 'activity'
            when ${alias}.task_id is not null then 'task'
            else 'nothing' end as "of"`)

export interface RunnerToStart {
  id: string
  activityId: string
  of: LiveRunner['of']
  startAttempts: number
  options: RunnerOptions
}

/**
 * Claims requested runners of a kind; several processes may do so, and each runner belongs to one `starter`.
 *
 * @param which.except those of these activities and tasks are left to other processes, and to later
 */
export function takeWanted(
  tx: Tx,
  which: {
    site: string
    kind: RunnerKind
    limit: number
    starter: ProcessName
    /** `RunnerDriver.folder` */
    folder: string | null
    except?: readonly string[]
  },
): Promise<RunnerToStart[]> {
  const { starter, except = [] } = which
  return tx.rows(sql<RunnerToStart>`
    update runners r
       set status          = 'starting',
           started_at      = sluice_now(),
           start_attempts  = r.start_attempts + 1,
           host            = ${starter.host},
           starter_pid     = ${starter.pid},
           starter_started = ${starter.started},
           folder          = ${which.folder} || '/' || r.id
      from (select id
              from runners
             where site = ${which.site} and kind = ${which.kind} and status = 'wanted'
               and coalesce(activity_id, task_id) <> all(${[...except]}::uuid[])
             order by created_at
             limit ${which.limit}
               for update skip locked) w
     where r.id = w.id
    returning r.id, ${worksFor('r')}, r.start_attempts as "startAttempts", r.options`)
}

export async function setSecret(tx: Tx, runnerId: string, sha256: Buffer): Promise<void> {
  await tx.count(sql`update runners set secret_sha = ${sha256} where id = ${runnerId}`)
}

export async function recordName(queries: Queries, runnerId: string, { host, ref }: RunnerName): Promise<void> {
  await queries.count(sql`
    update runners
       set host = ${host}, pid = split_part(${ref}, ':', 1)::integer, pid_started = split_part(${ref}, ':', 2)::bigint
     where id = ${runnerId} and status <> 'gone'`)
}

/** `RunnerName.ref` of a runner of kind `process`, the only one whose name is stored so far. */
const refOf = (alias: string) => raw(`${alias}.pid || ':' || ${alias}.pid_started as ref`)

export type KnownRunner = Holder & {
  id: string
  status: RunnerStatus
  secretSha: Buffer | null
}

export function findRunner(queries: Queries, id: string): Promise<KnownRunner | undefined> {
  return queries.one(sql<KnownRunner>`
    select r.id, ${worksFor('r')}, r.status, r.secret_sha as "secretSha" from runners r where r.id = ${id}::uuid`)
}

/**
 * Begins a session: from now on messages of the previous one are refused. `for update` also waits for transactions of
 * the old one (`lockSession`). Undefined when the runner has been given up.
 */
export async function beginSession(
  tx: Tx,
  runnerId: string,
  about: ProcessName & { protocol: number },
): Promise<((LiveRunner | SpareRunner) & { acked: number }) | undefined> {
  await tx.one(sql`select from runners where id = ${runnerId} for update`)
  return tx.one(sql<(LiveRunner | SpareRunner) & { acked: number }>`
    update runners r
       set session      = session + 1,
           status       = case when status = 'stopping' then status else 'live' end,
           host         = ${about.host},
           pid          = ${about.pid},
           pid_started  = ${about.started},
           protocol     = ${about.protocol},
           last_contact = sluice_now()
     where id = ${runnerId} and status in ${begun}
    returning r.id, ${worksFor('r')}, r.session, r.acked_seq as acked`)
}

/**
 * Whether this is the runner's newest session, and, until the transaction ends, remains it. The weakest lock that does:
 * the engine may request a runner of the same activity meanwhile.
 */
export async function lockSession(tx: Tx, { id, session }: Pick<LiveRunner, 'id' | 'session'>): Promise<boolean> {
  const held = await tx.one(sql`
    select from runners where id = ${id} and session = ${session} and status in ('live', 'stopping') for key share`)
  return held !== undefined
}

/** Locks a session like lockSession, for claiming more work. */
export async function lockLiveSession(tx: Tx, { id, session }: Pick<LiveRunner, 'id' | 'session'>): Promise<boolean> {
  const held = await tx.one(sql`
    select from runners where id = ${id} and session = ${session} and status = 'live' for key share`)
  return held !== undefined
}

/** `lockLiveSession` for many sessions, as a part of a statement: those of `asked` (runner_id, session) that hold. */
export const liveSessions = (asked: Sql): Sql<{ id: string }> => sql<{ id: string }>`
  select r.id
    from ${asked} asked
    join runners r on r.id = asked.runner_id and r.session = asked.session and ${equalsUnindexed('r.status', sql`'live'`)}
     for key share of r`

/** Renews the leases of sessions, and records what is stored of their messages. Returns the ids of those that hold. */
export async function renewSessions(
  queries: Queries,
  sessions: readonly { id: string; session: number; acked: number }[],
): Promise<Set<string>> {
  const rows = await queries.rows(sql<{ id: string }>`
    update runners r
       set last_contact = sluice_now(),
           acked_seq    = greatest(r.acked_seq, s.acked)
      from unnest(${sessions.map(({ id }) => id)}::uuid[],
                  ${sessions.map(({ session }) => session)}::bigint[],
                  ${sessions.map(({ acked }) => acked)}::bigint[]) s (id, session, acked)
     where r.id = s.id and r.session = s.session and r.status in ('live', 'stopping')
    returning r.id`)
  return new Set(rows.map(({ id }) => id))
}

/** Renews the lease of a runner that has no session here. False when it has been given up. */
export async function renewLease(queries: Queries, id: string): Promise<boolean> {
  const renewed = await queries.count(sql`
    update runners set last_contact = sluice_now() where id = ${id} and status in ('live', 'stopping')`)
  return renewed > 0
}

/** Selects the runners among these that must end. */
export async function runnersToStop(queries: Queries, ids: readonly string[]): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select id from runners where id = any(${[...ids]}::uuid[]) and status = 'stopping'`)
  return rows.map(({ id }) => id)
}

/**
 * Marks a runner as gone, and returns its holder, which has to be notified in the same transaction: a spare one may
 * have been assigned a moment ago. Undefined when it was gone already. Waits, as `beginSession` does, for transactions
 * that claim steps for it: the caller reads these next, and a step claimed afterwards would run forever.
 */
export async function markGone(tx: Tx, runnerId: string, reason: string): Promise<Holder | undefined> {
  await tx.one(sql`select from runners where id = ${runnerId} for update`)
  return tx.one(gone(runnerId, reason, sql`status <> 'gone'`))
}

/** Marks a spare as gone that was not assigned; if it was assigned meanwhile, it counts as any other runner. */
export async function markSpareGone(queries: Queries, runnerId: string, reason: string): Promise<void> {
  await queries.one(gone(runnerId, reason, sql`status <> 'gone' and activity_id is null and task_id is null`))
}

const gone = (runnerId: string, reason: string, where: Sql): Sql<Holder> => sql<Holder>`
  update runners r
     set status = 'gone', gone_at = sluice_now(), gone_reason = coalesce(gone_reason, ${reason}), secret_sha = null
   where id = ${runnerId} and ${where}
  returning ${worksFor('r')}`

/**
 * Queues a runner again whose start had no result. Another process may have noticed that too, and have started it again
 * by now: a second one in the same folder would later remove the first one's files as well.
 */
export async function wantAgain(
  queries: Queries,
  { id, startAttempts }: Pick<RunnerToStart, 'id' | 'startAttempts'>,
): Promise<void> {
  await queries.count(sql`
    update runners
       set status = 'wanted', secret_sha = null, host = null, pid = null, pid_started = null,
           starter_pid = null, starter_started = null
     where id = ${id} and status = 'starting' and start_attempts = ${startAttempts}`)
}

export type UnheardRunner = Pick<RunnerToStart, 'id' | 'startAttempts'> & { kind: RunnerKind }

/** Selects the runners that a service process has begun to start and that never connected, without spare ones. */
export const unheardRunners = (queries: Queries, starter: ProcessName): Promise<UnheardRunner[]> =>
  queries.rows(sql<UnheardRunner>`
    select id, kind, start_attempts as "startAttempts"
      from runners
     where status in ('starting', 'stopping') and last_contact is null and coalesce(activity_id, task_id) is not null
       and host = ${starter.host} and starter_pid = ${starter.pid} and starter_started = ${starter.started}`)

export type Suspect = Holder &
  RecordedRunner & {
    kind: RunnerKind
    status: Exclude<RunnerStatus, 'wanted' | 'gone'>
    startAttempts: number
    ackedSeq: number
    /** Whether it works, and no service process has had contact with it for longer than it takes to renew a lease. */
    unheard: boolean
    silent: boolean
    /** Seconds without contact after which it counts as silent. */
    lostAfterSeconds: number
    /** Whether its hello is overdue. */
    overdue: boolean
  }

/**
 * Every runner that was started, and how long it has been silent. Time without a service does not count, because an
 * outage of ours does not mean that a runner is dead; nor does a leap of the clock, after which no runner can have had
 * contact yet: until the next heartbeat has distinguished such a gap from silence (`beat`), none counts as silent.
 */
export const runnersUnderWay = (queries: Queries, site: string): Promise<Suspect[]> =>
  queries.rows(underWay(sql`r.site = ${site}`))

/** Current state of a runner that was started. */
export const runnerUnderWay = (queries: Queries, id: string): Promise<Suspect | undefined> =>
  queries.one(underWay(sql`r.id = ${id}`))

/** The runner stops its steps by itself after so long without contact. */
const silenceSeconds = raw(`coalesce((r.options->>'silence_seconds')::integer, 60)`)
/** Silence after which a runner has stopped its steps, and their processes have been killed. */
const lostAfterSilenceSeconds = raw('15')

const underWay = (where: Sql): Sql<Suspect> => sql<Suspect>`
  select r.id,
         ${worksFor('r')},
         r.status,
         r.kind,
         r.host,
         ${refOf('r')},
         r.folder,
         case when r.starter_pid is not null
              then json_build_object('pid', r.starter_pid, 'started', r.starter_started) end  as starter,
         r.start_attempts                                                                    as "startAttempts",
         r.acked_seq                                                                         as "ackedSeq",
         r.status in ('live', 'stopping') and sluice_now() - r.last_contact > interval '10 s' as unheard,
         i.beating and r.last_contact is not null
           and sluice_now() - greatest(r.last_contact, i.service_back_at)
               > make_interval(secs => ${silenceSeconds} + ${lostAfterSilenceSeconds})       as silent,
         ${silenceSeconds} + ${lostAfterSilenceSeconds}                                       as "lostAfterSeconds",
         i.beating and r.last_contact is null
           and sluice_now() - greatest(r.started_at, i.service_back_at) > interval '30 s'    as overdue
    from runners r
   cross join (select service_back_at, sluice_now() - heartbeat_at <= ${noGap} as beating from installation) i
   where r.status in ${begun} and ${where}
   order by r.id`

/** Number of runners of a site: started, and not known to be gone. */
export const runnersAt = (site: Sql): Sql => sql`
  (select count(*)::integer from runners r where r.status in ${begun} and r.site = ${site})`

/** Rows {status, count} of those that are on this host. */
export const runnersOn = (host: string): Sql<{ status: string; count: number }> => sql`
  select r.status, count(*) as count from runners r where r.status in ${begun} and r.host = ${host} group by 1`

/** Maximum time between two heartbeats; after a longer one the service was away. */
const noGap = raw(`interval '5 s'`)

/** Records a heartbeat of the service. After a gap the service has been away, and runners get time to reconnect. */
export async function beat(queries: Queries): Promise<void> {
  await queries.count(sql`
    update installation
       set service_back_at = case when sluice_now() - heartbeat_at > ${noGap} then sluice_now() else service_back_at end,
           heartbeat_at    = sluice_now()`)
}

/** A runner that is gone or was never known, as far as it is recorded. */
export type GoneRunner = RecordedRunner & {
  /** The activity or task that it worked for; null for a spare one, and for one that was never known. */
  readonly activityId: string | null
}

/** Selects the runners among these that have ended or were never known. */
export function goneRunners(queries: Queries, ids: readonly string[]): Promise<GoneRunner[]> {
  return queries.rows(sql<GoneRunner>`
    select i.id, r.host, ${refOf('r')}, null as starter, r.folder, coalesce(r.activity_id, r.task_id) as "activityId"
      from unnest(${[...ids]}::uuid[]) i (id)
      left join runners r on r.id = i.id
     where r.id is null or r.status = 'gone'`)
}
