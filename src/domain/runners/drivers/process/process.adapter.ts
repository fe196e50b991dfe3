import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { bareEnvironment, type RunAs } from '#platform/db/embedded/run-program.ts'
import type { Log } from '#platform/domain.ts'
import { failpointEnvironment } from '#platform/failpoints.ts'
import { Launcher, LauncherGone } from '#platform/processes/launcher.adapter.ts'
import { type Attempt, type Numbered, type RunnerStart, runnerEnvironment } from '#protocol/runner-protocol.ts'
import { readMessage } from '../../messages.ts'
import { type ProcessName, type RunnerOptions, silenceOf } from '../../runner.ts'
import { dependenciesFolder, npmFor } from './npm.adapter.ts'
import { isAlive, isInAnEnvironment, processName, thisHost } from './process-name.adapter.ts'
import { type RunnerPrograms, removeOldPrograms, runnerPrograms, startsFrom } from './runner-programs.adapter.ts'

export interface ProcessRunnersOptions {
  /** Where runners have their folders: `<data>/runners`. */
  readonly folder: string
  /** Address of the service as a runner on this host dials it. Asked at each start. */
  readonly serviceUrl: () => string
  /** The user that steps run as, when the service is root. */
  readonly runAs?: RunAs & { name: string }
  /** The user that prepares what steps of different changes share, when the service is root. */
  readonly prepareAs?: RunAs & { name: string }
  /** Folders that sandboxed steps do not see, when there is no such user: the service's data. */
  readonly hide: readonly string[]
  readonly log: Log
}

/** Runners as processes of this host (kind `process`). */
export interface ProcessRunners {
  readonly host: string
  /** Where their folders lie. */
  readonly folder: string
  /** The process that we are. */
  readonly self: ProcessName
  /** Starts a supervisor that outlives this process; answers its name, or undefined when it has ended already. */
  start(runner: { id: string; options: RunnerOptions; secret: string }): Promise<ProcessName | undefined>
  isAlive(name: Pick<ProcessName, 'pid' | 'started'>): boolean
  /** Whether any process of this runner lives here, also one that nobody has recorded. */
  hasProcess(runnerId: string): boolean
  /** Kills the runner and all that it and the given attempts have started; resolves when none of it is left. */
  kill(runnerId: string, running: readonly Attempt[]): Promise<void>
  /** Messages that the runner has written to be sent. `folder`: the runner's, when another process has started it. */
  spool(runner: PlacedRunner): Numbered[]
  /** The last lines of the supervisor's own log. */
  complaints(runner: PlacedRunner): string
  /** Ids of the runners that have a folder here. */
  folders(): string[]
  /** Removes a runner's folder; false when something of it stays. */
  remove(runnerId: string): Promise<boolean>
  /** Tells the runners in the folder where the service is now. */
  announce(): void
  /**
   * Tells one runner of this host, which another process may have started, to connect here.
   *
   * @throws when its folder cannot be written
   */
  takeOver(runner: PlacedRunner): void
}

/** A runner, and its folder where that is known. */
type PlacedRunner = { readonly id: string; readonly folder: string | null }

const programs = join(import.meta.dirname, '../../../../../runner')
const aDay = 24 * 3_600_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function openProcessRunners(options: ProcessRunnersOptions): ProcessRunners {
  const { folder, runAs, prepareAs } = options
  const host = thisHost()
  const placeOf = (id: string) => join(folder, id)
  const placeOfAny = (runner: PlacedRunner) => runner.folder ?? placeOf(runner.id)
  const folders = () => readdirSync(folder).filter(name => uuid.test(name))
  const launcher = new Launcher()
  makePassable(folder)
  let laidOut: RunnerPrograms | undefined
  const npm = npmFor(runAs)
  const program = async () => {
    if (!laidOut || !existsSync(laidOut.folder)) laidOut = await runnerPrograms(programs, folder, runAs, options.log)
    return laidOut
  }
  let tidied = Number.NEGATIVE_INFINITY
  const tidyDaily = () => {
    if (performance.now() - tidied < aDay) return
    tidied = performance.now()
    removeOldPrograms(folder)
  }
  const kill = async (runnerId: string, running: readonly Attempt[]) =>
    reap(launcher, await program(), { runnerId, running, ...(runAs && { runAs }) })

  return {
    host,
    folder,
    self: processName(host, process.pid)!,
    isAlive,
    hasProcess: id => isInAnEnvironment(`${runnerEnvironment.id}=${id}`),
    start: async ({ id, options: its, secret }) => {
      const itsProgram = await program()
      const start: RunnerStart = {
        secret,
        host,
        silenceSeconds: silenceOf(its),
        sandbox: its.sandbox !== false,
        hide: [...options.hide],
        addressFiles: [placeOf(id), folder].map(addressFileIn),
        ...(runAs && { runAs: named(runAs) }),
        ...(prepareAs && { prepareAs: named(prepareAs) }),
        ...(await npm),
        dependencies: dependenciesFolder(folder),
        ...(prepareAs && { trees: treesFolder(folder, prepareAs) }),
        program: itsProgram,
      }
      const place = placeOf(id)
      makePassable(place)
      startsFrom(itsProgram, place)
      tidyDaily()
      try {
        const isOneOfMany = folders().length > fewRunners * availableParallelism()
        const { args, env } = supervisor(itsProgram, place, { id, serviceUrl: options.serviceUrl(), isOneOfMany })
        const what = { program: process.execPath, args, cwd: place, env, input: JSON.stringify(start) }
        return processName(host, await launcher.start(what, join(place, 'supervisor.log')))
      } catch (error) {
        // It may live, and whoever takes its place would work in the same folder.
        if (error instanceof LauncherGone) await kill(id, [])
        throw error
      }
    },
    kill,
    spool: runner => readSpool(join(placeOfAny(runner), 'spool')),
    complaints: runner => tail(join(placeOfAny(runner), 'supervisor.log')),
    folders,
    remove: id => removeFolder(launcher, placeOf(id), runAs),
    announce: () => announceService(folder, options.serviceUrl()),
    takeOver: runner => announceService(placeOfAny(runner), options.serviceUrl()),
  }
}

