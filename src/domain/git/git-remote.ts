import type { FailureSource, Fault } from '#platform/failure.ts'
import type { Credentials } from './credentials.adapter.ts'
import { type GitProtocol, readRemoteUrl, repositoryOf, transportOf } from './remote-url.ts'

/** Rules of Git remotes: values in, values out. */

/**
 * Placeholder for a credential that is set: it is never returned, and the placeholder keeps the stored value when it is
 * sent back.
 */
export const hidden = '{{hidden}}'

const credentialNames = ['password', 'ssh_key_data', 'passphrase'] as const

export interface CredentialAttributes {
  readonly password?: string | null
  readonly ssh_key_data?: string | null
  readonly passphrase?: string | null
}

/** The stored credentials with the changes of a request: a new value, null to remove it, `{{hidden}}` to keep it. */
export function withCredentials(stored: Credentials, given: CredentialAttributes): Credentials {
  const merged: Record<string, string> = { ...stored }
  for (const name of credentialNames) {
    const value = given[name]
    if (value === null) delete merged[name]
    else if (value !== undefined && value !== hidden) merged[name] = value
  }
  return merged
}

export const path = (projectPath: string, id: string): string => `${projectPath}/git_remotes/${id}`

export function urlFaults(url: string, allowed: readonly GitProtocol[]): Fault[] {
  const where = readRemoteUrl(url, allowed)
  return 'wrong' in where ? [invalid(where.wrong, 'url')] : []
}

/**
 * Faults of a new address of an existing remote. Only a superuser may change host or repository (records name its
 * commits). Another host, scheme or port must not be combined with the stored credentials: a caller who does not know
 * them could have them sent elsewhere.
 */
export function moveFaults(
  from: string,
  to: string,
  {
    allowed,
    stored,
    given,
    superuser,
  }: {
    allowed: readonly GitProtocol[]
    stored: Credentials
    given: CredentialAttributes
    superuser: boolean
  },
): Fault[] {
  const before = readRemoteUrl(from, ['https', 'http', 'ssh', 'git', 'file'])
  const after = readRemoteUrl(to, allowed)
  if ('wrong' in before || 'wrong' in after) return []
  if (!superuser && repositoryOf(before) !== repositoryOf(after))
    return [invalid('Only a superuser can move a remote to another host or repository; make another remote.', 'url')]
  if (before.host === after.host && transportOf(before) === transportOf(after)) return []
  return credentialNames
    .filter(name => stored[name] !== undefined && (given[name] === undefined || given[name] === hidden))
    .map(name => invalid(`With another host, scheme or port, give "${name}" again, or null to remove it.`, name))
}

export function credentialFaults(given: CredentialAttributes & { readonly user?: string | null }): Fault[] {
  const faults: Fault[] = []
  for (const name of ['user', 'password', 'passphrase'] as const)
    if (/[\p{Cc}]/u.test(given[name] ?? ''))
      faults.push(invalid(`"${name}" holds no line breaks or control characters.`, name))
  if (given.user?.startsWith('-')) faults.push(invalid('"user" does not begin with a hyphen.', 'user'))
  const key = given.ssh_key_data
  if (
    key &&
    key !== hidden &&
    !/^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n[\s\S]*-----END [A-Z ]*PRIVATE KEY-----\s*$/.test(key)
  )
    faults.push(invalid('"ssh_key_data" is a private key, from its BEGIN line to its END line.', 'ssh_key_data'))
  return faults
}

const invalid = (detail: string, attribute: string): Fault => ({
  code: 'invalid',
  detail,
  source: { pointer: `/data/attributes/${attribute}` } satisfies FailureSource,
})

/** Seconds of a day, the maximum interval. */
export const longestWait = 86_400

/** Seconds until the next fetch: the interval, and twice as long with each failure in a row, up to a day. */
export const nextFetchIn = (interval: number, failures: number): number =>
  Math.max(interval, Math.min(longestWait, interval * 2 ** Math.min(failures, 10)))
