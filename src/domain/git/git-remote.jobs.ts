import { theService } from '#platform/actor.ts'
import { clockOf } from '#platform/db/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Loop, Runtime } from '#platform/domain.ts'
import { eventNode, findNodeById } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import type { Git } from './git.adapter.ts'
import { GitFailure } from './git-failure.ts'
import { findRemote, lockFetched, noteFetch, type StoredRemote, takeDueRemotes } from './git-remote.store.ts'
import { nextFetchIn } from './git-remote.ts'

export interface FetchParts {
  readonly git: Git
  readonly settings: SettingsReader
}

type Why = 'create' | 'update' | 'periodic'

export const fetchRemoteJob = 'git.fetch_remote'

/**
 * Job that is enqueued after each fetch: versions that follow branches and tags of the remote check whether these
 * moved. `since`: the fetch began later; on another host that runs the job, the mirror may be older.
 */
const fetchedJob = 'templates.follow_revisions'

const failureEvents: Readonly<Record<Why, string>> = {
  create: 'error:git_remote:create',
  update: 'error:git_remote:update',
  periodic: 'warn:git_remote:periodic_fetch:failed',
}

/** Fetches a remote once, and schedules its next fetch: the longer it has been failing, the later. */
export const fetchRemote = ({ git, settings }: FetchParts): Job => ({
  name: fetchRemoteJob,
  outside: true,
  run: async ({ gitRemoteId, why }: { gitRemoteId: string; why: Why }, runtime) => {
    const asked = await findRemote(runtime.database, gitRemoteId)
    if (!asked || asked.archived) return
    const since = await clockOf(runtime.database)
    const { failed, took } = await attempt(git, gitRemoteId, why, runtime)
    if (runtime.stopping.aborted && failed) throw failed
    await runtime.database.transaction(async tx => {
      const remote = await lockFetched(tx, gitRemoteId)
      if (!remote) return
      const failures = failed ? remote.fetch_failures + 1 : 0
      const interval = await intervalOf(tx, settings, remote)
      await noteFetch(tx, gitRemoteId, { failed, took, failures, nextIn: nextFetchIn(interval, failures) })
      if (!failed) await toFollow(runtime, tx, { gitRemoteId, since })
      await recordFetchEvent(tx, runtime, remote, why, failed)
    })
  },
})

/**
 * Enqueues the check of everything that follows a branch or tag of a remote, after it was fetched.
 *
 * @param fetched `since`: the database's time just before, in milliseconds since 1970
 */
export const toFollow = (
  { enqueue }: Pick<Runtime, 'enqueue'>,
  tx: Tx,
  fetched: { readonly gitRemoteId: string; readonly since: number },
): Promise<void> => enqueue(tx, fetchedJob, fetched, { key: `${fetchedJob}:${fetched.gitRemoteId}` })

/** Outcome of a fetch: its failure, or how many milliseconds it took, if there was anything to fetch. */
interface Attempted {
  readonly failed?: GitFailure
  readonly took?: number | undefined
}

async function attempt(git: Git, id: string, why: Why, { stopping }: Runtime): Promise<Attempted> {
  try {
    return { took: await git.fetch(id, { signal: stopping, ...(why !== 'periodic' && { freshMilliseconds: 0 }) }) }
  } catch (error) {
    if (error instanceof GitFailure) return { failed: error }
    throw error
  }
}

async function intervalOf(tx: Tx, settings: SettingsReader, remote: StoredRemote): Promise<number> {
  if (remote.periodic_fetch_interval !== null) return remote.periodic_fetch_interval
  const project = { id: remote.project_id, project_id: remote.project_id, environment_id: null }
  return Number((await settings.ofNode(tx, project)).data['git_remote.periodic_fetch_interval'])
}

async function recordFetchEvent(
  tx: Tx,
  runtime: Runtime,
  remote: StoredRemote,
  why: Why,
  failed: GitFailure | undefined,
): Promise<void> {
  const recovered = !failed && remote.fetch_failures > 0
  const node = await findNodeById(tx, remote.project_id)
  if (!node || (!failed && !recovered)) return
  await runtime.record(tx, {
    type: failed ? failureEvents[why] : 'info:git_remote:periodic_fetch:recovered',
    actor: theService,
    source: { type: 'git_remote', id: remote.id },
    node: eventNode(node),
    attributes: { name: remote.name, ...(failed && { error: failed.message }) },
    ...(recovered && { message: `Fetched again after ${remote.fetch_failures} failures in a row.` }),
  })
}

/**
 * Records the failure of a fetch for another purpose (a template version, for example) at the remote too, where its
 * maintainers look.
 */
export async function recordFetchFailureEvent(
  tx: Tx,
  { record }: Pick<Runtime, 'record'>,
  remoteId: string,
  failure: { readonly error: string; readonly output?: string | undefined },
): Promise<void> {
  const remote = await findRemote(tx, remoteId)
  const node = remote && (await findNodeById(tx, remote.project_id))
  if (!node) return
  await record(tx, {
    type: 'error:git_remote:fetch',
    actor: theService,
    source: { type: 'git_remote', id: remoteId },
    node: eventNode(node),
    attributes: {
      name: remote.name,
      error: failure.error,
      ...(failure.output !== undefined && { fetch_output: failure.output }),
    },
  })
}

const dueAtOnce = 20

/** Distributes due fetches over the processes that run jobs. */
export const periodicFetch: Loop = {
  name: 'git.periodic_fetch',
  every: 1_000,
  hints: [],
  run: ({ database, enqueue }) =>
    database.transaction(async tx => {
      const due = await takeDueRemotes(tx, dueAtOnce)
      for (const { id, node_path: nodePath } of due)
        await enqueue(tx, fetchRemoteJob, { gitRemoteId: id, why: 'periodic' }, { key: `git.fetch:${id}`, nodePath })
      return due.length === dueAtOnce
    }),
}

/**
 * Loop that removes the mirrors of deleted remotes, on each host that runs jobs; the host on which a remote was deleted
 * need not wait for this.
 */
export const removeOrphanedMirrors = (git: Git): Loop =>
  hourly('git.forget_deleted_mirrors', () => git.removeOrphaned())

/** Loop that maintains mirrors, on each host that runs jobs. */
export const tidyMirrors = (git: Git): Loop =>
  hourly('git.tidy_mirrors', ({ log, stopping }) =>
    git.tidy(
      (remoteId, { message }) =>
        log.warn({ remoteId }, `maintenance of a Git mirror failed; retrying later: ${message}`),
      stopping,
    ),
  )

const hourly = (name: string, work: (runtime: Runtime) => Promise<void>): Loop => ({
  name,
  every: 3_600_000,
  hints: [],
  run: async runtime => {
    await work(runtime)
    return false
  },
})

export const removeMirrorJobName = 'git.forget_remote'

export const removeMirrorJob = (git: Git): Job => ({
  name: removeMirrorJobName,
  run: ({ gitRemoteId }: { gitRemoteId: string }) => git.removeMirror(gitRemoteId),
})
