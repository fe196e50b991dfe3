import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type RunAs, runProgram } from '#platform/db/embedded/run-program.ts'

/**
 * The npm of this host, with which runners install the packages of a repository's lock file: the one that comes with
 * our Node, or the first on the service's own path. Undefined if the user of the steps cannot read it.
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

/**
 * Folder in which runners cache npm dependencies for one another: only the service's user may enter it, and a step in a
 * sandbox does not see it (docs/adr/0096).
 */
export function dependenciesFolder(runners: string): { folder: string; key: string } {
  const folder = join(runners, 'kept-dependencies')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'key')
  if (!existsSync(file)) {
    // Renamed into place: another process of the service may be reading it.
    const making = `${file}.${randomUUID()}`
    writeFileSync(making, randomBytes(32).toString('hex'), { mode: 0o600 })
    renameSync(making, file)
  }
  return { folder, key: readFileSync(file, 'utf8') }
}
