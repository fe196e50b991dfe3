import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from '#json/from-json.ts'
import { CannotStart } from './cannot-start.ts'

/** The database's own users: `postgres` is only for the launcher, the owner migrates, the app works. */
const databaseRoles = ['postgres', 'sluice_owner', 'sluice_app'] as const
export type DatabaseRole = (typeof databaseRoles)[number]
export type Passwords = Record<DatabaseRole, string>

/**
 * The passwords of the database's users, from `database-passwords.json` in the data folder (mode 0600, the service's
 * own). They are created before the cluster, so that there is never a cluster with an unknown password.
 */
export function storePasswords(dataDir: string, clusterExists: boolean): Passwords {
  const file = join(dataDir, 'database-passwords.json')
  if (existsSync(file)) return readPasswords(file)
  if (clusterExists) {
    throw new CannotStart(
      `${file} is missing, and without it the database in ${dataDir} cannot be entered. Put it back from a backup of this folder.`,
    )
  }
  const passwords = Object.fromEntries(
    databaseRoles.map(role => [role, randomBytes(24).toString('base64url')]),
  ) as Passwords
  writeFileSync(`${file}.new`, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return passwords
}

function readPasswords(file: string): Passwords {
  try {
    const found = fromJson(readFileSync(file, 'utf8')) as Partial<Passwords>
    const lacking = databaseRoles.filter(role => typeof found[role] !== 'string')
    if (lacking.length > 0) throw new Error(`it lacks the password of ${lacking.join(', ')}`)
    return found as Passwords
  } catch (error) {
    throw new CannotStart(
      `${file} cannot be used: ${(error as Error).message}. Put it back from a backup of this folder.`,
    )
  }
}
