import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Loop, Runtime } from '#platform/domain.ts'
import { type CommitParts, catalogueAt, hasActionsFile, propertyFilesAt } from '../action-catalogue/index.ts'
import { appendProgress, newestEventOf } from '../events/index.ts'
import { type FetchOptions, GitFailure, recordFetchFailureEvent } from '../git/index.ts'
import { progressWriter } from '../node-tasks/index.ts'
import { eventNode, findNodeById } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { askForDerivation } from './derivation.store.ts'
import type { Derivation } from './derivation.ts'
import { type LocatedRevision, locateRevision } from './located-revision.ts'
import { refreshNodesSoon } from './refresh-nodes.jobs.ts'
import {
  findVersion,
  lockUnfinishedFetches,
  lockVersion,
  noteFailure,
  notePending,
  noteRef,
  swapCommit,
  type TemplateVersion,
} from './template-version.store.ts'

export interface FetchParts extends CommitParts {
  readonly settings: SettingsReader
}

export const fetchVersionJob = 'templates.fetch_version'

/** Outcome of a fetch. The place of a failure determines which event records it. `ask`: only a program can tell. */
type Outcome =
  | { readonly commit: string; readonly hasModel: boolean }
  | { readonly ask: Pick<Derivation, 'key' | 'sources'> }
  | {
      readonly failed: 'fetch' | 'commit_verification' | 'refresh_actions'
      readonly error: string
      readonly output?: string
    }

interface Payload {
  readonly templateVersionId: string
  /** Time at which the remote was fetched, here or on another host. */
  readonly since?: number
}

/**
 * Fetches the remote of a version, resolves its revision, reads its commit, and moves the version there. It may run
 * twice, or be killed at any point: before its last transaction only caches have changed, and that one checks whether a
 * newer request has taken over.
 */
export const fetchVersion = (parts: FetchParts): Job => ({
  name: fetchVersionJob,
  outside: true,
  run: async ({ templateVersionId, since }: Payload, runtime) => {
    const { database } = runtime
    const version = await findVersion(database, templateVersionId)
    if (!version?.fetch_open) return
    await database.transaction(tx => recordVersionEvent(tx, runtime, version, 'info:template_version:fetch'))
    const event = await newestEventOf(database, 'info:template_version:fetch', version.id)
    const progress = progressWriter(text => (event ? appendProgress(database, event.id, text) : Promise.resolve()))
    // Commits pushed before the request must be seen: only a fetch that began after it is new enough.
    const how = since === undefined ? { freshMilliseconds: version.asked_ago } : { since }
    const outcome = await outcomeOf(parts, runtime, version, { ...how, onProgress: progress.write })
    await progress.end()
    await database.transaction(tx => settle(tx, runtime, version, outcome))
  },
})

async function outcomeOf(
  parts: FetchParts,
  runtime: Runtime,
  version: TemplateVersion,
  how: Pick<FetchOptions, 'freshMilliseconds' | 'since' | 'onProgress'>,
): Promise<Outcome> {
  const { git } = parts
  try {
    await git.fetch(version.git_remote_id, { ...how, signal: runtime.stopping })
  } catch (error) {
    // Stopped with the service: the job runs again at its next start.
    if (!(error instanceof GitFailure) || runtime.stopping.aborted) throw error
    return { failed: 'fetch', error: error.message, output: error.output }
  }
  try {
    const located = await locateRevision(git, version)
    await noteLocated(runtime, version, located)
    const { commit, error } = located
    if (!commit) return { failed: 'commit_verification', error }
    await notePending(runtime.database, version, commit)
    return await derive(parts, runtime, version, commit)
  } catch (error) {
    if (!(error instanceof GitFailure) || runtime.stopping.aborted) throw error
    return { failed: 'commit_verification', error: error.message, output: error.output }
  }
}

