import { randomBytes } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { record } from '../events/index.ts'
import { areThereUsers, insertUser, type Passwords } from '../users/index.ts'
import { lockInstallation, makeSuperuser } from './policy.store.ts'

/**
 * Creates the superuser `admin` of an installation without users: there are no built-in credentials. The password is
 * the configured one, or a random one that is shown once; it is never stored in clear.
 *
 * @param options.made shows it. Called before the commit: if the process is killed at the commit, or gets no response
 *   to it, the shown password is valid or without effect, and no password is stored that was not shown
 * @returns undefined when there are users
 */
export async function ensureFirstSuperuser(options: {
  database: Database
  passwords: Passwords
  adminPassword: string | undefined
  made?: ((password: string) => void) | undefined
}): Promise<{ username: string; password: string } | undefined> {
  if (await areThereUsers(options.database)) return undefined
  const username = 'admin'
  const password = options.adminPassword ?? randomBytes(15).toString('base64url')
  const passwordHash = await options.passwords.hash(password)
  const system = { userId: null, username: 'system' }
  return options.database.transaction(async tx => {
    // Processes that start together for the first time: one creates it, the others find it.
    await lockInstallation(tx)
    if (await areThereUsers(tx)) return undefined
    const id = (await insertUser(tx, { username, passwordHash, createdBy: system }))!
    await makeSuperuser(tx, id)
    const source = { type: 'user', id }
    await record(tx, { type: 'api:users:create', actor: system, source, attributes: { name: username } })
    options.made?.(password)
    return { username, password }
  })
}
