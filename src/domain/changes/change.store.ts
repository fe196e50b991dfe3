import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type ConvergedSettings, defaultSource } from '../settings/index.ts'
import type { ActivityState } from '../steps/for-changes.ts'
import { documentAad } from './change.ts'

export interface NewChange {
  readonly id: string
  readonly action: string
  readonly metadata: object
  readonly gitRemoteId: string
  readonly gitRemoteName: string
  readonly gitRev: string
  /** Commit of an asset's template version at this time. For other nodes it is resolved later. */
  readonly commitSha: string | null
  readonly templateVersionId: string | null
  readonly templateVersion: string | null
  readonly templateCode: string | null
  readonly skipSteps: readonly string[]
  readonly startingStep: string | null
  readonly autoContinue?: boolean
  readonly buildWithoutCache?: boolean
  readonly notify: JsonObject | null
  /** The plan that the change is bound to. */
  readonly planSha?: string | null
  readonly propertyOverrides: JsonObject
  readonly settingsOverrides: JsonObject
  readonly resolvedSettings: ConvergedSettings
  /** The schedule that creates it. */
  readonly scheduledActivityId?: string | null
}

export async function insertChange(tx: Tx, keyring: Keyring, change: NewChange): Promise<void> {
  const sealed = (document: JsonObject, which: Parameters<typeof documentAad>[1]) =>
    keyring.seal(JSON.stringify(document), documentAad(change.id, which))
  await tx.count(sql`
    insert into changes (id, action, step_name, metadata, git_remote_id, git_remote_name, git_rev, commit_sha,
                         template_version_id, template_version, template_code, skip_steps,
                         starting_step, property_overrides, settings_overrides, resolved_settings, setting_sources,
                         scheduled_activity_id, auto_continue_wait_steps, build_without_cache, notify, plan_sha)
    values (${change.id}, ${change.action}, ${change.action}, ${JSON.stringify(change.metadata)}::jsonb,
            ${change.gitRemoteId}, ${change.gitRemoteName}, ${change.gitRev}, ${change.commitSha},
            ${change.templateVersionId}, ${change.templateVersion}, ${change.templateCode}, ${[...change.skipSteps]},
            ${change.startingStep}, ${sealed(change.propertyOverrides, 'property_overrides')},
            ${sealed(change.settingsOverrides, 'settings_overrides')},
            ${sealed(change.resolvedSettings.data, 'resolved_settings')},
            ${JSON.stringify(statedSources(change.resolvedSettings))}::jsonb, ${change.scheduledActivityId ?? null}::uuid,
            ${change.autoContinue ?? false}, ${change.buildWithoutCache ?? false},
            ${change.notify === null ? null : sealed(change.notify, 'notify')}, ${change.planSha ?? null})`)
}

/** Sources of the settings that a level states: most settings have their defaults, which are not stored. */
const statedSources = ({ sources }: ConvergedSettings): Record<string, string> =>
  Object.fromEntries(Object.entries(sources).filter(([, source]) => source !== defaultSource))

/** Stores the commit of a change's revision, before its actions are known. */
export async function noteCommit(tx: Tx, id: string, commitSha: string): Promise<void> {
  await tx.count(sql`update changes set commit_sha = ${commitSha} where id = ${id}`)
}

/** Stores the commit of a change's revision, and the name of its root step. */
export async function noteResolved(tx: Tx, id: string, what: { commitSha: string; stepName: string }): Promise<void> {
  await tx.count(sql`
    update changes set commit_sha = ${what.commitSha}, step_name = ${what.stepName} where id = ${id}`)
}

/** Stores the hash of the change's plan, as its approvers see it. */
export async function notePlan(tx: Tx, id: string, planSha: string): Promise<void> {
  await tx.count(sql`update changes set plan_sha = ${planSha} where id = ${id}`)
}

/** Stores the original of a retry, and copies everything that the retry does not set. */
export async function noteRetry(tx: Tx, id: string, of: { id: string; refreshSha: boolean }): Promise<void> {
  await tx.count(sql`
    update changes c
       set retry_of                 = o.id,
           refresh_sha              = ${of.refreshSha},
           auto_continue_wait_steps = o.auto_continue_wait_steps,
           build_without_cache      = o.build_without_cache
      from changes o
     where c.id = ${id} and o.id = ${of.id}`)
}

/** A retry that could not be refreshed runs the commit of its original, from the same origin. */
export async function takeOrigin(tx: Tx, id: string, originalId: string): Promise<void> {
  await tx.count(sql`
    update changes c
       set git_remote_id = o.git_remote_id, git_remote_name = o.git_remote_name, git_rev = o.git_rev,
           commit_sha = o.commit_sha, template_version_id = o.template_version_id,
           template_version = o.template_version, template_code = o.template_code
      from changes o
     where c.id = ${id} and o.id = ${originalId}`)
}

