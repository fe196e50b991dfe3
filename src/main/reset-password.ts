import { resetPassword } from '../domain/access/index.ts'
import { passwords } from '../domain/users/index.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import { runningDatabase, startEmbeddedDatabase } from '../platform/db/embedded/embedded-postgres.adapter.ts'
import { holdFolder } from '../platform/db/embedded/folder-hold.ts'
import type { SystemUsers } from '../platform/db/embedded/system-users.ts'

interface ResetOptions {
  readonly username: string
  /** Data folder of a running or a stopped installation. */
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly users: SystemUsers | undefined
  readonly log: (line: string) => void
}

/**
 * Implements `bin/start --reset-password`: prints a new password for a user, whether or not the service is running.
 *
 * @returns the exit code: 1 for a user that has no password to reset
 */
export async function resetPasswordOnHost({
  username,
  dataDir,
  databaseUrl,
  users,
  log,
}: ResetOptions): Promise<number> {
  if (databaseUrl) return reset(databaseUrl, username, log)
  const hold = await holdFolder(dataDir, 'serving')
  if (!hold) {
    const running = runningDatabase(dataDir)
    if (running) return reset(running, username, log)
    throw new CannotStart('the service that uses this data folder is starting or stopping. Try again in a moment.')
  }
  try {
    const embedded = await startEmbeddedDatabase({ dataDir, runAs: users?.database, log: () => {} })
    try {
      return await reset(embedded.appUrl, username, log)
    } finally {
      await embedded.stop()
    }
  } finally {
    await hold.release()
  }
}

async function reset(url: string, username: string, log: (line: string) => void): Promise<number> {
  const database: Database = openDatabase({ url, size: 1, name: 'sluice reset password' })
  try {
    const shown = (password: string) => log(`The new password of ${username}:\n  ${password}   (shown only now)`)
    const done = await resetPassword(database, passwords(), username, shown).catch(missingInstallation)
    if ('refused' in done) {
      console.error(
        done.refused === 'unknown'
          ? `There is no user ${username}. Name one: bin/start --reset-password <user>`
          : `${username} signs in with the password of the directory, which Sluice does not keep.`,
      )
      return 1
    }
    if (done.disabled) log(`${username} is disabled: a superuser has to enable the user before signing in.`)
    return 0
  } finally {
    await database.end()
  }
}

const undefinedTable = '42P01'

function missingInstallation(error: unknown): never {
  if ((error as { code?: string }).code === undefinedTable)
    throw new CannotStart('the database holds no installation yet: the first start makes the superuser admin.')
  throw error
}
