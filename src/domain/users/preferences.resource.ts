import { sql } from '#platform/db/sql.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

/** JSON:API resource of the caller's preferences; its id is that of the user. */
export const preferencesResource: Resource = {
  type: 'preferences',
  describe: 'Preferences of the caller: an object whose members clients choose, such as stars or the theme.',
  from: sql`users u left join user_preferences p on p.user_id = u.id`,
  id: sql`u.id`,
  where: sql<boolean>`u.deleted_at is null`,
  lists: [],
  shows: [{ path: '/api/me/preferences', find: () => sql<boolean>`true` }],
  columns: {
    data: {
      kind: 'json',
      sql: sql`coalesce(p.data, '{}')`,
      describe: 'The preferences. Order of keys is not kept.',
    },
    updated_at: {
      kind: 'time',
      sql: sql`p.updated_at`,
      nullable: true,
      describe: 'When they were last updated; null if they never were.',
    },
  },
  links: () => ({ self: '/api/me/preferences' }),
  defaultSort: [],
  // The token of a step or an agent sees none.
  rights: {
    condition: ({ userId, via }) =>
      via === 'attempt' || via === 'agent' ? sql<boolean>`false` : sql<boolean>`u.id = ${userId}::uuid`,
  },
  rowVersion: sql<number>`coalesce(p.row_version, 0)`,
}
