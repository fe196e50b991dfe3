import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants as system } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { startOf } from '../sandbox/processes.ts'
import { noFolder, places } from '../step/step-folder.ts'
import { Output } from './body-output.ts'
import { hostDescriptors } from './module-protocol.ts'
import { PlainProcess } from './plain-process.ts'
import type { End, ProcessSupervisor, Program, Root, SupervisorPlace } from './supervised-program.ts'

/** Numbers of the system calls that the keeper makes: prctl, setsid, mknodat. */
const systemCalls: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [157, 112, 259],
  arm64: [167, 157, 33],
}
const perl = '/usr/bin/perl'

/**
 * @param more pipes beside those of every program, from descriptor 4 on, for one that knows of them
 * @throws when it cannot be started here
 */
export const startSupervisor = (place: SupervisorPlace, more: 0 | 2 = 0): Promise<ProcessSupervisor> =>
  hasSubreaper() ? Subreaper.start(place, more) : Promise.resolve(new PlainProcess(place, more))

export const hasSubreaper = (): boolean => systemCalls[process.arch] !== undefined && existsSync(perl)

/**
 * Holds together what a program starts (subreaper.pl), inside a sandbox of its own where there is one, and runs another
 * when nothing is left of the last. Starting perl and bubblewrap costs several times what a light step does.
 */
class Subreaper implements ProcessSupervisor {
  readonly root: Root
  readonly output: Output
  readonly #child: ChildProcess
  readonly #wire: Socket
  readonly #gone: Promise<End>
  #told: ((end: End) => void) | undefined
  #folder = ''
  #usable = true

  static async start(place: SupervisorPlace, more: 0 | 2 = 0): Promise<Subreaper> {
    const names = pipeNames()
    const numbers = [...systemCalls[process.arch]!, constants.O_NOFOLLOW].map(String)
    const sandboxed = place.sandbox.length > 0 ? '1' : '0'
    const keeper = [perl, join(place.program, 'subreaper.pl'), ...numbers, sandboxed, place.work, ...names]
    const [program, ...args] = [...place.sandbox, ...keeper]
    const others = more === 0 ? (['ignore', 'ignore'] as const) : (['pipe', 'pipe'] as const)
    const child = spawn(program!, args, {
      ...(place.runAs && { uid: place.runAs.uid, gid: place.runAs.gid }),
      cwd: place.work,
      env: place.env,
      // In a session of its own: ending a step ends all of its session.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', ...others] as StdioOptions,
    })
    const wire = child.stdio[3] as Socket
    const ended = new Promise<never>((_, reject) => {
      child.once('error', error => reject(new Error(`${program} could not be started: ${error.message}`)))
      child.once('exit', (code, signal) =>
        reject(new Error(`the keeper of steps' processes ended (${signal ?? `exit code ${code}`})`)),
      )
    })
    await Promise.race([new Promise(ready => wire.once('data', ready)), ended])
    const [stdout, stderr] = openPipes(places.pipes(place.work), names, place.runAs?.uid ?? process.getuid!())
    const action = more === 0 ? {} : { action: child.stdio[hostDescriptors.log] as Readable }
    const output = new Output(place.intake, { stdout, stderr, ...action })
    return new Subreaper(child, wire, output)
  }

  private constructor(child: ChildProcess, wire: Socket, output: Output) {
    this.#child = child
    this.#wire = wire
    this.output = output
    this.root = { pid: child.pid!, started: startOf(child.pid!) ?? 0 }
    this.#gone = new Promise(resolve => {
      // Without a report it was itself killed.
      child.once('exit', (code, signal) => {
        this.#usable = false
        resolve({ code: signal === null ? code : null, signal, alone: false })
      })
    })
    // Its end is reported above.
    wire.on('error', () => {})
    // A report is one write of a few bytes, and arrives as one.
    wire.on('data', (report: Buffer) => this.#hear(String(report)))
  }

  get usable(): boolean {
    return this.#usable
  }

  get messages(): Socket {
    return (this.#child.stdio as unknown[])[hostDescriptors.messages] as Socket
  }

  run(program: Program): Promise<End> {
    const job = written(program)
    this.#folder = program.prepare?.folder ?? ''
    const end = new Promise<End>(resolve => {
      this.#told = resolve
    })
    this.#wire.write(job)
    return Promise.race([end, this.#gone])
  }

  leave(): void {
    this.#usable = false
    this.output.destroy()
    this.#wire.end(Buffer.alloc(4))
  }

  /** `<exit code> <signal> <alone> <kept>`, of the first two one is 0 unless both are. */
  #hear(report: string): void {
    const [code = 1, signal = 0, alone, kept] = report.split(' ').map(Number)
    const found = code !== noSuchFolder
    this.#usable = !found || (code === 0 && signal === 0 && alone === 1)
    this.#told?.({
      code: found && signal === 0 ? code : null,
      signal: signalNames.get(signal) ?? null,
      ...(!found && { why: noFolder(this.#folder).message }),
      alone: alone === 1,
      folderKept: kept === 1,
    })
    this.#told = undefined
  }
}

const noSuchFolder = -1
const signalNames = new Map(Object.entries(system.signals).map(([name, number]) => [number, name]))

let pipesMade = 0

/** New names for two pipes. The process id alone would not do: a runner before this one may have had the same. */
function pipeNames(): [string, string] {
  const name = `${process.pid}-${Date.now()}-${++pipesMade}`
  return [`${name}.out`, `${name}.err`]
}

const onlyFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const onlyPipe = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * Opens the two pipes in a folder. The folder is opened once and the pipes through its descriptor, not by its name,
 * which a step may have replaced by a link: the supervisor may open more than steps can.
 */
function openPipes(folder: string, names: readonly [string, string], owner: number): [Socket, Socket] {
  const opened = openSync(folder, onlyFolder)
  try {
    return names.map(name => openPipe(`/proc/self/fd/${opened}/${name}`, owner)) as [Socket, Socket]
  } finally {
    closeSync(opened)
  }
}

function openPipe(path: string, owner: number): Socket {
  const fd = openSync(path, onlyPipe)
  const about = fstatSync(fd)
  if (!about.isFIFO() || about.uid !== owner) {
    closeSync(fd)
    throw new Error(`a pipe of the runner's is none any more`)
  }
  return new Socket({ fd, readable: true, writable: false })
}

/** Encodes a program in the form that subreaper.pl reads. */
function written({ argv, cwd, env, prepare }: Program): Buffer {
  const step = prepare ? [prepare.step, prepare.context, prepare.script] : ['', '', '']
  const fields = [
    ...[cwd, ...step, String(argv.length), ...argv],
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ]
  const odd = fields.find(field => field.includes('\0'))
  if (odd !== undefined) throw new Error(`no program can be given a NUL: ${JSON.stringify(odd.slice(0, 40))} holds one`)
  const text = fields.join('\0')
  const bytes = Buffer.allocUnsafe(4 + Buffer.byteLength(text))
  bytes.writeUInt32BE(bytes.length - 4)
  bytes.write(text, 4)
  return bytes
}
