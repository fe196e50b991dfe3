import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { isCalled } from './same-name.sql.ts'

export interface User {
  id: string
  username: string
  display_name: string | null
  email_address: string | null
  auth_provider: 'local' | 'ldap'
  password_hash: string | null
  disabled: boolean
  row_version: number
}

/** User by name, case-insensitively; locked, because the caller is about to change it. */
export const lockUser = (tx: Tx, username: string): Promise<User | undefined> =>
  tx.one(sql<User>`
    select id, username, display_name, email_address, auth_provider, password_hash, disabled, row_version
      from users
     where ${isCalled(sql`username`, username)} and deleted_at is null
       for no key update`)

/** The groups of a directory user, as last read: at a refresh or at sign-in. */
export async function groupsOfUser(queries: Queries, userId: string): Promise<readonly string[]> {
  const found = await queries.one(
    sql<{ groupnames: string[] }>`select groupnames from users where id = ${userId}::uuid`,
  )
  return found?.groupnames ?? []
}

export interface NewUser {
  username: string
  displayName?: string | null | undefined
  emailAddress?: string | null | undefined
  passwordHash: string
  disabled?: boolean | undefined
  createdBy: { userId: string | null; username: string }
}

/** @returns undefined when the name is or was in use: names are never reused */
export async function insertUser(tx: Tx, user: NewUser): Promise<string | undefined> {
  const inserted = await tx.one(sql<{ id: string }>`
    insert into users (username, display_name, email_address, password_hash, disabled, created_by, user_id)
    values (${user.username}, ${user.displayName ?? null}, ${user.emailAddress ?? null}, ${user.passwordHash},
            ${user.disabled ?? false}, ${user.createdBy.username}, ${user.createdBy.userId})
    on conflict (lower(username)) do nothing
    returning id`)
  return inserted?.id
}

/** Whether a name is or was in use, also by a deleted user: names are never reused. */
export const isNameTaken = async (tx: Tx, username: string): Promise<boolean> =>
  (await tx.one(sql`select from users where ${isCalled(sql`username`, username)}`)) !== undefined

export const updateUser = (
  tx: Tx,
  id: string,
  to: { displayName: string | null; emailAddress: string | null; disabled: boolean; passwordHash: string | undefined },
): Promise<number> =>
  tx.count(sql`
    update users
       set display_name     = ${to.displayName},
           email_address    = ${to.emailAddress},
           disabled         = ${to.disabled},
           password_hash    = coalesce(${to.passwordHash ?? null}, password_hash),
           password_version = password_version + ${to.passwordHash === undefined ? 0 : 1}::int,
           row_version      = row_version + 1,
           updated_at       = sluice_now()
     where id = ${id}`)

export const setPassword = (tx: Tx, id: string, passwordHash: string): Promise<number> =>
  tx.count(sql`
    update users
       set password_hash    = ${passwordHash},
           password_version = password_version + 1,
           row_version      = row_version + 1,
           updated_at       = sluice_now()
     where id = ${id}`)

/** Deletes a user. The row remains, so that the name stays reserved and the user's records keep their author. */
export const deleteUser = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`
    update users
       set deleted_at    = sluice_now(),
           disabled      = true,
           password_hash = null,
           row_version   = row_version + 1,
           updated_at    = sluice_now()
     where id = ${id}`)

export const areThereUsers = async (queries: Queries): Promise<boolean> =>
  (await queries.one(sql<{ any: boolean }>`select exists (select from users) as any`))!.any
