import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Only its hash is kept: 256 random bits need no salt and no slow hash. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const newToken = (): string => `sluice_personal_${randomBytes(32).toString('base64url')}`

export interface PersonalToken {
  userId: string
  username: string
  description: string
  /** ISO 8601. */
  expiresAt: string
}

/** @returns the id, and the secret, which is not to be had again. */
export async function insertPersonalToken(tx: Tx, wanted: PersonalToken): Promise<{ id: string; token: string }> {
  const token = newToken()
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
