import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { fromJson } from '#json/from-json.ts'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import { prepareDataFolder } from '../platform/db/embedded/data-folder.ts'
import { ensureSystemUsers } from '../platform/db/embedded/system-users.ts'
import { migrate } from '../platform/db/migrate.ts'
import { type Config, helpText, readConfig } from './config.ts'
import { throughOutages } from './retry-start.ts'
import { type ServingDatabase, servingDatabase } from './serving-database.ts'
import { type WhileStarting, whileStarting } from './while-starting.ts'

/** Program of `bin/start`: starts everything in order, stays in the foreground, stops everything in reverse order. */

const projectFolder = join(import.meta.dirname, '../..')
// A full disk under a log file, or a closed pipe, must not end the service: the stream continues with its next line.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
const log = (line: string) => console.log(line)
/** Retries of a start whose database is unavailable: recovering after a kill takes PostgreSQL seconds. */
const retryOptions = { tries: 30, pauseMilliseconds: 1_000, log }
/** Time for a person at the terminal to press Ctrl-C again, and so to end running steps too. */
const offerSeconds = 5

const answer = readConfig(process.env, process.argv.slice(2))
if ('errors' in answer) {
  console.error(['Sluice cannot start:', ...answer.errors, 'bin/start --help says more.'].join('\n  '))
  process.exitCode = 2
} else if (answer.config.help) {
  console.log(helpText())
} else {
  process.exitCode = await serve(answer.config)
  // Everything is closed, but if the database was unavailable, a retry timer may still be pending for minutes.
  setTimeout(() => process.exit(), 5_000).unref()
}

/** Serves until a signal, or until the end of the demo with `--exit`; returns the exit code. */
async function serve(wished: Config): Promise<number> {
  const signals = listenForSignals()
  let database: ServingDatabase | undefined
  let starting: WhileStarting | undefined
  try {
    const users = await ensureSystemUsers({ runnerUser: wished.runnerUser })
    const dataDir = await prepareDataFolder(wished.dataDir, users, log)
    if (wished.resetPassword !== undefined) {
      const { resetPasswordOnHost } = await import('./reset-password.ts')
      const { resetPassword: username, databaseUrl } = wished
      return await resetPasswordOnHost({ username, dataDir, databaseUrl, users, log })
    }
    const config = { ...wished, dataDir, gitProtocols: protocols(wished) }
    database = await servingDatabase(config, users, log, async () => {
      starting = await whileStarting(config)
    })
    const early = starting as WhileStarting | undefined
    early?.useDatabase(database.appUrl)
    signals.onSecond(() => database?.stop('immediate'))
    if (signals.came()) return 0
    const { ownerUrl, appUrl } = database
    const debug = config.logLevel === 'debug' ? log : undefined
    await throughOutages(() => migrate({ ownerUrl, appUrl, release: release(), log, debug }), retryOptions)
    if (signals.came()) return 0
    return await serveOn(database, { ...config, port: early?.port ?? config.port }, signals, async () => early?.close())
  } catch (error) {
    console.error(explain(error))
    return 1
  } finally {
    await starting?.close()
    await database?.stop()
  }
}

/**
 * Lets the heap double before it is collected. Otherwise Node collects all of a small heap whenever it has grown by
 * some megabytes, a dozen large responses, and answers no request meanwhile (ADR 93). Called once everything is loaded:
 * a flag set earlier would invalidate Node's compile cache.
 */
