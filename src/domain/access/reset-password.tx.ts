import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Database } from '#platform/db/database.ts'
import { record } from '../events/index.ts'
import { endSessionsOf, lockUser, type Passwords, setPassword } from '../users/index.ts'

export type PasswordReset =
  | { readonly username: string; readonly password: string; readonly disabled: boolean }
  /** Why there is no password to reset. */
  | { readonly refused: 'unknown' | 'from the directory' }

/**
 * Sets a new random password for a local user and ends their sessions. For a person on the service's host who has lost
 * the last superuser's password: a user who may read the data folder could read everything anyway. The event names host
 * and system user.
 *
 * @param shown gets the password before the commit: one that was not shown would be useless
 */
export async function resetPassword(
  database: Database,
  passwords: Passwords,
  username: string,
  shown: (password: string) => void,
): Promise<PasswordReset> {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  return database.transaction(async tx => {
    const user = await lockUser(tx, username)
    if (!user) return { refused: 'unknown' }
    if (user.auth_provider !== 'local') return { refused: 'from the directory' }
    await setPassword(tx, user.id, passwordHash)
    await endSessionsOf(tx, user.id)
    await record(tx, {
      type: 'audit:users:password_reset',
      actor: { userId: null, username: 'system' },
      source: { type: 'user', id: user.id },
      attributes: { name: user.username, host: hostname(), system_user: userInfo().username },
    })
    shown(password)
    return { username: user.username, password, disabled: user.disabled }
  })
}
