import { fromJson } from '#json/from-json.ts'
import type { Keyring, SealedTable } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { isCalled } from '../users/index.ts'
import type { Credentials } from './credentials.adapter.ts'

export interface StoredRemote {
  readonly id: string
  readonly project_id: string
  readonly path: string
  readonly name: string
  readonly url: string
  readonly public_url: string | null
  readonly user: string | null
  readonly credentials: Buffer | null
  readonly periodic_fetch_interval: number | null
  readonly archived: boolean
  readonly fetch_failures: number
  readonly row_version: number
}

const columns = sql`
  r.id, r.project_id, r.path, r.name, r.url, r.public_url, r."user", r.credentials, r.periodic_fetch_interval, r.archived,
  r.fetch_failures, r.row_version`

export const findRemote = (queries: Queries, id: string): Promise<StoredRemote | undefined> =>
  queries.one(sql<StoredRemote>`select ${columns} from git_remotes r where r.id = ${id}::uuid`)

/** Locked against every other change of it; `id` may be any text. */
export const lockRemote = (queries: Queries, projectId: string, id: string): Promise<StoredRemote | undefined> =>
  queries.one(sql<StoredRemote>`
    select ${columns} from git_remotes r where r.id::text = ${id} and r.project_id = ${projectId}::uuid
       for no key update`)

/** By name, in any case of A to Z, as it is unique in its project. */
export const remoteByName = (queries: Queries, projectId: string, name: string): Promise<StoredRemote | undefined> =>
  queries.one(sql<StoredRemote>`
    select ${columns} from git_remotes r where r.project_id = ${projectId}::uuid and ${isCalled(sql`r.name`, name)}`)

/**
 * Records a successful fetch that was made for another purpose. A remote that had been failing would be tried again in
 * a day at worst; now it is due, so that everything that follows it is updated.
 */
export const noteFetched = (queries: Queries, id: string): Promise<number> =>
  queries.count(sql`
    update git_remotes
       set fetched_at    = sluice_now(),
           next_fetch_at = case when fetch_failures > 0 then sluice_now() else next_fetch_at end
     where id = ${id}::uuid`)

/** The commits that records name. */
export const keptCommits = async (queries: Queries, remoteId: string): Promise<string[]> => {
  const rows = await queries.rows(sql<{ commit_sha: string }>`
    select commit_sha from git_commits where git_remote_id = ${remoteId}::uuid order by kept_at`)
  return rows.map(row => row.commit_sha)
}

const aad = (id: string): string => `git_remotes:${id}`

export const sealedCredentials: SealedTable = {
  table: 'git_remotes',
  key: { id: 'uuid' },
  columns: { credentials: row => aad(row['id']) },
}

export const sealCredentials = (keyring: Keyring, id: string, credentials: Credentials): Buffer =>
  keyring.seal(JSON.stringify(credentials), aad(id))

export const credentialsOf = (
  keyring: Keyring,
  { id, credentials }: { id: string; credentials: Buffer | null },
): Credentials => (credentials ? fromJson(keyring.openText(credentials, aad(id))) : {})
