import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import { startEmbeddedDatabase } from '../platform/db/embedded/embedded-postgres.adapter.ts'
import { holderOfFolder, holdFolder } from '../platform/db/embedded/folder-hold.ts'
import type { SystemUsers } from '../platform/db/embedded/system-users.ts'
import type { Config } from './config.ts'
import { checkNamedDatabase, checkOwner } from './database-check.ts'

/** The database that the service works on. */
export type ServingDatabase = {
  ownerUrl: string
  appUrl: string
  /** Stops the server if it is the embedded one; an external one is left alone. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
}

/**
 * The database that SLUICE_DATABASE_URL names, or else the embedded one, which is started. Throws `CannotStart`.
 *
 * @param mayAnswer called as soon as it is certain that no other service uses an embedded database in this folder,
 *   before the database is started or queried
 */
export async function servingDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
  users: SystemUsers | undefined,
  log: (line: string) => void,
  mayAnswer: () => Promise<void> = async () => {},
): Promise<ServingDatabase> {
  if (!config.databaseUrl) return embeddedDatabase(config.dataDir, users, log, mayAnswer)
  await mayAnswer()
  const ownerUrl = config.databaseDirectUrl ?? config.databaseUrl
  await checkNamedDatabase('SLUICE_DATABASE_URL', config.databaseUrl)
  if (config.databaseDirectUrl) await checkNamedDatabase('SLUICE_DATABASE_DIRECT_URL', config.databaseDirectUrl)
  await checkOwner(config.databaseDirectUrl ? 'SLUICE_DATABASE_DIRECT_URL' : 'SLUICE_DATABASE_URL', ownerUrl)
  return { ownerUrl, appUrl: config.databaseUrl, stop: async () => {} }
}

async function embeddedDatabase(
  dataDir: string,
  users: SystemUsers | undefined,
  log: (line: string) => void,
  mayAnswer: () => Promise<void>,
): Promise<ServingDatabase> {
  // Without this a second start would take over the first one's PostgreSQL, and stop it when it ends.
  const hold = await holdFolder(dataDir, 'serving')
  if (!hold) {
    throw new CannotStart(
      `Sluice is already running on the data folder ${dataDir}: its lock is held by ${holderOfFolder(dataDir, 'serving')}. Stop that one, or name another folder with SLUICE_DATA_DIR (and another SLUICE_PORT).`,
    )
  }
  await mayAnswer()
  const database = await startEmbeddedDatabase({ dataDir, runAs: users?.database, log }).catch(async error => {
    await hold.release()
    throw error
  })
  database.keepRunning()
  return {
    ownerUrl: database.ownerUrl,
    appUrl: database.appUrl,
    stop: async how => {
      await database.stop(how)
      await hold.release()
    },
  }
}
