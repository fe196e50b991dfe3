import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../client/sluice.ts'
import { often } from './changes.ts'
import { compiledCode } from './compiled-code.ts'
import { freePort } from './free-port.ts'
import { type TestService, withoutProcesses } from './service.ts'
import { unexpectedErrors } from './unexpected-errors.ts'

const projectFolder = join(import.meta.dirname, '../..')

/** A process of its own that does the background work of an installation. */
export interface WorkerProcess {
  /** Address for runners. */
  readonly url: string
  readonly dataDir: string
  /** Resolves when it was killed, or ended by itself. */
  hasEnded(): boolean
  /** Ends it with its runners; returns its remaining processes and unexpected errors, of which there should be none. */
  stop(): Promise<string[]>
  /** Kills it like a power cut, except that its git processes and runners keep running. */
  kill(): Promise<void>
}

/**
 * Starts one as `bin/start` with SLUICE_ROLE=worker does, on the service's database and with a data folder of its own.
 */
export async function startWorkerProcess(
  { testDatabase, dataDir }: TestService,
  env: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-worker-'))
  // Steps run as a user of their own, who passes through to their folders.
  await chmod(folder, 0o711)
  await copyFile(join(dataDir, 'root.key'), join(folder, 'root.key'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(projectFolder, 'src/main/start.ts'), '--stop-runners'], {
    cwd: folder,
    env: {
      ...compiledCode,
      PATH: process.env['PATH'],
      HOME: folder,
      SLUICE_DATABASE_URL: testDatabase.appUrl,
      SLUICE_DATABASE_DIRECT_URL: testDatabase.ownerUrl,
      SLUICE_DATA_DIR: folder,
      SLUICE_PORT: String(port),
      SLUICE_ROLE: 'worker',
      SLUICE_GIT_PROTOCOLS: 'file,http',
      SLUICE_PRIVATE_ADDRESSES: '127.0.0.0/8',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await until('the worker is ready', async () => output.includes(`ready on ${url}`) || hasEnded(), Boolean, {
    ...often,
    seconds: 120,
  }).catch(error => {
    // No other process knows it.
    child.kill('SIGKILL')
    throw error
  })
  if (hasEnded()) throw new Error(`the worker did not start:\n${output}`)
  return {
    url,
    dataDir: folder,
    hasEnded,
    kill: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      await end(child, hasEnded)
      const left = await withoutProcesses(folder)
      await rm(folder, { recursive: true, force: true })
      return [...left, ...unexpectedErrors(output.split('\n'))]
    },
  }
}

async function end(child: ChildProcess, hasEnded: () => boolean): Promise<void> {
  if (hasEnded()) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
