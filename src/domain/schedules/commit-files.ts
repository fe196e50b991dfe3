/** A row of a schedule's `commit_file_patterns`: a glob over paths in the repository, or what it does not match. */
export interface CommitFilePattern {
  readonly match: string
  readonly negate?: boolean
}

/**
 * Whether a commit touches a file that a schedule is about. A file is meant by a pattern that it matches, or does not
 * match where that is negated; by `any` or `all` of the patterns. So `src/**` and not `**.md`, with `all`, is every source
 * but its documentation. Without patterns every commit is meant.
 */
export function touchesMatching(
  files: readonly string[],
  patterns: readonly CommitFilePattern[],
  how: 'any' | 'all',
  matcher: (glob: string) => (path: string) => boolean,
): boolean {
  if (patterns.length === 0) return true
  const tests = patterns.map(({ match, negate = false }) => {
    const matches = matcher(match)
    return (path: string) => matches(path) !== negate
  })
  const isMeant = (path: string) => (how === 'all' ? tests.every(each => each(path)) : tests.some(each => each(path)))
  return files.some(isMeant)
}
