import type { Actor } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Template } from './template.store.ts'

export interface TemplateVersion {
  readonly id: string
  readonly template_id: string
  readonly project_id: string
  readonly path: string
  readonly version: string
  readonly description: string
  readonly state: 'initializing' | 'ready' | 'broken'
  readonly git_remote_id: string
  readonly git_rev: string
  /** Meaning of the revision when it was first resolved: the full name of a branch or tag, or the id of a commit. */
  readonly git_ref: string | null
  /** Whether the ambiguity of the revision has been recorded. */
  readonly git_rev_ambiguous: boolean
  readonly commit_sha: string | null
  readonly fetch_request: number
  /** Milliseconds since it was requested to move, or changed otherwise. */
  readonly asked_ago: number
  readonly fetch_open: boolean
  readonly locked: boolean
  readonly float_git_rev: boolean
  readonly float_refresh_error: string | null
  readonly initialization_error: string | null
  readonly archived: boolean
  readonly row_version: number
  readonly created_by: string
  readonly user_id: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scope_project_id: string | null
  readonly template_code: string
  readonly template_type: 'asset' | 'agent'
}

const columns = sql`
  v.id, v.template_id, v.project_id, v.path, v.version, v.description, v.state, v.git_remote_id, v.git_rev, v.git_ref,
  v.git_rev_ambiguous, v.commit_sha,
  v.fetch_request, v.fetch_open, v.locked, v.float_git_rev, v.float_refresh_error,
  v.initialization_error, v.archived, v.row_version,
  v.created_by, v.user_id, v.scope_project_id,
  t.code as template_code, t.template_type,
  extract(epoch from sluice_now() - v.updated_at)::float8 * 1000 as asked_ago`

const from = sql`template_versions v join templates t on t.id = v.template_id`

export const findVersion = (queries: Queries, id: string): Promise<TemplateVersion | undefined> =>
  queries.one(sql<TemplateVersion>`select ${columns} from ${from} where v.id = ${id}::uuid`)

/** Locks a version against every other change of it. */
export const lockVersion = (tx: Tx, id: string): Promise<TemplateVersion | undefined> =>
  tx.one(sql<TemplateVersion>`select ${columns} from ${from} where v.id = ${id}::uuid for no key update of v`)

export const findVersionNamed = (
  queries: Queries,
  templateId: string,
  version: string,
): Promise<TemplateVersion | undefined> =>
  queries.one(sql<TemplateVersion>`
    select ${columns} from ${from} where v.template_id = ${templateId}::uuid and v.version = ${version}`)

const versionNamed = (templateId: string, version: string) => sql<TemplateVersion>`
    select ${columns} from ${from} where v.template_id = ${templateId}::uuid and v.version = ${version}`

export const lockVersionNamed = (tx: Tx, templateId: string, version: string): Promise<TemplateVersion | undefined> =>
  tx.one(sql<TemplateVersion>`${versionNamed(templateId, version)} for no key update of v`)

/**
 * The version, locked until the transaction ends for assigning it to a node; the lock is shared with other assignments.
 */
export const shareVersionNamed = (tx: Tx, templateId: string, version: string): Promise<TemplateVersion | undefined> =>
  tx.one(sql<TemplateVersion>`${versionNamed(templateId, version)} for share of v`)

/** Versions that follow a revision of this remote, with their commits. */
export const followers = (queries: Queries, gitRemoteId: string): Promise<TemplateVersion[]> =>
  queries.rows(sql<TemplateVersion>`
    select ${columns} from ${from}
     where v.git_remote_id = ${gitRemoteId}::uuid and v.float_git_rev and not v.archived and not t.archived and not v.fetch_open`)

/** Opens a request to move a version: earlier requests for it are superseded. */
export async function openRequest(tx: Tx, id: string, pendingCommit: string | null = null): Promise<void> {
  await tx.count(sql`
    update template_versions
       set fetch_request = fetch_request + 1, fetch_open = true, pending_commit = ${pendingCommit},
           state = case when state = 'ready' then state else 'initializing' end,
           initialization_error = null,
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid`)
}

export async function notePending(
  queries: Queries,
  { id, fetch_request }: TemplateVersion,
  commit: string,
): Promise<void> {
  await queries.count(sql`
    update template_versions
       set pending_commit = ${commit}, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid and fetch_request = ${fetch_request} and pending_commit is distinct from ${commit}`)
}

/**
 * Stores the resolved full name of a version's revision, and whether it is ambiguous.
 *
 * @param of as returned by `findVersion`: nothing is stored for a version that has another revision since
 */
export const noteRef = async (
  tx: Tx,
  of: Pick<TemplateVersion, 'id' | 'git_rev' | 'git_remote_id'>,
  { gitRef, ambiguous }: { gitRef: string; ambiguous: boolean },
): Promise<void> => {
  await tx.count(sql`
    update template_versions
       set git_ref = coalesce(git_ref, ${gitRef}), git_rev_ambiguous = ${ambiguous}
     where id = ${of.id}::uuid and git_rev = ${of.git_rev} and git_remote_id = ${of.git_remote_id}::uuid`)
}

