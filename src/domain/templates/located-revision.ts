import { ambiguousRevision } from '#authoring/revision.ts'
import type { Git } from '../git/index.ts'
import type { TemplateVersion } from './template-version.store.ts'

/** Current meaning of a version's revision in its repository. */
export interface LocatedRevision {
  /** Commit of the revision. Undefined: there is none, with the reason in `error`. */
  readonly commit: string | undefined
  /** The full name of the branch or tag, or the id of the commit, that it was looked up by. */
  readonly gitRef: string | null
  /** Other branches and tags that the revision may mean. */
  readonly others: readonly string[]
  readonly error: string
}

/**
 * Looks up the revision of a version under the full name that it had at first: a new tag with the name of the branch
 * that a version follows changes nothing.
 */
export async function locateRevision(git: Git, version: TemplateVersion): Promise<LocatedRevision> {
  const { git_remote_id, git_rev } = version
  const refs = await git.refsNamed(git_remote_id, git_rev)
  const gitRef = version.git_ref ?? (await refOf(git, version, refs))
  const others = refs.filter(ref => ref !== gitRef)
  if (gitRef === undefined) return { commit: undefined, gitRef: null, others, error: ambiguousRevision(git_rev, refs) }
  const commit = await git.resolve(git_remote_id, gitRef)
  // Neither branch nor tag: the id of a commit, possibly abbreviated.
  const isId = version.git_ref === null && refs.length === 0 && !git_rev.startsWith('refs/')
  return { commit, gitRef: isId ? (commit ?? null) : gitRef, others, error: missing(version, gitRef, others) }
}

const missing = (version: TemplateVersion, gitRef: string, others: readonly string[]): string =>
  others.length === 0
    ? missingRevision(version)
    : `There is no ${gitRef} any more. If ${others.join(' or ')} is meant, give that as "git_rev".`

/**
 * Full name of a revision that is looked up for the first time; undefined if it is ambiguous, and no commit shows which
 * was meant.
 */
async function refOf(git: Git, version: TemplateVersion, refs: readonly string[]): Promise<string | undefined> {
  if (refs.length < 2) return refs[0] ?? version.git_rev
  for (const ref of refs)
    if (version.commit_sha !== null && (await git.resolve(version.git_remote_id, ref)) === version.commit_sha)
      return ref
  return undefined
}

/** Fault with the same text everywhere, because it is recorded once. */
const missingRevision = ({ git_rev }: Pick<TemplateVersion, 'git_rev'>): string =>
  `There is no branch, tag or commit "${git_rev}".`
