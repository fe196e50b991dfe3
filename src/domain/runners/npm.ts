import { chownSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type RunAs, runProgram } from '#platform/db/embedded/run-program.ts'

/**
 * The npm of this host, by which runners install what a repository's lock file names: the one that comes
 * with our Node, or the first on the service's own path. Without one that the user of the steps can read there is none.
 */
export async function npmFor(runAs: RunAs | undefined): Promise<{ npm?: string }> {
  const besideNode = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => folder.startsWith('/'))
    .map(folder => join(folder, 'npm'))
  for (const found of [besideNode, ...onPath].filter(existsSync).map(file => realpathSync(file))) {
    if (!found.endsWith('/npm-cli.js')) continue
    if (!runAs) return { npm: found }
    const { code } = await runProgram('/usr/bin/test', ['-r', found], runAs)
    if (code === 0) return { npm: found }
  }
  return {}
}

/** Where runners keep what they have installed, of a commit for the next runner of it. Theirs alone. */
export function dependenciesFolder(runners: string, runAs: RunAs | undefined): string {
  const folder = join(runners, 'dependencies')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (runAs) chownSync(folder, runAs.uid, runAs.gid)
  return folder
}
