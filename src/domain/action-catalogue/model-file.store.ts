import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { CatalogueKey } from './catalogue.store.ts'

/** The text of the model's file in this folder of this commit, once its actions have been read; undefined: it has none. */
export async function findModelFile(queries: Queries, key: CatalogueKey): Promise<string | undefined> {
  const row = await queries.one(sql<{ content: string }>`
    select content
      from model_files
     where git_remote_id = ${key.gitRemoteId}::uuid and commit_sha = ${key.commit} and folder = ${key.folder}`)
  return row?.content
}

export async function storeModelFile(tx: Tx, key: CatalogueKey, content: string): Promise<void> {
  await tx.count(sql`
    insert into model_files (git_remote_id, commit_sha, folder, content)
    values (${key.gitRemoteId}::uuid, ${key.commit}, ${key.folder}, ${content})
        on conflict do nothing`)
}
