import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Node } from './node.ts'

interface BookmarkContent {
  readonly description: string
  readonly url: string | null
}

interface StoredBookmark extends BookmarkContent {
  readonly id: string
  /** Whether the caller created it. */
  readonly mine: boolean
  readonly rowVersion: number
}

/** A bookmark of a node, locked. */
export const findBookmark = (
  tx: Tx,
  node: Pick<Node, 'id'>,
  id: string,
  actor: Pick<Actor, 'userId'>,
): Promise<StoredBookmark | undefined> =>
  tx.one(sql<StoredBookmark>`
    select id, description, url, coalesce(user_id = ${actor.userId}::uuid, false) as mine, row_version as "rowVersion"
      from bookmarks
     where id::text = ${id} and node_id = ${node.id}::uuid
       for update`)

/** @returns its id */
export async function insertBookmark(
  tx: Tx,
  node: Node,
  { description, url }: BookmarkContent,
  actor: Pick<Actor, 'userId' | 'username'>,
): Promise<string> {
  const { id } = (await tx.one(sql<{ id: string }>`
    insert into bookmarks (node_id, project_id, path, description, url, created_by, user_id)
    values (${node.id}::uuid, ${node.project_id}::uuid, ${node.path}, ${description}, ${url},
            ${actor.username}, ${actor.userId}::uuid)
    returning id`))!
  return id
}

/** @returns whether anything differs from what was stored */
export const updateBookmark = async (tx: Tx, id: string, { description, url }: BookmarkContent): Promise<boolean> =>
  (await tx.count(sql`
    update bookmarks
       set description = ${description}, url = ${url}, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid
       and (description, url) is distinct from (${description}::text, ${url}::text)`)) > 0

export const deleteBookmark = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from bookmarks where id = ${id}::uuid`)
