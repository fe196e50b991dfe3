import type { Actor } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

/**
 * Condition for the tokens and sessions that a caller may see: their own, and all for superusers. The token of a step or
 * an agent may not see those of its creator; a blocked user sees none.
 */
export const readableTokens = ({ userId, via, rights }: Actor): Sql<boolean> =>
  via === 'attempt' || via === 'agent' || rights.blocked
    ? sql<boolean>`false`
    : sql<boolean>`(t.user_id = ${userId}::uuid or ${sql.lit(rights.superuser)})`

/**
 * JSON:API resource of a bearer token that a user created for their own programs. Only superusers see those of others.
 */
export const tokenResource: Resource = {
  type: 'token',
  describe: 'Bearer token created by its owner. The secret is shown once, on creation. Superusers see all tokens.',
  from: sql`tokens t`,
  id: sql`t.id`,
  where: sql<boolean>`t.kind = 'personal' and t.revoked_at is null`,
  lists: [{ path: '/api/tokens' }],
  shows: [{ path: '/api/tokens/:id', find: params => sql<boolean>`t.id = ${params['id']}::uuid` }],
  columns: {
    description: { kind: 'text', sql: sql`t.description`, describe: 'Description.' },
    expires_at: { kind: 'time', sql: sql`t.expires_at`, describe: 'Expiry time.' },
    created_by: { kind: 'text', sql: sql`t.created_by`, describe: 'Owner.' },
    created_at: { kind: 'time', sql: sql`t.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`t.updated_at`, describe: 'When it was last updated.' },
  },
  links: row => ({ self: `/api/tokens/${row.id}` }),
  named: createdByCaller(sql`t.user_id`),
  rights: { condition: readableTokens },
  rowVersion: sql<number>`t.row_version`,
}
