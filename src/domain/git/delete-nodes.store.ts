import { inBatches } from '#platform/db/batches.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { removeMirrorJobName } from './git-remote.jobs.ts'

/** Deletes the Git remotes of destroyed projects, the data read from their commits, and then their mirrors. */
export async function deleteRemotesOfNodes(
  { database, stopping, enqueue }: Runtime,
  nodes: readonly string[],
): Promise<string[]> {
  const remotes = sql`select r.id from git_remotes r where r.project_id = any(${[...nodes]}::uuid[])`
  const each: readonly ((most: number) => Sql)[] = [
    most => sql`delete from repository_files
                 where (git_remote_id, commit_sha, repo_folder, template_code, path) in
                       (select git_remote_id, commit_sha, repo_folder, template_code, path from repository_files
                         where git_remote_id in (${remotes}) limit ${most})`,
    most => sql`delete from repository_folders
                 where (git_remote_id, commit_sha, repo_folder, template_code) in
                       (select git_remote_id, commit_sha, repo_folder, template_code from repository_folders
                         where git_remote_id in (${remotes}) limit ${most})`,
    most => sql`delete from git_commits
                 where (git_remote_id, commit_sha) in
                       (select git_remote_id, commit_sha from git_commits
                         where git_remote_id in (${remotes}) limit ${most})`,
  ]
  for (const some of each) await inBatches(stopping, most => database.count(some(most)))
  const deleteSomeRemotes = (most: number) =>
    database.transaction(async tx => {
      const gone = await tx.rows(sql<{ id: string }>`
        delete from git_remotes where id in (${remotes} limit ${most}) returning id`)
      for (const { id } of gone) await enqueue(tx, removeMirrorJobName, { gitRemoteId: id })
      return gone.length
    })
  await inBatches(stopping, deleteSomeRemotes, 100)
  return []
}
