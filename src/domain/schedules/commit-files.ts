/** A row of a schedule's `commit_file_patterns`: a glob over paths in the repository, possibly negated. */
export interface CommitFilePattern {
  readonly match: string
  readonly negate?: boolean
}

/**
 * Whether a commit changes a file that matches a schedule's patterns: `any` or `all` of the patterns, which may be
 * negated. So `src/**` and not `**.md`, with `all`, is every source except documentation. Without patterns every commit
 * matches.
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
