import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { isCalled } from '../users/index.ts'

/** Whether the Git remote exists; it is then locked against deletion until the transaction ends. */
export const keepRemote = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.one(sql`select from git_remotes where id = ${id}::uuid for key share`)) !== undefined

/** A Git remote of a project; with `held` it is locked against deletion until the transaction ends. */
export const remoteNamed = (
  queries: Queries,
  projectId: string,
  name: string,
  { held }: { readonly held: boolean },
): Promise<{ id: string; name: string; archived: boolean } | undefined> =>
  queries.one(sql<{ id: string; name: string; archived: boolean }>`
    select id, name, archived
      from git_remotes
     where project_id = ${projectId}::uuid and ${isCalled(sql`name`, name)}
       ${held ? sql`for key share` : sql``}`)
