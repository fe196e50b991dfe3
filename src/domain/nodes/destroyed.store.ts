import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { NodeType } from './node.ts'

/** Destroyed nodes of a type whose rows still exist and that have no children, in the order of their ids. */
export async function destroyedLeaves(
  queries: Queries,
  type: NodeType,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select n.id
      from nodes n
     where n.destroyed_at is not null and n.id > ${after}::uuid and n.node_type = ${type}
       and not exists (select from nodes child where child.parent_id = n.id)
     order by n.id
     limit ${most}`)
  return rows.map(({ id }) => id)
}

/** Deletes bookmarks of these nodes, at most `most`. */
export const deleteBookmarksOf = (queries: Queries, nodes: readonly string[], most: number): Promise<number> =>
  queries.count(sql`
    delete from bookmarks
     where id in (select id from bookmarks where node_id = any(${[...nodes]}::uuid[]) limit ${most})`)

export const deleteNodes = (queries: Queries, nodes: readonly string[]): Promise<number> =>
  queries.count(sql`delete from nodes where id = any(${[...nodes]}::uuid[]) and destroyed_at is not null`)

export const isAnyDestroyed = async (queries: Queries): Promise<boolean> =>
  (await queries.one(sql`select from nodes where destroyed_at is not null limit 1`)) !== undefined

/** Half a minute from now, by the clock that jobs are due by. */
export const inHalfAMinute = async (queries: Queries): Promise<string> =>
  (await queries.one(sql<{ at: string }>`select now() + interval '30 seconds' as at`))!.at
