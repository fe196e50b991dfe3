/** Content of a repository as far as schedules need it: the files of each commit, with their texts. */

export type Tree = Readonly<Record<string, string>>

export interface Pattern {
  readonly match: string
  readonly negate?: boolean
}

const patterns: Readonly<Record<string, RegExp>> = {
  'src/**': /^src\//,
  '**.md': /\.md$/,
  'docs/*.md': /^docs\/[^/]*\.md$/,
}
export const matches = Object.keys(patterns)

/** Files changed between these two; every file if there is no earlier one. */
export const changedFiles = (from: Tree | undefined, to: Tree): string[] =>
  [...new Set([...Object.keys(from ?? {}), ...Object.keys(to)])].filter(path => from?.[path] !== to[path])

/** Whether one of the files matches any or all of the patterns. */
export function isMeant(files: readonly string[], those: readonly Pattern[], how: 'any' | 'all'): boolean {
  const means = (path: string) => (of: Pattern) => patterns[of.match]!.test(path) !== (of.negate ?? false)
  return files.some(path => (how === 'any' ? those.some(means(path)) : those.every(means(path))))
}
