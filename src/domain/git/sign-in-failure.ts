import type { Credentials } from './credentials.adapter.ts'
import { GitFailure } from './git-failure.ts'
import type { RemoteUrl } from './remote-url.ts'

/**
 * Failure of a remote that refuses access, with the missing or wrong attribute of the remote's record before git's
 * message; any other failure unchanged.
 */
export function namingSignIn(
  failed: GitFailure,
  { host }: RemoteUrl,
  { credentials }: { readonly credentials: Credentials },
): GitFailure {
  const asksFor = troubleIn(failed.output)
  if (!asksFor) return failed
  const message = `${host} ${credentials[asksFor.kept] === undefined ? asksFor.missing : asksFor.refused} (${failed.message})`
  return new GitFailure(message, failed.output, failed.exitCode)
}

interface Asked {
  readonly kept: keyof Credentials
  readonly missing: string
  readonly refused: string
}

const password: Asked = {
  kept: 'password',
  missing:
    'requires credentials to read the repository, and the remote has no password: set its user and password, which may be a token.',
  refused: 'refuses the user or the password of the remote.',
}

const key: Asked = {
  kept: 'ssh_key_data',
  missing: 'requires a key, and the remote has none: set its ssh_key_data.',
  refused: 'refuses the key or the user of the remote.',
}

function troubleIn(output: string): Asked | undefined {
  if (/could not read (?:Username|Password) for|Authentication failed for/.test(output)) return password
  return /Permission denied \([^)]*publickey/.test(output) ? key : undefined
}
