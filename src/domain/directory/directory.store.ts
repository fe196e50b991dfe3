import { isInFuture } from '#platform/db/clock.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Person as stored in `users`. */
export interface CachedPerson {
  username: string
  display_name: string | null
  email_address: string | null
  /** Groups; null: unchanged, none for a new user. */
  groupnames: readonly string[] | null
}

/**
 * Updates people of the directory. Names of local or deleted users are skipped: a directory never takes over a name. A
 * person who was gone and is back may sign in again.
 */
export async function cachePeople(
  tx: Tx,
  people: readonly CachedPerson[],
): Promise<{ added: number; changed: number }> {
  const rows = await tx.rows(sql<{ added: boolean }>`
    with told as (
      select distinct on (lower(t.username))
             t.username, t.display_name, t.email_address, coalesce(t.groupnames, u.groupnames, '{}') as groupnames
        from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
             as t (username text collate "C", display_name text, email_address text, groupnames text[])
        left join users u on lower(u.username) = lower(t.username)
       order by lower(t.username))
    insert into users as u (username, display_name, email_address, auth_provider, groupnames, created_by)
    select username, display_name, email_address, 'ldap', groupnames, 'system' from told
    on conflict (lower(username)) do update
       set display_name  = excluded.display_name,
           email_address = excluded.email_address,
           groupnames    = excluded.groupnames,
           disabled      = false,
           row_version   = u.row_version + 1,
           updated_at    = sluice_now()
     where u.auth_provider = 'ldap' and u.deleted_at is null
       and (u.display_name, u.email_address, u.groupnames, u.disabled)
           is distinct from (excluded.display_name, excluded.email_address, excluded.groupnames, false)
    returning u.xmax = 0 as added`)
  const added = rows.filter(row => row.added).length
  return { added, changed: rows.length - added }
}

/** Disables users who are no longer in the directory, and revokes their tokens and sessions. */
export async function dropPeople(tx: Tx, but: readonly string[]): Promise<number> {
  const gone = await tx.rows(sql<{ id: string }>`
    update users u
       set disabled = true, row_version = row_version + 1, updated_at = sluice_now()
     where auth_provider = 'ldap' and not disabled and deleted_at is null
       and lower(username) not in (select lower(name collate "C") from unnest(${[...but]}::text[]) name)
    returning id`)
  await tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now()
     where user_id = any(${gone.map(({ id }) => id)}::uuid[]) and revoked_at is null`)
  return gone.length
}

/** Stores the groups of the directory, and deletes all others. */
export async function cacheGroups(tx: Tx, names: readonly string[]): Promise<{ added: number; removed: number }> {
  const removed = await tx.count(sql`delete from directory_groups where groupname <> all(${[...names]}::text[])`)
  const added = await tx.count(sql`
    insert into directory_groups (groupname)
    select distinct name from unnest(${[...names]}::text[]) name
    on conflict (groupname) do nothing`)
  return { added, removed }
}

/** Whether the cache contains entries that an empty result would delete. */
export const whatIsCached = async (queries: Queries): Promise<{ users: boolean; groups: boolean }> =>
  (await queries.one(sql<{ users: boolean; groups: boolean }>`
    select exists (select from users where auth_provider = 'ldap' and not disabled and deleted_at is null) as users,
           exists (select from directory_groups) as groups`))!

/** Claims a due refresh: none has ended within the interval, and none is running (or it died long ago). */
export const takeDueRefresh = (queries: Queries, seconds: number): Promise<{ at: string } | undefined> =>
  queries.one(sql<{ at: string }>`
    update directory_refreshes
       set started_at = sluice_now()
     where (ended_at is null or ended_at <= sluice_now() - make_interval(secs => ${seconds})
            or ${isInFuture(sql`ended_at`)})
       and (started_at is null or started_at <= ended_at or started_at <= sluice_now() - interval '10 minutes'
            or ${isInFuture(sql`started_at`)})
    returning started_at as at`)

export const beginRefresh = async (queries: Queries): Promise<{ at: string }> =>
  (await queries.one(sql<{ at: string }>`
    update directory_refreshes set started_at = sluice_now() returning started_at as at`))!

export interface RefreshState {
  empty_users: number
  empty_groups: number
}

/** Locks the state of refreshes; undefined if a refresh that began later has been claimed already. */
export const lockRefresh = (tx: Tx, at: string): Promise<RefreshState | undefined> =>
  tx.one(sql<RefreshState>`
    select empty_users, empty_groups
      from directory_refreshes
     where read_at is null or read_at < ${at}::timestamptz or ${isInFuture(sql`read_at`)}
       for update`)

export const endRefresh = (tx: Tx, at: string, { empty_users, empty_groups }: RefreshState): Promise<number> =>
  tx.count(sql`
    update directory_refreshes
       set ended_at = sluice_now(), read_at = ${at}::timestamptz,
           empty_users = ${empty_users}, empty_groups = ${empty_groups}`)

export const failRefresh = (tx: Tx): Promise<number> =>
  tx.count(sql`update directory_refreshes set ended_at = sluice_now()`)
