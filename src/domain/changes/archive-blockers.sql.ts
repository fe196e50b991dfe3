import { type Sql, sql } from '#platform/db/sql.ts'
import { type Blocker, blockerLimit } from '../nodes/index.ts'

/**
 * Changes that refer to these template versions: a change shows its version as long as its record exists. Ended changes
 * of a destroyed node will be deleted with it, and block nothing.
 */
export const changesOfVersions = (ids: readonly string[]): Sql<Blocker> => changesOf(sql`any(${[...ids]}::uuid[])`)

/** Changes that refer to any version of these templates. */
export const changesOfTemplates = (ids: readonly string[]): Sql<Blocker> =>
  changesOf(sql`any(array(select template_version_id from template_version_names
                           where template_id = any(${[...ids]}::uuid[])))`)

const changesOf = (versions: Sql): Sql<Blocker> => sql<Blocker>`
  select a.id, a.kind as what, a.path
    from changes c
    join activities a on a.id = c.id
    join nodes n on n.id = a.node_id
   where c.template_version_id = ${versions}
     and (n.destroyed_at is null or not a.final)
   order by a.number
   limit ${blockerLimit}`

/** Changes that have not ended and come from these Git remotes: their runners still need its files. */
export const unfinishedFromRemotes = (ids: readonly string[]): Sql<Blocker> => sql<Blocker>`
  select a.id, a.kind as what, a.path
    from changes c
    join activities a on a.id = c.id
   where c.git_remote_id = any(${[...ids]}::uuid[]) and not a.final
   order by a.number
   limit ${blockerLimit}`

/** Changes that block archiving a node: those that have not ended. */
export const unfinishedOn = (ids: readonly string[]): Sql<{ id: string; what: string; path: string | null }> => sql<{
  id: string
  what: string
  path: string | null
}>`
  select id, kind as what, path
    from activities
   where node_id = any(${[...ids]}::uuid[]) and not final
   order by number
   limit ${blockerLimit}`
