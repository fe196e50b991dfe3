import { createHash, randomBytes } from 'node:crypto'
import type { Actor } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Hash of a token, which is all that is stored: 256 random bits need no salt and no slow hash. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const newToken = (kind: 'personal' | 'session'): string => `sluice_${kind}_${randomBytes(32).toString('base64url')}`

export interface PersonalToken {
  userId: string
  username: string
  description: string
  /** ISO 8601. */
  expiresAt: string
}

/** @returns the id, and the secret, which cannot be read again */
export async function insertPersonalToken(tx: Tx, wanted: PersonalToken): Promise<{ id: string; token: string }> {
  const token = newToken('personal')
  const { id } = (await tx.one(sql<{ id: string }>`
    insert into tokens (kind, user_id, secret_sha, description, expires_at, created_by)
    values ('personal', ${wanted.userId}, ${hashOfToken(token)}, ${wanted.description}, ${wanted.expiresAt}::timestamptz,
            ${wanted.username})
    returning id`))!
  return { id, token }
}

export const revokeTokensOfUser = (tx: Tx, userId: string): Promise<number> =>
  tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now()
     where user_id = ${userId} and revoked_at is null`)

interface NewSession {
  readonly userId: string
  readonly passwordVersion: number
  readonly minutes: number
  readonly remoteAddress: string | null
  /** Absent: unknown. */
  readonly userAgent?: string | undefined
}

/**
 * Inserts a session, if the password is still theirs. The slow hash takes time, and waits for its turn before: a user
 * whose password was changed meanwhile begins no session with the old one. The lock makes a concurrent change of the
 * password end first, or find the session and end it.
 *
 * @returns the id and times, and the secret for the cookie, which cannot be read again; undefined if the password has
 *   changed
 */
export async function insertSession(
  tx: Tx,
  { userId, passwordVersion, minutes, remoteAddress, userAgent }: NewSession,
): Promise<{ id: string; secret: string; created_at: string; expires_at: string } | undefined> {
  const secret = newToken('session')
  const made = await tx.one(sql<{ id: string; created_at: string; expires_at: string }>`
    insert into tokens (kind, user_id, secret_sha, expires_at, created_by, remote_address, user_agent)
    select 'session', u.id, ${hashOfToken(secret)}, sluice_now() + make_interval(mins => ${minutes}), u.username,
           ${remoteAddress}, ${userAgent ?? null}
      from users u
     where u.id = ${userId}::uuid and u.password_version = ${passwordVersion}
       for share
    returning id, created_at, expires_at`)
  return made && { ...made, secret }
}

export const endSession = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id} and revoked_at is null`)

/** A session of the caller that has not ended, or of anyone for a superuser, locked. */
export const lockSession = (
  tx: Tx,
  id: string | undefined,
  actor: Pick<Actor, 'userId' | 'rights'>,
): Promise<{ id: string; created_by: string; row_version: number } | undefined> =>
  tx.one(sql<{ id: string; created_by: string; row_version: number }>`
    select id, created_by, row_version
      from tokens
     where id = ${id}::uuid and kind = 'session' and revoked_at is null and expires_at > sluice_now()
       and (user_id = ${actor.userId}::uuid or ${sql.lit(actor.rights.superuser)}) and ${sql.lit(!actor.rights.blocked)}
       for no key update`)

/** Ends a user's other sessions after a new password; the session that set it continues. */
export const endOtherSessions = (tx: Tx, userId: string, own: string | undefined): Promise<number> =>
  tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now()
     where user_id = ${userId} and kind = 'session' and revoked_at is null and id is distinct from ${own ?? null}::uuid`)

/** Deletes the rows of expired sessions; their end is recorded by events. */
export const deleteOldSessions = (queries: Queries): Promise<number> =>
  queries.count(sql`delete from tokens where kind = 'session' and expires_at < sluice_now() - interval '1 day'`)

/** Whether a time is in the future. */
export const isAhead = async (tx: Tx, at: string): Promise<boolean> =>
  (await tx.one(sql<{ yes: boolean }>`select ${at}::timestamptz > sluice_now() as yes`))!.yes

/** A personal token of the caller, or of anyone for a superuser, locked. */
export const lockPersonalToken = (
  tx: Tx,
  id: string | undefined,
  actor: Pick<Actor, 'userId' | 'rights'>,
): Promise<{ id: string; description: string; created_by: string; row_version: number } | undefined> =>
  tx.one(sql<{ id: string; description: string; created_by: string; row_version: number }>`
    select id, description, created_by, row_version
      from tokens
     where id = ${id}::uuid and kind = 'personal' and revoked_at is null
       and (user_id = ${actor.userId}::uuid or ${sql.lit(actor.rights.superuser)}) and ${sql.lit(!actor.rights.blocked)}
       for no key update`)

export const revokeToken = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now() where id = ${id}`)
