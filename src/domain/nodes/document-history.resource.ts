import { type Sql, sql } from '#platform/db/sql.ts'
import { isoTime } from '#platform/db/values.ts'
import type { Column, Resource } from '#platform/jsonapi/resource.ts'
import { requireRights } from '#platform/required-rights.ts'
import { nodeByPath } from './node.store.ts'
import { nodePaths } from './node.ts'

/**
 * Parts of the history of documents of one kind, which every node `a` has: a list of its layers `o`, from the top down.
 * The right to read the node's own document is the right to read its history.
 *
 * @param kind `properties` or `settings`
 */
export const historyOfNode = (
  kind: string,
): Pick<Resource, 'lists' | 'shows' | 'extra' | 'links' | 'defaultSort' | 'listRightsPath'> => ({
  lists: nodePaths.map(path => ({
    path: `/api${path}/${kind}_history`,
    parent: nodeByPath,
    scope: parent => sql<boolean>`a.id = ${parent.id}::uuid`,
    refuse: (parent, actor) => {
      requireRights(actor, [{ right: 'read', path: `${parent.path}/${kind}` }])
      return undefined
    },
  })),
  shows: [],
  extra: { owner_type: sql`o.type` },
  links: () => ({}),
  defaultSort: [{ column: 'level', direction: 'asc' }],
  listRightsPath: parent => `${parent!.path}/${kind}`,
})

/**
 * Column of the versions of a layer's document.
 *
 * @param versions the versions: `version` and `start_date`, the start of its period
 */
export const versionsColumn = (versions: Sql, describe: string): Column => ({
  kind: 'json',
  sql: sql`
    coalesce((select json_agg(json_build_object('version', v.version, 'start_date', v.start_date::text)
                              order by v.version)::jsonb
                from (${versions}) v), '[]'::jsonb)`,
  describe,
  read: all =>
    (all as { version: number; start_date: string }[]).map(({ version, start_date }) => ({
      version,
      start_date: isoTime(start_date),
    })),
})