/** Stores the resolved revision, and records a warning once if its name has become ambiguous. */
export async function noteLocated(
  runtime: Runtime,
  version: TemplateVersion,
  { gitRef, others }: LocatedRevision,
): Promise<void> {
  const ambiguous = others.length > 0
  if (gitRef === null || (version.git_ref !== null && version.git_rev_ambiguous === ambiguous)) return
  await runtime.database.transaction(async tx => {
    const now = await lockVersion(tx, version.id)
    if (!now || now.git_rev !== version.git_rev || now.git_remote_id !== version.git_remote_id) return
    await noteRef(tx, version, { gitRef, ambiguous })
    if (ambiguous && !now.git_rev_ambiguous)
      await recordVersionEvent(tx, runtime, version, 'warn:template_version:ambiguous_revision', {
        git_rev: version.git_rev,
        git_ref: gitRef,
        also: others,
      })
  })
}

/** Actions and property files: one fault in either makes the commit unusable, and all are reported at once. */
export async function derive(
  parts: FetchParts,
  { database }: Runtime,
  version: TemplateVersion,
  commit: string,
): Promise<Outcome> {
  const key = { gitRemoteId: version.git_remote_id, commit, folder: version.template_code }
  const catalogue = await catalogueAt(parts, database, key)
  const files = await propertyFilesAt(parts, database, {
    gitRemoteId: version.git_remote_id,
    commitSha: commit,
    repoFolder: await repoFolderOf(parts.settings, database, version),
    templateCode: version.template_code,
  })
  // An agent is a container: it needs no actions, but existing ones must be valid.
  const mayHaveNoActions = version.template_type === 'agent' && !(await hasActionsFile(parts.git, key))
  const errors = [
    ...(catalogue.state === 'broken' && !mayHaveNoActions ? [catalogue.error] : []),
    ...(files === undefined ? [] : [files]),
  ]
  // A missing folder has no actions, and no properties either.
  const lines = new Set(errors.flatMap(error => error.split('\n')))
  if (lines.size > 0) return { failed: 'refresh_actions', error: [...lines].join('\n') }
  if (catalogue.state === 'needs_runner') return { ask: { key, sources: catalogue.sources } }
  return { commit, hasModel: catalogue.hasModel }
}

const repoFolderOf = async (
  settings: SettingsReader,
  database: Runtime['database'],
  { project_id }: TemplateVersion,
) => {
  const { data } = await settings.ofNode(database, { id: project_id, project_id, environment_id: null })
  return String(data['repo_folder'])
}

async function settle(tx: Tx, runtime: Runtime, asked: TemplateVersion, outcome: Outcome): Promise<void> {
  const version = await lockVersion(tx, asked.id)
  if (!version) return
  const fetched = !('failed' in outcome) || outcome.failed !== 'fetch'
  await recordVersionEvent(tx, runtime, version, 'info:template_version:fetch_complete', { success: fetched })
  await moveOn(tx, runtime, version, asked, outcome)
}

async function moveOn(
  tx: Tx,
  runtime: Runtime,
  version: TemplateVersion,
  asked: TemplateVersion,
  outcome: Outcome,
): Promise<void> {
  const event = (type: string, attributes: object = {}) => recordVersionEvent(tx, runtime, version, type, attributes)
  if (version.fetch_request !== asked.fetch_request || !version.fetch_open)
    return event('info:template_version:refresh_superseded', { git_rev: asked.git_rev })
  if ('ask' in outcome) return askProgram(tx, version, outcome.ask)
  if (!('failed' in outcome)) {
    await swapCommit(tx, version, outcome)
    const by = { username: version.created_by, userId: version.user_id, scopeProjectId: version.scope_project_id }
    const trigger = version.float_git_rev ? 'float' : 'template_version_change'
    // Those whose actions depend on their own properties; those of all others have moved with the version. A broken
    // version may have assets, too: it was moved although it was in use.
    return refreshNodesSoon(tx, runtime, { templateVersionId: version.id, trigger, by })
  }
  const { failed, error, output } = outcome
  if (failed === 'fetch') await recordFetchFailureEvent(tx, runtime, version.git_remote_id, { error, output })
  await event(`error:template_version:${failed}`, { error, ...(failed === 'fetch' && { fetch_output: output }) })
  const became = await noteFailure(tx, version, error)
  await event(became === 'kept' ? 'warn:template_version:float_refresh_failed' : 'error:template_version:broken', {
    error,
  })
}

