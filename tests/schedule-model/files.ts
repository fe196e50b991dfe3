/** What is in a repository, as far as a schedule asks: the files of each commit, each with what it says. */

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

/** Between these two; every file where there is no earlier one. */
export const changedFiles = (from: Tree | undefined, to: Tree): string[] =>
  [...new Set([...Object.keys(from ?? {}), ...Object.keys(to)])].filter(path => from?.[path] !== to[path])

/** Whether one of the files is meant, by any of the patterns or by all. */
export function isMeant(files: readonly string[], those: readonly Pattern[], how: 'any' | 'all'): boolean {
  const means = (path: string) => (of: Pattern) => patterns[of.match]!.test(path) !== (of.negate ?? false)
  return files.some(path => (how === 'any' ? those.some(means(path)) : those.every(means(path))))
}
