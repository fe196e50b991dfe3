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
import { type ProcessName, silenceOf } from '../../runner.ts'
import type { Observed, RecordedRunner, RunnerDriver } from '../../runner-driver.port.ts'
import { dependenciesFolder, npmFor } from './npm.adapter.ts'
import {
  argumentsOf,
  isAlive,
  nameOfProcess,
  processesWith,
  processName,
  processOf,
  thisHost,
} from './process-name.adapter.ts'
import { type RunnerPrograms, removeOldPrograms, runnerPrograms, startsFrom } from './runner-programs.adapter.ts'

export interface ProcessDriverOptions {
  /** Folder of the runners: `<data>/runners`. */
  readonly folder: string
  /** Address of the service for a runner on this host. Read at each start. */
  readonly serviceUrl: () => string
  /** The user that steps run as, when the service is root. */
  readonly runAs?: RunAs & { name: string }
  /** The user that prepares files shared by steps of different changes, when the service is root. */
  readonly prepareAs?: RunAs & { name: string }
  /** Folders that sandboxed steps do not see, when there is no such user: the service's data. */
  readonly hide: readonly string[]
  readonly log: Log
}

const programs = join(import.meta.dirname, '../../../../../runner')
const aDay = 24 * 3_600_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Driver of runners that are processes of this host (kind `process`). */
export function openProcessDriver(options: ProcessDriverOptions): RunnerDriver {
  const { folder, runAs, prepareAs } = options
  const host = thisHost()
  const placeOf = (id: string) => join(folder, id)
  const placeOfAny = (runner: RecordedRunner) => runner.folder ?? placeOf(runner.id)
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
  const kill = async (runnerId: string, running: readonly Attempt[]): Promise<'dead'> => {
    await reap(launcher, await program(), { runnerId, running, ...(runAs && { runAs }) })
    return 'dead'
  }

  return {
    kind: 'process',
    host,
    folder,
    start: async ({ id, options: its, secret }) => {
      const place = placeOf(id)
      const running = existsSync(place) ? supervisorOf(id) : undefined
      if (running !== undefined) return named(processName(host, running))
      const itsProgram = await program()
      const start: RunnerStart = {
        secret,
        host,
        silenceSeconds: silenceOf(its),
        sandbox: its.sandbox !== false,
        hide: [...options.hide],
        addressFiles: [placeOf(id), folder].map(addressFileIn),
        ...(runAs && { runAs: userOf(runAs) }),
        ...(prepareAs && { prepareAs: userOf(prepareAs) }),
        ...(await npm),
        dependencies: dependenciesFolder(folder),
        ...(prepareAs && { trees: treesFolder(folder, prepareAs) }),
        program: itsProgram,
      }
      makePassable(place)
      startsFrom(itsProgram, place)
      tidyDaily()
      try {
        const isOneOfMany = folders().length > fewRunners * availableParallelism()
        const { args, env } = supervisor(itsProgram, place, { id, serviceUrl: options.serviceUrl(), isOneOfMany })
        const what = { program: process.execPath, args, cwd: place, env, input: JSON.stringify(start) }
        return named(processName(host, await launcher.start(what, join(place, 'supervisor.log'))))
      } catch (error) {
        // It may be alive, and its replacement would work in the same folder.
        if (error instanceof LauncherGone) await kill(id, [])
        throw error
      }
    },
    observe: async runners => new Map(runners.map(runner => [runner.id, observed(runner, host)])),
    kill,
    unsent: async runner => readSpool(join(placeOfAny(runner), 'spool')),
    complaints: async runner => tail(join(placeOfAny(runner), 'supervisor.log')),
    announce: () => announceService(folder, options.serviceUrl()),
    takeOver: runner => announceService(placeOfAny(runner), options.serviceUrl()),
    leftovers: async () => folders(),
    remove: async id =>
      (await removeFolder(launcher, placeOf(id), runAs))
        ? 'removed'
        : { stays: 'something in its folder could not be removed by the user of its steps' },
  }
}

const named = (process: ProcessName | undefined) => process && nameOfProcess(process)

function observed({ id, host, ref, starter }: RecordedRunner, here: string): Observed {
  // The meaning of a process number on another host is unknown here.
  if (host !== here) return { is: 'unknown', why: 'it runs on another host' }
  if (ref !== null) return isAlive(processOf(ref)) ? { is: 'alive' } : { is: 'ended', why: 'its process has ended' }
  if (starter === null || isAlive(starter)) return { is: 'coming' }
  // Its starter may have ended right after it had started the runner, which connects by itself.
  if (processesWith(`${runnerEnvironment.id}=${id}`).length > 0) return { is: 'alive' }
  return { is: 'gone', why: 'the service ended before it was started' }
}

