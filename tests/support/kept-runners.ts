import { cp, mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { runnerPrograms } from '../../src/domain/runners/drivers/process/runner-programs.adapter.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { compiledCode } from './compiled-code.ts'
import { projectFolder } from './database-server.ts'

/**
 * A service creates programs for its runners once for each version: bundles, and Node's compile cache. Services of
 * tests are always new and would create them each time, which takes a quarter of a second of a processor: they get the
 * programs of the first one, and share the compile cache.
 */
export async function keepRunnersTogether(dataDir: string): Promise<void> {
  const runners = join(dataDir, 'runners')
  await mkdir(runners)
  await mkdir(compiledCode.NODE_COMPILE_CACHE, { recursive: true })
  await symlink(compiledCode.NODE_COMPILE_CACHE, join(runners, 'compile-cache'))
  const { node, folder } = await made()
  // If the steps' user cannot reach this folder's packages the programs include Node: a hundred megabytes.
  if (node !== process.execPath) return
  const programs = dirname(folder)
  await cp(programs, join(runners, basename(programs)), { recursive: true, verbatimSymlinks: true })
}

const together = join(projectFolder, '.local/runner-programs')
const silent = { info: () => {}, warn: () => {}, error: () => {} }

async function made() {
  await mkdir(together, { recursive: true })
  const users = await ensureSystemUsers()
  return runnerPrograms(join(projectFolder, 'runner'), together, users?.runner, silent)
}
