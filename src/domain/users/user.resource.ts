import { sql } from '#platform/db/sql.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { isCalled } from './same-name.sql.ts'
import { pathOfUser, usersPath } from './user.ts'

/** JSON:API resource of a user. Users see themselves; others are visible with read on /admin/users. */
export const userResource: Resource = {
  type: 'user',
  describe: 'A local user, or a user of the directory.',
  from: sql`users u`,
  id: sql`u.id`,
  where: sql<boolean>`u.deleted_at is null`,
  lists: [{ path: '/api/users' }],
  shows: [
    {
      path: '/api/users/:username',
      find: params => isCalled(sql`u.username`, params['username']!),
    },
  ],
  columns: {
    username: { kind: 'text', sql: sql`u.username`, describe: 'The name to sign in with.' },
    display_name: { kind: 'text', sql: sql`u.display_name`, nullable: true, describe: 'Display name.' },
    email_address: { kind: 'text', sql: sql`u.email_address`, nullable: true, describe: 'Email address.' },
    auth_provider: {
      kind: 'text',
      sql: sql`u.auth_provider`,
      describe: 'Source of the account: local or ldap.',
      values: ['local', 'ldap'],
    },
    groupnames: { kind: 'json', sql: sql`to_jsonb(u.groupnames)`, describe: 'Directory groups of the user.' },
    disabled: { kind: 'boolean', sql: sql`u.disabled`, describe: 'Whether sign-in is refused.' },
    created_at: { kind: 'time', sql: sql`u.created_at`, describe: 'When they were created.' },
    updated_at: { kind: 'time', sql: sql`u.updated_at`, describe: 'When they were last updated.' },
  },
  links: row => ({ self: pathOfUser(String(row['username'])) }),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: {
    condition: ({ rights, userId }) =>
      rights.may('read', usersPath) ? sql<boolean>`true` : sql<boolean>`u.id = ${userId}::uuid`,
  },
  listRightsPath: () => usersPath,
  rowVersion: sql<number>`u.row_version`,
}
