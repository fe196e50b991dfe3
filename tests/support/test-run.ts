import { fork, spawn } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Binaries } from '../../src/platform/db/embedded/binaries.ts'
import { findPostmaster, stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts'
import { compiledCode } from './compiled-code.ts'
import { projectFolder, startTestServer } from './database-server.ts'
import { memoryFolder } from './memory-folder.ts'
import type { FileRun } from './run-test-files.ts'
import type { TestReport } from './test-report.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Each failed test with its place, description and error. */
  readonly failures?: readonly string[]
}

/** Prints one line of output. */
export type Print = (line: string) => void

/** Folders of a run have names that begin with the id of its process. */
let folderCount = 0
const inMemory = memoryFolder()
const runsFolder = inMemory ?? join(projectFolder, '.local/test-runs')

/** Every test except those that start whole services, which are stages of `bin/ci`: bare machine, main job, failure. */
export function allTests(): string[] {
  const folders = '{src,runner,json,audit,authoring,protocol,actions,client,cli,gui,examples,bench,bin,tests}'
  const files = globSync(`${folders}/**/*.test.ts`, {
    cwd: projectFolder,
    exclude: ['**/node_modules/**', 'tests/bare-machine/**', 'tests/main-job/**', 'tests/failure/**'],
  })
  return longestFirst(files)
}

/** Tests of the failure guarantees. */
export const failureTests = (): string[] => longestFirst(globSync('tests/failure/*.test.ts', { cwd: projectFolder }))

/** Slow files first: random histories, contracts and whole services; pure functions last. */
function longestFirst(files: readonly string[]): string[] {
  const kinds = [/^tests\/contract\/.*\.db\./, /^tests\/[^/]*-|^tests\/cli\//, /^tests\/.*\.db\./, /\.db\./]
  const rank = (file: string) => {
    const at = kinds.findIndex(kind => kind.test(file))
    return at < 0 ? kinds.length : at
  }
  return files.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

export interface HowToRun extends Pick<FileRun, 'names' | 'watch' | 'concurrency' | 'show'> {
  /** Superuser URL of the PostgreSQL for the tests; undefined if none of them needs one. */
  readonly server: string | undefined
  readonly print?: Print
}

/**
 * Runs test files, each in a process of its own, and counts. `show: 'failures'` prints failed tests when they fail, the
 * progress each half minute, and the slowest of many files.
 */
export async function runTests(files: readonly string[], how: HowToRun): Promise<Tally> {
  // Without a file Node looks for files itself.
  if (files.length === 0) throw new Error('There are no such tests, and a run without tests proves nothing.')
  const { server, print = console.log, ...shown } = how
  const asked: FileRun = { files, ...shown }
  const temporary = temporaryFolder()
  const child = fork(join(import.meta.dirname, 'run-test-files.ts'), [JSON.stringify(asked)], {
    cwd: projectFolder,
    env: {
      ...process.env,
      ...compiledCode,
      SLUICE_TEST_DATABASE_URL: server ?? '',
      ...(temporary && { TMPDIR: temporary }),
    },
    // On a terminal Node's own reporter writes in color.
    stdio: ['ignore', shown.show === 'all' ? 'inherit' : 'pipe', 'inherit', 'ipc'],
  })
  let report: TestReport | undefined
  child.on('message', message => {
    report = message as TestReport
  })
  if (child.stdout) printLines(child.stdout, print)
  const code = await ended(child)
  if (temporary) await rm(temporary, { recursive: true, force: true })
  if (!report) return { passed: 0, failed: 1, failures: [`The run of ${files.length} test files broke off.`] }
  if (shown.show === 'failures' && files.length > manyFiles) printSlowest(report, print)
  const { passed, failed, failures } = report
  return code !== 0 && failed === 0 ? { passed, failed: 1 } : { passed, failed, failures }
}

/** A folder in memory for the temporary files of a run. Every user may write there, like in `/tmp`. */
function temporaryFolder(): string | undefined {
  if (!inMemory) return undefined
  const folder = join(inMemory, `${process.pid}-${++folderCount}`)
  mkdirSync(folder, { mode: 0o1777 })
  chmodSync(folder, 0o1777)
  return folder
}

const manyFiles = 20

function printSlowest({ files }: TestReport, print: Print): void {
  print('The files that took longest:')
  for (const { file, took } of files.toSorted((one, other) => other.took - one.took).slice(0, manyFiles))
    print(`${(took / 1_000).toFixed(1).padStart(7)} s  ${file}`)
}

/** Runs a program and returns its exit code. Its output goes to our terminal, or line by line to `print`. */
export async function run(
  program: string,
  args: string[],
  { env = process.env, print }: { env?: NodeJS.ProcessEnv; print?: Print } = {},
): Promise<number> {
  const out = print ? 'pipe' : 'inherit'
  const child = spawn(program, args, { cwd: projectFolder, env, stdio: ['ignore', out, out] })
  for (const output of [child.stdout, child.stderr]) if (output && print) printLines(output, print)
  return ended(child)
}

const printLines = (output: Readable, print: Print) => createInterface(output).on('line', print)

/** Exit code of a program once all its output has been read. */
const ended = (child: ReturnType<typeof spawn>): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })

/** Functions that stop running servers, for an interrupted run. */
const servers = new Set<() => Promise<void>>()

/** A PostgreSQL server for one run, removed after it; concurrent runs have separate servers. */
export async function withTestServer<T>(
  { binaries }: { binaries?: Binaries },
  work: (superuserUrl: string) => Promise<T>,
): Promise<T> {
  mkdirSync(runsFolder, { recursive: true })
  await sweepDeadRuns()
  const server = await startTestServer(join(runsFolder, `${process.pid}-${++folderCount}`), binaries)
  const stop = () => server.stop('immediate')
  if (servers.size === 0) process.once('SIGINT', stopAll).once('SIGTERM', stopAll)
  servers.add(stop)
  try {
    return await work(server.superuserUrl)
  } finally {
    servers.delete(stop)
    if (servers.size === 0) process.off('SIGINT', stopAll).off('SIGTERM', stopAll)
    await stop()
    await rm(dirname(server.cluster), { recursive: true })
  }
}

const stopAll = () => void Promise.all([...servers].map(stop => stop())).finally(() => process.exit(130))
/** Ends and removes servers of killed runs. */
async function sweepDeadRuns(): Promise<void> {
  for (const name of readdirSync(runsFolder)) {
    if (existsSync(`/proc/${Number.parseInt(name, 10)}`)) continue
    const cluster = join(runsFolder, name, 'postgres')
    // A run on an external server only has left a file.
    const server = existsSync(cluster) ? findPostmaster(cluster) : undefined
    if (server) await stopPostmaster(server, cluster, () => {}, 0)
    await rm(join(runsFolder, name), { recursive: true, force: true })
  }
}
