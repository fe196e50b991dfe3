import { execFileSync } from 'node:child_process'
import { fileGraph, filesReaching } from '../tests/support/file-graph.ts'

/**
 * Test files that the changes can affect: changes since the last commit shared with `since`, and uncommitted ones.
 * Sorted by the number of files between test and change.
 */
export function changedTests(projectFolder: string, since: string): { changed: string[]; tests: string[] } {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base = since] = git('merge-base', 'HEAD', since)
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const changed = [...new Set([...git('diff', '--name-only', base), ...untracked])]
  const gone = new Set(git('diff', '--name-only', '--diff-filter=D', base))
  const files = [...new Set([...git('ls-files'), ...untracked])].filter(file => !gone.has(file))
  const distance = filesReaching(fileGraph(projectFolder, files), changed)
  const tests = files
    .filter(file => file.endsWith('.test.ts') && distance.has(file))
    .sort((one, other) => distance.get(one)! - distance.get(other)! || (one < other ? -1 : 1))
  return { changed, tests }
}