export interface StoredChange {
  readonly id: string
  readonly action: string
  readonly git_remote_id: string
  readonly git_remote_name: string
  readonly git_rev: string
  readonly commit_sha: string | null
  readonly template_version_id: string | null
  readonly template_version: string | null
  readonly template_code: string | null
  readonly skip_steps: readonly string[]
  readonly starting_step: string | null
  readonly property_overrides: Buffer
  readonly settings_overrides: Buffer
  readonly resolved_settings: Buffer
  /** Levels of the settings other than defaults; null for a change that was created before levels were stored. */
  readonly setting_sources: Readonly<Record<string, string>> | null
  readonly notify: Buffer | null
  readonly metadata: object
  readonly retry_of: string | null
  readonly refresh_sha: boolean
  readonly auto_continue_wait_steps: boolean
  readonly plan_sha: string | null
  readonly status: ActivityState
  readonly node_id: string
  readonly project_id: string
  readonly path: string
  readonly created_by: string
  readonly user_id: string
  /** See `Actor.scopeProjectId`. */
  readonly scope_project_id: string | null
  readonly created_at: string
  readonly row_version: number
}

export const findChange = (queries: Queries, id: string): Promise<StoredChange | undefined> =>
  queries.one(sql<StoredChange>`
    select c.id, c.action, c.git_remote_id, c.git_remote_name, c.git_rev, c.commit_sha, c.template_version_id,
           c.template_version, c.template_code, c.skip_steps, c.starting_step, c.property_overrides,
           c.settings_overrides, c.resolved_settings, c.setting_sources, c.notify, c.metadata, c.retry_of, c.refresh_sha,
           c.auto_continue_wait_steps, c.plan_sha, a.status,
           a.node_id, a.project_id, a.path, a.created_by, a.user_id, a.scope_project_id, a.created_at,
           a.row_version
      from changes c join activities a on a.id = c.id
     where c.id = ${id}::uuid`)

export const overridesOf = (keyring: Keyring, change: Pick<StoredChange, 'id' | 'property_overrides'>): JsonObject =>
  fromJson(keyring.openText(change.property_overrides, documentAad(change.id, 'property_overrides')))

export const notifyOf = (keyring: Keyring, change: Pick<StoredChange, 'id' | 'notify'>): JsonObject | null =>
  change.notify && fromJson(keyring.openText(change.notify, documentAad(change.id, 'notify')))

/** The caller holds the change's activity. */
export async function writeOverrides(tx: Tx, keyring: Keyring, id: string, document: JsonObject): Promise<void> {
  await tx.count(sql`
    update changes
       set property_overrides         = ${keyring.seal(JSON.stringify(document), documentAad(id, 'property_overrides'))},
           property_overrides_version = property_overrides_version + 1
     where id = ${id}::uuid`)
}

/** The action of a change by its id, as a part of a statement; null for other ids. */
export const actionOf = (id: Sql): Sql<string | null> =>
  sql<string | null>`(select c.action from changes c where c.id = ${id})`

/** Unfinished activities of these nodes. */
export const unfinishedOfNodes = (queries: Queries, nodeIds: readonly string[]): Promise<{ id: string }[]> =>
  queries.rows(sql<{ id: string }>`
    select id from activities where node_id = any(${[...nodeIds]}::uuid[]) and not final order by number`)

/** Full paths of the steps that a retry has taken over as they ended. */
export const retainedSteps = async (tx: Tx, id: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ full_path: string }>`
      select full_path from steps where activity_id = ${id}::uuid and final order by tree_order`)
  ).map(({ full_path }) => full_path)

/** Full paths of the steps of a retry that will run, and whose earlier approvals are enough. */
export const approvedSteps = async (tx: Tx, id: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ full_path: string }>`
      select full_path from steps
       where activity_id = ${id}::uuid and not final and not needs_approval and requires_approval_from <> '[]'
       order by tree_order`)
  ).map(({ full_path }) => full_path)

/** Locks an activity so that it is not deleted before the transaction ends. */
export const keepOriginal = (tx: Tx, id: string): Promise<unknown> =>
  tx.rows(sql`select from activities where id = ${id}::uuid for key share`)

export const retriesOf = (tx: Tx, id: string): Promise<{ id: string; final: boolean }[]> =>
  tx.rows(sql<{ id: string; final: boolean }>`
    select c.id, a.final from changes c join activities a on a.id = c.id where c.retry_of = ${id}::uuid`)

export const detachRetries = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`update changes set retry_of = null where retry_of = ${id}::uuid`)

/** Condition on `activities a`: no unfinished retry needs it. */
export const isNeededByNoRetry = sql<boolean>`
  not exists (select from changes retry join activities retrying on retrying.id = retry.id
               where retry.retry_of = a.id and not retrying.final)`

/** An unfinished retry of a change, except those for which `passed` holds. */
export const unfinishedRetry = (tx: Tx, id: string, passed: Sql): Promise<{ id: string } | undefined> =>
  tx.one(sql<{ id: string }>`
    select c.id from changes c join activities x on x.id = c.id
     where c.retry_of = ${id}::uuid and not x.final and not ${passed}
     limit 1`)
