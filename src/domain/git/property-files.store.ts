import { setImmediate } from 'node:timers/promises'
import type { Keyring, SealedTable } from '#platform/crypto/index.ts'
import type { Packed } from '#platform/crypto/packed.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type JsonObject, textOf } from '#platform/documents/document.ts'

/** Key of a set of property files: those of a commit that apply to one template ('' for projects and environments). */
export interface PropertyFilesKey {
  readonly gitRemoteId: string
  readonly commitSha: string
  /** Setting `repo_folder` as it was when they were read. */
  readonly repoFolder: string
  readonly templateCode: string
}

export interface PropertyFile {
  /** Path inside the repository. */
  readonly path: string
  readonly content: JsonObject
}

/** Property file as stored: in the form that `textOf` made of its content. */
interface StoredPropertyFile {
  readonly path: string
  readonly text: Packed
}

/** State of the files: unread, one of them does not parse (the error names file, line and column), or all of them. */
export type PropertyFiles =
  | { readonly state: 'unread' }
  | { readonly state: 'broken'; readonly error: string }
  | { readonly state: 'read'; readonly files: readonly StoredPropertyFile[] }

/**
 * Commits never change: once the files of a commit are stored, converging reads them without Git.
 *
 * @param folders only the files directly in these; default all, and an empty list only reads whether there are any
 */
export async function readPropertyFiles(
  queries: Queries,
  keyring: Pick<Keyring, 'openPacked'>,
  key: PropertyFilesKey,
  folders?: readonly string[],
): Promise<PropertyFiles> {
  const wanted = folders ? sql`and substring(f.path from '^(.*)/') = any(${[...folders]}::text[])` : sql``
  const rows = await queries.rows(sql<{ error: string | null; path: string | null; content: Buffer | null }>`
    select d.error, f.path, f.content
      from repository_folders d
      left join repository_files f on (f.git_remote_id, f.commit_sha, f.repo_folder, f.template_code)
                                    = (d.git_remote_id, d.commit_sha, d.repo_folder, d.template_code) ${wanted}
     where d.git_remote_id = ${key.gitRemoteId}::uuid
       and d.commit_sha    = ${key.commitSha}
       and d.repo_folder   = ${key.repoFolder}
       and d.template_code = ${key.templateCode}`)
  const [first] = rows
  if (!first) return { state: 'unread' }
  if (first.error !== null) return { state: 'broken', error: first.error }
  const files = rows.flatMap(({ path, content }) =>
    path === null || content === null ? [] : [{ path, text: keyring.openPacked(content, fileAad(key, path)) }],
  )
  return { state: 'read', files }
}

/** Stores a set of files, or its error, unless the same commit has one already. */
export async function storePropertyFiles(
  tx: Tx,
  keyring: Pick<Keyring, 'sealText'>,
  key: PropertyFilesKey,
  read: readonly PropertyFile[] | { error: string },
): Promise<void> {
  const error = 'error' in read ? read.error : null
  const first = await tx.count(sql`
    insert into repository_folders (git_remote_id, commit_sha, repo_folder, template_code, error)
    values (${key.gitRemoteId}::uuid, ${key.commitSha}, ${key.repoFolder}, ${key.templateCode}, ${error})
        on conflict do nothing`)
  if (first === 0 || 'error' in read || read.length === 0) return
  const sealed: Buffer[] = []
  for (const { path, content } of read) {
    sealed.push(await keyring.sealText(textOf(content), fileAad(key, path)))
    // Thousands take a second, during which other work has its turns.
    if (sealed.length % 100 === 0) await setImmediate()
  }
  await tx.count(sql`
    insert into repository_files (git_remote_id, commit_sha, repo_folder, template_code, path, content)
    select ${key.gitRemoteId}::uuid, ${key.commitSha}, ${key.repoFolder}, ${key.templateCode}, path, content
      from unnest(${read.map(({ path }) => path)}::text[],
                  ${sealed}::bytea[])
           as file (path, content)`)
}

export const sealedFiles: SealedTable = {
  table: 'repository_files',
  key: { git_remote_id: 'uuid', commit_sha: 'text', repo_folder: 'text', template_code: 'text', path: 'text' },
  columns: {
    content: row => fileAadOf(row['git_remote_id'], row['commit_sha'], row['path']),
  },
}

const fileAadOf = (gitRemoteId: string, commitSha: string, path: string): string =>
  `repository_files:${gitRemoteId}:${commitSha}:${path}`

const fileAad = ({ gitRemoteId, commitSha }: PropertyFilesKey, path: string): string =>
  fileAadOf(gitRemoteId, commitSha, path)
