import { randomBytes } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { record } from '../events/index.ts'
import { areThereUsers, insertUser, type Passwords } from '../users/index.ts'
import { lockInstallation, makeSuperuser } from './policy.store.ts'

/**
 * The superuser `admin` of an installation that has no user yet: there are no built-in credentials. The password is the
 * configured one, or a random one that is to be shown once; in clear it is kept nowhere.
 *
 * @param options.made shows it. It is called before the commit: a process that is killed at the commit, or gets no
 *   answer to it, has shown a password that is valid or without effect, and never stored one that was not shown.
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
    // Processes that start together for the first time: one makes it, the others find it.
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
