import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'

/** Current template version of an asset or agent, with its commit. */
export interface CommitInForce {
  readonly templateId: string
  readonly templateCode: string
  /** Path of the right to read the template and its versions. */
  readonly templatePath: string
  readonly templateVersionId: string
  readonly version: string
  /** Whether the node has this version now, and not another one. */
  readonly isItsOwn: boolean
  readonly gitRemoteId: string
  readonly gitRemoteName: string
  readonly gitRev: string
  /** Revision that a floating version follows, by its full name if that is known; null for a fixed one. */
  readonly follows: string | null
  readonly commit: string
}

/**
 * Commit of the node's template version. Until the transaction ends that version cannot be deleted, so that a new
 * reference to it is safe.
 *
 * @param version another version of the same template; undefined when that one is not ready, or does not exist
 */
export const commitInForce = (queries: Queries, nodeId: string, version?: string): Promise<CommitInForce | undefined> =>
  queries.one(sql<CommitInForce>`${commitOf(sql`${nodeId}::uuid`, sql`${version ?? null}`)} for key share of v`)

/** Commits of many nodes at once; by the index of each in `asked`. */
export async function commitsInForce(
  queries: Queries,
  asked: readonly { readonly nodeId: string; readonly version: string | undefined }[],
): Promise<ReadonlyMap<number, CommitInForce>> {
  const rows = await queries.rows(sql<CommitInForce & { at: number }>`
    select asked.at::int as at, found.*
      from unnest(${asked.map(({ nodeId }) => nodeId)}::uuid[], ${asked.map(({ version }) => version ?? null)}::text[])
           with ordinality as asked (node_id, version, at)
     cross join lateral (${commitOf(sql`asked.node_id`, sql`asked.version`)}) found`)
  return new Map(rows.map(({ at, ...found }) => [at - 1, found]))
}

/** Commit of a node for a reader, without a lock. */
export const readCommitInForce = (queries: Queries, nodeId: string): Promise<CommitInForce | undefined> =>
  queries.one(sql<CommitInForce>`${commitOf(sql`${nodeId}::uuid`)}`)

const commitOf = (nodeId: Sql, version: Sql = sql`null`) => sql`
    select t.id as "templateId", t.code as "templateCode", t.path as "templatePath", v.id as "templateVersionId", v.version,
           v.id = h.template_version_id as "isItsOwn", c.git_remote_id as "gitRemoteId", r.name as "gitRemoteName", v.git_rev as "gitRev",
           case when v.float_git_rev then coalesce(v.git_ref, v.git_rev) end as follows, c.commit_sha as commit
      from template_version_histories h
      join templates t on t.id = h.template_id
      join template_versions v on v.template_id = t.id and v.state = 'ready'
                              and case when ${version}::text is null then v.id = h.template_version_id
                                       else v.version = ${version} end
      join template_version_commits c on c.template_version_id = v.id and c.active_to is null
      join git_remotes r on r.id = c.git_remote_id
     where h.node_id = ${nodeId} and h.active_to is null`

/** The template of a version, and the path on which rights to both are checked. */
export const templateOfVersion = (
  queries: Queries,
  templateVersionId: string,
): Promise<{ id: string; path: string } | undefined> =>
  queries.one(sql<{ id: string; path: string }>`
    select t.id, t.path
      from template_versions v
      join templates t on t.id = v.template_id
     where v.id = ${templateVersionId}::uuid`)

/** Revision that a floating version follows, by its full name if that is known; null for a fixed one. */
export const followedBy = async (queries: Queries, templateVersionId: string): Promise<string | null> =>
  (
    await queries.one(sql<{ follows: string | null }>`
      select case when float_git_rev then coalesce(git_ref, git_rev) end as follows
        from template_versions where id = ${templateVersionId}::uuid`)
  )?.follows ?? null
