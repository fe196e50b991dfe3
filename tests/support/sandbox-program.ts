import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './database-server.ts'
import { debianProgram } from './debian-packages.ts'

const path = '/usr/bin/bwrap'
const startsServices = /\.db\.test\.ts$|^tests\/(bare-machine|main-job|failure)\//
const importsRunner = / from '[^']*(support\/[^'/]*runner|sandbox)[^']*'/

/**
 * Installs bubblewrap before any test starts: runners use it if it is installed, and behave the same throughout a run
 * only if it does not appear in the middle. If it is not available the tests of the sandbox fail, with this reason.
 *
 * @param files test files about to run; if none of them starts a runner nothing is installed
 */
export async function haveSandbox(files: readonly string[]): Promise<void> {
  if (existsSync(path) || !files.some(startsRunners)) return
  await debianProgram({ path, packages: ['bubblewrap'] }).catch((error: Error) =>
    console.error(`${error.message}. Without it the tests of the sandbox fail.`),
  )
}

const startsRunners = (file: string) =>
  startsServices.test(file) || importsRunner.test(readFileSync(join(projectFolder, file), 'utf8'))
