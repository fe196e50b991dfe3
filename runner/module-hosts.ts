import { join } from 'node:path'
import type { FrameWriter } from './body-output.ts'
import type { FromModuleHost, ModuleJob, ToModuleHost } from './executor-protocol.ts'
import { type End, type KeeperPlace, type Keeping, startKeeping } from './keeper.ts'
import { MessagePipe } from './message-pipe.ts'
import type { RunningBody } from './scripts.ts'

/** A repository need not have a package.json; that Node then looks at a file to know what it is, is no news to a log. */
const options = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--disable-warning=ExperimentalWarning']
const command = [process.execPath, ...options, join(import.meta.dirname, 'module-host.ts')]

/** The processes that run a repository's own programs: as many as run at once, and those that have run wait for more. */
export class ModuleHosts {
  readonly #place: KeeperPlace
  readonly #frames: FrameWriter
  readonly #idle: ModuleHost[] = []

  constructor(place: KeeperPlace, frames: FrameWriter) {
    this.#place = place
    this.#frames = frames
  }

  /** Has one ready before the first body asks for it. */
  async warm(): Promise<void> {
    if (this.#idle.length === 0) this.#idle.push(await this.#start())
  }

  async start(channel: number, job: ModuleJob): Promise<RunningBody> {
    const host = this.#takeIdle() ?? (await this.#start())
    const ended = host.run(channel, job)
    return {
      root: host.root,
      ended,
      settled: () => host.settled(),
      free: () => {
        if (host.freed()) this.#idle.push(host)
      },
    }
  }

  async #start(): Promise<ModuleHost> {
    return new ModuleHost(await startKeeping(this.#place, this.#frames, 2), this.#place)
  }

  #takeIdle(): ModuleHost | undefined {
    for (let host = this.#idle.pop(); host; host = this.#idle.pop()) if (host.usable) return host
    return undefined
  }
}

class ModuleHost {
  readonly #keeper: Keeping
  readonly #messages: MessagePipe<FromModuleHost, ToModuleHost>
  #tell: ((end: End) => void) | undefined
  #hasBody = false
  #ended = false
  #usable = true

  constructor(keeper: Keeping, { work, env }: KeeperPlace) {
    this.#keeper = keeper
    void keeper.run({ argv: command, cwd: work, env }).then(end => this.#over(end))
    this.#messages = new MessagePipe(keeper.messages, message => this.#hear(message))
  }

  get root() {
    return this.#keeper.root
  }

  /** It may run another body. */
  get usable(): boolean {
    return this.#usable && !this.#ended
  }

  run(channel: number, job: ModuleJob): Promise<End> {
    this.#hasBody = true
    this.#keeper.output.begin(channel)
    // One that cannot be sent any more is answered by its end.
    this.#messages.send(job)
    return new Promise(resolve => {
      this.#tell = resolve
    })
  }

  async settled(): Promise<number> {
    const { output } = this.#keeper
    // Of a process that was killed, somebody may still hold the pipes.
    await (this.#ended ? output.closed() : output.emptied())
    const { written } = output
    output.between()
    return written
  }

  /** Whether it may run another body. If not, it ends, and what the step left of itself lives on. */
  freed(): boolean {
    this.#hasBody = false
    if (this.usable) return true
    this.#usable = false
    if (this.#ended) this.#keeper.leave()
    else this.#messages.send('end')
    return false
  }

  #hear(message: FromModuleHost): void {
    if ('failed' in message) {
      this.#usable = false
      this.#say({ code: message.exitCode || 1, signal: null, why: message.failed, alone: false })
    } else {
      this.#usable = message.alone
      this.#say({ code: 0, signal: null, alone: message.alone })
    }
  }

  #over(end: End): void {
    this.#ended = true
    const by = end.signal ? `killed by ${end.signal}` : `exit code ${end.code}`
    const why = end.why ?? `the action's process ended (${by}) before the action did`
    this.#say({ ...end, code: end.code || 1, why, alone: false })
    // What it wrote for a body is yet to be read.
    if (!this.#hasBody) this.#keeper.leave()
  }

  /** Once for each body. */
  #say(end: End): void {
    this.#tell?.(end)
    this.#tell = undefined
  }
}
