import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Binaries } from '../../src/platform/db/embedded/binaries.ts'
import { findPostmaster, stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts'
import { compiledCode } from './compiled-code.ts'
import { projectFolder, startTestServer } from './database-server.ts'
import type { Told } from './test-tally.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Of each test that failed where it stands, what it says of itself, and why it failed. */
  readonly failures?: readonly string[]
}

const runsFolder = join(projectFolder, '.local/test-runs')

/** Every test but those that start whole services, and are stages of `bin/ci`: bare machine, main job, failure. */
export function allTests(): string[] {
  const folders = '{src,runner,json,audit,authoring,actions,client,cli,examples,bench,bin,tests}'
  return globSync(`${folders}/**/*.test.ts`, {
    cwd: projectFolder,
    exclude: ['**/node_modules/**', 'tests/bare-machine/**', 'tests/main-job/**', 'tests/failure/**'],
  }).sort()
}

/** What is promised when things die. */
export const failureTests = (): string[] => globSync('tests/failure/*.test.ts', { cwd: projectFolder }).sort()

/**
 * Runs test files, each in a process of its own, and counts. A test that is skipped or still to do counts as failed: it
 * shows nothing. `show: 'failures'` prints only what failed, and of many files those that took longest.
 */
export async function runTests(files: string[], how: { server: string; show: 'all' | 'failures' }): Promise<Tally> {
  // Without a file `node --test` looks for some of its own.
  if (files.length === 0) throw new Error('There are no such tests, and a run without tests proves nothing.')
  const tallyFile = join(runsFolder, `${process.pid}.tally.json`)
  await rm(tallyFile, { force: true })
  const reporter = join(import.meta.dirname, 'test-tally.ts')
  const code = await run(
    process.execPath,
    [
      '--test',
      // Database tests wait for PostgreSQL half of the time: one file more than there are processors keeps them busy.
      `--test-concurrency=${availableParallelism() + 1}`,
      '--test-timeout=300000',
      ...[`--test-reporter=${how.show === 'all' ? 'spec' : 'dot'}`, '--test-reporter-destination=stdout'],
      ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${tallyFile}`],
      ...files,
    ],
    { ...process.env, ...compiledCode, SLUICE_TEST_DATABASE_URL: how.server },
  )
  const told = existsSync(tallyFile) ? (JSON.parse(readFileSync(tallyFile, 'utf8')) as Told) : undefined
  await rm(tallyFile, { force: true })
  if (!told) return { passed: 0, failed: 1 }
  if (how.show === 'failures') printFallen(told)
  if (how.show === 'failures' && files.length > manyFiles) printSlowest(told)
  const { passed, failed } = told
  const failures = told.failures.map(({ file, name, why }) => `${relative(projectFolder, file)}: ${name}\n${why}`)
  return code !== 0 && failed === 0 ? { passed, failed: 1 } : { passed, failed, failures }
}

/** The short reporter says of such a file that it failed, and nothing else. */
function printFallen({ fallen }: Told): void {
  for (const { file, said } of fallen)
    console.log(`\n${relative(projectFolder, file)} failed as a whole, and said last:\n${said || 'nothing'}`)
}

const manyFiles = 20

function printSlowest({ files }: Told): void {
  const slowest = files.toSorted((one, other) => other.took - one.took).slice(0, manyFiles)
  const lines = slowest.map(
    ({ file, took }) => `${(took / 1_000).toFixed(1).padStart(7)} s  ${relative(projectFolder, file)}`,
  )
  console.log(`\nThe files that took longest:\n${lines.join('\n')}`)
}

/** Runs a program on our terminal and returns its exit code. */
export function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: projectFolder, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', code => resolve(code ?? 1))
  })
}

/** A PostgreSQL server for one run, removed after it; runs at the same time do not meet. */
export async function withTestServer<T>(
  { binaries }: { binaries?: Binaries },
  work: (superuserUrl: string) => Promise<T>,
): Promise<T> {
  mkdirSync(runsFolder, { recursive: true })
  await sweepDeadRuns()
  const server = await startTestServer(join(runsFolder, `${process.pid}-${binaries?.major ?? 'own'}`), binaries)
  const interrupted = () => void server.stop('immediate').finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await work(server.superuserUrl)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await server.stop('immediate')
    await rm(dirname(server.cluster), { recursive: true })
  }
}

/** Ends and removes what runs left behind that were killed. */
async function sweepDeadRuns(): Promise<void> {
  for (const name of readdirSync(runsFolder)) {
    if (existsSync(`/proc/${Number.parseInt(name, 10)}`)) continue
    const cluster = join(runsFolder, name, 'postgres')
    // A run that only counted on a server of somebody else's has left a file.
    const server = existsSync(cluster) ? findPostmaster(cluster) : undefined
    if (server) await stopPostmaster(server, cluster, () => {}, 0)
    await rm(join(runsFolder, name), { recursive: true, force: true })
  }
}
