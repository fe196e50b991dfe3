import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect, type Sluice, until } from '../../client/sluice.ts'
import { compiledCode } from '../support/compiled-code.ts'
import { freePort } from '../support/free-port.ts'
import { unexpectedErrors } from '../support/unexpected-errors.ts'
import { processesNaming, type RunningProcess } from './process-table.ts'

const startProgram = join(import.meta.dirname, '../../src/main/start.ts')

const environmentIn = (folder: string, port: number): NodeJS.ProcessEnv => ({
  ...compiledCode,
  PATH: process.env['PATH'],
  HOME: folder,
  SLUICE_DATA_DIR: join(folder, 'data'),
  SLUICE_PORT: String(port),
  SLUICE_GIT_PROTOCOLS: 'file,http',
})

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** All output since its start. */
  output(): string
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<unknown>
  /** Whether it has ended with an error before it was stopped; kills are excluded. */
  hasFallen(): boolean
  /** Kills it, as a power cut would. */
  kill(): Promise<void>
  /** Stops it as systemd does; returns its exit code. */
  stop(): Promise<number | null>
}

export interface Installation {
  /** Folder of data, repositories and files of tests; every user of this machine may enter and write. */
  readonly folder: string
  /**
   * Starts the service on the installation's data and port, as `bin/start` with these flags does. Writes to `output`, a
   * descriptor, if given.
   */
  start(how?: { flags?: readonly string[]; output?: number }): Promise<ServiceProcess>
  /** Command that starts it in the foreground, with its environment. */
  foreground(): { command: string; env: NodeJS.ProcessEnv }
  /** A client of the first superuser. */
  asAdmin(): Sluice
  readonly password: string
  /**
   * Stops and removes everything, and throws if a process of the installation is left, or one of its services ended by
   * itself or logged an unexpected error.
   */
  remove(): Promise<void>
}

/** A fresh data folder and a free port; `more`: further environment of the service, given the folder. */
export async function newInstallation(
  more: (folder: string) => Record<string, string> | Promise<Record<string, string>> = () => ({}),
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-main-job-'))
  // Actions run as a user of their own when the service is root.
  chmodSync(folder, 0o777)
  const environment = await more(folder)
  const port = await freePort()
  const env = { ...environmentIn(folder, port), ...environment }
  const url = `http://127.0.0.1:${port}`
  const running = new Set<ServiceProcess>()
  const everyOne: ServiceProcess[] = []
  let password: string | undefined

  return {
    folder,
    async start(how = {}) {
      const service = await startService(folder, url, env, how)
      password ??= /^\s*password\s+(\S+)/m.exec(service.output())?.[1]
      for (const earlier of running) running.delete(earlier)
      running.add(service)
      everyOne.push(service)
      return service
    },
    foreground: () => ({ command: `${process.execPath} ${startProgram}`, env }),
    asAdmin: () => connect(url, { user: 'admin', password: password ?? '' }),
    get password() {
      return password ?? ''
    },
    async remove() {
      const fallen = everyOne.filter(service => service.hasFallen()).map(({ output }) => output().slice(-4_000))
      for (const service of running) await service.stop()
      const left = await leftIn(folder)
      rmSync(folder, { recursive: true, force: true })
      if (left.length > 0)
        throw new Error(`left behind: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`)
      const errors = everyOne.flatMap(service => unexpectedErrors(service.output().split('\n')))
      if (errors.length > 0) throw new Error(`the service failed by itself: ${errors.join('\n')}`)
      if (fallen.length > 0) throw new Error(`the service ended by itself: ${fallen.join('\n')}`)
    },
  }
}

/** Processes that name the folder and do not end within seconds: a runner closes its connection shortly before it ends. */
async function leftIn(folder: string): Promise<RunningProcess[]> {
  const deadline = performance.now() + 5_000
  for (;;) {
    const left = processesNaming(folder)
    if (left.length === 0 || performance.now() > deadline) return left
    await setTimeout(50)
  }
}

async function startService(
  folder: string,
  url: string,
  env: NodeJS.ProcessEnv,
  { flags = [], output: to }: { flags?: readonly string[]; output?: number },
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [startProgram, ...flags], {
    cwd: folder,
    env,
    stdio: ['ignore', to ?? 'pipe', to ?? 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (output += text))
  const isReady = async () =>
    to === undefined
      ? /ready on .*^Ctrl-C stops it\.$/ms.test(output)
      : await fetch(url).then(
          // Response while it starts.
          ({ status }) => status !== 503,
          () => false,
        )
  await until(
    'the service is ready',
    // Its last line; the password of the first superuser is printed before, and may be read a moment later.
    async () => ({ ready: await isReady(), ended: hasEnded(child), output }),
    ({ ready, ended }) => ready || ended,
    { seconds: 120 },
  ).catch(async error => {
    // No other process knows it.
    await end(child, 'SIGKILL')
    throw new Error(`the service is not ready:\n${output}`, { cause: error })
  })
  if (hasEnded(child)) throw new Error(`the service did not start:\n${output}`)
  let isStopped = false
  return {
    url,
    pid: child.pid!,
    output: () => output,
    ended,
    hasFallen: () => !isStopped && child.exitCode !== null && child.exitCode !== 0,
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: async () => {
      isStopped ||= !hasEnded(child)
      return end(child, 'SIGTERM')
    },
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}
