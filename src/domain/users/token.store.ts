import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Only its hash is kept: 256 random bits need no salt and no slow hash. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const newToken = (kind: string): string => `sluice_${kind}_${randomBytes(32).toString('base64url')}`

export interface PersonalToken {
  userId: string
  username: string
  description: string
  /** ISO 8601. */
  expiresAt: string
}

/** @returns the id, and the secret, which is not to be had again. */
export async function insertPersonalToken(tx: Tx, wanted: PersonalToken): Promise<{ id: string; token: string }> {
  const token = newToken('personal')
  const { id } = (await tx.one(sql<{ id: string }>`
    insert into tokens (kind, user_id, secret_sha, description, expires_at, created_by)
    values ('personal', ${wanted.userId}, ${hashOfToken(token)}, ${wanted.description}, ${wanted.expiresAt}::timestamptz,
            ${wanted.username})
    returning id`))!
  return { id, token }
}

export interface AttemptToken {
  /** Whose rights it carries, cut to the project: who created the change. */
  userId: string
  activityId: string
  stepId: string
  /** The fence of the attempt: once a newer one is given out, the token is good for nothing. */
  fence: number
  projectId: string
  /** The setting token.access_expiry_minutes. */
  expiresInMinutes: number
}

/**
 * Tokens for attempts of steps, to be handed to their runner: by one statement, for steps are claimed together. Revoked
 * with `revokeTokensOfActivity`.
 */
export async function issueAttemptTokens(tx: Tx, wanted: readonly AttemptToken[]): Promise<string[]> {
  const made = wanted.map(each => ({ ...each, token: newToken('attempt') }))
  const column = <T>(pick: (each: (typeof made)[number]) => T) => made.map(pick)
  await tx.count(sql`
    insert into tokens (kind, user_id, secret_sha, activity_id, step_id, fence, project_id, expires_at, created_by)
    select 'attempt', user_id, secret_sha, activity_id, step_id, fence, project_id,
           sluice_now() + make_interval(mins => minutes), 'system'
      from unnest(${column(each => each.userId)}::uuid[], ${column(each => hashOfToken(each.token))}::bytea[],
                  ${column(each => each.activityId)}::uuid[], ${column(each => each.stepId)}::uuid[],
                  ${column(each => each.fence)}::bigint[], ${column(each => each.projectId)}::uuid[],
                  ${column(each => each.expiresInMinutes)}::int[])
             given (user_id, secret_sha, activity_id, step_id, fence, project_id, minutes)`)
  return made.map(({ token }) => token)
}

/** When a change or run has ended, whatever its steps were given is worth nothing. */
export const revokeTokensOfActivity = (tx: Tx, activityId: string): Promise<number> =>
  tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now()
     where activity_id = ${activityId} and revoked_at is null`)

export const revokeTokensOfUser = (tx: Tx, userId: string): Promise<number> =>
  tx.count(sql`
    update tokens set revoked_at = sluice_now(), row_version = row_version + 1, updated_at = sluice_now()
     where user_id = ${userId} and revoked_at is null`)