function letHeapGrow(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/** Git protocols that are allowed; for the demo also `file`, because its repository is a folder on this machine. */
function protocols({ demo, gitProtocols }: Config): Config['gitProtocols'] {
  if (!demo || gitProtocols.includes('file')) return gitProtocols
  log('For the demo, Git remotes may use the file protocol until this stops (SLUICE_GIT_PROTOCOLS lists it for good).')
  return [...gitProtocols, 'file']
}

async function serveOn(
  { ownerUrl, appUrl }: ServingDatabase,
  config: Config,
  signals: Signals,
  beforeListening: () => Promise<void>,
): Promise<number> {
  // Loaded only now, so that errors of the configuration or the database are reported before the whole service is read.
  // Node's compiled code is stored for the next start, which has to be a quick one.
  enableCompileCache(join(projectFolder, '.local/compile-cache'))
  const { startService } = await import('./service.ts')
  let firstPassword: string | undefined
  const madeFirst = (password: string) => {
    firstPassword = password
    const shown = config.adminPassword ? 'from SLUICE_ADMIN_PASSWORD' : `${password}   (shown only now)`
    log(`The first superuser:\n  superuser  admin\n  password   ${shown}`)
  }
  const start = () => startService({ config, ownerUrl, appUrl, madeFirst, beforeListening })
  const service = { ...(await throughOutages(start, retryOptions)), firstPassword }
  letHeapGrow()
  try {
    announce(service, config)
    if (!config.demo) {
      await signals.first
      return 0
    }
    const code = await runDemo(service, config)
    if (config.exit || signals.came()) return code
    log('The service stays; Ctrl-C stops it.')
    await signals.first
    return code
  } finally {
    const keepRunners = !config.stopRunners && !(await endsRunnersToo(service, signals))
    if (signals.came()) log('Stopping. (Ctrl-C again: at once.)')
    await service.stop({ keepRunners })
  }
}

/**
 * Whether running steps end with the service. They continue by themselves, and the next start adopts them; only a
 * person at a terminal is offered to end them, since they may be trying things out.
 */
async function endsRunnersToo(service: { runningSteps(): number }, signals: Signals): Promise<boolean> {
  const steps = service.runningSteps()
  if (steps === 0 || !signals.isInterrupt() || !process.stdin.isTTY) return false
  const [are, them] = steps === 1 ? ['1 step is', 'it'] : [`${steps} steps are`, 'them']
  log(
    `${are} running and will continue; the next start adopts ${them}. To end ${them} too, press Ctrl-C again within ${offerSeconds} s.`,
  )
  return signals.again(offerSeconds)
}

type Address = { address: string; firstPassword?: string | undefined }

function announce({ address }: Address, config: Config): void {
  log(`Sluice is ready on ${address} (${(performance.now() / 1000).toFixed(1)} s)`)
  if (!config.demo) log('Ctrl-C stops it.')
}

/** Runs the demo as an ordinary client: it gets an address and a login, and does the rest through the API. */
async function runDemo({ address, firstPassword }: Address, config: Config): Promise<number> {
  const password = firstPassword ?? config.adminPassword
  const program = join(projectFolder, 'examples/demo.ts')
  if (!password) {
    console.error('The demo signs in as admin: start it with SLUICE_ADMIN_PASSWORD=<the password> bin/start --demo')
    return 1
  }
  if (!existsSync(program)) throw new CannotStart(`The demo ${program} is missing.`)
  const env = {
    ...process.env,
    SLUICE_URL: address,
    SLUICE_USER: 'admin',
    SLUICE_PASSWORD: password,
    SLUICE_DEMO_FOLDER: join(config.dataDir, 'demo'),
  }
  const child = spawn(process.execPath, [program], { cwd: projectFolder, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code !== 0) console.error(`The demo ended with ${signal ?? `code ${code}`}.`)
      resolve(code ?? 1)
    })
  })
}

type Signals = {
  first: Promise<void>
  came(): boolean
  /** Whether the first signal was Ctrl-C. */
  isInterrupt(): boolean
  /** Whether Ctrl-C is pressed again within these seconds. This press does not count as the second signal. */
  again(seconds: number): Promise<boolean>
  onSecond(work: () => Promise<void> | undefined): void
}

/** The first signal requests an orderly stop, however far the start has come; the second ends everything at once. */
function listenForSignals(): Signals {
  const { promise, resolve } = Promise.withResolvers<void>()
  const came: NodeJS.Signals[] = []
  let atSecond: () => Promise<void> | undefined = () => undefined
  let offered: ((accepted: boolean) => void) | undefined
  const arrive = (signal: NodeJS.Signals) => {
    if (offered) return offered(signal === 'SIGINT')
    came.push(signal)
    resolve()
    if (came.length === 2) void Promise.resolve(atSecond()).finally(() => process.exit(130))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, arrive)
  return {
    first: promise,
    came: () => came.length > 0,
    isInterrupt: () => came[0] === 'SIGINT',
    again: async seconds => {
      const { promise: answer, resolve: accept } = Promise.withResolvers<boolean>()
      offered = accept
      const timer = setTimeout(() => accept(false), seconds * 1_000)
      try {
        return await answer
      } finally {
        clearTimeout(timer)
        offered = undefined
      }
    },
    onSecond: work => {
      atSecond = work
    },
  }
}

function release(): string {
  return fromJson<{ version: string }>(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version
}

/** Explains an error: one line for what a person can fix, the stack for a bug. */
function explain(error: unknown): string {
  if (error instanceof CannotStart) return `Sluice cannot start: ${error.message}`
  return `Sluice cannot start: ${error instanceof Error ? error.stack : String(error)}`
}
