import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from '../../src/platform/db/embedded/binaries.ts'
import { prepareDataFolder } from '../../src/platform/db/embedded/data-folder.ts'
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../src/platform/db/embedded/embedded-postgres.adapter.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { copyMadeCluster } from './made-cluster.ts'

export const projectFolder = join(import.meta.dirname, '../..')

/** Whether a test file needs PostgreSQL, according to its name. */
export const needsServer = (file: string): boolean => file.includes('.db.test.')

/**
 * The superuser URL of the server for the tests' databases: the one that `bin/test` started for its run, any other that
 * SLUICE_TEST_DATABASE_URL names, or one in `.local/test-database`, started by the first test that needs it and left
 * running for the next. `bin/test --stop` ends that.
 */
export async function testServerUrl(): Promise<string> {
  const program = process.argv[1] ?? ''
  if (program.endsWith('.test.ts') && !needsServer(program))
    throw new Error(`${program} needs PostgreSQL: name it ….db.test.ts, so that a server is started for it.`)
  const named = process.env['SLUICE_TEST_DATABASE_URL']
  if (named) return named
  return (await startTestServer(join(projectFolder, '.local/test-database'))).superuserUrl
}

/** Starts a server without fsync: its data need not survive a crash, and a test run takes half the time. */
export async function startTestServer(folder: string, binaries?: Binaries): Promise<EmbeddedDatabase> {
  const users = await ensureSystemUsers()
  mkdirSync(join(projectFolder, '.local'), { recursive: true })
  const dataDir = await prepareDataFolder(folder, users, () => {})
  if (!binaries) await copyMadeCluster(folder)
  return startEmbeddedDatabase({
    dataDir,
    runAs: users?.database,
    log: () => {},
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '400', shared_buffers: '256MB' },
    ...(binaries && { binaries }),
  })
}
