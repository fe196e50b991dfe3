import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants as system } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type FrameWriter, Output } from './body-output.ts'
import { type Exit, frame, hostDescriptors, type Program, type Root } from './executor-protocol.ts'
import { startOf } from './processes.ts'
import { places } from './step-folder.ts'
import { Unkept } from './unkept.ts'

/** Numbers of the system calls that the keeper makes: prctl, setsid, mknodat. */
const systemCalls: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [157, 112, 259],
  arm64: [167, 157, 33],
}
const perl = '/usr/bin/perl'

export interface KeeperPlace {
  /** The folder that steps work in. */
  work: string
  /** What everything has that is started. */
  env: Record<string, string>
  /** The beginning of a command that runs its arguments in bubblewrap; empty without. */
  sandbox: readonly string[]
}

/** `alone`: nothing that the program started is left. */
export type End = Exit & { alone: boolean }

/** A process beneath which programs run, one after the other. */
export interface Keeping {
  readonly root: Root
  /** What the program writes; there once one runs. */
  readonly output: Output
  /** The descriptor 5 of the program, when it was started with more. */
  readonly messages: Socket
  /** It may run another program. */
  readonly usable: boolean
  /** Once at a time. Resolves with the end of the program itself. */
  run(program: Program): Promise<End>
  /** What the last program has left lives on (in a sandbox it ends with it), and this is of no more use. */
  leave(): void
}

/**
 * @param more pipes beside those of every program, from descriptor 4 on, for one that knows of them
 * @throws when it cannot be started here
 */
export const startKeeping = (place: KeeperPlace, frames: FrameWriter, more: 0 | 2 = 0): Promise<Keeping> =>
  systemCalls[process.arch] !== undefined && existsSync(perl)
    ? Keeper.start(place, frames, more)
    : Promise.resolve(new Unkept(place, frames, more))

/**
 * Holds together what a program starts (keeper.pl), inside a sandbox of its own where there is one, and runs another
 * when nothing is left of the last. Starting perl and bubblewrap costs several times what a light step does.
 */
export class Keeper implements Keeping {
  readonly root: Root
  readonly output: Output
  readonly #child: ChildProcess
  readonly #wire: Socket
  readonly #gone: Promise<End>
  #told: ((end: End) => void) | undefined
  #usable = true

  static async start(place: KeeperPlace, frames: FrameWriter, more: 0 | 2 = 0): Promise<Keeper> {
    const names = pipeNames(place.work)
    const numbers = systemCalls[process.arch]!.map(String)
    const sandboxed = place.sandbox.length > 0 ? '1' : '0'
    const keeper = [perl, join(import.meta.dirname, 'keeper.pl'), ...numbers, sandboxed, ...names]
    const [program, ...args] = [...place.sandbox, ...keeper]
    const others = more === 0 ? (['ignore', 'ignore'] as const) : (['pipe', 'pipe'] as const)
    const child = spawn(program!, args, {
      cwd: place.work,
      env: place.env,
      // In a session of its own, so that no signal to the executor's reaches it.
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
    const [stdout, stderr] = names.map(openPipe) as [Socket, Socket]
    const log = more === 0 ? {} : { [frame.action]: child.stdio[hostDescriptors.log] as Readable }
    const output = new Output(frames, { [frame.stdout]: stdout, [frame.stderr]: stderr, ...log })
    return new Keeper(child, wire, output)
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
    // Its end is told above.
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

  /** `<exit code> <signal> <alone>`, of the first two one is 0 unless both are. */
  #hear(report: string): void {
    const [code, signal, alone] = report.split(' ').map(Number) as [number, number, number]
    this.#usable = code === 0 && signal === 0 && alone === 1
    this.#told?.({
      code: signal === 0 ? code : null,
      signal: signalNames.get(signal) ?? null,
      alone: alone === 1,
    })
    this.#told = undefined
  }
}

const signalNames = new Map(Object.entries(system.signals).map(([name, number]) => [number as number, name]))

let pipesMade = 0

/** New ones: an executor before this one may have had the same number. */
function pipeNames(work: string): [string, string] {
  mkdirSync(places.pipes(work), { recursive: true, mode: 0o700 })
  const name = `${process.pid}-${Date.now()}-${++pipesMade}`
  return [join(places.pipes(work), `${name}.out`), join(places.pipes(work), `${name}.err`)]
}

/** Neither a link nor a file: something of another step may have put one there. */
function openPipe(path: string): Socket {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  if (!fstatSync(fd).isFIFO()) {
    closeSync(fd)
    throw new Error(`${path} is no pipe any more`)
  }
  return new Socket({ fd, readable: true, writable: false })
}

/** As keeper.pl reads it. */
export function written({ argv, cwd, env }: Program): Buffer {
  const fields = [cwd, String(argv.length), ...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const odd = fields.find(field => field.includes('\0'))
  if (odd !== undefined) throw new Error(`no program can be given a NUL: ${JSON.stringify(odd.slice(0, 40))} holds one`)
  const text = Buffer.from(fields.join('\0'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text])
}
