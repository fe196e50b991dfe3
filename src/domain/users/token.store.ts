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

/** A token for one attempt of one step, to be handed to its runner. Revoked with `revokeTokensOfActivity`. */
export async function issueAttemptToken(tx: Tx, wanted: AttemptToken): Promise<string> {
  const token = newToken('attempt')
  await tx.count(sql`
    insert into tokens (kind, user_id, secret_sha, activity_id, step_id, fence, project_id, expires_at, created_by)
    values ('attempt', ${wanted.userId}, ${hashOfToken(token)}, ${wanted.activityId}, ${wanted.stepId}, ${wanted.fence},
            ${wanted.projectId}, sluice_now() + make_interval(mins => ${wanted.expiresInMinutes}::int), 'system')`)
  return token
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
