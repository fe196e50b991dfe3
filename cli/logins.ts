import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fromJson } from '../json/from-json.ts'

/** What a login left on this machine: never the password, a token that can be revoked. */
interface KeptLogin {
  readonly token: string
  readonly token_id: string
  readonly username: string
  /** ISO 8601 */
  readonly expires_at: string
}

export interface Logins {
  /** The service that commands speak to when nobody says another. */
  readonly current?: string | undefined
  readonly services: Readonly<Record<string, KeptLogin>>
}

/** `$XDG_CONFIG_HOME/sluice/logins.json`; `~/.config` without one, `%APPDATA%` on Windows. */
function loginsFile(): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: windows } = process.env
  const folder = xdg || (process.platform === 'win32' && windows) || join(homedir(), '.config')
  return join(folder, 'sluice', 'logins.json')
}

export function readLogins(): Logins {
  const file = loginsFile()
  try {
    return fromJson(readFileSync(file, 'utf8')) as Logins
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { services: {} }
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Written beside and then put in its place: a full disk or two commands at once leave the old one or the new one. */
export function writeLogins(logins: Logins): void {
  const file = loginsFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}
