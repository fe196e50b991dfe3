import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitProtocol } from './remote-url.ts'

/** Credentials as they are encrypted in the database: JSON of those that are set. */
export interface Credentials {
  readonly password?: string
  readonly ssh_key_data?: string
  readonly passphrase?: string
}

/** Configuration and environment with which git signs in without prompting. */
export interface AnswersFor {
  readonly configuration: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
  /** Lines for descriptor 3, from which the askpass program reads one for each question. */
  readonly lines: string
  readonly hide: (text: string) => string
}

/**
 * Passes credentials to git neither in its arguments nor in its environment, which other users of the machine, or the
 * same one, can read. Over http a password never touches a disk: it is passed through an inherited descriptor. ssh
 * closes descriptors, so a private folder contains its credentials while it runs.
 *
 * @param folder private to the service, emptied when it starts
 */
export async function withAnswers<T>(
  options: {
    folder: string
    protocol: GitProtocol
    user: string | null
    credentials: Credentials
    knownHosts: readonly string[]
    /** Scheme and host as git names them, over http; a request for the password by any other host gets none. */
    asker?: { readonly scheme: string; readonly host: string }
  },
  work: (answers: AnswersFor) => Promise<T>,
): Promise<T> {
  const { folder, protocol, user, credentials, asker } = options
  const hide = hiding(Object.values(credentials))
  if (protocol === 'ssh') {
    const own = join(folder, randomUUID())
    try {
      return await work({ ...(await forSsh(own, folder, options)), hide })
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }
  if (!asker || credentials.password === undefined) return work({ configuration: {}, environment: {}, lines: '', hide })
  return work({
    // Servers that accept tokens require any user name.
    configuration: { 'credential.username': user ?? 'git' },
    environment: {
      GIT_ASKPASS: askpass(folder),
      SLUICE_ASKPASS_SCHEME: asker.scheme,
      SLUICE_ASKPASS_HOST: asker.host,
    },
    // A server may ask again; each question uses a line.
    lines: `${credentials.password}\n`.repeat(4),
    hide,
  })
}

/**
 * Creates this process's own folder for credentials, empty. Folders of processes that were killed are removed with
 * their content.
 *
 * @param folder one for all processes that share a data folder
 */
export async function prepareAnswers(folder: string): Promise<string> {
  const own = join(folder, String(process.pid))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder))
    if (name === String(process.pid) || !isAlive(Number(name)))
      await rm(join(folder, name), { recursive: true, force: true })
  await mkdir(own, { mode: 0o700 })
  await writeFile(askpass(own), askpassScript, { mode: 0o700 })
  return own
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const askpass = (folder: string): string => join(folder, 'askpass')

const askpassScript = `#!/bin/sh
# Answers git's and ssh's questions for a password: from the file that is named, else one line of descriptor 3. Over http
# it answers for the remote's own host alone, wherever git was led.
if [ -n "$SLUICE_ASKPASS_FILE" ]; then exec cat "$SLUICE_ASKPASS_FILE"; fi
case "$1" in
  "Password for '$SLUICE_ASKPASS_SCHEME://"*"@$SLUICE_ASKPASS_HOST': ") ;;
  *) exit 1 ;;
esac
IFS= read -r answer <&3 && printf '%s\\n' "$answer"
`

async function forSsh(
  own: string,
  folder: string,
  { user, credentials, knownHosts }: { user: string | null; credentials: Credentials; knownHosts: readonly string[] },
): Promise<Omit<AnswersFor, 'hide'>> {
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(own, name), content, { mode: 0o600 })
    return join(own, name)
  }
  await mkdir(own, { mode: 0o700 })
  const options = [
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${await file('known_hosts', knownHosts.map(line => `${line}\n`).join(''))}`,
    'GlobalKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'ForwardAgent=no',
    'ConnectTimeout=15',
    'ServerAliveInterval=20',
    ...(user ? [`User=${user}`] : []),
  ]
  const key = credentials.ssh_key_data && (await file('key', `${credentials.ssh_key_data.trimEnd()}\n`))
  // Without a key ssh would offer those of the service's own user to any host that a user names; and with one it would
  // prompt for a password when the host no longer accepts the key, and get the key's passphrase.
  options.push(...(key ? ['PreferredAuthentications=publickey'] : ['IdentityFile=none', 'PubkeyAuthentication=no']))
  const answer = key ? credentials.passphrase : credentials.password
  const words = ['ssh', '-F', '/dev/null', ...options.flatMap(option => ['-o', option]), ...(key ? ['-i', key] : [])]
  return {
    configuration: {},
    environment: {
      GIT_SSH_VARIANT: 'ssh',
      // Git gives this to a shell.
      GIT_SSH_COMMAND: words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' '),
      SSH_ASKPASS: askpass(folder),
      SSH_ASKPASS_REQUIRE: 'force',
      SLUICE_ASKPASS_FILE: await file('answer', `${answer ?? ''}\n`),
    },
    lines: '',
  }
}

/** Servers and helpers repeat the credentials that they received, also URL-encoded. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap(secret => [secret, encodeURIComponent(secret)]).filter(form => form.length > 3)
  return text => forms.reduce((clean, form) => clean.replaceAll(form, '{{hidden}}'), text)
}
