import { fromJson } from '#json/from-json.ts'
import type { Actor } from '#platform/actor.ts'
import type { Keyring, SealedTable } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Node } from '../nodes/index.ts'
import { isCalled } from '../users/index.ts'
import type { Credentials } from './credentials.adapter.ts'
import { longestWait } from './git-remote.ts'

export interface StoredRemote {
  readonly id: string
  readonly project_id: string
  readonly path: string
  readonly name: string
  readonly url: string
  readonly public_url: string | null
  readonly user: string | null
  readonly credentials: Buffer | null
  readonly periodic_fetch_interval: number | null
  readonly archived: boolean
  readonly fetch_failures: number
  readonly row_version: number
}

const columns = sql`
  r.id, r.project_id, r.path, r.name, r.url, r.public_url, r."user", r.credentials, r.periodic_fetch_interval, r.archived,
  r.fetch_failures, r.row_version`

export const findRemote = (queries: Queries, id: string): Promise<StoredRemote | undefined> =>
  queries.one(sql<StoredRemote>`select ${columns} from git_remotes r where r.id = ${id}::uuid`)

/** Locks a remote against every other change of it; `id` may be any text. */
export const lockRemote = (queries: Queries, projectId: string, id: string): Promise<StoredRemote | undefined> =>
  queries.one(sql<StoredRemote>`
    select ${columns} from git_remotes r where r.id::text = ${id} and r.project_id = ${projectId}::uuid
       for no key update`)

/** Remote of a name, in any case of A to Z, as it is unique in its project. */
export const remoteByName = (queries: Queries, projectId: string, name: string): Promise<StoredRemote | undefined> =>
  queries.one(sql<StoredRemote>`
    select ${columns} from git_remotes r where r.project_id = ${projectId}::uuid and ${isCalled(sql`r.name`, name)}`)

/**
 * Records a successful fetch for another purpose. A remote that had been failing would be retried only after up to a
 * day; now it is due, so that everything that follows it is updated.
 */
export const noteFetched = (queries: Queries, id: string): Promise<number> =>
  queries.count(sql`
    update git_remotes
       set fetched_at    = sluice_now(),
           next_fetch_at = case when fetch_failures > 0 then sluice_now() else next_fetch_at end
     where id = ${id}::uuid`)

/** The commits that records name. */
export const pinnedCommits = async (queries: Queries, remoteId: string): Promise<string[]> => {
  const rows = await queries.rows(sql<{ commit_sha: string }>`
    select commit_sha from git_commits where git_remote_id = ${remoteId}::uuid order by kept_at`)
  return rows.map(row => row.commit_sha)
}

const aad = (id: string): string => `git_remotes:${id}`

export const sealedCredentials: SealedTable = {
  table: 'git_remotes',
  key: { id: 'uuid' },
  columns: { credentials: row => aad(row['id']) },
}

export const sealCredentials = (keyring: Keyring, id: string, credentials: Credentials): Buffer =>
  keyring.seal(JSON.stringify(credentials), aad(id))

export const credentialsOf = (
  keyring: Keyring,
  { id, credentials }: { id: string; credentials: Buffer | null },
): Credentials => (credentials ? fromJson(keyring.openText(credentials, aad(id))) : {})

interface RemoteToWrite {
  readonly name: string
  readonly url: string
  readonly public_url: string | null
  readonly user: string | null
  readonly periodic_fetch_interval: number | null
  readonly archived: boolean
  readonly credentials: Credentials
  readonly sealed: Buffer | null
}

export const newRemoteId = async (tx: Tx): Promise<string> =>
  (await tx.one(sql<{ id: string }>`select sluice_uuid7() as id`))!.id

/** @returns 0 if another remote of the project has that name */
export const insertRemote = (
  tx: Tx,
  id: string,
  project: Pick<Node, 'id'>,
  { path, credentials, sealed, ...remote }: RemoteToWrite & { readonly path: string },
  actor: Pick<Actor, 'username' | 'userId'>,
): Promise<number> =>
  tx.count(sql`
    insert into git_remotes (id, project_id, path, name, url, public_url, "user", credentials, has_password,
                             has_ssh_key, has_passphrase, periodic_fetch_interval, archived, created_by, user_id)
    values (${id}::uuid, ${project.id}::uuid, ${path}, ${remote.name},
            ${remote.url}, ${remote.public_url}, ${remote.user},
            ${sealed}, ${'password' in credentials}, ${'ssh_key_data' in credentials},
            ${'passphrase' in credentials}, ${remote.periodic_fetch_interval},
            ${remote.archived}, ${actor.username}, ${actor.userId}::uuid)
        on conflict do nothing`)

/** @returns 0 if nothing differs */
export const updateRemote = (
  tx: Tx,
  id: string,
  { credentials, sealed, ...wanted }: RemoteToWrite,
  { otherCredentials }: { readonly otherCredentials: boolean },
): Promise<number> =>
  tx.count(sql`
    update git_remotes
       set name = ${wanted.name}, url = ${wanted.url}, public_url = ${wanted.public_url}, "user" = ${wanted.user},
           credentials = ${sealed},
           has_password = ${'password' in credentials}, has_ssh_key = ${'ssh_key_data' in credentials},
           has_passphrase = ${'passphrase' in credentials},
           periodic_fetch_interval = ${wanted.periodic_fetch_interval}, archived = ${wanted.archived},
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid
       and (${otherCredentials} or (name, url, public_url, "user", periodic_fetch_interval, archived) is distinct from
            (${wanted.name}::text, ${wanted.url}::text, ${wanted.public_url}::text, ${wanted.user}::text,
             ${wanted.periodic_fetch_interval}::int, ${wanted.archived}::boolean))`)