/** Moves a version to this commit from now on: its current period ends and the next begins at the same instant. */
export async function swapCommit(
  tx: Tx,
  version: Pick<TemplateVersion, 'id' | 'git_remote_id'>,
  made: { commit: string; hasModel: boolean },
): Promise<void> {
  await tx.count(sql`
    with current as (
      select * from template_version_commits where template_version_id = ${version.id}::uuid and active_to is null
    ), closed as (
      update template_version_commits c
         set active_to = greatest(sluice_now(), c.active_from + interval '1 microsecond')
        from current
       where c.id = current.id
         and (c.commit_sha, c.git_remote_id) is distinct from (${made.commit}::text, ${version.git_remote_id}::uuid)
      returning c.active_to
    )
    insert into template_version_commits (template_version_id, git_remote_id, commit_sha, active_from)
    select ${version.id}::uuid, ${version.git_remote_id}::uuid, ${made.commit}, coalesce(closed.active_to, sluice_now())
      from (select 1) one
      left join closed on true
     where closed.active_to is not null or not exists (select from current)`)
  await tx.count(sql`
    update template_versions
       set state = 'ready', commit_sha = ${made.commit}, has_model = ${made.hasModel}, pending_commit = null,
           fetch_open = false, initialization_error = null, float_refresh_error = null,
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${version.id}::uuid`)
}

/** Closes a cancelled fetch: a ready version is unchanged, any other is broken. */
export async function closeRequest(tx: Tx, version: TemplateVersion, why: string): Promise<'kept' | 'broken'> {
  const kept = version.state === 'ready'
  await tx.count(sql`
    update template_versions
       set state = ${kept ? 'ready' : 'broken'}, initialization_error = ${kept ? null : why},
           pending_commit = null, fetch_open = false, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${version.id}::uuid`)
  return kept ? 'kept' : 'broken'
}

/** Records a failed update. A floating version that was ready is unchanged, with the error; any other is broken. */
export async function noteFailure(tx: Tx, version: TemplateVersion, error: string): Promise<'kept' | 'broken'> {
  const kept = version.float_git_rev && version.state === 'ready'
  await tx.count(sql`
    update template_versions
       set state = ${kept ? 'ready' : 'broken'},
           initialization_error = ${kept ? null : error}, float_refresh_error = ${kept ? error : null},
           pending_commit = null, fetch_open = false, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${version.id}::uuid`)
  return kept ? 'kept' : 'broken'
}

/** Assets among these that are made from the template. */
export const assetsOfTemplate = (
  tx: Tx,
  templateId: string,
  ids: readonly string[],
): Promise<{ node_id: string; version: string }[]> =>
  tx.rows(sql<{ node_id: string; version: string }>`
    select h.node_id, v.version
      from template_version_histories h
      join template_versions v on v.id = h.template_version_id
     where h.node_id = any(${[...ids]}::uuid[]) and h.template_id = ${templateId}::uuid and h.active_to is null`)

/** Versions that are being fetched without a job or running task, at most a hundred, locked. */
export const lockUnfinishedFetches = (
  tx: Tx,
  jobs: { readonly fetch: string; readonly derived: string },
): Promise<{ id: string }[]> =>
  tx.rows(sql<{ id: string }>`
    select v.id
      from template_versions v
     where v.fetch_open
       and not exists (select from graphile_worker.jobs j
                        where j.key in (${`${jobs.fetch}:`} || v.id,
                                            ${`${jobs.derived}:`} || v.id || ':' || v.fetch_request)
                              and j.attempts < j.max_attempts)
           and not exists (select from node_background_tasks b
                            where b.template_version_id = v.id and b.status_code in ('initializing', 'running'))
         order by v.updated_at
         limit 100
           for no key update of v skip locked`)

interface NewVersion {
  readonly version: string
  readonly description?: string | null | undefined
  readonly git_rev: string
  readonly locked?: boolean | undefined
  readonly float_git_rev?: boolean | undefined
  readonly archived?: boolean | undefined
}

export const insertVersion = (
  tx: Tx,
  template: Pick<Template, 'id' | 'project_id' | 'path' | 'git_remote_id'>,
  attributes: NewVersion,
  actor: Pick<Actor, 'username' | 'userId' | 'scopeProjectId'>,
): Promise<{ id: string; created_at: string } | undefined> =>
  tx.one(sql<{ id: string; created_at: string }>`
    insert into template_versions (template_id, project_id, path, version, description, git_remote_id, git_rev, locked,
                                   float_git_rev, archived, created_by, user_id, scope_project_id)
    values (${template.id}::uuid, ${template.project_id}::uuid, ${template.path}, ${attributes.version},
            ${attributes.description ?? ''}, ${template.git_remote_id}::uuid, ${attributes.git_rev},
            ${attributes.locked ?? false}, ${attributes.float_git_rev ?? false}, ${attributes.archived ?? false},
            ${actor.username}, ${actor.userId}::uuid, ${actor.scopeProjectId ?? null}::uuid)
    returning id, created_at`)

/** @param change `isOther`: the revision or the Git remote differs; `movesTo`: id of the new Git remote */
export const updateVersion = (
  tx: Tx,
  version: Pick<TemplateVersion, 'id' | 'git_remote_id'>,
  wanted: Required<Omit<NewVersion, 'version'>>,
  { isOther, movesTo }: { readonly isOther: boolean; readonly movesTo: string | undefined },
): Promise<number> =>
  tx.count(sql`
    update template_versions
       set description = ${wanted.description}, git_rev = ${wanted.git_rev}, locked = ${wanted.locked},
           git_ref = case when not ${isOther}::boolean then git_ref end,
           git_rev_ambiguous = git_rev_ambiguous and not ${isOther}::boolean,
           float_git_rev = ${wanted.float_git_rev}, archived = ${wanted.archived},
           float_refresh_error = case when ${wanted.float_git_rev} then float_refresh_error end,
           git_remote_id = ${movesTo ?? version.git_remote_id}::uuid,
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${version.id}::uuid
       and (${movesTo !== undefined} or (description, locked, float_git_rev, archived) is distinct from
            (${wanted.description}::text, ${wanted.locked}::boolean, ${wanted.float_git_rev}::boolean,
             ${wanted.archived}::boolean))`)

export const deleteVersion = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from template_versions where id = ${id}::uuid`)
