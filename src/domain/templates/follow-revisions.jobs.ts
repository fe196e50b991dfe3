import type { Tx } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { GitFailure } from '../git/index.ts'
import { derive, enqueueFetch, type FetchParts, noteLocated, recordVersionEvent } from './fetch-version.jobs.ts'
import { type LocatedRevision, locateRevision } from './located-revision.ts'
import { followers, lockVersion, noteFailure, openRequest, type TemplateVersion } from './template-version.store.ts'

/**
 * Job after a fetch of a remote: versions that follow one of its branches or tags move to its new commit. The fetch
 * enqueues a job of this name. It may run on another host, whose own mirror may be outdated: it is fetched first,
 * unless it was `since`.
 */
export const followRevisions = (parts: FetchParts): Job => ({
  name: 'templates.follow_revisions',
  outside: true,
  run: async ({ gitRemoteId, since }: { gitRemoteId: string; since: number }, runtime) => {
    const versions = await followers(runtime.database, gitRemoteId)
    if (versions.length > 0) await parts.git.fetch(gitRemoteId, { since, signal: runtime.stopping })
    for (const version of versions) {
      const located = await locateRevision(parts.git, version)
      await noteLocated(runtime, version, located)
      const { commit } = located
      if (commit === version.commit_sha && version.state === 'ready' && version.float_refresh_error === null) continue
      if (commit !== undefined && (await isFaultyStill(parts, runtime, version, commit))) continue
      await runtime.database.transaction(tx => follow(tx, runtime, version, located, since))
    }
  },
})

/**
 * Whether its commit has the same faults as recorded: with one event for every fetch they would fill the audit trail.
 */
async function isFaultyStill(
  parts: FetchParts,
  runtime: Runtime,
  version: TemplateVersion,
  commit: string,
): Promise<boolean> {
  const told = version.state === 'ready' ? version.float_refresh_error : version.initialization_error
  if (told === null) return false
  try {
    const outcome = await derive(parts, runtime, version, commit)
    return 'failed' in outcome && outcome.error === told
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return false
  }
}

async function follow(
  tx: Tx,
  runtime: Runtime,
  seen: TemplateVersion,
  { commit, error }: LocatedRevision,
  since: number,
): Promise<void> {
  const version = await lockVersion(tx, seen.id)
  if (!version || version.fetch_request !== seen.fetch_request || version.fetch_open) return
  if (commit === undefined) {
    if (version.float_refresh_error === error || version.state !== 'ready') return
    await noteFailure(tx, version, error)
    return recordVersionEvent(tx, runtime, version, 'warn:template_version:float_refresh_failed', { error })
  }
  await openRequest(tx, version.id, commit)
  await enqueueFetch(tx, runtime, { templateVersionId: version.id, since })
}