export const lockAgainstReferences = (tx: Tx, id: string): Promise<unknown> =>
  tx.rows(sql`select from git_remotes where id = ${id}::uuid for update`)

export const deleteRemote = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from git_remotes where id = ${id}::uuid`)

export const lockFetched = (tx: Tx, id: string): Promise<StoredRemote | undefined> =>
  tx.one(sql<StoredRemote>`select * from git_remotes where id = ${id}::uuid for no key update`)

export const noteFetch = (
  tx: Tx,
  id: string,
  fetch: {
    readonly failed: { readonly message: string } | undefined
    readonly took: number | undefined
    readonly failures: number
    /** Seconds until the next periodic fetch. */
    readonly nextIn: number
  },
): Promise<number> =>
  tx.count(sql`
    update git_remotes
       set fetched_at     = case when ${fetch.failed === undefined} then sluice_now() else fetched_at end,
           fetch_milliseconds = coalesce(${fetch.took ?? null}::int, fetch_milliseconds),
           fetch_failures = ${fetch.failures},
           fetch_error    = ${fetch.failed?.message ?? null},
           next_fetch_at  = sluice_now() + make_interval(secs => ${fetch.nextIn})
     where id = ${id}::uuid`)

/** Whether the next fetch is further away than any interval: the clock was set back since. */
const isBeyondReach = sql<boolean>`
  next_fetch_at > (select sluice_now()) + make_interval(secs => ${sql.lit(longestWait)}, mins => 5)`

/** Remotes that are due for a periodic fetch; each is due again in 15 minutes unless a fetch sets another time. */
export const takeDueRemotes = (tx: Tx, most: number): Promise<{ id: string; node_path: string }[]> =>
  tx.rows(sql<{ id: string; node_path: string }>`
    update git_remotes
       set next_fetch_at = sluice_now() + interval '15 minutes'
     where id in (select id from git_remotes
                   where (next_fetch_at <= (select sluice_now()) or ${isBeyondReach}) and not archived
                     and exists (select from nodes p where p.id = git_remotes.project_id and p.destroyed_at is null)
                   order by next_fetch_at
                   limit ${most}
                     for update skip locked)
    returning id, (select p.path from nodes p where p.id = git_remotes.project_id) as node_path`)

/** Allows this transaction to be idle for any time. */
export const allowIdle = (tx: Tx): Promise<unknown> => tx.rows(sql`set local idle_in_transaction_session_timeout = 0`)

export const pinCommit = (
  tx: Tx,
  remoteId: string,
  {
    commit,
    committedAt,
    subject,
  }: { readonly commit: string; readonly committedAt: string | null; readonly subject: string },
): Promise<number> =>
  tx.count(sql`
    insert into git_commits (git_remote_id, commit_sha, committed_at, subject)
    values (${remoteId}::uuid, ${commit}, ${committedAt}::timestamptz, ${subject})
        on conflict do nothing`)

/** Remotes among these that no longer exist. */
export const deletedAmong = (queries: Queries, ids: readonly string[]): Promise<{ id: string }[]> =>
  queries.rows(sql<{ id: string }>`
    select given.id from unnest(${[...ids]}::uuid[]) as given(id) where not exists (select from git_remotes r where r.id = given.id)`)

/**
 * Summary of the remotes that are fetched periodically. Durations are those of the newest fetch of each, in seconds.
 */
export interface FetchSummary {
  readonly remotes: number
  readonly failing: number
  readonly never_fetched: number
  readonly oldest_fetch_at: string | null
  readonly fastest_seconds: number | null
  readonly median_seconds: number | null
  readonly p95_seconds: number | null
  readonly slowest_seconds: number | null
}

/** @returns undefined while every remote is younger than `seconds` */
export const fetchSummary = (tx: Tx, seconds: number): Promise<FetchSummary | undefined> =>
  tx.one(sql<FetchSummary>`
    select count(*)::int as remotes,
           count(*) filter (where r.fetch_failures > 0)::int as failing,
           count(*) filter (where r.fetched_at is null)::int as never_fetched,
           min(r.fetched_at) as oldest_fetch_at,
           min(r.fetch_milliseconds)::float8 / 1000 as fastest_seconds,
           percentile_cont(0.5) within group (order by r.fetch_milliseconds) / 1000 as median_seconds,
           percentile_cont(0.95) within group (order by r.fetch_milliseconds) / 1000 as p95_seconds,
           max(r.fetch_milliseconds)::float8 / 1000 as slowest_seconds
      from git_remotes r
      join nodes p on p.id = r.project_id and p.destroyed_at is null
     where not r.archived
    having min(r.created_at) <= sluice_now() - make_interval(secs => ${seconds})`)
