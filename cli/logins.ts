import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fromJson } from '../json/from-json.ts'

/** Login stored on this machine: a revocable token, never the password. */
interface StoredLogin {
  readonly token: string
  readonly token_id: string
  readonly username: string
  /** ISO 8601 */
  readonly expires_at: string
}

export interface Logins {
  /** URL of the default service. */
  readonly current?: string | undefined
  readonly services: Readonly<Record<string, StoredLogin>>
}

/** Path of the file: `$XDG_CONFIG_HOME/sluice/logins.json`; the default is `~/.config`, `%APPDATA%` on Windows. */
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

/** Replaces the file atomically, so that a full disk or a concurrent command leaves either the old or the new content. */
export function writeLogins(logins: Logins): void {
  const file = loginsFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
}