/**
 * Trees of commits that runners share: root's and the preparer's. Of one user's service steps without a sandbox could
 * write there, so it has none (docs/adr/0097).
 */
function treesFolder(runners: string, preparer: RunAs): string {
  const folder = join(runners, 'trees')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chownSync(folder, 0, preparer.gid)
  chmodSync(folder, 0o710)
  return folder
}

const named = ({ name, uid, gid }: RunAs & { name: string }) => ({ name, uid, gid })

const addressFileIn = (folder: string) => join(folder, 'service-address')

/** Tells the runners in a folder, or the one whose folder it is, the service's address: at their next attempt to connect they use this one. */
export function announceService(folder: string, url: string): void {
  const file = addressFileIn(folder)
  // Renamed into place: a runner reads it whole or not at all.
  writeFileSync(`${file}.new`, url)
  renameSync(`${file}.new`, file)
}

/** Makes a folder that others can pass through to the folders of their steps, without seeing its content. */
function makePassable(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
}

/**
 * MiB of each half of V8's young space. Lines on their way out die young, and with the usual 16 a supervisor grew by
 * 140 MiB under a million of them; there is one for each change that runs.
 */
const youngSpace = '--max-semi-space-size=8'
/** V8 compiles and collects in the thread that runs: where nothing is idle that could help, waking others costs more. */
const noHelpers = '--single-threaded'
/** Runners for each processor beyond which that is so. */
const fewRunners = 2

/** Beside the runners' folders, for the service's own user alone. */
function compileCache(runnerFolder: string): string {
  const folder = join(runnerFolder, '../compile-cache')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The secret goes in by its standard input; arguments and environment can be read by others. */
function supervisor(
  program: RunnerPrograms,
  folder: string,
  about: { id: string; serviceUrl: string; isOneOfMany: boolean },
) {
  return {
    args: [youngSpace, ...(about.isOneOfMany ? [noHelpers] : []), join(program.folder, 'supervisor.js')],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      [runnerEnvironment.id]: about.id,
      [runnerEnvironment.serviceUrl]: about.serviceUrl,
      [runnerEnvironment.folder]: folder,
      // What Node compiles of the supervisor and its packages is kept for the next one: that is two thirds of its start.
      // Of the supervisor only: a folder that steps' user could write would let one change speak in another's runner.
      NODE_COMPILE_CACHE: compileCache(folder),
      ...failpointEnvironment,
    },
  }
}

/** By a program of the runner's: it knows how to find what a runner has started. */
async function reap(
  launcher: Launcher,
  by: RunnerPrograms,
  what: { runnerId: string; running: readonly Attempt[]; runAs?: RunAs & { name: string } },
): Promise<void> {
  const args = [join(by.folder, 'reap.js')]
  const end = await launcher.run({ program: process.execPath, args, cwd: '/', env: {}, input: JSON.stringify(what) })
  if (end.code !== 0) throw new Error(`what is left of the runner ${what.runnerId} could not be ended: ${end.output}`)
}

/** A line may have been cut off by the end of the runner, or by a full disk: it is none, and must not hide the others. */
export function readSpool(folder: string): Numbered[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap(line => {
      const message = readMessage(line)
      return message?.type === 'log' || message?.type === 'result' ? [message] : []
    })
}

function tail(file: string): string {
  if (!existsSync(file)) return ''
  return readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n').slice(-2_000)
}

/**
 * Removes the files of steps as their user: in a folder that another can change meanwhile, root might remove something
 * else.
 */
async function removeFolder(launcher: Launcher, folder: string, runAs: RunAs | undefined): Promise<boolean> {
  const work = join(folder, 'work')
  const find = (...what: string[]) =>
    launcher.run({
      program: '/usr/bin/find',
      args: [work, ...what],
      cwd: '/',
      env: bareEnvironment,
      ...(runAs && { as: runAs }),
    })
  // Steps that run as the service's own user may have put a link in its place, which goes with the folder.
  if (lstatSync(work, { throwIfNoEntry: false })?.isDirectory()) {
    await find('-mindepth', '1', '-delete')
    // What its owner may not write cannot be emptied: Go's module cache is read-only, for one. The folder itself may be so.
    if (!isEmpty(work)) {
      await find('-type', 'd', '!', '-perm', '-u=rwx', '-exec', '/bin/chmod', 'u=rwx', '{}', ';')
      await find('-mindepth', '1', '-delete')
    }
    if (!isEmpty(work)) return false
    rmdirSync(work)
  }
  rmSync(folder, { recursive: true, force: true })
  return true
}

/** False as well of a folder that cannot be read. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false
    throw error
  }
}