const derivedJob = 'templates.derived'

interface DerivedPayload {
  readonly templateVersionId: string
  readonly fetchRequest: number
  readonly gitRev: string
  readonly commit: string
  readonly derivationError?: string
  /** Whether it was stopped; the code that stopped it has recorded that. */
  readonly cancelled?: boolean
}

/** Requests a run of the program in a runner; the version is unchanged until that is done. */
function askProgram(tx: Tx, version: TemplateVersion, ask: Pick<Derivation, 'key' | 'sources'>): Promise<void> {
  const payload: DerivedPayload = {
    templateVersionId: version.id,
    fetchRequest: version.fetch_request,
    gitRev: version.git_rev,
    commit: ask.key.commit,
  }
  const asker = {
    templateVersionId: version.id,
    projectId: version.project_id,
    path: version.path,
    createdBy: version.created_by,
    userId: version.user_id,
    scopeProjectId: version.scope_project_id,
  }
  return askForDerivation(tx, asker, {
    ...ask,
    // An older request that ends late must not replace the newest.
    goOn: { job: derivedJob, payload, key: `${derivedJob}:${version.id}:${version.fetch_request}` },
  })
}

/**
 * Job that continues a version after its program ran, or could not run, unless the version has been requested to move
 * since.
 */
export const versionDerived = (parts: FetchParts): Job => ({
  name: derivedJob,
  run: async (payload: DerivedPayload, runtime) => {
    const { templateVersionId, fetchRequest, commit, derivationError } = payload
    const asked = await findVersion(runtime.database, templateVersionId)
    if (!asked) return
    if (!asked.fetch_open || asked.fetch_request !== fetchRequest) return recordSupersededEvent(runtime, asked, payload)
    const outcome: Outcome =
      derivationError === undefined
        ? await derive(parts, runtime, asked, commit)
        : { failed: 'refresh_actions', error: derivationError }
    await runtime.database.transaction(async tx => {
      const version = await lockVersion(tx, templateVersionId)
      if (version) await moveOn(tx, runtime, version, asked, outcome)
    })
  },
})

async function recordSupersededEvent(
  runtime: Runtime,
  version: TemplateVersion,
  payload: DerivedPayload,
): Promise<void> {
  const { gitRev: git_rev, cancelled = false } = payload
  if (cancelled) return
  await runtime.database.transaction(tx =>
    recordVersionEvent(tx, runtime, version, 'info:template_version:refresh_superseded', { git_rev }),
  )
}

export const enqueueFetch = (tx: Tx, { enqueue }: Runtime, payload: Payload) =>
  enqueue(tx, fetchVersionJob, payload, { key: `${fetchVersionJob}:${payload.templateVersionId}` })

/**
 * Loop that enqueues open fetches again that have no job: the process of the job was killed, or the job was given up.
 */
export const resumeFetches: Loop = {
  name: 'templates.resume_fetches',
  every: 1_000,
  hints: [],
  run: runtime =>
    runtime.database.transaction(async tx => {
      const open = await lockUnfinishedFetches(tx, { fetch: fetchVersionJob, derived: derivedJob })
      for (const { id } of open) await enqueueFetch(tx, runtime, { templateVersionId: id })
      return false
    }),
}

export async function recordVersionEvent(
  tx: Tx,
  runtime: Runtime,
  version: TemplateVersion,
  type: string,
  attributes: object = {},
): Promise<void> {
  const node = await findNodeById(tx, version.project_id)
  if (!node) return
  await runtime.record(tx, {
    type,
    actor: theService,
    source: { type: 'template_version', id: version.id },
    node: eventNode(node),
    attributes: { name: version.version, template_code: version.template_code, ...attributes },
  })
}
