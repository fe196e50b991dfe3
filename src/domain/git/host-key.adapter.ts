import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { GitFailure } from './git-failure.ts'
import type { RemoteUrl } from './remote-url.ts'

/** A host's key: its line for known_hosts, and its fingerprint. */
interface HostKey {
  readonly line: string
  readonly type: string
  /** `SHA256:…`, as `ssh-keygen -l` writes it. */
  readonly fingerprint: string
}

type Trouble = 'changed' | 'unknown'

/**
 * Adds to a failure of ssh about an unknown or changed host key the key that the host shows now, and how to trust it,
 * because ssh's own message does not help; any other failure is returned as it is. Nothing is trusted here: a person
 * compares the fingerprint with the one that the operators of the host publish, and sets the line.
 */
export async function withHostKey(
  failed: GitFailure,
  where: RemoteUrl,
  environment: Readonly<Record<string, string>>,
): Promise<GitFailure> {
  const trouble = troubleIn(failed.output)
  if (!trouble) return failed
  const keys = await keysOf(where, environment)
  const named = /SHA256:[A-Za-z0-9+/]+/.exec(failed.output)?.[0]
  const shown = keys.find(({ fingerprint }) => fingerprint === named) ?? keys[0]
  return new GitFailure(adviceOn(trouble, hostOf(where), shown), failed.output, failed.exitCode)
}

function troubleIn(output: string): Trouble | undefined {
  if (output.includes('REMOTE HOST IDENTIFICATION HAS CHANGED')) return 'changed'
  return /No \S+ host key is known for/.test(output) ? 'unknown' : undefined
}

const adviceOn = (trouble: Trouble, host: string, key: HostKey | undefined): string => {
  const its = key ? `${key.type} ${key.fingerprint}` : 'a key that could not be asked for'
  const line = key ? `\`${key.line}\`` : `what \`ssh-keyscan\` shows of it`
  return trouble === 'changed'
    ? `${host} shows another host key than the setting known_hosts has for it: ${its}. The connection was refused, ` +
        'as it may be intercepted. If the operators of the host confirm this new fingerprint, replace the line of ' +
        `${host} in known_hosts (global settings) by ${line}.`
    : `The setting known_hosts has no host key for ${host}, which shows ${its}. The connection was refused. If the operators ` +
        `of the host confirm this fingerprint, add to known_hosts (global settings) ${line}.`
}

/** Host as known_hosts names it. */
const hostOf = ({ host, port }: RemoteUrl): string => (port === '' || port === '22' ? host : `[${host}]:${port}`)

const preferred = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa']

/** Host keys that the host offers; none when it does not answer within 5 s. */
function keysOf(where: RemoteUrl, environment: Readonly<Record<string, string>>): Promise<readonly HostKey[]> {
  const { promise, resolve } = Promise.withResolvers<readonly HostKey[]>()
  const args = [
    '-T',
    '5',
    '-t',
    'ed25519,ecdsa,rsa',
    ...(where.port === '' ? [] : ['-p', where.port]),
    '--',
    where.host,
  ]
  execFile('ssh-keyscan', args, { env: environment, timeout: 10_000 }, (_error, stdout) =>
    // Offered keys are limited to one kind; a host without such a key offers none.
    resolve(stdout.split('\n').flatMap(keyIn).toSorted(byPreference)),
  )
  return promise
}

function keyIn(line: string): HostKey[] {
  const [host, type = '', key] = line.trim().split(' ')
  if (!host || host.startsWith('#') || !key) return []
  const fingerprint = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')
  return [{ line: `${host} ${type} ${key}`, type, fingerprint: `SHA256:${fingerprint}` }]
}

const byPreference = (one: HostKey, other: HostKey): number =>
  preferred.indexOf(one.type) - preferred.indexOf(other.type)
