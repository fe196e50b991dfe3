import { sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { readableTokens } from './token.resource.ts'

/** JSON:API resource of a browser's session that has not ended. Only superusers see those of others. */
export const sessionResource: Resource = {
  type: 'session',
  describe:
    'Session of a browser that has not ended. meta.current is whether the request came with it. Superusers see all sessions.',
  from: sql`tokens t`,
  id: sql`t.id`,
  where: sql<boolean>`t.kind = 'session' and t.revoked_at is null and t.expires_at > sluice_now()`,
  lists: [{ path: '/api/tokens/sessions' }],
  shows: [{ path: '/api/tokens/sessions/:id', find: params => sql<boolean>`t.id = ${params['id']}::uuid` }],
  columns: {
    remote_address: {
      kind: 'text',
      sql: sql`t.remote_address`,
      describe: 'Address that it was begun from, as far as known.',
      nullable: true,
    },
    user_agent: {
      kind: 'text',
      sql: sql`t.user_agent`,
      describe: 'Browser or program that began it, as its header User-Agent said.',
      nullable: true,
    },
    expires_at: { kind: 'time', sql: sql`t.expires_at`, describe: 'When it ends by itself.' },
    created_by: { kind: 'text', sql: sql`t.created_by`, describe: 'Owner.' },
    created_at: { kind: 'time', sql: sql`t.created_at`, describe: 'When it began.' },
  },
  links: row => ({ self: `/api/tokens/sessions/${row.id}` }),
  meta: (row, { actor }) => ({ current: row.id === actor.session?.id }),
  named: createdByCaller(sql`t.user_id`),
  rights: { condition: readableTokens },
  rowVersion: sql<number>`t.row_version`,
}
