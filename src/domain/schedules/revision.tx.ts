import type { Queries, Tx } from '#platform/db/database.ts'
import type { Runtime } from '#platform/domain.ts'
import { Failure } from '#platform/failure.ts'
import { globMatcher, mostWork, originOf } from '../changes/index.ts'
import { type Git, GitFailure } from '../git/index.ts'
import type { Node } from '../nodes/index.ts'
import { touchesMatching } from './commit-files.ts'
import { commitsUsed } from './occurrence.store.ts'
import type { Schedule } from './schedule.store.ts'
import { originAttributes } from './schedule-kinds.ts'

/** Commit that the revision of a schedule resolves to now, and whether it meets the schedule's conditions. */
export interface Revision {
  readonly gitRemoteId: string
  readonly commitSha: string
  /** Why it creates nothing. */
  readonly notWanted?: 'used' | 'files'
  /** Why its patterns could not be checked: the change is created all the same. */
  readonly unjudged?: string
}

export const reasons: Readonly<Record<NonNullable<Revision['notWanted']>, string>> = {
  used: 'it has used that commit',
  files: 'the commit touches no file that is meant',
}

/**
 * Looks up the commit: for an asset that of its template version, for other nodes the current one in Git.
 *
 * @returns why it is not available, in words for the event
 */
export async function revisionOf(
  git: Git,
  { database, stopping }: Pick<Runtime, 'database' | 'stopping'>,
  schedule: Schedule,
  node: Node,
): Promise<Revision | { readonly fault: string }> {
  try {
    const { gitRemoteId, commitSha, gitRev } = await originOf(database, node, originAttributes(schedule))
    if (commitSha !== null) return await judged(git, database, schedule, { gitRemoteId, commitSha })
    await git.fetch(gitRemoteId, { signal: stopping })
    const found = await git.resolve(gitRemoteId, gitRev)
    if (!found) return { fault: `The Git remote ${schedule.git_remote_name} has no revision ${gitRev}.` }
    return await judged(git, database, schedule, { gitRemoteId, commitSha: found })
  } catch (error) {
    if (stopping.aborted || !(error instanceof GitFailure || error instanceof Failure)) throw error
    return { fault: error.message }
  }
}

/** Fields of a schedule that `revisionOf` reads: if they were edited meanwhile, its result is about another one. */
export const asksOfGit = (schedule: Schedule): string =>
  JSON.stringify([
    schedule.action === null,
    originAttributes(schedule),
    schedule.new_commits_only,
    schedule.commit_file_patterns,
    schedule.commit_file_pattern_match,
  ])

/**
 * Whether the result no longer matches what would run now: the asset has another template version, or that another
 * commit, or another remote has the name. The change would be recorded with the wrong source.
 */
export async function hasMoved(
  tx: Tx,
  schedule: Schedule,
  node: Node,
  { gitRemoteId, commitSha }: Partial<Revision>,
): Promise<boolean> {
  if (gitRemoteId === undefined) return false
  try {
    const now = await originOf(tx, node, originAttributes(schedule))
    return now.gitRemoteId !== gitRemoteId || (now.commitSha !== null && now.commitSha !== commitSha)
  } catch (error) {
    if (error instanceof Failure) return true
    throw error
  }
}

async function judged(git: Git, queries: Queries, schedule: Schedule, revision: Revision): Promise<Revision> {
  if (!schedule.new_commits_only) return revision
  const { used, last } = await commitsUsed(queries, schedule.id, revision.commitSha)
  if (used) return { ...revision, notWanted: 'used' }
  if (schedule.commit_file_patterns.length === 0) return revision
  try {
    const files = await git.touched(revision.gitRemoteId, last, revision.commitSha)
    return touches(schedule, files) ? revision : { ...revision, notWanted: 'files' }
  } catch (error) {
    if (!(error instanceof GitFailure || error instanceof Failure)) throw error
    return { ...revision, unjudged: error.message }
  }
}

/**
 * Whether the schedule has used the commit by now. Checked again under the schedule's lock: of due times that check the
 * same commit concurrently only one uses it.
 */
export const isUsedByNow = async (
  queries: Queries,
  { id, new_commits_only }: Schedule,
  commitSha: string | undefined,
): Promise<boolean> => new_commits_only && commitSha !== undefined && (await commitsUsed(queries, id, commitSha)).used

function touches(schedule: Schedule, files: readonly string[]): boolean {
  const work = mostWork()
  return touchesMatching(files, schedule.commit_file_patterns, schedule.commit_file_pattern_match, glob => {
    const matches = globMatcher(glob)
    return path => matches(path, work)
  })
}
