/**
 * Checks the name of a commit: a branch, a tag, a full ref, or a commit's id, whole or abbreviated. Expressions that
 * git would evaluate (`main~2`, `main:path`, `@{yesterday}`) may mean another commit tomorrow, and nothing that begins
 * with a hyphen reaches git at all.
 *
 * @returns its fault, or undefined
 */
export function revisionFault(revision: string): string | undefined {
  if (revision === '' || revision.length > 255) return 'A revision has 1 to 255 characters.'
  if (revision.startsWith('-')) return 'A revision does not begin with a hyphen.'
  if (/^(?:[A-Z_]*HEAD|@)$/.test(revision)) return `Name the branch instead of "${revision}".`
  return isRefName(revision)
    ? undefined
    : `"${revision}" is no name of a branch or tag, nor a commit: expressions are not taken.`
}

/** Pattern of JSON Schema for a revision, with the same rules. */
export const revisionPattern =
  '^(?!-)(?!(?:[A-Z_]*HEAD|@)$)(?!.*(?:\\.\\.|@\\{|//|/\\.|\\.lock(?:/|$)))(?![./])[^\\p{Cc}\\s~^:?*[\\\\]+(?<![./])$'

/** The full names that a revision may mean, in the order in which git tries them; none for a full name or id. */
export const namesOf = (revision: string): string[] =>
  revision.startsWith('refs/') || isCommitId(revision)
    ? []
    : [
        ...(/^(?:heads|tags)\//.test(revision) ? [`refs/${revision}`] : []),
        `refs/tags/${revision}`,
        `refs/heads/${revision}`,
      ]

/** @param refs existing refs */
export const ambiguousRevision = (revision: string, refs: readonly string[]): string =>
  `"${revision}" is ambiguous: the repository has ${refs.join(' and ')}. Give one of them as the revision.`

export const isCommitId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The rules of git-check-ref-format(1). */
const isRefName = (name: string): boolean =>
  !/[\p{Cc}\s~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^[./]|[./]$/u.test(name) && !/\.lock(?:\/|$)/.test(name) && name !== '@'
