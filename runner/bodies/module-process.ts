import { join } from 'node:path'
import { MessagePipe } from '../supervisor/message-pipe.ts'
import type { Hide, Take } from './body-output.ts'
import { type FromModuleHost, type ModuleJob, readFromHost, type ToModuleHost } from './module-protocol.ts'
import type { End, ProcessSupervisor, SupervisorPlace } from './supervised-program.ts'

/**
 * Node's options for the process. Typeless packages cause no warning: a repository need not have a package.json. If the
 * supervisor was started without helper threads, no processor is idle for those of a program either.
 */
const options = [
  ...process.execArgv.filter(option => option === '--single-threaded'),
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  '--disable-warning=ExperimentalWarning',
]

/** Maximum size of a message, such as a body's report of its failure. */
const mostMessageBytes = 4 * 1_048_576

/** A process that runs a repository's programs (module-host.ts), as the supervisor sees it: one body at a time. */
export class ModuleProcess {
  readonly #keeper: ProcessSupervisor
  readonly #messages: MessagePipe<ToModuleHost>
  #tell: ((end: End) => void) | undefined
  #hide: Hide = () => {}
  #loaded = () => {}
  /**
   * Time by `performance.now` at which it received the first body to load; undefined before that, and once it has
   * loaded it.
   */
  #loadingSince: number | undefined
  #hasLoaded = false
  #hasBody = false
  #ended = false
  #usable = true

  constructor(keeper: ProcessSupervisor, { node, program, suffix, work, env }: SupervisorPlace) {
    this.#keeper = keeper
    const argv = [node, ...options, join(program, `module-host${suffix}`), work]
    void keeper.run({ argv, cwd: work, env }).then(end => this.#over(end))
    const hear = (message: unknown) => {
      const said = readFromHost(message)
      if (said) this.#hear(said)
      else this.#broken()
    }
    this.#messages = new MessagePipe(keeper.messages, hear, () => this.#broken(), mostMessageBytes)
  }

  get root() {
    return this.#keeper.root
  }

  /** Whether it may run another body. */
  get usable(): boolean {
    return this.#usable && !this.#ended
  }

  /** Whether it began to load the program at that time, or later, and still does. */
  isLoading(since: number): boolean {
    return this.#loadingSince !== undefined && this.#loadingSince >= since
  }

  /** @param loaded called once in its life, when it has loaded a body */
  run(job: ModuleJob, take: Take, hide: Hide = () => {}, loaded = () => {}): Promise<End> {
    this.#hasBody = true
    this.#hide = hide
    this.#loaded = loaded
    if (!this.#hasLoaded) this.#loadingSince = performance.now()
    this.#keeper.output.begin(take)
    // One that cannot be sent any more is answered by its end.
    this.#messages.send(job)
    return new Promise(resolve => {
      this.#tell = resolve
    })
  }

  async settled(): Promise<void> {
    const { output } = this.#keeper
    // After a program was killed, another process may still hold the pipes.
    await (this.#ended ? output.closed() : output.emptied())
    output.between()
  }

  /** Whether it may run another body. If not, it ends, and what the step left of itself lives on. */
  freed(): boolean {
    this.#hasBody = false
    if (this.usable) return true
    this.end()
    return false
  }

  end(): void {
    this.#usable = false
    if (this.#ended) this.#keeper.leave()
    else this.#messages.send('end')
  }

  #hear(message: FromModuleHost): void {
    if ('hide' in message) {
      this.#hide(message.hide)
      this.#messages.send('hidden')
    } else if ('loaded' in message) {
      this.#hasLoaded = true
      this.#loadingSince = undefined
      this.#loaded()
    } else if ('failed' in message) this.#fail(message.failed, message.exitCode || 1)
    else {
      const { alone, kept } = message
      this.#usable = alone
      this.#say({ code: 0, signal: null, alone, folderKept: alone && kept })
    }
  }

  #broken(): void {
    this.#fail("the action wrote into what its process and the runner say to each other, which is not the action's")
  }

  #fail(why: string, code = 1): void {
    this.#usable = false
    this.#say({ code, signal: null, why, alone: false })
  }

  #over(end: End): void {
    this.#ended = true
    const by = end.signal ? `killed by ${end.signal}` : `exit code ${end.code}`
    const why = end.why ?? `the action's process ended (${by}) before the action did`
    this.#say({ ...end, code: end.code || 1, why, alone: false })
    // Output for a body is yet to be read.
    if (!this.#hasBody) this.#keeper.leave()
  }

  /** Reports the end of a body, once for each body. */
  #say(end: End): void {
    this.#tell?.(end)
    this.#tell = undefined
  }
}
