import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { AttemptPlace } from './attempt-rights.sql.ts'
import type { RightsSource } from './rights-source.port.ts'
import { rightsState } from './rights-state.sql.ts'
import { isCalled } from './same-name.sql.ts'
import { hashOfToken } from './token.store.ts'

export interface UserOfToken {
  id: string
  username: string
  groupnames: string[]
  rightsState: string
}

interface FoundToken extends UserOfToken {
  tokenId: string
  kind: 'personal' | 'agent' | 'session'
}

/** A valid token and its user. */
export const findToken = (queries: Queries, rights: RightsSource, token: string): Promise<FoundToken | undefined> =>
  queries.one(sql<FoundToken>`
  select t.id as "tokenId", t.kind, u.id, u.username, u.groupnames, ${rightsState(rights)} as "rightsState"
    from tokens t
    join users u on u.id = t.user_id
   where t.secret_sha = ${hashOfToken(token)}
     and t.revoked_at is null and t.expires_at > sluice_now()
     and not u.disabled and u.deleted_at is null`)

/**
 * The user of a step's token, if they may sign in, with project and node of the step.
 *
 * @param place selects these; no row if the token is no longer valid
 */
export const findUserOfAttempt = (
  queries: Queries,
  rights: RightsSource,
  userId: string,
  place: Sql<{ project_id: string; path: string }>,
): Promise<(UserOfToken & AttemptPlace) | undefined> =>
  queries.one(sql<UserOfToken & AttemptPlace>`
    select u.id, u.username, u.groupnames, ${rightsState(rights)} as "rightsState",
           p.id as "projectId", p.path as "projectPath", place.path as "nodePath"
      from (${place}) place
      join nodes p on p.id = place.project_id and p.destroyed_at is null
      join users u on u.id = ${userId}::uuid and not u.disabled and u.deleted_at is null`)

export interface LocalUser {
  id: string
  username: string
  groupnames: string[]
  authProvider: 'local' | 'ldap'
  /** Whether the user is neither disabled nor deleted. */
  active: boolean
  passwordHash: string | null
  passwordVersion: number
  rightsState: string
}

/**
 * Whether local users may sign in with a password, and the user of that name; all columns of the user are null without
 * one.
 */
export const findLocalUser = async (
  queries: Queries,
  rights: RightsSource,
  username: string,
): Promise<LocalUser & { basicAuth: boolean }> =>
  (await queries.one(sql<LocalUser & { basicAuth: boolean }>`
    select i.basic_auth as "basicAuth", found.*
      from installation i
      left join lateral (
             select u.id, u.username, u.groupnames, u.auth_provider as "authProvider", u.password_hash as "passwordHash",
                    u.password_version as "passwordVersion", not u.disabled and u.deleted_at is null as active,
                    ${rightsState(rights)} as "rightsState"
               from users u
              where ${isCalled(sql`u.username`, username)}) found on true`))!

export const findUserNamed = (
  queries: Queries,
  username: string,
): Promise<{ id: string; username: string } | undefined> =>
  queries.one(
    sql<{
      id: string
      username: string
    }>`select id, username from users where ${isCalled(sql`username`, username)}`,
  )
