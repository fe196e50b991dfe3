import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../../client/sluice.ts'
import { debianProgram } from './debian-packages.ts'
import { freePort } from './free-port.ts'
import type { TestRepository } from './git-repository.ts'

/** A real sshd of Debian on a free port of this machine, which accepts the user of the tests with one key. */
export interface SshServer {
  /** `ssh://user@127.0.0.1:port/…` */
  url(repository: TestRepository): string
  /** The accepted private key, encrypted with `passphrase`. */
  readonly key: string
  readonly passphrase: string
  /** Line for known_hosts of its current host key. */
  hostLine(): Promise<string>
  /** `SHA256:…`, of the same. */
  fingerprint(): Promise<string>
  /** Uses another host key from now on, at the same port. */
  changeHostKey(): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)

export async function sshServer(): Promise<SshServer> {
  const sshd = await debianProgram({ path: '/usr/sbin/sshd', packages: ['openssh-server'], isService: true })
  // As root it changes into this folder, which the boot of the machine would have created.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-sshd-'))
  const port = await freePort()
  const passphrase = 'the words of the key'
  const makeKey = (name: string, words: string) =>
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', words, '-C', 'of a test', '-f', join(folder, name)])
  await makeKey('key', passphrase)
  let hostKeys = 0
  const hostKey = () => join(folder, `host-${hostKeys}`)
  let server: ChildProcess | undefined

  const start = async () => {
    await makeKey(`host-${++hostKeys}`, '')
    const options = [
      `ListenAddress=127.0.0.1:${port}`,
      `HostKey=${hostKey()}`,
      `AuthorizedKeysFile=${join(folder, 'key.pub')}`,
      `PidFile=${join(folder, 'pid')}`,
      'StrictModes=no',
      'UsePAM=no',
      'PasswordAuthentication=no',
      'PermitRootLogin=prohibit-password',
      // Tests connect more often in a second than people do.
      'MaxStartups=100',
    ]
    const words = ['-D', '-e', '-f', '/dev/null', ...options.flatMap(option => ['-o', option])]
    server = spawn(sshd, words, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    server.stderr!.setEncoding('utf8').on('data', text => {
      said = `${said}${text}`.slice(-4_096)
    })
    await until(
      'sshd answers',
      async () => {
        if (server!.exitCode !== null) throw new Error(`sshd ended with ${server!.exitCode}: ${said}`)
        return isOpen(port)
      },
      Boolean,
      { seconds: 30, pause: 10 },
    )
  }
  const end = async () => {
    const ended = new Promise(resolve => server?.once('exit', resolve))
    if (server?.exitCode !== null) return
    server.kill('SIGTERM')
    await ended
  }
  await start()
  return {
    url: repository => `ssh://${userInfo().username}@127.0.0.1:${port}${repository.folder}`,
    key: await readFile(join(folder, 'key'), 'utf8'),
    passphrase,
    hostLine: async () => {
      const [type, key] = (await readFile(`${hostKey()}.pub`, 'utf8')).split(' ')
      return `[127.0.0.1]:${port} ${type} ${key}`
    },
    fingerprint: async () => (await run('ssh-keygen', ['-lf', `${hostKey()}.pub`])).stdout.split(' ')[1]!,
    changeHostKey: async () => {
      await end()
      await start()
    },
    stop: async () => {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isOpen = (port: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection({ port, host: '127.0.0.1' })
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