/** Process number of a runner that already runs, although its start was not recorded. */
const supervisorOf = (id: string): number | undefined =>
  processesWith(`${runnerEnvironment.id}=${id}`).find(pid =>
    argumentsOf(pid).some(each => each.endsWith(supervisorFile)),
  )

/**
 * Trees of commits that runners share: root's and the preparer's. In a service of one user steps without a sandbox
 * could write there, so it has none (docs/adr/0097).
 */
function treesFolder(runners: string, preparer: RunAs): string {
  const folder = join(runners, 'trees')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chownSync(folder, 0, preparer.gid)
  chmodSync(folder, 0o710)
  return folder
}

const userOf = ({ name, uid, gid }: RunAs & { name: string }) => ({ name, uid, gid })

const addressFileIn = (folder: string) => join(folder, 'service-address')

/**
 * Sets the service's address for the runners in a folder, or the one whose folder it is: they use it when they next try
 * to connect.
 */
export function announceService(folder: string, url: string): void {
  const file = addressFileIn(folder)
  // Renamed into place: a runner reads it whole or not at all.
  writeFileSync(`${file}.new`, url)
  renameSync(`${file}.new`, file)
}

/** Creates a folder that others can pass through to the folders of their steps, without listing it. */
function makePassable(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
}

/**
 * MiB of each half of V8's young space. Outgoing log lines are short-lived, and with the usual 16 a supervisor grew by
 * 140 MiB under a million of them; there is one supervisor for each running change.
 */
const youngSpace = '--max-semi-space-size=8'
/** V8 compiles and collects in the running thread: if no processor is idle, waking other threads costs more. */
const noHelpers = '--single-threaded'
const supervisorFile = 'supervisor.js'
/** Number of runners per processor beyond which this applies. */
const fewRunners = 2

/** Folder of the compile cache, beside the runners' folders, for the service's own user alone. */
function compileCache(runnerFolder: string): string {
  const folder = join(runnerFolder, '../compile-cache')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The secret is written to standard input; arguments and environment are readable by others. */
function supervisor(
  program: RunnerPrograms,
  folder: string,
  about: { id: string; serviceUrl: string; isOneOfMany: boolean },
) {
  return {
    args: [youngSpace, ...(about.isOneOfMany ? [noHelpers] : []), join(program.folder, supervisorFile)],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      [runnerEnvironment.id]: about.id,
      [runnerEnvironment.serviceUrl]: about.serviceUrl,
      [runnerEnvironment.folder]: folder,
      // Node's compiled code of the supervisor and its packages is cached, which saves two thirds of its start. Only
      // for the supervisor: a folder that the steps' user could write would let one change run code in another's
      // runner.
      NODE_COMPILE_CACHE: compileCache(folder),
      ...failpointEnvironment,
    },
  }
}

/** Ends what is left of a runner, by a program of the runner's, which knows how to find what a runner has started. */
async function reap(
  launcher: Launcher,
  by: RunnerPrograms,
  what: { runnerId: string; running: readonly Attempt[]; runAs?: RunAs & { name: string } },
): Promise<void> {
  const args = [join(by.folder, 'reap.js')]
  const end = await launcher.run({ program: process.execPath, args, cwd: '/', env: {}, input: JSON.stringify(what) })
  if (end.code !== 0) throw new Error(`what is left of the runner ${what.runnerId} could not be ended: ${end.output}`)
}

/**
 * Messages in the spool of a runner. The last line may have been cut off by the end of the runner, or by a full disk:
 * it is skipped, and must not hide the others.
 */
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

/** The last lines of a log without stack frames, which would leave no room for the error that ended the runner. */
function tail(file: string): string {
  if (!existsSync(file)) return ''
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines
    .filter(line => !/^\s*(at .*)?$/.test(line))
    .slice(-5)
    .join('\n')
    .slice(-2_000)
}

/**
 * Removes the files of steps as their user: in a folder that another user can change meanwhile, root might remove
 * something else.
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
  // Steps that run as the service's own user may have replaced it by a link, which is removed with the folder.
  if (lstatSync(work, { throwIfNoEntry: false })?.isDirectory()) {
    await find('-mindepth', '1', '-delete')
    // A folder that its owner may not write cannot be emptied: for example Go's module cache is read-only. The folder
    // itself may be read-only too.
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

/** Whether a folder is empty; false if it cannot be read. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false
    throw error
  }
}
