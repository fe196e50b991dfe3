import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { FrameWriter } from './body-output.ts'
import {
  type Exited,
  type FrameKind,
  type FromModuleHost,
  frame,
  hostLogDescriptor,
  type Questions,
} from './executor-protocol.ts'
import { hearKeeper, kept } from './keeper.ts'

/** The processes that run a repository's own programs: as many as run at once, and those that have run wait for more. */
export class ModuleHosts {
  readonly #frames: FrameWriter
  readonly #tell: (exited: Exited) => void
  readonly #idle: ModuleHost[] = []
  readonly #busy = new Map<number, ModuleHost>()

  constructor(frames: FrameWriter, tell: (exited: Exited) => void) {
    this.#frames = frames
    this.#tell = tell
  }

  async run(ask: Questions['module']['ask']): Promise<{ pid: number }> {
    const host = this.#idle.pop() ?? (await this.#start(ask))
    this.#busy.set(ask.channel, host)
    host.take(ask)
    return { pid: host.pid }
  }

  has(channel: number): boolean {
    return this.#busy.has(channel)
  }

  /** All that the body wrote has been handed on, and the end after it; the process is there for another. */
  async finish(channel: number): Promise<void> {
    const host = this.#busy.get(channel)!
    await host.settle()
    this.#frames.write(frame.end, channel, Buffer.alloc(0))
    this.#busy.delete(channel)
    if (host.release()) this.#idle.push(host)
  }

  #start(ask: Questions['module']['ask']): Promise<ModuleHost> {
    return new Promise((resolve, reject) => {
      const host = new ModuleHost(ask, this.#frames, this.#tell, () => {
        const at = this.#idle.indexOf(host)
        if (at >= 0) this.#idle.splice(at, 1)
      })
      host.child.once('error', error => reject(new Error(`${ask.argv[0]} could not be started: ${error.message}`)))
      host.child.once('spawn', () => resolve(host))
    })
  }
}

class ModuleHost {
  readonly child: ChildProcess
  readonly #output: HostOutput
  readonly #tell: (exited: Exited) => void
  readonly #closed: Promise<unknown>
  #channel: number | undefined
  #ended = false
  #reusable = true

  constructor(ask: Questions['module']['ask'], frames: FrameWriter, tell: (exited: Exited) => void, gone: () => void) {
    const underKeeper = ask.keep ? kept(ask.argv) : undefined
    const [program, ...args] = underKeeper ?? ask.argv
    this.child = spawn(program!, args, {
      cwd: ask.job.copy,
      env: ask.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', underKeeper ? 'pipe' : 'ignore', 'pipe', 'ipc'],
    })
    this.#tell = tell
    this.#output = new HostOutput(frames, {
      [frame.stdout]: this.child.stdout!,
      [frame.stderr]: this.child.stderr!,
      [frame.action]: this.child.stdio[hostLogDescriptor] as Readable,
    })
    this.child.on('message', message => this.#hear(message as FromModuleHost))
    const over = (end: { code: number | null; signal: string | null }) => {
      this.#ended = true
      gone()
      const by = end.signal ? `killed by ${end.signal}` : `exit code ${end.code}`
      this.#say({ ...end, code: end.code || 1, why: `the action's process ended (${by}) before the action did` })
    }
    this.#closed = new Promise(resolve => this.child.once('close', resolve))
    if (underKeeper) hearKeeper(this.child, over)
    else this.child.once('exit', (code, signal) => over({ code, signal }))
  }

  get pid(): number {
    return this.child.pid!
  }

  take({ channel, job }: Questions['module']['ask']): void {
    this.#channel = channel
    this.#output.channel = channel
    // One that cannot be sent any more is answered by its end.
    this.child.send(job, () => {})
  }

  async settle(): Promise<void> {
    // Of a process that was killed, somebody may still hold the pipes.
    await (this.#ended ? Promise.race([this.#closed, this.#output.quiet()]) : this.#output.quiet())
    this.#output.channel = undefined
  }

  /** Whether it may run another body. If not, it ends, and what the step left of itself lives on. */
  release(): boolean {
    if (this.#reusable && !this.#ended) return true
    if (!this.#ended) this.child.send('end', () => {})
    return false
  }

  #hear(message: FromModuleHost): void {
    if ('failed' in message) {
      this.#reusable = false
      this.#say({ code: message.exitCode || 1, signal: null, why: message.failed })
    } else {
      this.#reusable = message.alone
      this.#say({ code: 0, signal: null })
    }
  }

  /** Once for each body. */
  #say(end: Omit<Exited, 'exited'>): void {
    if (this.#channel === undefined) return
    const exited = this.#channel
    this.#channel = undefined
    this.#tell({ exited, ...end })
  }
}

/** What a process writes while it runs one body after the other. */
class HostOutput {
  channel: number | undefined
  readonly #frames: FrameWriter
  #pieces = 0

  constructor(frames: FrameWriter, pipes: Partial<Record<FrameKind, Readable>>) {
    this.#frames = frames
    for (const [kind, pipe] of Object.entries(pipes)) {
      frames.add(pipe)
      pipe.on('data', (bytes: Buffer) => {
        this.#pieces += 1
        // Written between two bodies: it belongs to none.
        if (this.channel !== undefined) frames.write(Number(kind) as FrameKind, this.channel, bytes)
      })
      pipe.on('error', () => {})
      pipe.once('close', () => frames.remove(pipe))
    }
  }

  /**
   * Resolves when the pipes are empty. Whatever a body wrote is in them before its end is told, and each turn of the
   * event loop reads what is there: turns that bring nothing say that nothing is left. (Waiting for a quiet time, as for
   * a script, would cost more than a light step does.)
   */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 3; ) {
      await this.#frames.room()
      const before = this.#pieces
      await new Promise(resolve => setImmediate(resolve))
      turns = this.#pieces === before ? turns + 1 : 0
    }
  }
}
